// What an app's receipt says of its purchases.
// A value, in the shape that the store's own verification answers with; not signed, and no file format of Apple's.

/// The purchases of an account as its app may know them at one moment (R57, R58).
package struct Receipt: Sendable, Equatable {
    /// When the store wrote it.
    package let asOf: Instant
    /// In no promised order.
    package let purchases: [Purchase]

    /// One purchase, by the names that the store's verification uses.
    package struct Purchase: Sendable, Equatable {
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

extension SimulatedAppStore {
    /// The receipt of a user's app as the store wrote it at that moment; nil once the account is closed. On the
    /// store's lane.
    package func receipt(user: Int, asOf instant: Instant) -> Receipt? {
        guard let account = account(user) else { return nil }
        let transactions = account.statement.transactions
        return receipt(of: transactions.indices.filter { isListed(transactions[$0], asOf: instant) }, account, instant)
    }

    /// The same as of now, for every exchange: what was finished long ago is not looked at again.
    func receiptOfNow(user: Int) -> Receipt? {
        guard let account = account(user) else { return nil }
        let now = lane.now
        account.listed.update(account.statement.transactions) { isListed($0, asOf: now) }
        return receipt(of: account.listed.places, account, now)
    }

    private func receipt(of places: [Int], _ account: Account, _ instant: Instant) -> Receipt {
        let transactions = account.statement.transactions
        let purchases = places.map { place in
            let transaction = transactions[place]
            let first = (transaction.subscriptionStart ?? transaction.original).flatMap { id in
                transactions.first { $0.id == id }
            }
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

/// Which of an account's transactions a receipt lists, kept from one to the next. On the store's lane.
struct ListedTransactions {
    private(set) var places: [Int] = []
    private var count = 0
    private var last: TransactionID?

    /// - Parameter isListed: once false of a transaction, it stays so.
    mutating func update(_ transactions: [StoreTransaction], _ isListed: (StoreTransaction) -> Bool) {
        // A test may have taken some out.
        if count > transactions.count || count > 0 && transactions[count - 1].id != last {
            places = []
            count = 0
        }
        places = (places + (count..<transactions.count)).filter { isListed(transactions[$0]) }
        count = transactions.count
        last = transactions.last?.id
    }
}
