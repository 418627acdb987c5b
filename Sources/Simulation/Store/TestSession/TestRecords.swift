// What a store keeps for the test session that controls it, beside its accounts.
// Guard: confined to the store's lane.

final class TestRecords {
    /// A session has been opened; it stays so.
    var isInSession = false
    /// Sheets are not shown: there is no user to decide.
    var showsNoSheets = false
    /// Payments that failed or wait for an approval. Purchases have numbers of their own; these are numbered with them.
    var unpurchased: [Unpurchased] = []
    /// R27: the account's statement does not list what was restored.
    var restored: [StoreTransaction] = []
    private var outsideRequests = 0

    struct Unpurchased {
        let id: TransactionID
        let order: PaymentOrder
        /// Its place among the account's attempts.
        let attempt: Int
        let isFromOutside: Bool
    }

    /// Whether it is none of the account's purchases, and known.
    func lists(_ id: TransactionID) -> Bool {
        restored.contains { $0.id == id } || unpurchased.contains { $0.id == id }
    }

    /// For a purchase outside the app (R44): negative, so that it is no payment's of a device.
    func takeOutsideToken() -> PaymentToken {
        outsideRequests += 1
        return PaymentToken(number: -outsideRequests)
    }
}

/// What a test session has wiped from the books.
package struct Forgotten: Sendable {
    /// Nil: everything.
    private let part: Part?

    private struct Part {
        let transactions: Set<TransactionID>
        let payments: Set<PaymentToken>
    }

    static let everything = Forgotten(part: nil)

    static func only(_ transactions: Set<TransactionID>, payments: Set<PaymentToken> = []) -> Forgotten {
        Forgotten(part: Part(transactions: transactions, payments: payments))
    }

    func covers(_ transaction: TransactionID?, _ payment: PaymentToken?) -> Bool {
        guard let part else { return true }
        return transaction.map { part.transactions.contains($0) } ?? false
            || payment.map { part.payments.contains($0) } ?? false
    }
}
