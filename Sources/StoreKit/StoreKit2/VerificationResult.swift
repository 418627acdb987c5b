// What StoreKit 2 wraps around everything that the App Store signs.
// Values; any thread.

public import Foundation

/// Something that the App Store has signed, and whether its signature holds on this device.
@frozen public enum VerificationResult<SignedType> {
    /// The signature does not hold, for this reason.
    case unverified(SignedType, VerificationError)
    /// The signature holds.
    case verified(SignedType)

    /// The reason why a signature does not hold.
    @nonexhaustive public enum VerificationError: Error, Sendable {
        /// A certificate of the chain was revoked.
        case revokedCertificate
        /// The chain of certificates does not lead to the root.
        case invalidCertificateChain
        /// The value was signed for another device (S73).
        case invalidDeviceVerification
        /// The text is no compact JWS.
        case invalidEncoding
        /// The signature does not fit the text.
        case invalidSignature
        /// A required property is missing.
        case missingRequiredProperties
    }

    /// The value. Throws the `VerificationError` of an unverified one.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .unverified(_, let error): throw error
            case .verified(let value): return value
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .unverified(let value, _), .verified(let value): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .unverified(let value, let error): "unverified (\(error)): \(value.debugDescription)"
        case .verified(let value): "verified: \(value.debugDescription)"
        }
    }
}

extension VerificationResult.VerificationError: LocalizedError {
    public var errorDescription: String? { "The App Store's signature could not be verified (\(self))." }
}
