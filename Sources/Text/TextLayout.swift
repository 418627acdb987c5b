// Lines of text in columns.
// Pure. A character counts as one column, which holds for everything our renderers write themselves.

package enum TextLayout {
    /// Breaks at spaces; a word longer than the line stays whole, so that commands and paths can be copied.
    package static func wrapped(_ text: String, width: Int, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        var lineWidth = 0
        for word in text.split(whereSeparator: \.isWhitespace) {
            let wordWidth = word.count
            if lineWidth > 0 && indent + lineWidth + 1 + wordWidth > width {
                lines.append(margin + line)
                line = ""
                lineWidth = 0
            }
            if lineWidth > 0 {
                line += " "
                lineWidth += 1
            }
            line += word
            lineWidth += wordWidth
        }
        if lineWidth > 0 { lines.append(margin + line) }
        return lines
    }

    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    package static func paddedLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `purchases............`
    package static func dotted(_ text: String, to width: Int) -> String {
        text + String(repeating: ".", count: max(0, width - text.count))
    }

    /// Text from outside without what may not reach a terminal: a scenario's name must not move the cursor.
    package static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar.isUnsafe ? (scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}") : scalar)
        }
        return String(result)
    }
}
