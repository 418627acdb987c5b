// What the App Store says of a purchase, as JSON and as a compact JWS.
// Pure; any thread.

import Foundation

enum SignedText {
    /// A value of the JSON.
    enum Value {
        case text(String)
        case number(Int)
        case boolean(Bool)
        case milliseconds(Date)
    }

    /// An object with its keys in this order.
    static func json(_ fields: [(String, Value)]) -> Data {
        let members = fields.map { name, value in "\(quoted(name)):\(rendered(value))" }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }

    private static func rendered(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .milliseconds(let date): "\(Int64((date.timeIntervalSince1970 * 1_000).rounded()))"
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

    /// The header of an unsigned JWS.
    static var header: Data { json([("alg", .text("none"))]) }

    /// A compact JWS without a signature (RFC 7515, appendix A.5).
    static func unsecured(_ payload: Data) -> String {
        "\(base64URL(header)).\(base64URL(payload))."
    }

    private static func base64URL(_ data: Data) -> String {
        String(
            data.base64EncodedString().compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}
