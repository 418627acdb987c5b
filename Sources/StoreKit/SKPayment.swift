// A request to buy a product.
// Immutable except SKMutablePayment; threads must not share a payment while it changes.

public import Foundation
import Simulation

/// A request to the App Store to process the payment for a product.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    /// All properties but the discount, which is an object that the client may ask back.
    @exclusivity(unchecked) fileprivate var value: PaymentValue
    @exclusivity(unchecked) fileprivate var discount: SKPaymentDiscount?
    /// Whether the payment came from the store through a promotion; the app may add it later (R43).
    var isPromoted = false

    /// A payment for no product: `SKPaymentQueue.add(_:)` raises an exception for it (R11).
    public override init() {
        value = PaymentValue(productIdentifier: "", quantity: 1)
        super.init()
    }

    /// A payment for one of a product.
    public convenience init(product: SKProduct) {
        self.init()
        value.productIdentifier = product.productIdentifier
    }

    // Convenience, like all undocumented initialisers: a subclass that overrides `init()` inherits `init(product:)`.
    convenience init(value: PaymentValue) {
        self.init()
        self.value = value
        discount = value.discount.map { SKPaymentDiscount($0) }
    }

    /// A payment for one of the product with this identifier. Apple deprecated it with iOS 5.
    open class func payment(withProductIdentifier identifier: String) -> Any {
        SKPayment(value: PaymentValue(productIdentifier: identifier, quantity: 1))
    }

    /// The identifier of the product to buy.
    open var productIdentifier: String { value.productIdentifier }
    /// How many to buy; 1 unless set. The store accepts 1 to 10 (R11).
    open var quantity: Int { value.quantity }
    /// Reserved by Apple; nil unless set.
    open var requestData: Data? { value.requestData.map { Data($0) } }
    /// A string that ties the payment to a user account of the app (R59).
    open var applicationUsername: String? { value.applicationUsername }
    /// Whether the store should defer the payment, as for Ask to Buy (R38).
    open var simulatesAskToBuyInSandbox: Bool { value.simulatesAskToBuyInSandbox }
    /// The signed promotional offer under which to buy (R60).
    open var paymentDiscount: SKPaymentDiscount? { discount }

    /// An immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = SKPayment(value: snapshot)
        copy.isPromoted = isPromoted
        return copy
    }
    /// A copy whose properties can be set.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = SKMutablePayment(value: snapshot)
        copy.isPromoted = isPromoted
        return copy
    }

    /// The payment as its getters return it: a client's own subclass may override them.
    var snapshot: PaymentValue {
        PaymentValue(
            productIdentifier: productIdentifier, quantity: quantity, applicationUsername: applicationUsername,
            requestData: requestData.map { Array($0) }, simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox,
            discount: paymentDiscount?.snapshot)
    }

    /// Payments are equal when all their properties are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return other === self || other.snapshot == snapshot
    }

    /// A hash of product and quantity: equal payments have equal hashes.
    open override var hash: Int { productIdentifier.hashValue ^ quantity }

    /// Sets a property by key, for a payment that a test has made.
    /// An immutable payment can be changed too.
    open func setValue(_ value: Any?, forKey key: String) {
        // Keyed values bring their own checks and conversions.
        var keyed = KeyedValues()
        switch key {
        case "productIdentifier":
            keyed.set(key, to: value, as: String.self, of: self)
            self.value.productIdentifier = keyed[key] ?? ""
        case "quantity":
            keyed.set(key, to: value, as: Int.self, of: self)
            self.value.quantity = keyed[key] ?? 1
        case "simulatesAskToBuyInSandbox":
            keyed.set(key, to: value, as: Bool.self, of: self)
            self.value.simulatesAskToBuyInSandbox = keyed[key] ?? false
        case "requestData":
            keyed.setOptional(key, to: value, as: Data.self, of: self)
            let data: Data? = keyed[key]
            self.value.requestData = data.map { Array($0) }
        case "applicationUsername":
            keyed.setOptional(key, to: value, as: String.self, of: self)
            self.value.applicationUsername = keyed[key]
        case "paymentDiscount":
            keyed.setOptional(key, to: value, as: SKPaymentDiscount.self, of: self)
            discount = keyed[key]
        default: KeyedValues.unknown(key, of: self)
        }
    }
}

/// A payment whose properties can be set.
open class SKMutablePayment: SKPayment {
    public override init() { super.init() }

    open override class func payment(withProductIdentifier identifier: String) -> Any {
        SKMutablePayment(value: PaymentValue(productIdentifier: identifier, quantity: 1))
    }

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
    open override var simulatesAskToBuyInSandbox: Bool {
        get { value.simulatesAskToBuyInSandbox }
        set { value.simulatesAskToBuyInSandbox = newValue }
    }
    open override var paymentDiscount: SKPaymentDiscount? {
        get { discount }
        set { discount = newValue }
    }
}
