// What crosses between an app process and the payment daemon, as between two processes of a system: values, and editions of
// the catalog, which never change.

/// A transaction as the process sees it (R14 says which fields are set in which state).
///
/// A value; its fields lie in a box that copies share until one of them changes: a transaction is copied at every step
/// of its way, and changed at few.
package struct TransactionValue: @unchecked Sendable, Equatable {  // Guard: a box that is shared is not written to.
    private struct Fields: Sendable, Equatable {
        let handle: Int
        var state: TransactionState
        var payment: PaymentValue
        let token: PaymentToken?
        var product: ProductIndex?
        var id: TransactionID?
        var date: Instant?
        var originalID: TransactionID?
        var originalDate: Instant?
        var failure: StoreFailure?
    }

    private final class Box {
        @exclusivity(unchecked) var fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private var box: Box

    package init(
        handle: Int, state: TransactionState, payment: PaymentValue, token: PaymentToken?,
        product: ProductIndex? = nil, id: TransactionID? = nil, date: Instant? = nil,
        originalID: TransactionID? = nil, originalDate: Instant? = nil, failure: StoreFailure? = nil
    ) {
        box = Box(
            Fields(
                handle: handle, state: state, payment: payment, token: token, product: product, id: id, date: date,
                originalID: originalID, originalDate: originalDate, failure: failure))
    }

    package static func == (left: TransactionValue, right: TransactionValue) -> Bool {
        left.box === right.box || left.box.fields == right.box.fields
    }

    /// For writing: in a box of this value's own.
    private var own: Fields {
        get { box.fields }
        _modify {
            detach()
            yield &box.fields
        }
    }

    private mutating func detach() {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.fields) }
    }

    /// Whether what was paid for is the same. Answered here: a look from another module at a part of a payment costs more
    /// than all of this.
    package func isPaid(like other: TransactionValue) -> Bool {
        let (own, others) = (box, other.box)
        return own.fields.payment.quantity == others.fields.payment.quantity
            && own.fields.product == others.fields.product
            && own.fields.payment.applicationUsername == others.fields.payment.applicationUsername
    }

    /// As the device's events have it.
    package var note: DeviceEvent.TransactionNote {
        DeviceEvent.TransactionNote(
            id, handle: Int32(handle), payment: token.map { Int32($0.number) }, product: product, state: state)
    }

    /// The daemon's own number for it: unique on the device, kept over launches.
    package var handle: Int { box.fields.handle }
    /// The payment of this device that it answers; nil for what came from the store by itself.
    package var token: PaymentToken? { box.fields.token }
    package var state: TransactionState {
        get { box.fields.state }
        set { own.state = newValue }
    }
    /// Of the purchase it stands for: a payment that is answered with an earlier purchase takes on that one's quantity.
    package var payment: PaymentValue {
        // Lent, not copied: mostly one field of it is asked for. Directly: other modules pay for all that this holds.
        _read { yield box.fields.payment }
        _modify {
            detach()
            yield &box.fields.payment
        }
    }
    package var product: ProductIndex? {
        get { box.fields.product }
        set { own.product = newValue }
    }
    package var id: TransactionID? {
        get { box.fields.id }
        set { own.id = newValue }
    }
    package var date: Instant? {
        get { box.fields.date }
        set { own.date = newValue }
    }
    package var originalID: TransactionID? {
        get { box.fields.originalID }
        set { own.originalID = newValue }
    }
    package var originalDate: Instant? {
        get { box.fields.originalDate }
        set { own.originalDate = newValue }
    }
    package var failure: StoreFailure? {
        get { box.fields.failure }
        set { own.failure = newValue }
    }
}

/// From a process to the daemon.
package enum DaemonRequest: Sendable, Equatable {
    /// The first observer was added: synchronise, and deliver what is unfinished (R4), to this API alone.
    case listen(PurchaseAPIs)
    /// The last observer was removed (R9).
    case unlisten(PurchaseAPIs)
    case add(PaymentValue, token: PaymentToken)
    /// - Parameter state: the transaction's as the app knows it.
    case finish(handle: Int, state: TransactionState)
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
    indirect case storeKit2(StoreKit2Request)
}

/// From the daemon to a process.
///
/// All but the last are the payment queue's: what its observers hear, answers to it, and questions that only they can answer.
/// Unfinished transactions wait for an API that does not listen yet; it misses mere announcements, such as revocations.
package enum DaemonEvent: Sendable, Equatable {
    case updated([TransactionValue])
    case removed(handles: [Int])
    case restoreFinished
    /// R49: what was taken back.
    case revoked([Revocation])
    /// R43: the person wants a product that is promoted in the store.
    case promotedPayment(PaymentValue)
    /// R51: the person shops elsewhere now.
    case storefrontChanged(StorefrontValue)
    /// R51: may a payment go on there?
    case mustAskToContinue(handle: Int, StorefrontValue)
    /// R52: may the sheet that asks for consent to a higher price be shown?
    case priceConsentNeeded
    case restoreFailed(StoreFailure)
    /// `found` are places in this edition of the catalog.
    case products(request: Int, found: [ProductIndex], invalid: [String], CatalogEdition)
    case productsFailed(request: Int, StoreFailure)
    case receiptRefreshed(request: Int)
    case receiptRefreshFailed(request: Int, StoreFailure)
    indirect case storeKit2(StoreKit2Event)
}
