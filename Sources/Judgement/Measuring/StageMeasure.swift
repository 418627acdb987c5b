// The stages of one purchase, from the store's books.
// Pure; any thread.

import Metrics
import Simulation

extension PurchaseStages {
    /// Cut from the payment's life so that nothing is left over and nothing counts twice.
    ///
    /// A payment that was sent again has several attempts: all the ways to the store are sending, all the time that the
    /// store and the buyer took is theirs, and what follows the last of them is receiving. What the store did after the
    /// app was told is not part of the purchase.
    ///
    /// - Parameter attempts: of the account, in the order in which they arrived; those of other payments are passed over.
    init(of payment: Int32, from added: Instant, to told: Instant, _ attempts: ArraySlice<PurchaseAttempt>) {
        self.init()
        var cursor = added
        /// From where the last stage ended to this instant, and no further than to the end.
        func advance(to instant: Instant) -> Int64 {
            let next = max(cursor, min(instant, told))
            defer { cursor = next }
            return (next - cursor).nanoseconds
        }
        var hasArrived = false
        // Looked at in place: a copy of an attempt is counted, and most are of other payments.
        for place in attempts.indices where attempts[place].payment.number == Int(payment) {
            let receivedAt = attempts[place].receivedAt
            guard receivedAt < told else { break }
            hasArrived = true
            sending += advance(to: receivedAt)
            let sheetAt = attempts[place].sheetAt
            processing += advance(to: sheetAt ?? attempts[place].arrivedAt)
            if sheetAt != nil { deciding += advance(to: attempts[place].decidedAt ?? told) }
        }
        let rest = advance(to: told)
        if hasArrived { receiving += rest } else { sending += rest }
    }
}
