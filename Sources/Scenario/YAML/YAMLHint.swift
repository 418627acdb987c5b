// What to do about the commonest slips of YAML, beside what the parser says of them.
// Pure value; any thread.

import Metrics
import Text

/// A problem of the parser's, and where in the text it has to do with what.
struct YAMLHint {
    let source: SourceText
    /// In the parser's words.
    let problem: String
    /// Where the parser could not go on.
    let position: SourcePosition
    /// Where what it was reading begins.
    let opening: SourcePosition?

    /// A quote that is never closed is told where it opens: the end of the file says nothing.
    var place: SourcePosition { isOpenQuote ? opening ?? position : position }

    /// Nil where nothing better is known than what the parser says.
    var text: String? {
        if isOpenQuote { return "close the quote that opens here" }
        if source.usesExplicitKeys { return "write keys as 'key: value', not after a '?'" }
        switch problem {
        case "found character that cannot start any token": return forLetter
        case "mapping values are not allowed in this context": return forColon
        case "could not find expected ':'": return "write 'key: value', with a colon and a space"
        case "did not find expected key", "did not find expected '-' indicator": return forBlock
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'": return forBracket
        default: return nil
        }
    }

    private var isOpenQuote: Bool { problem == "found unexpected end of stream" && opening != nil }

    private var forLetter: String? {
        switch source.scalar(at: position) {
        case "\t": "indent with spaces: YAML takes no tabs there"
        case "@", "`", "%": "put the value in quotes: a plain value cannot begin with '\(letter(at: position))'"
        default: nil
        }
    }

    /// A second colon of a line belongs to its value; the first one of a line can only be indented wrongly, or belong to a
    /// line above.
    private var forColon: String {
        let before = source.line(position.line).prefix(position.column - 1)
        if Self.hasKey(before) {
            return "put the value in quotes: a ': ' in the value begins another"
        }
        let above = position.line > 1 ? source.line(position.line - 1) : ""
        if !Self.hasKey(above), above.contains(":") {
            return "write a space after the ':' of line \(position.line - 1)"
        }
        return Self.indentation
    }

    private var forBlock: String {
        if ["}", "]"].contains(source.scalar(at: position)) { return "no bracket is open here; remove this bracket" }
        let before = source.line(position.line).prefix(position.column - 1)
        // Something has ended in the middle of a line: a value in quotes, or in brackets.
        guard before.allSatisfy({ $0 == " " || $0 == "-" }) else { return "put the whole value in quotes" }
        return Self.indentation + (opening.map { ", here in column \($0.column), as in line \($0.line)" } ?? "")
    }

    private var forBracket: String? {
        opening.map {
            "'\(letter(at: $0))' of line \($0.line), column \($0.column) is not closed before this: close it, or write a ','"
        }
    }

    private static let indentation =
        "check the indentation: keys or items that belong together begin in the same column"

    private func letter(at position: SourcePosition) -> String { source.scalar(at: position).map { String($0) } ?? "" }

    /// Whether a line holds a key: a colon with a space after it, or at its end.
    private static func hasKey(_ line: Substring) -> Bool { line.contains(": ") || line.hasSuffix(":") }
}

extension SourceText {
    /// A line by its number; empty where there is none.
    fileprivate func line(_ number: Int) -> Substring { Substring(scalarsOfLine(number)) }

    fileprivate func scalar(at position: SourcePosition) -> Unicode.Scalar? {
        scalarsOfLine(position.line).dropFirst(position.column - 1).first
    }
}
