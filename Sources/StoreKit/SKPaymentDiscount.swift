// The signed promotional offer of a payment.
// Constants, but for what a test sets by key before it shares the object; any thread.

public import Foundation
import Simulation

/// A promotional offer, signed by the app's server, that a payment makes use of (R60).
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
    ///   - identifier: that of the `SKProductDiscount`.
    ///   - timestamp: when it was signed, in milliseconds since 1970.
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

    /// That of the `SKProductDiscount`.
    open var identifier: String { keyed["identifier"] ?? offer.identifier }
    /// Which of the developer's keys signed it.
    open var keyIdentifier: String { keyed["keyIdentifier"] ?? offer.keyIdentifier }
    /// Makes each signature good for one payment.
    open var nonce: UUID { keyed["nonce"] ?? offer.nonce }
    /// In base64 (R60).
    open var signature: String { keyed["signature"] ?? offer.signature }
    /// When it was signed, in milliseconds since 1970; a signature lasts a day (R60).
    open var timestamp: NSNumber { keyed["timestamp"] ?? NSNumber(value: offer.timestamp) }

    /// Sets a property of a discount that a test has made.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "identifier", "keyIdentifier", "signature": keyed.set(key, to: value, as: String.self, of: self)
        case "nonce": keyed.set(key, to: value, as: UUID.self, of: self)
        case "timestamp": keyed.set(key, to: value, as: NSNumber.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }

    /// The discount as its getters tell it: a client's own subclass may override them.
    var snapshot: PaymentDiscountValue {
        PaymentDiscountValue(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
    }
}
