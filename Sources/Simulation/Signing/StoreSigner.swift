// Signatures as the App Store makes them: ES256, each the same for the same text (RFC 6979), so that runs repeat.
// Any thread: the numbers that signatures share never change.

internal import CRuntime
internal import Foundation

/// Signs with one key of the curve P-256.
///
/// Of the library it takes numbers, points and hashes only: its own signatures draw chance, and its functions for such
/// keys are deprecated.
package final class StoreSigner: @unchecked Sendable {  // Guard: constants.
    private let functions: Functions
    private let key: [UInt8]
    private let keyNumber: OpaquePointer
    private let curve: OpaquePointer
    /// How many points the curve has: signatures are numbers below it.
    private let order: OpaquePointer

    /// With the key of `StoreCertificates`; nil: there is no library.
    package static let shared = CryptoLibrary.system.flatMap { library in
        Data(base64Encoded: StoreCertificates.key).flatMap { StoreSigner(privateKey: Array($0), library: library) }
    }

    /// - Parameter privateKey: the 32 bytes of its number.
    init?(privateKey: [UInt8], library: CryptoLibrary) {
        guard let functions = try? Functions(library), let curve = functions.makeCurve(Self.p256),
            let order = functions.orderOfCurve(curve),
            let number = functions.readNumber(privateKey, Int32(privateKey.count), nil)
        else { return nil }
        (self.functions, self.curve, self.order) = (functions, curve, order)
        (key, keyNumber) = (privateKey, number)
    }

    deinit { functions.freeNumber(keyNumber) }

    /// The library's number for the curve.
    private static let p256: Int32 = 415
    package static let signatureLength = 64

    /// The signature of a text: two numbers of 32 bytes each, as a JWS has them (RFC 7518, 3.4).
    package func signature(of text: [UInt8]) -> [UInt8] {
        // Client code asks for it, and it is not client code that computes it.
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        return Signing(self, hash: sha256(text)).signature()
    }

    /// SHA-384, of which `Transaction.deviceVerification` is one (S71).
    package func sha384(_ text: [UInt8]) -> [UInt8] {
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        return digest(48) { _ = functions.sha384(text, text.count, $0) }
    }

    /// SHA-1, by which a receipt names its device.
    package func sha1(_ text: [UInt8]) -> [UInt8] {
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        return digest(20) { _ = functions.sha1(text, text.count, $0) }
    }

    private func sha256(_ text: [UInt8]) -> [UInt8] { digest(32) { _ = functions.sha256(text, text.count, $0) } }

    private func hmac(_ key: [UInt8], _ text: [UInt8]) -> [UInt8] {
        digest(32) { _ = functions.hmac(functions.sha256Kind(), key, Int32(key.count), text, text.count, $0, nil) }
    }

    private func digest(_ length: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        Array(unsafeUninitializedCapacity: length) { bytes, count in
            bytes.baseAddress.map(write)
            count = length
        }
    }

    /// One signature: the numbers that it is computed with.
    private final class Signing {
        private let signer: StoreSigner
        private let functions: Functions
        private let scratch: OpaquePointer?
        private let hash: OpaquePointer?
        private let point: OpaquePointer?
        private let secret: OpaquePointer?
        private let first: OpaquePointer?
        private let second: OpaquePointer?

        init(_ signer: StoreSigner, hash bytes: [UInt8]) {
            self.signer = signer
            functions = signer.functions
            scratch = functions.makeScratch()
            hash = functions.readNumber(bytes, Int32(bytes.count), nil)
            point = functions.makePoint(signer.curve)
            (secret, first, second) = (functions.makeNumber(), functions.makeNumber(), functions.makeNumber())
            // RFC 6979, 2.3.4: below the order.
            _ = functions.divide(nil, hash, hash, signer.order, scratch)
        }

        deinit {
            for number in [hash, secret, first, second] { functions.freeNumber(number) }
            functions.freePoint(point)
            functions.freeScratch(scratch)
        }

        /// RFC 6979, 3.2: the secret number follows from key and text.
        func signature() -> [UInt8] {
            let seed = signer.key + bytes(hash)
            var value = [UInt8](repeating: 1, count: 32)
            var key = [UInt8](repeating: 0, count: 32)
            for mark: UInt8 in [0, 1] {
                key = signer.hmac(key, value + [mark] + seed)
                value = signer.hmac(key, value)
            }
            while true {
                value = signer.hmac(key, value)
                if let signature = signature(secret: value) { return signature }
                key = signer.hmac(key, value + [0])
                value = signer.hmac(key, value)
            }
        }

        /// Nil: with this secret number there is none.
        private func signature(secret bytes: [UInt8]) -> [UInt8]? {
            let order = signer.order
            _ = functions.readNumber(bytes, Int32(bytes.count), secret)
            guard functions.isZero(secret) == 0, functions.compare(secret, order) < 0 else { return nil }
            _ = functions.multiplyPoint(signer.curve, point, secret, nil, nil, scratch)
            _ = functions.coordinates(signer.curve, point, first, nil, scratch)
            _ = functions.divide(nil, first, first, order, scratch)
            _ = functions.multiply(second, first, signer.keyNumber, order, scratch)
            _ = functions.add(second, second, hash, order, scratch)
            _ = functions.invert(secret, secret, order, scratch)
            _ = functions.multiply(second, second, secret, order, scratch)
            guard functions.isZero(first) == 0, functions.isZero(second) == 0 else { return nil }
            return self.bytes(first) + self.bytes(second)
        }

        private func bytes(_ number: OpaquePointer?) -> [UInt8] {
            signer.digest(32) { _ = functions.writeNumber(number, $0, 32) }
        }
    }
}
