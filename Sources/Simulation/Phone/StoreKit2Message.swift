// What crosses between the process and the payment daemon for StoreKit 2.
// Values. Calls are numbered by the process; each answer names its call.

/// From a process to the daemon.
package enum StoreKit2Request: Sendable, Equatable {
    /// S63.
    case products(call: Int, identifiers: [String])
    /// S50.
    ///
    /// - Parameter asksToContinue: whether the app decides if the payment goes on in another country (S61).
    case buy(call: Int, PaymentValue, token: PaymentToken, asksToContinue: Bool)
    /// S43: whichever launch received it.
    case finish(TransactionID)
    /// S20 to S31: what the device knows, at the first call of a launch after asking the store.
    case read(call: Int)
    /// S74: does the device have a copy of the app's purchase, or get one?
    case appTransaction(call: Int)
    /// S80.
    case synchronise(call: Int)
    /// S4: what is unfinished, for one more iterator of `Transaction.updates`.
    case replay(call: Int)
    /// S42: has the store heard of a finish?
    case awaitFinish(call: Int, TransactionID)
    /// S64: the statuses as they are.
    case listenForStatuses
    /// S84.
    case listenForIntents
    /// S76.
    case listenForMessages
    /// S76: the app has the system show it.
    case show(SystemMessage)
    /// S77.
    case refund(call: Int, TransactionID)
    /// R42: the sheet for codes.
    case redeem(call: Int)
}

/// From the daemon to a process.
package enum StoreKit2Event: Sendable, Equatable {
    /// `found` are places in this edition of the catalog.
    case products(call: Int, found: [ProductIndex], unsold: Int, CatalogEdition)
    case bought(call: Int, PurchaseFact)
    /// S50: an approval, or something that the buyer has to do, is missing.
    case pending(call: Int, handle: Int, PaymentToken)
    case notBought(call: Int, handle: Int, PaymentToken, StoreFailure)
    /// S61: may the payment go on there?
    case mustAskToContinue(call: Int, handle: Int, StorefrontValue)
    case record(call: Int, PurchaseRecord, unfinished: [PurchaseFact])
    /// S74: it has one.
    case appTransaction(call: Int)
    /// S74: it has none, and the store cannot be reached.
    case notReached(call: Int, StoreFailure)
    /// S82: the record is current.
    case synchronised(call: Int)
    /// A call came to nothing, other than a purchase.
    case failed(call: Int, StoreFailure)
    /// S8: what is new for `Transaction.updates`.
    case updated([PurchaseFact])
    /// S4.
    case replayed(call: Int, [PurchaseFact])
    /// S42.
    case finished(call: Int)
    /// S64: the subscriptions whose status is another one than before.
    case statusChanged(groups: [String])
    /// S75.
    case storefrontChanged(StorefrontValue)
    /// S84: the person wants a product that is promoted in the store.
    case intent(ProductIndex)
    /// S76.
    case message(SystemMessage)
    /// S77: what the person did with the sheet.
    case refund(call: Int, RefundAnswer)
    /// R42: the person has closed the sheet for codes.
    case redeemed(call: Int)
}

/// What the App Store has to say to the person who uses the app (S76).
package enum SystemMessage: Sendable, CaseIterable { case priceIncrease, billingIssue }

/// A purchase on its way to an app.
package struct PurchaseFact: Sendable, Equatable {
    package let purchase: StoreTransaction
    /// As the device numbers what stands on its queue.
    package let handle: Int
    /// The payment of this device that it answers; nil for what came from the store by itself.
    package let token: PaymentToken?
    /// As the queue has it: a purchase, or one of something owned that arrives as restored (R23).
    private let state: TransactionState
    /// When the first purchase was made, of the subscription or of what this one repeats.
    package let originalAt: Instant

    /// - Parameter record: has the first purchase, if the device knows it.
    package init(
        _ purchase: StoreTransaction, handle: Int, token: PaymentToken? = nil, state: TransactionState = .purchased,
        in record: PurchaseRecord?
    ) {
        self.state = state
        self.purchase = purchase
        self.handle = handle
        self.token = token
        let start = purchase.subscriptionStart.flatMap { $0 == purchase.id ? nil : record?[$0]?.at }
        originalAt = start ?? purchase.originalDate ?? purchase.at
    }

    /// As the device's events have it.
    package var note: DeviceEvent.TransactionNote {
        DeviceEvent.TransactionNote(
            purchase.id, handle: Int32(handle), payment: token.map { Int32($0.number) }, product: purchase.product,
            state: state)
    }
}
