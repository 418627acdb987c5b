// Swift's text as lines without comments and literals, and as tokens.
// Pure; any thread.

enum SwiftCode {
    struct Token: Equatable {
        let text: String
        /// From 1.
        let line: Int

        var isName: Bool { text.utf8.first.map(SwiftCode.isInName) ?? false }
    }

    /// Each line of a file; comments and what stands in quotes are left out.
    static func lines(of text: String) -> [String] {
        var bytes = Array(text.utf8)
        blank(&bytes)
        return bytes.split(separator: newline, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Names, and single signs; lines of conditions are left out.
    static func tokens(of lines: [String]) -> [Token] {
        var tokens: [Token] = []
        for (number, line) in lines.enumerated() {
            let bytes = Array(line.utf8)
            if bytes.first(where: { $0 != space && $0 != tab }) == UInt8(ascii: "#") { continue }
            var place = 0
            while place < bytes.count {
                let start = place
                if isInName(bytes[place]) {
                    while place < bytes.count, isInName(bytes[place]) { place += 1 }
                } else {
                    place += 1
                }
                if isNoToken[Int(bytes[start])] { continue }
                tokens.append(Token(text: String(decoding: bytes[start..<place], as: UTF8.self), line: number + 1))
            }
        }
        return tokens
    }

    /// Looked up: every byte of the client's files is asked about before each run, in debug builds too.
    static func isInName(_ byte: UInt8) -> Bool { nameBytes[Int(byte)] }

    private static let nameBytes = table { byte in
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Backticks around a name change nothing of it.
    private static let isNoToken = table { [space, tab, UInt8(ascii: "\r"), UInt8(ascii: "`")].contains($0) }

    private static func table(_ holds: (UInt8) -> Bool) -> [Bool] { (0...255).map { holds($0) } }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let tab = UInt8(ascii: "\t")
    private static let quote = UInt8(ascii: "\"")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let hash = UInt8(ascii: "#")
    private static let backslash = UInt8(ascii: "\\")

    /// Writes spaces over comments and literals.
    private static func blank(_ bytes: inout [UInt8]) {
        var place = 0
        let (slash, quote) = (Self.slash, Self.quote)
        func holds(_ byte: UInt8, _ offset: Int) -> Bool { offset < bytes.count && bytes[offset] == byte }
        func clear(_ range: Range<Int>) {
            for at in range where bytes[at] != newline { bytes[at] = space }
        }
        while place < bytes.count {
            let start = place
            // Most begin neither.
            if bytes[start] != slash, bytes[start] != quote {
                place += 1
            } else if holds(slash, place), holds(slash, place + 1) {
                while place < bytes.count, bytes[place] != newline { place += 1 }
                clear(start..<place)
            } else if holds(slash, place), holds(star, place + 1) {
                var depth = 0
                repeat {
                    if holds(slash, place), holds(star, place + 1) {
                        (depth, place) = (depth + 1, place + 2)
                    } else if holds(star, place), holds(slash, place + 1) {
                        (depth, place) = (depth - 1, place + 2)
                    } else {
                        place += 1
                    }
                } while depth > 0 && place < bytes.count
                clear(start..<min(place, bytes.count))
            } else if holds(quote, place) {
                var hashes = 0
                while place - hashes > 0, bytes[place - hashes - 1] == hash { hashes += 1 }
                place = endOfLiteral(bytes, from: place, hashes)
                clear(start..<place)
            } else {
                place += 1
            }
        }
    }

    /// Behind the quotes and the hashes that end it; an unended one of a single line ends with its line.
    private static func endOfLiteral(_ bytes: [UInt8], from start: Int, _ hashes: Int) -> Int {
        let isLong = bytes[start...].starts(with: [quote, quote, quote])
        let end = Array(repeating: quote, count: isLong ? 3 : 1) + Array(repeating: hash, count: hashes)
        let escape = [backslash] + Array(repeating: hash, count: hashes)
        var place = start + (isLong ? 3 : 1)
        while place < bytes.count {
            if bytes[place] == newline, !isLong { return place }
            if bytes[place] == backslash, bytes[place...].starts(with: escape) {
                place += escape.count + 1
            } else if bytes[place] == quote, bytes[place...].starts(with: end) {
                return place + end.count
            } else {
                place += 1
            }
        }
        return bytes.count
    }
}
