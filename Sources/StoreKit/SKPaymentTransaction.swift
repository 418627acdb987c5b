// A transaction on the payment queue, as one app process sees it.
// Guard: changed on the device's lane only, between callbacks.

public import Foundation
import Simulation

/// A transaction on the payment queue.
///
/// One object represents one transaction from `.purchasing` to its removal (R15). A relaunch makes new objects.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    /// Nil in a transaction that client code made for itself.
    @exclusivity(unchecked) private(set) final var value: TransactionValue?
    /// The daemon's number for the transaction; 0 in a transaction that client code made for itself.
    @exclusivity(unchecked) private(set) final var handle: Int
    /// Whether a finish is on its way; another one does nothing (R19).
    var isFinishing = false
    private var calendar = TimelineCalendar.simulated
    private var paymentObject: SKPayment?
    private var originalObject: SKPaymentTransaction?
    private var errorObject: (any Error)?
    @exclusivity(unchecked) private var keyed = KeyedValues()

    /// A transaction that is on no queue, for subclasses that override the getters.
    public override init() {
        handle = 0
        super.init()
    }

    convenience init(value: TransactionValue, calendar: TimelineCalendar) {
        self.init()
        self.calendar = calendar
        self.value = value
        handle = value.handle
    }

    func update(_ value: TransactionValue) {
        if self.value?.isPaid(like: value) != true { paymentObject = nil }
        self.value = value
        // R20: the app may try again a finish that failed.
        isFinishing = false
        originalObject = nil
        errorObject = nil
    }

    /// The state of the transaction (R13).
    open var transactionState: SKPaymentTransactionState {
        keyed["transactionState"] ?? SKPaymentTransactionState(rawValue: value?.state.rawValue ?? 0) ?? .purchasing
    }

    /// The payment that the app added.
    open var payment: SKPayment {
        if let set: SKPayment = keyed["payment"] { return set }
        if let paymentObject { return paymentObject }
        let payment = value.map { SKPayment(value: $0.payment) } ?? SKPayment()
        paymentObject = payment
        return payment
    }

    /// The identifier; nil until the transaction is purchased or restored, and nil if it failed (R14).
    open var transactionIdentifier: String? { keyed.value("transactionIdentifier", else: value?.id?.text) }

    /// When the store completed the transaction; set together with the identifier (R14).
    open var transactionDate: Date? { keyed.value("transactionDate", else: value?.date.map { calendar.date(of: $0) }) }

    /// The first purchase of a restored or freely repurchased product (R14, R23, R27).
    open var original: SKPaymentTransaction? { keyed.value("original", else: ownOriginal) }

    private var ownOriginal: SKPaymentTransaction? {
        if let originalObject { return originalObject }
        guard let value, let originalID = value.originalID else { return nil }
        var first = value
        first.state = .purchased
        first.id = originalID
        first.date = value.originalDate
        first.originalID = nil
        first.originalDate = nil
        let object = SKPaymentTransaction(value: first, calendar: calendar)
        originalObject = object
        return object
    }

    /// The reason for a failure, or nil (R16).
    /// It is an `SKError`, or an `NSError` of the URL loading system.
    open var error: (any Error)? { keyed.value("error", else: ownError) }

    private var ownError: (any Error)? {
        if let errorObject { return errorObject }
        errorObject = value?.failure?.transactionError
        return errorObject
    }

    /// Always empty: Apple no longer hosts content (R61).
    open var downloads: [SKDownload] { keyed["downloads"] ?? [] }

    /// Always nil: Apple deprecated receipts of single transactions with iOS 7; the app has one receipt (R57).
    open var transactionReceipt: Data? { keyed.value("transactionReceipt", else: nil) }

    /// Sets a property by key, for a transaction that a test has made. `transactionState` can be set by raw value too.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "transactionState": keyed.setCase(key, to: value, as: SKPaymentTransactionState.self, of: self)
        case "payment": keyed.set(key, to: value, as: SKPayment.self, of: self)
        case "transactionIdentifier": keyed.setOptional(key, to: value, as: String.self, of: self)
        case "transactionDate": keyed.setOptional(key, to: value, as: Date.self, of: self)
        case "original": keyed.setOptional(key, to: value, as: SKPaymentTransaction.self, of: self)
        case "error": keyed.setOptional(key, to: value, as: (any Error).self, of: self)
        case "downloads": keyed.set(key, to: value, as: [SKDownload].self, of: self)
        case "transactionReceipt": keyed.setOptional(key, to: value, as: Data.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}
