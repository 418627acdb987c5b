// Texts of a run within YAML.
// Pure; any thread.

enum EmittedYAML {
    /// The text between quotes, as YAML and JSON read it. It has no control characters.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for letter in text.unicodeScalars {
            if letter == "\\" || letter == "\"" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(letter)
        }
        return result + "\""
    }

    /// Each line further in.
    static func indented(_ text: String, by spaces: Int) -> String {
        let margin = String(repeating: " ", count: spaces)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }

    /// The numbers from 1 on, some in a line.
    static func numbers(to last: Int, indent: Int) -> String {
        let perLine = 20
        let lines = stride(from: 1, through: last, by: perLine).map { first in
            (first...min(last, first + perLine - 1)).map(String.init).joined(separator: ", ")
        }
        return lines.joined(separator: ",\n" + String(repeating: " ", count: indent))
    }
}
