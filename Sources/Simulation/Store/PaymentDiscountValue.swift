// The signed offer that a payment may carry.
// A value; any thread.

package import Foundation

/// The signed promotional offer of a payment (R60).
/// A class, because few payments have an offer and all payments would be larger for it.
package final class PaymentDiscountValue: Sendable {
    package let identifier: String
    package let keyIdentifier: String
    package let nonce: UUID
    package let signature: String
    /// Milliseconds since 1970.
    package let timestamp: Int64

    package init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}

extension PaymentDiscountValue: Equatable {
    package static func == (left: PaymentDiscountValue, right: PaymentDiscountValue) -> Bool {
        left.identifier == right.identifier && left.keyIdentifier == right.keyIdentifier && left.nonce == right.nonce
            && left.signature == right.signature && left.timestamp == right.timestamp
    }
}
