// Why a signature of StoreKit 2's does not hold.
// A value; any thread.

/// S73. The raw values stand in scenarios.
package enum VerificationFlaw: String, Sendable, CaseIterable {
    case revokedCertificate = "revoked_certificate"
    case invalidCertificateChain = "invalid_certificate_chain"
    case invalidDeviceVerification = "invalid_device_verification"
    case invalidEncoding = "invalid_encoding"
    case invalidSignature = "invalid_signature"
    case missingRequiredProperties = "missing_required_properties"
}
