// What `stampede list` prints: names with their meanings, and for documents whatever else there is to say of them.
// Main thread.

import Text

/// One section of the list.
struct ListedTable {
    /// Names and meanings, as a terminal shows them.
    let rows: [(name: String, meaning: String)]
    /// As documents show them: each row as long as the headings.
    let headings: [String]
    let cells: [[String]]
    /// A sentence that follows the table.
    let note: String?

    init(_ rows: [(name: String, meaning: String)]) {
        self.init(
            rows, headings: ["name", "meaning"],
            cells: rows.map { ["`\($0.name.trimmingPrefix(while: \.isWhitespace))`", $0.meaning] })
    }

    init(_ rows: [(name: String, meaning: String)], headings: [String], cells: [[String]], note: String? = nil) {
        (self.rows, self.headings, self.cells, self.note) = (rows, headings, cells, note)
    }

    // MARK: For people

    /// Names in one column, meanings wrapped in the other.
    ///
    /// - Parameter width: of the terminal, in columns.
    func text(width: Int) -> String {
        let column = (rows.map(\.name.count).max() ?? 0) + 2
        let meaningWidth = max(30, width - column - 2)
        var text = ""
        for (name, meaning) in rows {
            let lines = TextLayout.wrapped(meaning, width: meaningWidth, indent: 0)
            for (place, line) in (lines.isEmpty ? [""] : lines).enumerated() {
                text += "  " + TextLayout.padded(place == 0 ? name : "", to: column) + line + "\n"
            }
        }
        guard let note else { return text }
        return text + "\n" + TextLayout.wrapped(note, width: width, indent: 2).map { $0 + "\n" }.joined()
    }

    // MARK: For documents

    /// A table as GitHub reads it.
    var markdown: String {
        let rule = headings.map { _ in "---" }
        let table = ([headings, rule] + cells).map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |\n" }
        return table.joined() + (note.map { "\n\($0)\n" } ?? "")
    }

    /// On one line, and without the end of a cell in it.
    private static func cell(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("|", with: "\\|")
    }
}
