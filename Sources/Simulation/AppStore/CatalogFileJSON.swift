// A JSON reader that knows where it is: JSONSerialization tells neither line nor column on Linux.
// Pure; any bytes give a value or an error, never a trap.

/// A JSON value. Numbers keep their text, objects their order.
indirect enum CatalogJSON: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([CatalogJSON])
    case object([Member])

    struct Member: Equatable {
        let key: String
        let value: CatalogJSON
    }

    /// For messages: what stands here.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Where the text stops being JSON.
struct CatalogJSONError: Error, Equatable {
    /// Both from 1; the column counts bytes.
    let line: Int
    let column: Int
    let message: String
    let remedy: String
}

/// A recursive reader of RFC 8259 texts. Stricter in one thing: a key may stand only once in its object.
struct CatalogJSONReader {
    /// Xcode's files are 8 deep. The limit keeps the recursion far from the end of a thread's stack.
    static let depthMax = 64

    private let bytes: [UInt8]
    private var offset = 0
    /// Which values to note the beginning of, by their paths; none are as a rule.
    private var wanted: Set<String> = []
    private var path = ""
    private var found: [String: Int] = [:]

    /// The whole text as one value. A byte order mark at its start is passed over.
    static func read(_ bytes: [UInt8]) throws(CatalogJSONError) -> CatalogJSON {
        var reader = CatalogJSONReader(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.peek != nil { throw reader.error("the document has ended, and more follows", "remove what follows") }
        return value
    }

    /// The offsets in bytes at which the values of some paths begin, as far as the text holds them.
    static func offsets(of paths: Set<String>, in bytes: [UInt8]) -> [String: Int] {
        var reader = CatalogJSONReader(bytes: bytes)
        reader.wanted = paths
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        _ = try? reader.value(depth: 0)
        return reader.found
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private func error(_ message: String, _ remedy: String, at place: Int? = nil) -> CatalogJSONError {
        var line = 1
        var lineStart = 0
        let end = min(place ?? offset, bytes.count)
        for index in 0..<end where bytes[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return CatalogJSONError(line: line, column: end - lineStart + 1, message: message, remedy: remedy)
    }

    /// What is wanted, and what stands there instead.
    private func unexpected(_ wanted: String) -> CatalogJSONError {
        guard let byte = peek else {
            return error("the file ends where \(wanted) should follow", "restore the rest of the file")
        }
        let found = (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
        return error("\(found) stands where \(wanted) should", "export the file from Xcode again, or correct the JSON")
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(CatalogJSONError) -> CatalogJSON {
        guard depth < Self.depthMax else {
            throw error(
                "nested more than \(Self.depthMax) deep", "a StoreKit configuration needs no more than 10 levels")
        }
        skipSpace()
        if !wanted.isEmpty, wanted.contains(path) { found[path] = offset }
        switch peek {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): return .number(try number())
        default: throw unexpected("a value")
        }
    }

    private mutating func word(_ text: String, _ meaning: CatalogJSON) throws(CatalogJSONError) -> CatalogJSON {
        guard bytes[offset...].starts(with: text.utf8) else { throw unexpected("a value") }
        offset += text.utf8.count
        return meaning
    }

    private mutating func members(depth: Int) throws(CatalogJSONError) -> [CatalogJSON.Member] {
        offset += 1
        var members: [CatalogJSON.Member] = []
        var seen: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
            let start = offset
            let key = try string()
            guard seen.insert(key).inserted else {
                throw error("key \(quotedForMessage(key)) stands twice in one object", "keep one of the two", at: start)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("':' after a key") }
            let place = path
            if !wanted.isEmpty { path = path.isEmpty ? key : "\(path).\(key)" }
            members.append(CatalogJSON.Member(key: key, value: try value(depth: depth + 1)))
            path = place
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
        }
    }

    private mutating func elements(depth: Int) throws(CatalogJSONError) -> [CatalogJSON] {
        offset += 1
        var elements: [CatalogJSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            let place = path
            if !wanted.isEmpty { path += "[\(elements.count)]" }
            elements.append(try value(depth: depth + 1))
            path = place
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
        }
    }

    private mutating func number() throws(CatalogJSONError) -> String {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func digits() throws(CatalogJSONError) {
        let start = offset
        while let byte = peek, isDigit(byte) { offset += 1 }
        if offset == start { throw unexpected("a digit") }
    }

    private mutating func string() throws(CatalogJSONError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20:
                offset -= 1
                throw error("a control character stands in a string", "write line breaks as \\n")
            default: text.append(byte)
            }
        }
        throw error("this string never ends", "close it with '\"'", at: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws(CatalogJSONError) {
        let place = offset - 1
        guard let byte = peek else { throw unexpected("an escape") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal(place)
            if (0xD800..<0xDC00).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = try hexadecimal(place)
                guard (0xDC00..<0xE000).contains(low) else { throw badEscape(place) }
                code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw badEscape(place) }
            text += Array(String(Character(scalar)).utf8)
        default: throw badEscape(place)
        }
    }

    private mutating func hexadecimal(_ place: Int) throws(CatalogJSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw badEscape(place)
            }
            code = code << 4 + UInt32(digit)
            offset += 1
        }
        return code
    }

    private func badEscape(_ place: Int) -> CatalogJSONError {
        error("this escape names no character", "use \\n, \\t, \\\", \\\\ or \\u and four digits", at: place)
    }
}

/// A value from the file as a message shows it: in quotes, short, without control characters.
func quotedForMessage(_ text: String) -> String {
    var shown = "\""
    for (count, scalar) in text.unicodeScalars.enumerated() {
        if count == 40 {
            shown += "…"
            break
        }
        switch scalar {
        case "\"": shown += "\\\""
        case "\n": shown += "\\n"
        default:
            if scalar.properties.generalCategory == .control {
                shown += "\u{FFFD}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }
    return shown + "\""
}
