// The signature of a promotional offer, checked against the key of the catalog (R60).
// A verifier is confined to its store's lane.

internal import Foundation

/// What an app's server signs before a payment may use a promotional offer.
enum OfferSignature {
    /// How long after its signing an offer may be used.
    static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1_000

    /// The text under the signature.
    static func payload(
        bundle: String, product: String, username: String?, _ discount: PaymentDiscountValue
    ) -> String {
        [
            bundle, discount.keyIdentifier, product, discount.identifier, (username ?? "").lowercased(),
            discount.nonce.lowercased, String(discount.timestamp),
        ].joined(separator: "\u{2063}")
    }

    static func isExpired(_ discount: PaymentDiscountValue, at date: Date) -> Bool {
        let now = Int64(date.timeIntervalSince1970 * 1_000)
        // A server whose calendar is ahead of the simulated one signs nothing that has expired.
        return discount.timestamp < now - lifetimeMilliseconds
    }
}

/// Checks signatures against one key.
final class OfferVerifier {
    private let functions: Functions
    private let key: OpaquePointer

    /// Nil where the key cannot be read, or where there is no library to read it with.
    init?(privateKey: [UInt8], library: CryptoLibrary? = .system) {
        guard let functions = library.flatMap({ try? Functions($0) }) else { return nil }
        let key = privateKey.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return functions.readPrivateKey(Self.ellipticCurve, nil, &next, bytes.count)
        }
        guard let key else { return nil }
        self.functions = functions
        self.key = key
    }

    deinit { functions.freeKey(key) }

    /// The library's number for the kind of key.
    private static let ellipticCurve: Int32 = 408

    /// Whether `signature`, in base64, is an ECDSA signature over the SHA-256 of `payload`.
    func isValid(_ signature: String, of payload: String) -> Bool {
        guard let signature = Data(base64Encoded: signature), let context = functions.makeContext() else {
            return false
        }
        defer { functions.freeContext(context) }
        guard functions.beginVerifying(context, nil, functions.sha256(), nil, key) == 1 else { return false }
        let signed = Array(payload.utf8)
        // Above 1 and below 0 are answers too, and neither is a yes.
        return functions.verify(context, Array(signature), signature.count, signed, signed.count) == 1
    }

    private struct Functions {
        typealias ReadPrivateKey =
            @convention(c) (Int32, OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) -> OpaquePointer?
        typealias Free = @convention(c) (OpaquePointer?) -> Void
        typealias Make = @convention(c) () -> OpaquePointer?
        typealias BeginVerifying =
            @convention(c) (
                OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
            ) -> Int32
        typealias Verify =
            @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int) -> Int32

        let readPrivateKey: ReadPrivateKey
        let freeKey: Free
        let makeContext: Make
        let freeContext: Free
        let sha256: Make
        let beginVerifying: BeginVerifying
        let verify: Verify

        init(_ library: CryptoLibrary) throws(CryptoLibrary.MissingFunction) {
            readPrivateKey = try library.function("d2i_PrivateKey")
            freeKey = try library.function("EVP_PKEY_free")
            makeContext = try library.function("EVP_MD_CTX_new")
            freeContext = try library.function("EVP_MD_CTX_free")
            sha256 = try library.function("EVP_sha256")
            beginVerifying = try library.function("EVP_DigestVerifyInit")
            verify = try library.function("EVP_DigestVerify")
        }
    }
}
