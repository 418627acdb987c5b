// A JSON reader whose nodes know where they stand: JSONSerialization tells neither line nor column on Linux.
// Pure; any text gives a node or a problem, never a trap.

/// A recursive reader of RFC 8259 texts. Stricter in one thing: a key may stand only once in its object.
///
/// Null, truth values and numbers are plain scalars, strings are not.
package struct JSONReader {
    /// Far from the end of a thread's stack.
    static let depthMax = 64

    private let file: String
    private let source: SourceText
    private let scalars: [Unicode.Scalar]
    /// What to do where the text is no JSON: it depends on what wrote it.
    private let hint: String
    private var offset = 0
    /// Offsets of the lines' beginnings that have been passed.
    private var line = 1
    private var lineStart = 0

    /// The whole text as one node.
    ///
    /// - Parameter hint: what to do about text that is no JSON.
    package static func read(_ source: SourceText, file: String, hint: String) throws(Problem) -> SourceNode {
        var reader = JSONReader(source, file: file, hint: hint)
        let node = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.peek != nil {
            throw reader.problem("more text follows the end of the document", "remove the text that follows")
        }
        return node
    }

    private init(_ source: SourceText, file: String, hint: String) {
        self.file = file
        self.source = source
        self.hint = hint
        scalars = Array(source.scalars)
    }

    private var peek: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private var position: SourcePosition { SourcePosition(line: line, column: offset - lineStart + 1) }

    /// Line breaks stand nowhere else: strings have none.
    private mutating func skipSpace() {
        while let scalar = peek, scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t" {
            offset += 1
            // A return and a line feed are one break.
            if scalar == "\n" || scalar == "\r" && peek != "\n" {
                line += 1
                lineStart = offset
            }
        }
    }

    private func problem(_ message: String, _ hint: String, at place: SourcePosition? = nil) -> Problem {
        let place = source.clamped(place ?? position)
        return Problem(file: file, position: place, message: message, hint: hint, snippet: source.snippet(at: place))
    }

    /// What is wanted, and what stands there instead.
    private func unexpected(_ wanted: String) -> Problem {
        guard let found = peek else {
            return problem("the file ends where \(wanted) should follow", "restore the rest of the file")
        }
        return problem("\(quoted(String(found))) stands where \(wanted) should", hint)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(Problem) -> SourceNode {
        skipSpace()
        guard depth < Self.depthMax else { throw problem("nested more than \(Self.depthMax) deep", hint) }
        let start = position
        switch peek {
        case "{": return SourceNode(mapping: try members(depth: depth), position: start)
        case "[": return SourceNode(sequence: try elements(depth: depth), position: start)
        case "\"": return SourceNode(scalar: try string(), isPlain: false, position: start)
        case "t": return try word("true", at: start)
        case "f": return try word("false", at: start)
        case "n": return try word("null", at: start)
        case let scalar? where scalar == "-" || Self.isDigit(scalar):
            return SourceNode(scalar: try number(), isPlain: true, position: start)
        default: throw unexpected("a value")
        }
    }

    private mutating func word(_ text: String, at start: SourcePosition) throws(Problem) -> SourceNode {
        guard scalars[offset...].starts(with: text.unicodeScalars) else { throw unexpected("a value") }
        offset += text.unicodeScalars.count
        return SourceNode(scalar: text, isPlain: true, position: start)
    }

    private mutating func members(depth: Int) throws(Problem) -> [SourceNode.Entry] {
        offset += 1
        var members: [SourceNode.Entry] = []
        var seen: Set<String> = []
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            guard peek == "\"" else { throw unexpected("a key in quotes") }
            let start = position
            let key = try string()
            guard seen.insert(key).inserted else {
                throw problem("one object has the key \(quoted(key)) twice", "keep one of the two", at: start)
            }
            skipSpace()
            guard take(":") else { throw unexpected("':' after a key") }
            let value = try value(depth: depth + 1)
            members.append(SourceNode.Entry(key: key, keyPosition: start, keyIsPlain: false, value: value))
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw unexpected("',' or '}'") }
        }
    }

    private mutating func elements(depth: Int) throws(Problem) -> [SourceNode] {
        offset += 1
        var elements: [SourceNode] = []
        skipSpace()
        if take("]") { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw unexpected("',' or ']'") }
        }
    }

    private mutating func number() throws(Problem) -> String {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(String.UnicodeScalarView(scalars[start..<offset]))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private mutating func digits() throws(Problem) {
        let start = offset
        while let scalar = peek, Self.isDigit(scalar) { offset += 1 }
        if offset == start { throw unexpected("a digit") }
    }

    private mutating func string() throws(Problem) -> String {
        let start = position
        offset += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            switch scalar {
            case "\"":
                offset += 1
                return String(text)
            case "\\":
                text.append(try escape())
            case "\u{0}"..<" ":
                throw problem("a string contains a control character", "write line breaks as \\n")
            default:
                offset += 1
                text.append(scalar)
            }
        }
        throw problem("this string never ends", "close it with '\"'", at: start)
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        let place = position
        offset += 1
        guard let scalar = peek else { throw unexpected("an escape") }
        offset += 1
        switch scalar {
        case "\"", "\\", "/": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            var code = try hexadecimal(place)
            if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
                let low = try hexadecimal(place)
                guard (0xDC00..<0xE000).contains(low) else { throw badEscape(place) }
                code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw badEscape(place) }
            return scalar
        default: throw badEscape(place)
        }
    }

    private mutating func hexadecimal(_ place: SourcePosition) throws(Problem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = peek, let digit = Character(scalar).hexDigitValue else { throw badEscape(place) }
            code = code << 4 + UInt32(digit)
            offset += 1
        }
        return code
    }

    private func badEscape(_ place: SourcePosition) -> Problem {
        problem("this escape is not a character", "use \\n, \\t, \\\", \\\\ or \\u and four digits", at: place)
    }
}
