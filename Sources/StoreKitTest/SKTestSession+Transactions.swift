// What a session does to single transactions.
// Any thread. Each call has happened at the store when it returns; observers hear of it on the main queue afterwards.

public import Foundation
import Simulation

extension SKTestSession {
    // MARK: Transactions

    /// Everything that was bought, restored or tried, in the order of the identifiers: failed and deferred payments
    /// too, and consumables that have left the receipt. Not listed are payments for what is not sold.
    public func allTransactions() -> [SKTestTransaction] {
        TestControls.transactions.map { SKTestTransaction($0, TestControls.calendar) }
    }

    /// Wipes all transactions: nothing is owned, the receipt and the payment queue are empty. Payments under way come to
    /// their end all the same. Identifiers are not used again.
    public func clearTransactions() { TestControls.clear() }

    /// Wipes one transaction, with the renewals of the subscription it began and with what was restored of it.
    public func deleteTransaction(identifier: Int) throws {
        try SKTestError.translating { () throws(TestSessionFailure) in
            try TestControls.delete(TransactionID(number: Int64(identifier)))
        }
    }

    // MARK: Outside the app

    /// Buys a product as if on the App Store's page: a transaction arrives on the payment queue without a
    /// `.purchasing` before it, `.deferred` with Ask to Buy on (R44).
    ///
    /// Where payments fail or are interrupted, it throws their `SKError`, and the queue hears nothing. A product that is
    /// subscribed to already is not bought again.
    public func buyProduct(productIdentifier: String) throws {
        _ = try buy(productIdentifier, quantity: 1, applicationUsername: nil)
    }

    /// The same under options. Returns the transaction: there is no StoreKit 2 here whose `Transaction` it could be.
    @discardableResult
    public func buyProduct(
        identifier: String, options: Set<PurchaseOption> = []
    ) async throws -> SKTestTransaction {
        var quantity = 1
        var username: String?
        for option in options {
            switch option.kind {
            case .quantity(let count): quantity = count
            case .appAccountToken(let token): username = token.uuidString
            case .simulatesAskToBuyInSandbox: break
            }
        }
        let id = try buy(identifier, quantity: quantity, applicationUsername: username)
        guard let bought = allTransactions().first(where: { $0.identifier == id }) else {
            throw SKTestError.make(.noTransactionFound, "The transaction was deleted at once.")
        }
        return bought
    }

    private func buy(_ product: String, quantity: Int, applicationUsername: String?) throws -> Int {
        let id = try act { store, user throws(TestSessionFailure) in
            try store.buyOutside(product, quantity: quantity, applicationUsername: applicationUsername, user: user)
        }
        return Int(id.number)
    }

    /// Takes a purchase back; always granted, and at once. Observers are told
    /// `didRevokeEntitlementsForProductIdentifiers` of non-consumables and auto-renewable subscriptions (R49).
    public func refundTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in try store.refund(id, user: user) }
    }

    // MARK: Approvals and issues

    /// The deferred transaction becomes a purchase, under the same identifier (R36).
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: true, user: user)
        }
    }

    /// Observers are not told: the transaction stays deferred (R37).
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: false, user: user)
        }
    }

    /// Completes an interrupted purchase by a new transaction beside the failed one (R40), or renews a subscription
    /// whose billing failed (R48); any transaction of the subscription names it. Does nothing to one that is paid.
    public func resolveIssueForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.resolveIssue(id, user: user)
        }
    }

    // MARK: Subscriptions

    /// The subscription renews at the end of its period.
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.setRenewal(true, of: id, user: user)
        }
    }

    /// The subscription ends with its period.
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.setRenewal(false, of: id, user: user)
        }
    }

    /// The period ends now and the next one begins, by a new transaction (R46); or its billing fails, where
    /// `shouldEnterBillingRetryOnRenewal` says so. Renewal is on afterwards, and no price increase pending.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act { store, user throws(TestSessionFailure) in
            try store.forceRenewal(ofProduct: productIdentifier, user: user)
        }
    }

    /// The subscription ends now, and does not renew. Observers are not told.
    public func expireSubscription(productIdentifier: String) throws {
        try act { store, user throws(TestSessionFailure) in try store.expire(product: productIdentifier, user: user) }
    }

    /// The subscriber has to agree to a higher price, or the subscription ends with its period. The queue's delegate is
    /// asked `paymentQueueShouldShowPriceConsent`, each time (R52).
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try SKTestError.translating { () throws(TestSessionFailure) in
            try TestControls.requestPriceConsent(TransactionID(number: Int64(identifier)))
        }
    }

    /// The subscription renews at the new price.
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: true, user: user)
        }
    }

    /// The subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: false, user: user)
        }
    }

    // MARK: -

    private func act<Value>(_ body: (AppStore, Int) throws(TestSessionFailure) -> Value) throws -> Value {
        try SKTestError.translating { () throws(TestSessionFailure) in try TestControls.perform(body) }
    }

    private func act(
        on identifier: Int, _ body: (AppStore, TransactionID, Int) throws(TestSessionFailure) -> Void
    ) throws {
        try act { store, user throws(TestSessionFailure) in
            try body(store, TransactionID(number: Int64(identifier)), user)
        }
    }
}

extension SKTestSession {
    /// What may be said of a purchase outside the app; on Apple's systems it is `Product.PurchaseOption`.
    public struct PurchaseOption: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case quantity(Int)
            case appAccountToken(UUID)
            case simulatesAskToBuyInSandbox(Bool)
        }

        let kind: Kind

        /// 1 to 10; 1 unless set.
        public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption(kind: .quantity(quantity)) }

        /// The payment's `applicationUsername` (R59).
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(kind: .appAccountToken(token))
        }

        /// Means nothing to a session (R38).
        public static func simulatesAskToBuyInSandbox(_ simulates: Bool) -> PurchaseOption {
            PurchaseOption(kind: .simulatesAskToBuyInSandbox(simulates))
        }
    }
}
