// A session's actions on single transactions.
// Any thread. The store has acted when a call returns; StoreKit calls observers on the main queue afterwards.

import Foundation
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
    public func deleteTransaction(identifier: UInt) throws {
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

    /// Buys a product outside the app, with options, and returns the transaction. `Transaction.updates` emits it a moment
    /// after (S101).
    ///
    /// If payments fail or are interrupted, this throws their error. No approval is asked for. Quantity, account token, offer and purchase date count; no signature is checked.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let order = PurchaseOrder(options)
        TestControls.holdUpdates()
        defer { TestControls.releaseUpdates() }
        let id: UInt
        do {
            id = try buy(
                identifier, quantity: order.quantity, applicationUsername: order.account?.uuidString,
                offer: order.offer, past: order.past, asks: false)
        } catch let error as SKError {
            throw SimulatedErrors.now.purchase ?? error
        }
        guard let bought = await TestControls.transaction(TransactionID(number: Int64(id))) else {
            throw SKTestError.make(.noTransactionFound, "The purchase has been deleted meanwhile.")
        }
        return bought
    }

    private func buy(
        _ product: String, quantity: Int, applicationUsername: String?, offer: AppliedOffer? = nil,
        past: PastPurchase? = nil, asks: Bool = true
    ) throws -> UInt {
        let id = try act { store, user throws(TestSessionFailure) in
            try store.buyOutside(
                product, quantity: quantity, applicationUsername: applicationUsername, offer: offer, past: past,
                asks: asks, user: user)
        }
        return UInt(id.number)
    }

    /// Refunds a purchase at once; the store never refuses.
    /// For non-consumables and auto-renewable subscriptions StoreKit calls the observers'
    /// `didRevokeEntitlementsForProductIdentifiers` (R49).
    public func refundTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in try store.refund(id, user: user) }
    }

    // MARK: Approvals and issues

    /// Approves a deferred transaction: it becomes a purchase under the same identifier (R36).
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: true, user: user)
        }
    }

    /// Declines a deferred transaction: it stays deferred, and StoreKit calls no observer (R37).
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerRequest(id, isApproved: false, user: user)
        }
    }

    /// Resolves an interrupted purchase or a failed renewal. Does nothing if the transaction is paid.
    /// An interrupted purchase completes as a new transaction beside the failed one (R40).
    /// A subscription whose billing failed renews (R48); pass any of its transactions.
    public func resolveIssueForTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.resolveIssue(id, user: user)
        }
    }

    // MARK: Subscriptions

    /// Makes the subscription renew at the end of its period.
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.setRenewal(true, of: id, user: user)
        }
    }

    /// Makes the subscription end with its period.
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
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
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try SKTestError.translating { () throws(TestSessionFailure) in
            try TestControls.requestPriceConsent(TransactionID(number: Int64(identifier)))
        }
    }

    /// Agrees to the price increase: the subscription renews at the new price.
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: true, user: user)
        }
    }

    /// Declines the price increase: the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try act(on: identifier) { store, id, user throws(TestSessionFailure) in
            try store.answerPriceConsent(id, agrees: false, user: user)
        }
    }

    // MARK: -

    private func act<Value>(_ body: (SimulatedAppStore, Int) throws(TestSessionFailure) -> Value) throws -> Value {
        try SKTestError.translating { () throws(TestSessionFailure) in try TestControls.perform(body) }
    }

    private func act(
        on identifier: UInt, _ body: (SimulatedAppStore, TransactionID, Int) throws(TestSessionFailure) -> Void
    ) throws {
        try act { store, user throws(TestSessionFailure) in
            try body(store, TransactionID(number: Int64(identifier)), user)
        }
    }
}
