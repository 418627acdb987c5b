// What an app's receipt says of its purchases.
// A value, in the shape that the store's own verification answers with; not signed, and no file format of Apple's.

/// The purchases of an account as its app may know them at one moment (R57, R58).
package struct Receipt: Sendable, Equatable, Codable {
    /// When the store wrote it.
    package let asOf: Instant
    /// In no promised order.
    package let purchases: [Purchase]

    /// One purchase, by the names that the store's verification uses.
    package struct Purchase: Sendable, Equatable, Codable {
        package let quantity: Int
        package let productIdentifier: String
        package let transactionIdentifier: String
        package let originalTransactionIdentifier: String
        package let purchaseDate: Instant
        package let originalPurchaseDate: Instant
        /// Only of auto-renewable subscriptions.
        package let expiresDate: Instant?
        package let cancellationDate: Instant?
        package let isTrialPeriod: Bool
        package let isInIntroductoryOfferPeriod: Bool
        package let promotionalOfferIdentifier: String?
    }
}

extension AppStore {
    /// The receipt of a user's app as the store wrote it at that moment; nil once the account is closed. On the
    /// store's lane.
    func receipt(user: Int, asOf instant: Instant) -> Receipt? {
        guard let account = account(user) else { return nil }
        let transactions = account.statement.transactions
        let purchases = transactions.filter { isListed($0, asOf: instant) }.map { transaction in
            let first = transactions.first { $0.id == transaction.subscriptionStart ?? transaction.original }
            return purchase(transaction, first: first ?? transaction, asOf: instant)
        }
        return Receipt(asOf: instant, purchases: purchases)
    }

    /// R58: consumables until they are finished, everything else for ever.
    private func isListed(_ transaction: StoreTransaction, asOf instant: Instant) -> Bool {
        if transaction.at > instant { return false }
        guard stock[transaction.product].kind == .consumable, let finished = transaction.finishedAt else {
            return true
        }
        return finished > instant
    }

    private func purchase(
        _ transaction: StoreTransaction, first: StoreTransaction, asOf instant: Instant
    ) -> Receipt.Purchase {
        let product = stock[transaction.product]
        let revoked = transaction.revokedAt.flatMap { $0 <= instant ? $0 : nil }
        var promotionalOffer: String?
        if case .promotional(let identifier) = transaction.offer { promotionalOffer = identifier }
        let isIntroductory = transaction.offer == .introductory
        return Receipt.Purchase(
            quantity: transaction.quantity, productIdentifier: product.identifier,
            transactionIdentifier: transaction.id.text, originalTransactionIdentifier: first.id.text,
            purchaseDate: transaction.at, originalPurchaseDate: first.at, expiresDate: transaction.expiresAt,
            cancellationDate: revoked,
            isTrialPeriod: isIntroductory && product.subscription?.introductoryOffer?.paymentMode == .freeTrial,
            isInIntroductoryOfferPeriod: isIntroductory, promotionalOfferIdentifier: promotionalOffer)
    }
}
