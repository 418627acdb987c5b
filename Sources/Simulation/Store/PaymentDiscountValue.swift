// The offer that a payment may carry.
// A value; any thread.

package import Foundation

/// The offer of a payment: a promotional one under a signature (R60), or one for former subscribers (S79).
/// A class, because few payments have an offer and all payments would be larger for it.
package final class PaymentDiscountValue: Sendable {
    package let identifier: String
    package let keyIdentifier: String
    package let nonce: UUID
    package let signature: String
    /// Milliseconds since 1970.
    package let timestamp: Int64
    /// Offered to former subscribers, without a signature.
    package let isWinBack: Bool

    /// As a purchase under it has it.
    package var applied: AppliedOffer { isWinBack ? .winBack(identifier) : .promotional(identifier) }

    package init(winBack identifier: String) {
        self.identifier = identifier
        (keyIdentifier, nonce, signature, timestamp) = (
            "", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "", 0
        )
        isWinBack = true
    }

    package init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        isWinBack = false
    }
}

extension PaymentDiscountValue: Equatable {
    package static func == (left: PaymentDiscountValue, right: PaymentDiscountValue) -> Bool {
        left.identifier == right.identifier && left.keyIdentifier == right.keyIdentifier && left.nonce == right.nonce
            && left.signature == right.signature && left.timestamp == right.timestamp
            && left.isWinBack == right.isWinBack
    }
}
