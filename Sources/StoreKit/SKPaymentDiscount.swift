// The signed promotional offer of a payment.
// Constants, except values that a test sets by key before it shares the object; any thread.

public import Foundation
import Simulation

/// A promotional offer that the app's server signed and a payment uses (R60).
open class SKPaymentDiscount: NSObject, @unchecked Sendable {  // Guard: constants.
    private static let noNonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Set where the discount is made, and never again.
    private var offer: PaymentDiscountValue
    private var keyed = KeyedValues()

    /// An unsigned offer, for subclasses that override the getters.
    public override init() {
        offer = PaymentDiscountValue(
            identifier: "", keyIdentifier: "", nonce: Self.noNonce, signature: "", timestamp: 0)
        super.init()
    }

    /// - Parameters:
    ///   - identifier: the identifier of the `SKProductDiscount`.
    ///   - timestamp: when the server signed the offer, in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        offer = PaymentDiscountValue(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
        super.init()
    }

    convenience init(_ offer: PaymentDiscountValue) {
        self.init()
        self.offer = offer
    }

    /// The identifier of the `SKProductDiscount`.
    open var identifier: String { keyed["identifier"] ?? offer.identifier }
    /// The identifier of the developer's key that signed the offer.
    open var keyIdentifier: String { keyed["keyIdentifier"] ?? offer.keyIdentifier }
    /// A random value that makes the signature good for one payment only.
    open var nonce: UUID { keyed["nonce"] ?? offer.nonce }
    /// The signature in base64 (R60).
    open var signature: String { keyed["signature"] ?? offer.signature }
    /// When the server signed the offer, in milliseconds since 1970. A signature is valid for a day (R60).
    open var timestamp: NSNumber { keyed["timestamp"] ?? NSNumber(value: offer.timestamp) }

    /// Sets a property by key, for a discount that a test has made.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "identifier", "keyIdentifier", "signature": keyed.set(key, to: value, as: String.self, of: self)
        case "nonce": keyed.set(key, to: value, as: UUID.self, of: self)
        case "timestamp": keyed.set(key, to: value, as: NSNumber.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }

    /// The discount as its getters return it: a client's own subclass may override them.
    var snapshot: PaymentDiscountValue {
        PaymentDiscountValue(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
    }
}
