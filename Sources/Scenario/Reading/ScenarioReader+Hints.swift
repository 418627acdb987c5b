// What to write instead, where the shape of a section is wrong or a part of it is missing.
// Part of `ScenarioReader`; pure.

import Metrics
import Text

extension ScenarioReader {
    /// For what stands where a mapping should: the mapping around it, where one of its keys is what was meant.
    static func hint(for node: SourceNode, _ path: String, of keys: [KeyFacts]) -> String? {
        let required = keys.filter(\.isRequired)
        let meant = required.first ?? (keys.count == 1 ? keys[0] : nil)
        guard let meant, !path.isEmpty, let text = shortText(node) else {
            return keys.isEmpty ? nil : "keys here: \(keys.map(\.name).joined(separator: ", "))"
        }
        let others = required.dropFirst().map { ", \($0.name): \($0.example ?? "…")" }
        return "write {\(meant.name): \(text)\(others.joined())}"
    }

    /// For what stands where a list should: the list around it.
    static func hint(forItem node: SourceNode) -> String {
        shortText(node).map { "write [\($0)]" } ?? "begin each of them with a '-'"
    }

    /// What was written, where it is a word that can be repeated as it is.
    private static func shortText(_ node: SourceNode) -> String? {
        guard case .scalar(let text, isPlain: true) = node.content, !node.isNothing, text.utf8.count <= 40,
            !text.contains(where: { $0.isNewline || "{}[],#".contains($0) })
        else { return nil }
        return text
    }
}
