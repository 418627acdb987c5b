// What `stampede list` prints: names with their meanings, and for documents whatever else there is to say of them.
// Main thread.

/// One section of the list.
struct ListedTable {
    /// Names and meanings, as a terminal shows them.
    let rows: [(name: String, meaning: String)]
    /// As documents show them: each row as long as the headings.
    let headings: [String]
    let cells: [[String]]

    init(_ rows: [(name: String, meaning: String)]) {
        self.init(
            rows, headings: ["name", "meaning"],
            cells: rows.map { ["`\($0.name.trimmingPrefix(while: \.isWhitespace))`", $0.meaning] })
    }

    init(_ rows: [(name: String, meaning: String)], headings: [String], cells: [[String]]) {
        (self.rows, self.headings, self.cells) = (rows, headings, cells)
    }

    // MARK: For people

    /// Names in one column, meanings wrapped in the other.
    ///
    /// - Parameter width: of the terminal, in columns.
    func text(width: Int) -> String {
        let column = (rows.map(\.name.count).max() ?? 0) + 2
        let width = max(30, width - column - 2)
        var text = ""
        for (name, meaning) in rows {
            var line = ""
            var isFirst = true
            func flush() {
                let head = isFirst ? name : ""
                text += "  " + head + String(repeating: " ", count: column - head.count) + line + "\n"
                isFirst = false
                line = ""
            }
            for word in meaning.split(whereSeparator: \.isWhitespace) {
                if !line.isEmpty, line.count + word.count + 1 > width { flush() }
                line += (line.isEmpty ? "" : " ") + word
            }
            flush()
        }
        return text
    }

    // MARK: For documents

    /// A table as GitHub reads it.
    var markdown: String {
        let rule = headings.map { _ in "---" }
        return ([headings, rule] + cells).map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |\n" }.joined()
    }

    /// On one line, and without the end of a cell in it.
    private static func cell(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("|", with: "\\|")
    }
}
