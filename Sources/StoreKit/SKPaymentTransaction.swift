// A transaction on the payment queue, as one app process sees it.
// Guard: changed on the device's lane only, between callbacks.

public import Foundation
import Simulation

/// An object in the payment queue.
///
/// One object stands for one transaction from `.purchasing` to its removal (R15); after a relaunch there are new ones.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    /// Nil in a transaction that client code made for itself.
    private(set) var value: TransactionValue?
    /// The daemon's number for it; 0 in a transaction that client code made for itself.
    let handle: Int
    /// A finish is on its way; another one does nothing (R19).
    var isFinishing = false
    private var paymentObject: SKPayment?
    private var originalObject: SKPaymentTransaction?
    private var errorObject: (any Error)?

    public override init() {
        handle = 0
        super.init()
    }

    init(value: TransactionValue) {
        self.value = value
        handle = value.handle
        super.init()
    }

    func update(_ value: TransactionValue) {
        if value.payment.quantity != self.value?.payment.quantity { paymentObject = nil }
        self.value = value
        originalObject = nil
        errorObject = nil
    }

    /// Where the transaction stands (R13).
    open var transactionState: SKPaymentTransactionState {
        SKPaymentTransactionState(rawValue: value?.state.rawValue ?? 0) ?? .purchasing
    }

    /// What was asked for.
    open var payment: SKPayment {
        if let paymentObject { return paymentObject }
        let payment = value.map { SKPayment(value: $0.payment) } ?? SKPayment()
        paymentObject = payment
        return payment
    }

    /// Set once purchased or restored, nil before and on failure (R14).
    open var transactionIdentifier: String? { value?.id?.text }

    /// When the store completed it; set together with the identifier (R14).
    open var transactionDate: Date? { value?.date?.date }

    /// The first purchase of what was restored or bought again without a charge (R14, R23, R27).
    open var original: SKPaymentTransaction? {
        if let originalObject { return originalObject }
        guard let value, let originalID = value.originalID else { return nil }
        var first = value
        first.state = .purchased
        first.id = originalID
        first.date = value.originalDate
        first.originalID = nil
        first.originalDate = nil
        let object = SKPaymentTransaction(value: first)
        originalObject = object
        return object
    }

    /// Why it failed: an `SKError`, or an `NSError` of the URL loading system (R16).
    open var error: (any Error)? {
        if let errorObject { return errorObject }
        errorObject = value?.failure?.transactionError
        return errorObject
    }
}

extension Instant {
    /// The run's start on the simulated calendar: the first second of 2026, universal time.
    private static let epoch: TimeInterval = 1_767_225_600

    var date: Date { Date(timeIntervalSince1970: Self.epoch + Double(nanoseconds) / 1e9) }
}
