// The errors that a test session has StoreKit 2's calls throw. Without a session there are none.
// Any thread: a lock guards them.

import Synchronization

/// One set for all sessions: there is one environment (S100).
package final class SimulatedErrors: Sendable {
    private static let shared = SimulatedErrors()

    private let errors = Mutex(Errors())

    /// By the call that throws them.
    package struct Errors: Sendable {
        package var products: (any Error)?
        package var purchase: (any Error)?
        package var sync: (any Error)?
        package var status: (any Error)?
        package var appTransaction: (any Error)?
        package var manageSubscriptions: (any Error)?
        package var refundRequest: (any Error)?
        /// S103: what StoreKit hands over is unverified, for this reason.
        package var verification: VerificationResult<Transaction>.VerificationError?

        package init() {}
    }

    private init() {}

    package static var now: Errors {
        get { shared.errors.withLock { $0 } }
        set { shared.errors.withLock { $0 = newValue } }
    }
}

extension VerificationResult {
    /// Verified, unless a test session wants it otherwise (S103).
    init(_ value: SignedType, from place: StorePlace) {
        guard place.environment == .xcode, let error = SimulatedErrors.now.verification else {
            self = .verified(value)
            return
        }
        self = .unverified(value, VerificationError(error))
    }
}

extension VerificationResult.VerificationError {
    /// The same reason, of another kind of value.
    fileprivate init(_ other: VerificationResult<Transaction>.VerificationError) {
        switch other {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}
