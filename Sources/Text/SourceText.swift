// The bytes of a file as text: checked, and cut into lines the way the YAML parser counts them.
// Pure value; any thread.

package struct SourceText: Sendable {
    /// Without a byte order mark.
    package let scalars: String.UnicodeScalarView
    private let lines: [Substring.UnicodeScalarView]
    /// Unicode scalars before each line.
    private let lineOffsets: [Int]

    /// - Parameters:
    ///   - file: what problems call it.
    ///   - complaint: why a letter may not stand in such a file, if it may not.
    package init(
        bytes: [UInt8], file: String, as kind: SourceKind, refusing complaint: (Unicode.Scalar) -> String?
    ) throws(Problem) {
        guard bytes.count <= kind.bytesMax else { throw kind.tooLarge(file) }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var scalars = String.UnicodeScalarView()
        var counter = LineCounter()
        decoding: while true {
            let position = counter.position
            switch decoder.decode(&iterator) {
            case .emptyInput: break decoding
            case .error:
                throw Problem(
                    file: file, position: position, message: "the file is not valid UTF-8",
                    hint: "save it as UTF-8 text")
            case .scalarValue(let scalar):
                if scalar == "\u{FEFF}", scalars.isEmpty, position == .start { continue }
                if let message = complaint(scalar) {
                    throw Problem(
                        file: file, position: position, message: message,
                        hint: "remove it, or save the file as plain text")
                }
                scalars.append(scalar)
                counter.pass(scalar)
            }
        }
        self.scalars = scalars
        (lines, lineOffsets) = Self.lines(of: scalars)
    }

    /// Whether `text` stands in the file at a position, on one line.
    package func has(_ text: String, at position: SourcePosition) -> Bool {
        guard lines.indices.contains(position.line - 1) else { return false }
        return lines[position.line - 1].dropFirst(position.column - 1).starts(with: text.unicodeScalars)
    }

    /// A line by its number, from 1; empty where there is none.
    package func scalarsOfLine(_ number: Int) -> Substring.UnicodeScalarView {
        lines.indices.contains(number - 1) ? lines[number - 1] : Substring().unicodeScalars
    }

    /// Unicode scalars before a position; nil when the file has no such line.
    package func offset(of position: SourcePosition) -> Int? {
        guard lines.indices.contains(position.line - 1) else { return nil }
        return lineOffsets[position.line - 1] + position.column - 1
    }

    /// Whether a line seems to begin with YAML's explicit key indicator, a lone question mark.
    package var usesExplicitKeys: Bool {
        lines.contains { line in
            let content = line.drop { $0 == " " || $0 == "-" || $0 == "{" || $0 == "[" }
            return content.first == "?" && content.dropFirst().prefix(1).allSatisfy { $0 == " " }
        }
    }

    /// The position moved back into the file when it lies behind the end of it, as that of a missing end may.
    package func clamped(_ position: SourcePosition) -> SourcePosition {
        let line = min(max(1, position.line), lines.count)
        let columns = lines[line - 1].count + 1
        guard line == position.line else { return SourcePosition(line: line, column: columns) }
        return SourcePosition(line: line, column: min(max(1, position.column), columns))
    }

    /// The line of a position with its place in it; of a long line, what is near.
    package func snippet(at position: SourcePosition) -> Problem.Snippet? {
        guard lines.indices.contains(position.line - 1) else { return nil }
        let line = lines[position.line - 1]
        guard !line.allSatisfy({ $0.properties.isWhitespace }) else { return nil }
        let windowLength = 120
        let start = line.count <= windowLength ? 0 : max(0, min(position.column - 41, line.count - windowLength))
        return Problem.Snippet(
            text: String(Substring(line.dropFirst(start).prefix(windowLength))), caret: position.column - 1 - start)
    }

    private static func lines(of scalars: String.UnicodeScalarView) -> ([Substring.UnicodeScalarView], [Int]) {
        var lines: [Substring.UnicodeScalarView] = []
        var offsets = [0]
        var start = scalars.startIndex
        var index = start
        var offset = 0
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            offset += 1
            guard LineCounter.isBreak(scalar) else {
                index = next
                continue
            }
            lines.append(scalars[start..<index])
            let isPair = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
            if isPair { offset += 1 }
            index = isPair ? scalars.index(after: next) : next
            start = index
            offsets.append(offset)
        }
        lines.append(scalars[start...])
        return (lines, offsets)
    }
}

/// Follows a text scalar by scalar. Line breaks are those of YAML 1.1, which the parser beneath follows.
private struct LineCounter {
    private(set) var position = SourcePosition.start
    private var previousIsReturn = false

    static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    mutating func pass(_ scalar: Unicode.Scalar) {
        if scalar == "\n", previousIsReturn {
            previousIsReturn = false
            return
        }
        previousIsReturn = scalar == "\r"
        position =
            Self.isBreak(scalar)
            ? SourcePosition(line: position.line + 1, column: 1)
            : SourcePosition(line: position.line, column: position.column + 1)
    }
}
