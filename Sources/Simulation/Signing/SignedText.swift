// What the App Store says of a purchase, as JSON and as a compact JWS.
// Pure; any thread.

package import Foundation

package enum SignedText {
    /// A value of the JSON.
    package enum Value {
        case text(String)
        case number(Int)
        case boolean(Bool)
        case milliseconds(Date)
        /// As the App Store has prices.
        case thousandths(Decimal)
        case texts([String])
    }

    /// An object with its keys in this order.
    package static func json(_ fields: [(String, Value)]) -> Data {
        var text: [UInt8] = []
        text.reserveCapacity(1_500)
        text.append(UInt8(ascii: "{"))
        for (place, field) in fields.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            quote(field.0, in: &text)
            text.append(UInt8(ascii: ":"))
            render(field.1, in: &text)
        }
        text.append(UInt8(ascii: "}"))
        return Data(text)
    }

    private static func render(_ value: Value, in text: inout [UInt8]) {
        switch value {
        case .text(let value): quote(value, in: &text)
        case .number(let number): text += "\(number)".utf8
        case .boolean(let boolean): text += (boolean ? "true" : "false").utf8
        case .milliseconds(let date): text += "\(Int64((date.timeIntervalSince1970 * 1_000).rounded()))".utf8
        case .thousandths(let price): text += "\(NSDecimalNumber(decimal: price * 1_000).int64Value)".utf8
        case .texts(let texts):
            text.append(UInt8(ascii: "["))
            for (place, value) in texts.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                quote(value, in: &text)
            }
            text.append(UInt8(ascii: "]"))
        }
    }

    private static func quote(_ value: String, in text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case ..<0x20: text += [UInt8]("\\u00".utf8) + [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// The header of a JWS, as JSON: the algorithm, and the certificates from the leaf to the root.
    package static let header = {
        let chain = [StoreCertificates.leaf, StoreCertificates.intermediate, StoreCertificates.root]
        return json([("alg", .text("ES256")), ("x5c", .texts(chain))])
    }()
    private static let encodedHeader = Array(header).withUnsafeBytes(base64URL) + [UInt8(ascii: ".")]

    /// What the signature of a payload covers: header and payload as a JWS has them (RFC 7515, 5.1).
    package static func signedPart(_ payload: Data) -> [UInt8] {
        encodedHeader + payload.withUnsafeBytes(base64URL)
    }

    /// The signature of what it covers: 64 bytes, zeros if there is no library to sign with.
    package static func signature(of signedPart: [UInt8]) -> [UInt8] {
        StoreSigner.shared?.signature(of: signedPart) ?? [UInt8](repeating: 0, count: StoreSigner.signatureLength)
    }

    /// A compact JWS.
    package static func compact(_ signedPart: [UInt8], _ signature: [UInt8]) -> String {
        String(decoding: signedPart + [UInt8(ascii: ".")] + signature.withUnsafeBytes(base64URL), as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// RFC 4648, 5, without padding. Signing is quicker than Foundation's way to this.
    private static func base64URL(_ data: UnsafeRawBufferPointer) -> [UInt8] {
        let alphabet = alphabet
        return Array(unsafeUninitializedCapacity: (data.count * 4 + 2) / 3) { text, count in
            count = (data.count * 4 + 2) / 3
            for place in 0..<count {
                // Six bits each, from one byte or from two.
                let (byte, bit) = (place * 6).quotientAndRemainder(dividingBy: 8)
                let next = byte + 1 < data.count ? data[byte + 1] : 0
                let bits = UInt16(data[byte]) << 8 | UInt16(next)
                text[place] = alphabet[Int(bits >> (10 - UInt16(bit)) & 63)]
            }
        }
    }
}
