// What the App Store signs as a file: a content, the certificates and a signature, as PKCS#7 has them (RFC 5652).
// Values; any thread.

internal import Foundation

package enum SignedData {
    /// What a file says is not what the App Store has signed.
    package struct NotGenuine: Error, Equatable {}

    /// A content with its signature; the same bytes for the same content.
    ///
    /// Zeros are its signature if there is no library to sign with.
    package static func signed(_ content: [UInt8]) -> [UInt8] {
        let encapsulated = DER.value(
            .sequence, [Identifier.data, DER.value(.tagged, DER.value(.octetString, content))])
        let signer = DER.value(
            .sequence,
            [
                DER.integer(1), leafName, sha256, DER.value(.sequence, Identifier.ecdsaWithSHA256),
                DER.value(.octetString, signature(of: content)),
            ])
        let body = DER.value(
            .sequence,
            [DER.integer(1), DER.value(.set, sha256), encapsulated, certificates, DER.value(.set, signer)])
        return DER.value(.sequence, [Identifier.signedData, DER.value(.tagged, body)])
    }

    /// The content of a file that somebody has signed; who did is not looked at.
    package static func content(of file: [UInt8]) throws(DERReader.Mismatch) -> ArraySlice<UInt8> {
        var outer = DERReader(try DERReader.only(.sequence, of: file[...]))
        guard try outer.next().encoded.elementsEqual(Identifier.signedData) else {
            throw DERReader.Mismatch(offset: 0)
        }
        var body = DERReader(try DERReader.only(.sequence, of: try outer.next(.tagged)))
        _ = try body.integer()
        _ = try body.next(.set)
        var encapsulated = DERReader(try body.next(.sequence))
        _ = try encapsulated.next(.objectIdentifier)
        return try DERReader.only(.octetString, of: try encapsulated.next(.tagged))
    }

    /// The content of a file that the simulated App Store has signed: it would sign that content in the same way again. Without
    /// a library to sign with, all signatures are zeros, and so are those that hold.
    package static func genuineContent(of file: [UInt8]) throws -> ArraySlice<UInt8> {
        let content = try content(of: file)
        guard signed(Array(content)) == file else { throw NotGenuine() }
        return content
    }

    /// A signature of the curve is two numbers (RFC 3279, 2.2.3).
    private static func signature(of content: [UInt8]) -> [UInt8] {
        let numbers = SignedText.signature(of: content)
        let half = StoreSigner.signatureLength / 2
        return DER.value(.sequence, [DER.integer(Array(numbers[..<half])), DER.integer(Array(numbers[half...]))])
    }

    /// Object identifiers, encoded.
    private enum Identifier {
        static let data = DER.value(.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
        static let signedData = DER.value(.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
        static let sha256 = DER.value(.objectIdentifier, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
        static let ecdsaWithSHA256 = DER.value(.objectIdentifier, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    }

    private static let sha256 = DER.value(.sequence, Identifier.sha256)

    /// From the leaf to the root.
    private static let chain = [StoreCertificates.leaf, StoreCertificates.intermediate, StoreCertificates.root].map {
        Data(base64Encoded: $0).map { Array($0) } ?? []
    }
    /// A set too, under another tag.
    private static let certificates = DER.value(.tagged, DER.inOrder(chain))

    /// The leaf as its issuer calls it: the issuer's name, and a number.
    private static let leafName: [UInt8] = {
        guard let leaf = chain.first, let certificate = try? DERReader.only(.sequence, of: leaf[...]) else { return [] }
        var parts = DERReader(certificate)
        guard let signed = try? parts.next(.sequence) else { return [] }
        var fields = DERReader(signed)
        // Version, number, algorithm, issuer (RFC 5280, 4.1).
        let elements = (0..<4).compactMap { _ in try? fields.next().encoded }
        return elements.count < 4 ? [] : DER.value(.sequence, [Array(elements[3]), Array(elements[1])])
    }()
}
