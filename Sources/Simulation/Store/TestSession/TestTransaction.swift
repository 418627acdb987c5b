// The transactions of a test store as a test session lists them.
// Values.

/// A purchase, a restored one, or a payment that came to nothing.
package struct TestTransaction: Sendable, Equatable {
    package enum State: Sendable { case purchased, failed, restored, deferred }

    package let id: TransactionID
    /// The first of the subscription, or what was bought again or restored; else its own.
    package let originalID: TransactionID
    package let productIdentifier: String
    package let state: State
    package let purchasedAt: Instant
    package var expiresAt: Instant?
    package var cancelledAt: Instant?
    package var renews = false
    /// R40, R48: something has to be mended before it is purchased, or renewed.
    package var hasIssue = false
    package var awaitsApproval = false
    package var awaitsPriceConsent = false
}

/// Why a test session cannot do what it is asked to.
package enum TestSessionFailure: Error, Sendable, Equatable {
    case unknownProduct
    /// The product is no auto-renewable subscription.
    case wrongProductType
    /// It is one, and none runs.
    case noSubscription
    case noTransaction
    /// Nothing to approve, to resolve, to refund, to consent to.
    case invalidAction
    /// The purchase itself failed.
    case refused(StoreFailure)
}

extension SimulatedAppStore {
    /// Everything that was bought, restored or tried, in the order of the identifiers. On the lane.
    package func testTransactions(user: Int) -> [TestTransaction] {
        guard let account = account(user), let records else { return [] }
        let purchased = account.statement.transactions.map { describe($0, .purchased, account) }
        let restored = records.restored.map { describe($0, .restored, account) }
        let others = records.unpurchased.compactMap { describe($0, account) }
        return (purchased + restored + others).sorted { $0.id < $1.id }
    }

    private func describe(
        _ transaction: StoreTransaction, _ state: TestTransaction.State, _ account: Account
    ) -> TestTransaction {
        let start = transaction.subscriptionStart ?? transaction.original ?? transaction.id
        let subscription = state == .purchased ? account.subscriptions.first { $0.start == start } : nil
        return TestTransaction(
            id: transaction.id, originalID: start, productIdentifier: stock[transaction.product].identifier,
            state: state, purchasedAt: transaction.at, expiresAt: transaction.expiresAt,
            cancelledAt: transaction.revokedAt, renews: subscription?.renews ?? false,
            hasIssue: subscription.map { $0.isInRetry && $0.latest == transaction.id } ?? false,
            awaitsPriceConsent: subscription?.consent == .needed)
    }

    /// Nil once it has become a purchase.
    private func describe(_ payment: TestRecords.Unpurchased, _ account: Account) -> TestTransaction? {
        let attempt = account.statement.attempts[payment.attempt]
        var transaction = TestTransaction(
            id: payment.id, originalID: payment.id, productIdentifier: payment.order.payment.productIdentifier,
            state: attempt.outcome.isDeferred ? .deferred : .failed, purchasedAt: attempt.arrivedAt)
        switch attempt.outcome {
        case .awaitsApproval: transaction.awaitsApproval = true
        case .interrupted: transaction.hasIssue = attempt.completedBy == nil
        case .declined, .refused, .cancelled: break
        case .undecided, .charged, .repeated, .existing: return nil
        }
        return transaction
    }
}

extension PurchaseAttempt.Outcome {
    /// R37: a declined request stays deferred.
    fileprivate var isDeferred: Bool { self == .awaitsApproval || self == .declined }
}
