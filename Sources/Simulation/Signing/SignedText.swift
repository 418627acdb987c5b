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
        let members = fields.map { name, value in "\(quoted(name)):\(rendered(value))" }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }

    private static func rendered(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .milliseconds(let date): "\(Int64((date.timeIntervalSince1970 * 1_000).rounded()))"
        case .thousandths(let price): "\(NSDecimalNumber(decimal: price * 1_000).int64Value)"
        case .texts(let texts): "[\(texts.map(quoted).joined(separator: ","))]"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The header of a JWS, as JSON: the algorithm, and the certificates from the leaf to the root.
    package static let header = {
        let chain = [StoreCertificates.leaf, StoreCertificates.intermediate, StoreCertificates.root]
        return Data("{\"alg\":\"ES256\",\"x5c\":[\(chain.map(quoted).joined(separator: ","))]}".utf8)
    }()
    private static let encodedHeader = base64URL(header) + [UInt8(ascii: ".")]

    /// What the signature of a payload covers: header and payload as a JWS has them (RFC 7515, 5.1).
    package static func signedPart(_ payload: Data) -> [UInt8] { encodedHeader + base64URL(payload) }

    /// The signature of what it covers: 64 bytes, zeros if there is no library to sign with.
    package static func signature(of signedPart: [UInt8]) -> [UInt8] {
        StoreSigner.shared?.signature(of: signedPart) ?? [UInt8](repeating: 0, count: StoreSigner.signatureLength)
    }

    /// A compact JWS.
    package static func compact(_ signedPart: [UInt8], _ signature: [UInt8]) -> String {
        String(decoding: signedPart + [UInt8(ascii: ".")] + base64URL(signature), as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// RFC 4648, 5, without padding. Signing is quicker than Foundation's way to this.
    private static func base64URL(_ data: some Collection<UInt8>) -> [UInt8] {
        Array(unsafeUninitializedCapacity: (data.count * 4 + 2) / 3) { text, count in
            var (bits, waiting) = (UInt32(0), 0)
            for byte in data {
                bits = bits << 8 | UInt32(byte)
                waiting += 8
                while waiting >= 6 {
                    waiting -= 6
                    text[count] = alphabet[Int(bits >> waiting & 63)]
                    count += 1
                }
            }
            if waiting > 0 {
                text[count] = alphabet[Int(bits << (6 - waiting) & 63)]
                count += 1
            }
        }
    }
}
