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
        shortText(node).map { "write [\($0)]" } ?? "begin each item with a '-'"
    }

    // MARK: Names

    /// For a key that is unknown at a place: only what the place accepts.
    ///
    /// - Parameters:
    ///   - names: the keys that are accepted there.
    ///   - given: all that stand there, where each can stand once.
    static func hint(forKey name: String, among names: [String], given: [String]) -> String {
        let open = names.filter { !given.contains($0) }
        if let same = sameName(as: name, among: open) { return "did you mean '\(same)'?" }
        if let meant = ForeignWords.hint(for: name, in: ForeignWords.keys, accepting: names, given: given) {
            return meant
        }
        if names.contains(KeySection.executor.name),
            let match = ForeignMatch.all(of: name, in: ForeignWords.executors, accepting: LoadExecutors.names).first
        {
            return "write '\(KeySection.executor.name): \(match.target.key)'"
        }
        if let match = closestMatch(to: name, in: open) { return "did you mean '\(match)'?" }
        return list(of: names, called: "keys here")
    }

    /// For an unknown step, as it has to be written: alone, or with a value.
    ///
    /// - Parameter isBare: whether the unknown one is a word alone.
    static func hint(forStep name: String, isBare: Bool, among steps: [ScenarioStep]) -> String {
        let names = steps.map(\.name)
        let meant =
            sameName(as: name, among: names)
            ?? ForeignMatch.all(of: name, in: ForeignWords.keys, accepting: names).first?.target.key
            ?? closestMatch(to: name, in: names)
        guard let meant, let step = steps.first(where: { $0.name == meant }) else {
            return list(of: names, called: "steps")
        }
        if isBare { return "did you mean '\(meant)\(step.canBeBare ? "" : ": …")'?" }
        return step.takesValue ? "did you mean '\(meant)'?" : "write '- \(meant)': it takes no value"
    }

    /// For a key or an expression of thresholds.
    static func hint(for error: ThresholdSyntaxError) -> String {
        let foreign: String? =
            switch error.fact {
            case .unknownMetric(let name):
                ForeignWords.hint(for: name, in: ForeignWords.metrics, accepting: MetricName.allCases.map(\.name))
            case .unknownTag(let name, _, let known):
                ForeignWords.hint(for: name, in: ForeignWords.tags, accepting: known)
            case .unknownAggregate(let name, let metric):
                ForeignWords.hint(
                    for: name, in: ForeignWords.aggregates, accepting: aggregates(of: metric.kind))
            default: nil
            }
        return foreign ?? error.hint
    }

    /// With percentiles as they are written.
    private static func aggregates(of kind: MetricKind) -> [String] {
        let names = kind.aggregateNames
        guard names.contains("p(N)") else { return names }
        return names + ForeignWords.aggregates.flatMap(\.targets).map(\.key).filter { $0.hasPrefix("p(") }
    }

    /// The name that differs in case, dashes and underscores alone.
    private static func sameName(as name: String, among names: [String]) -> String? {
        let plain = ForeignWord.plain(name)
        return names.first { ForeignWord.plain($0) == plain }
    }

    /// What was written, where it is a word that can be repeated as it is.
    private static func shortText(_ node: SourceNode) -> String? {
        guard case .scalar(let text, isPlain: true) = node.content, !node.isNothing, text.utf8.count <= 40,
            !text.contains(where: { $0.isNewline || "{}[],#".contains($0) })
        else { return nil }
        return text
    }
}
