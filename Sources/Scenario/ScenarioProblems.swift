// Everything that is wrong with a scenario file, and the one renderer of it.
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

/// One mistake in a scenario file.
package struct ScenarioProblem: Error, Sendable, Equatable {
    package let file: String
    package let line: Int
    package let column: Int
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
}

extension ScenarioProblem: CustomStringConvertible {
    /// The message with its position, the source line with a caret, and the hint; without a final line break.
    package var description: String {
        var lines = ["\(file):\(line):\(column): error: \(message)"]
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

/// All problems of one file, by position.
package struct ScenarioProblems: Error, Sendable, Equatable {
    /// At least one, at most `ScenarioLimits.problemsMax`.
    package let problems: [ScenarioProblem]
    /// Problems found and not kept.
    package let omitted: Int

    package init(problems: [ScenarioProblem], omitted: Int = 0) {
        precondition(!problems.isEmpty, "no problem is no error")
        self.problems = problems
        self.omitted = omitted
    }
}

extension ScenarioProblems: CustomStringConvertible {
    package var description: String {
        var parts = problems.map(\.description)
        if omitted > 0 { parts.append("and \(omitted) more") }
        return parts.joined(separator: "\n")
    }
}
