// A request to buy.
// Immutable but for SKMutablePayment; not to be shared between threads while it changes.

public import Foundation
import Simulation

/// A request to the App Store to process payment for a product.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var value: PaymentValue

    /// A payment for nothing: `SKPaymentQueue.add(_:)` raises on it (R11).
    public override init() {
        value = PaymentValue(productIdentifier: "", quantity: 1)
        super.init()
    }

    /// A payment for one of a product.
    public convenience init(product: SKProduct) {
        self.init()
        value.productIdentifier = product.productIdentifier
    }

    init(value: PaymentValue) {
        self.value = value
        super.init()
    }

    /// The identifier of the product to buy.
    open var productIdentifier: String { value.productIdentifier }
    /// How many to buy; 1 unless set. The store takes 1 to 10 (R11).
    open var quantity: Int { value.quantity }
    /// Reserved; nil unless set.
    open var requestData: Data? { value.requestData.map { Data($0) } }
    /// A string that ties the payment to an account of the app's own.
    open var applicationUsername: String? { value.applicationUsername }

    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(value: snapshot) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(value: snapshot) }

    /// The payment as its getters tell it: a client's own subclass may override them.
    var snapshot: PaymentValue {
        PaymentValue(
            productIdentifier: productIdentifier, quantity: quantity, applicationUsername: applicationUsername,
            requestData: requestData.map { Array($0) })
    }

    /// Payments are equal when all their properties are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return other === self || other.snapshot == snapshot
    }

    open override var hash: Int { productIdentifier.hashValue ^ quantity }
}

/// A payment whose properties can be set.
open class SKMutablePayment: SKPayment {
    public override init() { super.init() }

    override init(value: PaymentValue) { super.init(value: value) }

    open override var productIdentifier: String {
        get { value.productIdentifier }
        set { value.productIdentifier = newValue }
    }
    open override var quantity: Int {
        get { value.quantity }
        set { value.quantity = newValue }
    }
    open override var requestData: Data? {
        get { value.requestData.map { Data($0) } }
        set { value.requestData = newValue.map { Array($0) } }
    }
    open override var applicationUsername: String? {
        get { value.applicationUsername }
        set { value.applicationUsername = newValue }
    }
}
