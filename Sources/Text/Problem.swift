// What is wrong with a file that a user wrote, and the one renderer of it.
// Plain values; any thread.

/// A place in a file, both counted from 1; columns count Unicode scalars.
package struct SourcePosition: Sendable, Hashable, Comparable {
    package static let start = SourcePosition(line: 1, column: 1)

    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// One mistake in a file: a scenario, a catalog, a report.
package struct Problem: Error, Sendable, Equatable {
    package let file: String
    /// Nil where the file as a whole is meant: it is missing, or no text.
    package let position: SourcePosition?
    /// What is wrong, with the path of the key.
    package let message: String
    /// How to put it right.
    package let hint: String?
    /// The line that the problem is in, or a window of a long one. Nil when the file has no such line.
    package let snippet: Snippet?

    package struct Snippet: Sendable, Equatable {
        package let text: String
        /// Unicode scalars of `text` before the caret.
        package let caret: Int
    }

    package init(
        file: String, position: SourcePosition? = nil, message: String, hint: String? = nil, snippet: Snippet? = nil
    ) {
        self.file = file
        self.position = position
        self.message = message
        self.hint = hint
        self.snippet = snippet
    }
}

extension Problem: CustomStringConvertible {
    /// The message with its position, the source line with a caret, and the hint; without a final line break.
    package var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        var lines = ["\(place): error: \(message)"]
        if let snippet {
            // Tabs stay tabs, so that the caret stands under its letter however wide they are shown.
            let indent = snippet.text.unicodeScalars.prefix(snippet.caret).map { $0 == "\t" ? "\t" : " " }
            lines.append("    " + snippet.text)
            lines.append("    " + indent.joined() + "^")
        }
        if let hint { lines.append("hint: \(hint)") }
        return lines.joined(separator: "\n")
    }
}

/// All problems of one file and of those that it names, each file's by position.
package struct Problems: Error, Sendable, Equatable {
    /// At least one.
    package let problems: [Problem]
    /// Problems found and not kept.
    package let omitted: Int

    package init(_ problems: [Problem], omitted: Int = 0) {
        precondition(!problems.isEmpty, "no problem is no error")
        self.problems = problems
        self.omitted = omitted
    }

    package init(_ problem: Problem) { self.init([problem]) }
}

extension Problems: CustomStringConvertible {
    package var description: String {
        var parts = problems.map(\.description)
        if omitted > 0 { parts.append("and \(omitted) more; correct these first") }
        return parts.joined(separator: "\n")
    }
}
