// Text from outside as HTML and XML show it.
// Pure; any thread.

package enum HTMLText {
    /// Safe as the content of an element and as the value of a quoted attribute.
    package static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // Nothing else of that kind may stand in a page.
            case _ where scalar.isUnsafe: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// ASCII that may stand as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7E).contains(byte)
        }
    }

    /// The same for a command: where a page is narrow it is broken between words, never within an option or a name.
    package static func command(_ text: String) -> String {
        var result = "<span class=\"word\">"
        for character in escaped(text) {
            result += character == " " ? "</span> <span class=\"word\">" : String(character)
        }
        return result + "</span>"
    }
}
