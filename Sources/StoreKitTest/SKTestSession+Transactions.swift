// A session's actions on single transactions.
// Any thread. The store has acted when a call returns; StoreKit calls observers on the main queue afterwards.

public import Foundation
import Simulation

extension SKTestSession {
    // MARK: Transactions

    /// All transactions that were bought, restored or tried, in the order of their identifiers.
    /// They include failed and deferred payments, and consumables that have left the receipt.
    /// Payments for products that the store does not sell are not listed.
    public func allTransactions() -> [SKTestTransaction] {
        TestControls.transactions.map { SKTestTransaction($0, TestControls.calendar) }
    }

    /// Deletes all transactions.
    /// Afterwards the user owns nothing, and the receipt and the payment queue are empty.
    /// Payments under way still end. The store does not use identifiers again.
    public func clearTransactions() { TestControls.clear() }

    /// Deletes one transaction, with its renewals and restores.
    /// If it began a subscription, the subscription's renewals are deleted too.
    /// Throws `SKTestError` if the store cannot do it.
    public func deleteTransaction(identifier: Int) throws {
        try SKTestError.translating { () throws(TestSessionFailure) in
            try TestControls.delete(TransactionID(number: Int64(identifier)))
        }
    }

    // MARK: Outside the app

    /// Buys a product as if on the App Store's page (R44).
    ///
    /// A transaction arrives on the payment queue without a `.purchasing` before it; with Ask to Buy on, as
    /// `.deferred`.
    /// If payments fail or are interrupted, this throws their `SKError`, and StoreKit calls no observer.
    /// A product that the user already subscribes to is not bought again.
    public func buyProduct(productIdentifier: String) throws {
        _ = try buy(productIdentifier, quantity: 1, applicationUsername: nil)
    }

    /// Buys a product with options outside the app, and returns the transaction.
    /// On Apple's systems it returns a StoreKit 2 `Transaction`, which does not exist here.
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

    /// Refunds a purchase at once; the store never refuses.
    /// For non-consumables and auto-renewable subscriptions StoreKit calls the observers'
    /// `didRevokeEntitlementsForProductIdentifiers` (R49).
    public func refundTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in try store.refund(id, user: user) }
    }

    // MARK: Approvals and issues

    /// Approves a deferred transaction: it becomes a purchase under the same identifier (R36).
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: true, user: user)
        }
    }

    /// Declines a deferred transaction: it stays deferred, and StoreKit calls no observer (R37).
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: false, user: user)
        }
    }

    /// Resolves an interrupted purchase or a failed renewal. Does nothing if the transaction is paid.
    /// An interrupted purchase completes as a new transaction beside the failed one (R40).
    /// A subscription whose billing failed renews (R48); pass any of its transactions.
    public func resolveIssueForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.resolveIssue(id, user: user)
        }
    }

    // MARK: Subscriptions

    /// Makes the subscription renew at the end of its period.
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.setRenewal(true, of: id, user: user)
        }
    }

    /// Makes the subscription end with its period.
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.setRenewal(false, of: id, user: user)
        }
    }

    /// Ends the period now and begins the next one with a new transaction (R46).
    /// If `shouldEnterBillingRetryOnRenewal` is set, the billing fails instead.
    /// Afterwards renewal is on, and no price increase is pending.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act { store, user throws(TestSessionFailure) in
            try store.forceRenewal(ofProduct: productIdentifier, user: user)
        }
    }

    /// Ends the subscription now, without renewal. StoreKit calls no observer.
    public func expireSubscription(productIdentifier: String) throws {
        try act { store, user throws(TestSessionFailure) in try store.expire(product: productIdentifier, user: user) }
    }

    /// Asks the subscriber to agree to a higher price; without consent the subscription ends with its period.
    /// Each time StoreKit calls the queue delegate's `paymentQueueShouldShowPriceConsent` (R52).
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try SKTestError.translating { () throws(TestSessionFailure) in
            try TestControls.requestPriceConsent(TransactionID(number: Int64(identifier)))
        }
    }

    /// Agrees to the price increase: the subscription renews at the new price.
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: true, user: user)
        }
    }

    /// Declines the price increase: the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: false, user: user)
        }
    }

    // MARK: -

    private func act<Value>(_ body: (SimulatedAppStore, Int) throws(TestSessionFailure) -> Value) throws -> Value {
        try SKTestError.translating { () throws(TestSessionFailure) in try TestControls.perform(body) }
    }

    private func act(
        on identifier: Int, _ body: (SimulatedAppStore, TransactionID, Int) throws(TestSessionFailure) -> Void
    ) throws {
        try act { store, user throws(TestSessionFailure) in
            try body(store, TransactionID(number: Int64(identifier)), user)
        }
    }
}

extension SKTestSession {
    /// An option of a purchase outside the app. On Apple's systems it is `Product.PurchaseOption`.
    public struct PurchaseOption: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case quantity(Int)
            case appAccountToken(UUID)
            case simulatesAskToBuyInSandbox(Bool)
        }

        let kind: Kind

        /// How many to buy, from 1 to 10; 1 unless set.
        public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption(kind: .quantity(quantity)) }

        /// Sets the payment's `applicationUsername` to the token's text (R59).
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(kind: .appAccountToken(token))
        }

        /// Has no effect in a session (R38).
        public static func simulatesAskToBuyInSandbox(_ simulates: Bool) -> PurchaseOption {
            PurchaseOption(kind: .simulatesAskToBuyInSandbox(simulates))
        }
    }
}
