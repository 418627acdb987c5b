// The signature of a promotional offer, checked against the key of the catalog (R60).
// A verifier is confined to its store's lane; the library is loaded once, by the first caller.

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
            discount.nonce.uuidString.lowercased(), String(discount.timestamp),
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
    private let library: CryptoLibrary
    private let key: OpaquePointer

    /// Nil where the key cannot be read, or where there is no library to read it with.
    init?(privateKey: [UInt8], library: CryptoLibrary? = .system) {
        guard let library else { return nil }
        let key = privateKey.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return library.readPrivateKey(CryptoLibrary.ellipticCurve, nil, &next, bytes.count)
        }
        guard let key else { return nil }
        self.library = library
        self.key = key
    }

    deinit { library.freeKey(key) }

    /// Whether `signature`, in base64, is an ECDSA signature over the SHA-256 of `payload`.
    func isValid(_ signature: String, of payload: String) -> Bool {
        guard let signature = Data(base64Encoded: signature), let context = library.makeContext() else { return false }
        defer { library.freeContext(context) }
        guard library.beginVerifying(context, nil, library.sha256(), nil, key) == 1 else { return false }
        let signed = Array(payload.utf8)
        // Above 1 and below 0 are answers too, and neither is a yes.
        return library.verify(context, Array(signature), signature.count, signed, signed.count) == 1
    }
}

/// The functions that are needed of OpenSSL's libcrypto, found when the program runs: no package to build, and none
/// to install where offers are not used.
struct CryptoLibrary: @unchecked Sendable {  // Guard: constants, and the library's own functions.
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

    /// The library's number for the kind of key.
    static let ellipticCurve: Int32 = 408
    static let names = ["libcrypto.so.3", "libcrypto.so.1.1"]

    let readPrivateKey: ReadPrivateKey
    let freeKey: Free
    let makeContext: Make
    let freeContext: Free
    let sha256: Make
    let beginVerifying: BeginVerifying
    let verify: Verify

    /// The machine's own. Without one every signature is invalid, and standard error says why, once.
    static let system: CryptoLibrary? = {
        if let library = CryptoLibrary(names: names) { return library }
        let message = "promotional offers cannot be checked and fail: there is no \(names.joined(separator: " or "))\n"
        FileHandle.standardError.write(Data(message.utf8))
        return nil
    }()

    /// The first of the libraries that is there and has everything.
    init?(names: [String]) {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            guard let library = CryptoLibrary(handle: handle) else { continue }
            self = library
            return
        }
        return nil
    }

    private init?(handle: UnsafeMutableRawPointer) {
        // Types as in the library's headers, which are the same in both versions.
        func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(handle, name).map { unsafeBitCast($0, to: type) }
        }
        guard let readPrivateKey = function("d2i_PrivateKey", as: ReadPrivateKey.self),
            let freeKey = function("EVP_PKEY_free", as: Free.self),
            let makeContext = function("EVP_MD_CTX_new", as: Make.self),
            let freeContext = function("EVP_MD_CTX_free", as: Free.self),
            let sha256 = function("EVP_sha256", as: Make.self),
            let beginVerifying = function("EVP_DigestVerifyInit", as: BeginVerifying.self),
            let verify = function("EVP_DigestVerify", as: Verify.self)
        else { return nil }
        self.readPrivateKey = readPrivateKey
        self.freeKey = freeKey
        self.makeContext = makeContext
        self.freeContext = freeContext
        self.sha256 = sha256
        self.beginVerifying = beginVerifying
        self.verify = verify
    }
}
