// The stages of one purchase, from the store's books.
// Pure; any thread.

import Metrics
import Simulation

extension PurchaseStages {
    /// Cuts the payment's life into stages, so that nothing is left over and nothing counts twice.
    ///
    /// A payment that was sent again has several attempts. All ways to the store count as sending. All time of the
    /// store and of the buyer counts as theirs. The time after the last attempt counts as receiving. Work of the store
    /// after the app received the outcome is not part of the purchase.
    ///
    /// - Parameter attempts: attempts of the account, in the order of their arrival; attempts of other payments are
    ///   skipped.
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
