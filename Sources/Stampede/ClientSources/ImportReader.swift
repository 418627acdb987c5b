// What a Swift file imports, and under which condition.
// Pure; any thread.

struct ImportReader {
    struct Import: Equatable {
        let module: String
        /// For all files of the module.
        let isExported: Bool
        let line: Int
        /// Of the condition that keeps Linux from compiling it.
        let excludedBy: String?
        /// The condition around it that asks for another module.
        let question: Question?
    }

    /// `#if canImport(UIKit)`
    struct Question: Equatable {
        let module: String
        let condition: String
    }

    private static let kinds: Set<String> = [
        "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]

    static func imports(in source: SwiftSource) -> [Import] {
        var found: [Import] = []
        // Of each condition around the line: nil where it asks for no module.
        var questions: [Question?] = []
        for (index, code) in source.code.enumerated() {
            let words = code.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first else { continue }
            if first.hasPrefix("#if") {
                questions.append(question(code))
            } else if first.hasPrefix("#else"), !questions.isEmpty {
                questions[questions.count - 1] = first == "#elseif" ? question(code) : nil
            } else if first.hasPrefix("#endif") {
                _ = questions.popLast()
            } else if let module = module(words) {
                let excluded = source.excluded.last { $0.lines.contains(index + 1) }
                found.append(
                    Import(
                        module: module, isExported: words.contains("@_exported"), line: index + 1,
                        excludedBy: excluded?.condition, question: questions.compactMap(\.self).last))
            }
        }
        return found
    }

    /// Of a line that imports one, whatever of it.
    private static func module(_ words: [String]) -> String? {
        guard let place = words.firstIndex(of: "import"),
            words[..<place].allSatisfy({
                $0.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains($0)
            })
        else { return nil }
        let names = words[(place + 1)...].drop { kinds.contains($0) }
        return names.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
    }

    private static func question(_ line: String) -> Question? {
        let tokens = SwiftCode.tokens(of: [line.replacing("#", with: "")])
        guard let place = tokens.firstIndex(where: { $0.text == "canImport" }), place + 2 < tokens.count,
            tokens[place - 1].text != "!"
        else { return nil }
        let condition = line.trimmingPrefix(while: \.isWhitespace)
        return Question(module: tokens[place + 2].text, condition: String(condition))
    }
}
