// What crosses between an app process and the payment daemon: values only, and `Codable`,
// so that the two could sit in different operating-system processes.

/// A payment as the daemon keeps it.
package struct PaymentValue: Sendable, Equatable, Codable {
    package var productIdentifier: String
    package var quantity: Int
    package var applicationUsername: String?
    /// Nil in a payment with nothing out of the ordinary.
    private var box: Box?

    /// What few payments have, in a box: the others are copied at every step of their way, and pay one word for it.
    private struct Extras: Sendable, Equatable, Codable {
        var requestData: [UInt8]?
        var simulatesAskToBuyInSandbox = false
        var discount: PaymentDiscountValue?
    }

    private final class Box: Sendable, Equatable, Codable {
        let extras: Extras
        init(_ extras: Extras) { self.extras = extras }
        static func == (left: Box, right: Box) -> Bool { left.extras == right.extras }
    }

    package init(
        productIdentifier: String, quantity: Int, applicationUsername: String? = nil, requestData: [UInt8]? = nil,
        simulatesAskToBuyInSandbox: Bool = false, discount: PaymentDiscountValue? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        if requestData == nil, !simulatesAskToBuyInSandbox, discount == nil { return }
        box = Box(
            Extras(
                requestData: requestData, simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, discount: discount))
    }

    private var extras: Extras {
        get { box?.extras ?? Extras() }
        set { box = newValue == Extras() ? nil : Box(newValue) }
    }

    package var requestData: [UInt8]? {
        get { extras.requestData }
        set { extras.requestData = newValue }
    }
    /// R38: the payment asks for an approval that never comes.
    package var simulatesAskToBuyInSandbox: Bool {
        get { extras.simulatesAskToBuyInSandbox }
        set { extras.simulatesAskToBuyInSandbox = newValue }
    }
    package var discount: PaymentDiscountValue? {
        get { extras.discount }
        set { extras.discount = newValue }
    }
}

/// A transaction as the process sees it (R14 says which fields are set in which state).
package struct TransactionValue: Sendable, Equatable, Codable {
    /// The daemon's own number for it: unique on the device, kept over launches.
    package let handle: Int
    package var state: TransactionState
    /// Of the purchase it stands for: a payment that is answered with an earlier purchase takes on that one's quantity.
    package var payment: PaymentValue
    /// The payment of this device that it answers; nil for what came from the store by itself.
    package let token: PaymentToken?
    package var product: ProductIndex?
    package var id: TransactionID?
    package var date: Instant?
    package var originalID: TransactionID?
    package var originalDate: Instant?
    package var failure: StoreFailure?
}

/// From a process to the daemon.
package enum DaemonRequest: Sendable, Equatable, Codable {
    /// The first observer was added: synchronise, and deliver what is unfinished (R4).
    case observe
    /// The last observer was removed (R9).
    case unobserve
    case add(PaymentValue, token: PaymentToken)
    case finish(handle: Int)
    case restore(applicationUsername: String?)
    /// R56.
    case refreshReceipt(request: Int)
    /// R42: the sheet for offer codes may be shown.
    case showRedemptionSheet
    /// R51: whether a payment goes on in another country.
    case mayContinue(handle: Int, Bool)
    /// R52: the sheet that asks for consent to a higher price may be shown.
    case showPriceConsent
    case products(request: Int, identifiers: [String])
}

/// From the daemon to a process.
package enum DaemonEvent: Sendable, Equatable, Codable {
    case updated([TransactionValue])
    case removed(handles: [Int])
    case restoreFinished
    /// R49: what was taken back.
    case revoked([Revocation])
    /// R43: the person wants a product that is promoted in the store.
    case promotedPayment(PaymentValue)
    /// R51: the person shops elsewhere now.
    case storefrontChanged(Storefront)
    /// R51: may a payment go on there?
    case mustAskToContinue(handle: Int, Storefront)
    /// R52: may the sheet that asks for consent to a higher price be shown?
    case priceConsentNeeded
    case restoreFailed(StoreFailure)
    case products(request: Int, found: [ProductIndex], invalid: [String])
    case productsFailed(request: Int, StoreFailure)
    case receiptRefreshed(request: Int)
    case receiptRefreshFailed(request: Int, StoreFailure)
}

/// The receiving end in a process: StoreKit's in-process state.
package protocol DaemonEventReceiver: AnyObject {
    /// Called on the device's lane, while the process is alive.
    func receive(_ event: DaemonEvent)
    /// The process is over: let go of whatever refers back to it.
    func processEnded()
}
