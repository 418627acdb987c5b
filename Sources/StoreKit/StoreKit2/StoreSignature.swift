// How the App Store has signed a value for this device. Nothing is signed before the app reads the signature.
// Values; any thread.

public import Foundation
import Simulation

/// The signature of a value. Apps see it as `jwsRepresentation` and its parts.
public struct _StoreSignature: Equatable, Hashable, Sendable {  // swift-format-ignore: NoLeadingUnderscores
    private let device: SigningDevice
    /// The number of what is signed.
    private let subject: Int64
    private let instant: Instant
    let date: Date
    /// Nil: it holds.
    private let flaw: VerificationFlaw?

    init(of subject: Int64, in place: StorePlace, at instant: Instant) {
        device = place.device
        flaw = place.flaw
        self.subject = subject
        self.instant = instant
        date = place.calendar.date(of: instant)
    }

    /// S72: another one at each handing over.
    var nonce: UUID { device.nonce(subject, at: instant) }

    /// S71, S73: if it was signed for another device, this is not of this one.
    var deviceVerification: Data { deviceVerification(nonce) }

    private func deviceVerification(_ nonce: UUID) -> Data {
        let own = device.verification(nonce)
        return flaw == .invalidDeviceVerification ? Data(own.map(~)) : own
    }

    /// The members that all signed values have.
    func fields(datedAs dateName: String = "signedDate") -> [(String, SignedText.Value)] {
        let nonce = nonce
        return [
            ("deviceVerification", .text(deviceVerification(nonce).base64EncodedString())),
            ("deviceVerificationNonce", .text(nonce.lowercased)), (dateName, .milliseconds(date)),
        ]
    }

    /// Where the certificates, the text or the signature are at fault, a server's check fails as well.
    func bytes(_ signedPart: [UInt8]) -> [UInt8] {
        var signature = SignedText.signature(of: signedPart)
        if let flaw, flaw != .invalidDeviceVerification { signature[0] = ~signature[0] }
        return signature
    }
}

/// A value that the App Store signs.
public protocol _AppStoreSigned {  // swift-format-ignore: NoLeadingUnderscores
    /// The value as JSON.
    var jsonRepresentation: Data { get }
    /// The signature.
    var _signature: _StoreSignature { get }  // swift-format-ignore: NoLeadingUnderscores
}

extension _AppStoreSigned {
    /// When StoreKit handed the value over.
    public var signedDate: Date { _signature.date }
    /// The SHA-384 of the nonce and `AppStore.deviceVerificationID`, both in lower case (S71).
    public var deviceVerification: Data { _signature.deviceVerification }
    /// Another one at each handing over (S72).
    public var deviceVerificationNonce: UUID { _signature.nonce }
}

extension VerificationResult where SignedType: _AppStoreSigned {
    /// The value as a compact JWS, by ES256 and with the three certificates of `stampede certificates` (S70).
    ///
    /// Of an unverified value the signature is false, unless it was signed for another device (S73). The same value has the
    /// same JWS each time.
    public var jwsRepresentation: String {
        let signedPart = SignedText.signedPart(payloadData)
        return SignedText.compact(signedPart, signature.bytes(signedPart))
    }
    /// The JWS's header, as JSON.
    public var headerData: Data { SignedText.header }
    /// The JWS's payload, as JSON.
    public var payloadData: Data { unsafePayloadValue.jsonRepresentation }
    /// What the signature covers: header and payload as the JWS has them.
    public var signedData: Data { Data(SignedText.signedPart(payloadData)) }
    /// The signature: 64 bytes.
    public var signatureData: Data { Data(signature.bytes(SignedText.signedPart(payloadData))) }
    /// When StoreKit handed the value over.
    public var signedDate: Date { signature.date }
    /// See `SignedType`.
    public var deviceVerification: Data { signature.deviceVerification }
    /// See `SignedType`.
    public var deviceVerificationNonce: UUID { signature.nonce }

    private var signature: _StoreSignature { unsafePayloadValue._signature }
}

extension VerificationResult {
    /// Verified, unless the place has a flaw for it (S73, S103).
    init(_ value: SignedType, from place: StorePlace) {
        self = place.flaw.map { .unverified(value, VerificationError($0)) } ?? .verified(value)
    }
}

extension VerificationResult.VerificationError {
    fileprivate init(_ flaw: VerificationFlaw) {
        switch flaw {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}

extension VerificationFlaw {
    package init(_ error: VerificationResult<Transaction>.VerificationError) {
        switch error {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}
