// What to write instead, where the shape of a section is wrong or a part of it is missing.
// Part of `ScenarioReader`; pure.

import Metrics
import Text

extension ScenarioReader {
    /// For what stands where a mapping should: the mapping around it, where one of its keys is what was meant.
    static func hint(for node: SourceNode, _ path: String, known: [String], required: [String]) -> String? {
        let meant = required.first ?? (known.count == 1 ? known[0] : nil)
        guard let meant, !path.isEmpty, let text = shortText(node) else {
            return known.isEmpty ? nil : "keys here: \(known.joined(separator: ", "))"
        }
        let others = required.dropFirst().map { ", \($0): \(example($0, path) ?? "…")" }
        return "write {\(meant): \(text)\(others.joined())}"
    }

    /// For what stands where a list should: the list around it.
    static func hint(forItem node: SourceNode) -> String {
        shortText(node).map { "write [\($0)]" } ?? "begin each of them with a '-'"
    }

    static func hint(forMissing name: String, _ path: String) -> String {
        "add '\(name): \(example(name, path) ?? "…")'"
    }

    /// What was written, where it is a word that can be repeated as it is.
    private static func shortText(_ node: SourceNode) -> String? {
        guard case .scalar(let text, isPlain: true) = node.content, !node.isNothing, text.utf8.count <= 40,
            !text.contains(where: { $0.isNewline || "{}[],#".contains($0) })
        else { return nil }
        return text
    }

    /// A value that a key may have, where its name says which kind that is.
    private static func example(_ name: String, _ path: String) -> String? { (path.isEmpty ? sections : values)[name] }

    private static let sections = [
        "name": "My scenario", "store": "{catalog: Shop.storekit}", "population": "{users: 1_000}",
        "load": "[{journey: buyer, executor: \(LoadExecutors.plainest.name)}]",
        "journeys": "{buyer: [launch, terminate]}",
    ]

    private static let values = [
        "answer": "error", "catalog": "Shop.storekit", "executor": LoadExecutors.plainest.name, "for": "30s",
        "interleavings": "50ms", "median": "100ms", "outcome": "buy", "over": "1m", "p99": "1s", "queue": "1_000",
        "service_time": "50ms", "share": "1%", "steps": "[launch]", "threshold": "count > 0", "times": "3",
        "users": "1_000", "weight": "1", "workers": "100",
    ].merging(LoadExecutors.examples) { general, _ in general }
}
