// Walks the nodes of a scenario and collects what is wrong: fields of mappings, scalars, problems.
// One per reading of a file, confined to the call that made it; the other files of this folder extend it.

import Metrics
import Simulation
import Text

final class ScenarioReader {
    let directory: String
    let context: ScenarioContext
    /// Nil until the catalog has been loaded, and for ever when it could not be: products are unchecked then.
    var catalog: Catalog?
    /// What the parts of the file know of each other by their names.
    var names = ScenarioNames()
    /// How many more steps the journey that is being read may have.
    var stepsLeft = 0
    private(set) var problems: ProblemCollector

    init(source: SourceText, file: String, directory: String, context: ScenarioContext) {
        problems = ProblemCollector(file: file, source: source)
        self.directory = directory
        self.context = context
    }

    // MARK: Problems

    func report(_ position: SourcePosition, _ message: String, hint: String? = nil) {
        problems.report(position, message, hint: hint)
    }

    /// What is wrong with a file that the scenario names.
    func report(_ other: Problems) { problems.report(other) }

    var source: SourceText { problems.source }
    var hasProblems: Bool { problems.hasProblems }

    /// By position. There must be some.
    var collectedProblems: Problems { problems.collected }

    /// Says that a node is not what belongs at its place.
    func expected(_ what: String, _ node: SourceNode, _ path: String, hint: String? = nil) {
        report(node.position, "expected \(what)\(Self.place(path)), found \(node.shown)", hint: hint)
    }

    /// " in journeys.storm[1]", or nothing for the document itself.
    static func place(_ path: String) -> String { path.isEmpty ? "" : " in \(path)" }

    static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// - Parameter foreign: words of other tools that may stand for one of the names.
    static func suggestion(
        _ name: String, among names: [String], called kind: String, foreign: [ForeignWord] = [],
        otherwise: String? = nil
    ) -> String {
        if let meant = ForeignWords.hint(for: name, in: foreign, accepting: names) { return meant }
        if let match = closestMatch(to: name, in: names) { return "did you mean '\(match)'?" }
        return list(of: names, called: kind) + (names.isEmpty ? "" : otherwise.map { "; \($0)" } ?? "")
    }

    static func list(of names: [String], called kind: String) -> String {
        if names.isEmpty { return "there are no \(kind)" }
        return "\(kind): \(names.prefix(50).joined(separator: ", "))\(names.count > 50 ? ", …" : "")"
    }

    // MARK: Mappings

    /// The entries of a mapping with merge keys expanded: what stands in the mapping itself comes first and wins.
    func entries(_ node: SourceNode, _ path: String, hint: String? = nil) -> [SourceNode.Entry]? {
        guard case .mapping(let own) = node.content else {
            expected("a mapping", node, path, hint: hint)
            return nil
        }
        guard own.contains(where: Self.isMerge) else { return own }
        var result = own.filter { !Self.isMerge($0) }
        var names = Set(result.map(\.key))
        for merge in own where Self.isMerge(merge) {
            let sources: [SourceNode]
            if case .sequence(let items) = merge.value.content { sources = items } else { sources = [merge.value] }
            for source in sources {
                guard let merged = entries(source, Self.join(path, "<<")) else { continue }
                result += merged.filter { names.insert($0.key).inserted }
            }
        }
        return result
    }

    /// What a mapping has itself, whatever may be wrong with it.
    static func value(_ key: String, in node: SourceNode) -> SourceNode? {
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    private static func isMerge(_ entry: SourceNode.Entry) -> Bool { entry.key == "<<" && entry.keyIsPlain }

    /// The values of a mapping by their keys. Unknown keys and missing ones are reported.
    ///
    /// - Parameter accepted: the names that hints may give, where some keys are known but refused; nil: all.
    func fields(
        _ node: SourceNode, _ path: String, of keys: [KeyFacts], accepted: [String]? = nil
    ) -> [String: SourceNode]? {
        guard let entries = entries(node, path, hint: Self.hint(for: node, path, of: keys)) else { return nil }
        var fields: [String: SourceNode] = [:]
        for entry in entries {
            guard keys.contains(where: { $0.name == entry.key }) else {
                report(
                    entry.keyPosition,
                    "unknown key \(quoted(entry.key))\(path.isEmpty ? " at the top of the file" : Self.place(path))",
                    hint: Self.hint(
                        forKey: entry.key, among: accepted ?? keys.map(\.name), given: entries.map(\.key)))
                continue
            }
            fields[entry.key] = entry.value
        }
        for key in keys where key.isRequired && fields[key.name] == nil {
            report(
                node.position,
                "missing key '\(key.name)'\(path.isEmpty ? " at the top of the file" : Self.place(path))",
                hint: "add '\(key.name): \(key.example ?? "…")'")
        }
        return fields
    }

    /// The items of a list that holds at least one and at most `max`.
    func items(_ node: SourceNode, _ path: String, of what: String, max: Int) -> [SourceNode]? {
        guard case .sequence(let items) = node.content else {
            expected("a list of \(what)", node, path, hint: Self.hint(forItem: node))
            return nil
        }
        guard !items.isEmpty else {
            report(node.position, "the list of \(what)\(Self.place(path)) is empty")
            return nil
        }
        guard items.count <= max else {
            report(node.position, "\(items.count) \(what)\(Self.place(path)) are too many", hint: "at most \(max)")
            return nil
        }
        return items
    }

    // MARK: Scalars

    /// A text, which anything written as a scalar is, apart from nothing.
    func text(_ node: SourceNode, _ path: String, as what: String = "a text") -> String? {
        guard case .scalar(let text, _) = node.content, !node.isNothing else {
            expected(what, node, path)
            return nil
        }
        return text
    }

    /// One of a few words.
    /// - Parameter otherwise: what else it may be about, where none of the words is near.
    func word(
        _ node: SourceNode, _ path: String, of words: [String], called kind: String, foreign: [ForeignWord] = [],
        otherwise: String? = nil
    ) -> String? {
        guard let text = text(node, path, as: "one of \(words.joined(separator: ", "))") else { return nil }
        guard words.contains(text) else {
            report(
                node.position, "unknown \(quoted(text))\(Self.place(path))",
                hint: Self.suggestion(text, among: words, called: kind, foreign: foreign, otherwise: otherwise))
            return nil
        }
        return text
    }

    func choice<Value: RawRepresentable & CaseIterable>(
        _ node: SourceNode, _ path: String, called kind: String
    ) -> Value? where Value.RawValue == String {
        word(node, path, of: Value.allCases.map(\.rawValue), called: kind).flatMap(Value.init(rawValue:))
    }

    /// Only `true` and `false` are booleans, as in YAML 1.2.
    func bool(_ node: SourceNode, _ path: String) -> Bool? {
        switch node.content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        case .scalar(let text, _):
            let meant = ["yes": true, "on": true, "no": false, "off": false, "true": true, "false": false]
            expected("true or false", node, path, hint: meant[text.lowercased()].map { "did you mean \($0)?" })
        default: expected("true or false", node, path)
        }
        return nil
    }

    /// A value that a parser of texts understands. Numbers must not be quoted; what has a unit may be.
    func value<Value>(
        _ node: SourceNode, _ path: String, as what: String, _ parse: (String) throws(ValueProblem) -> Value
    ) -> Value? {
        guard let text = text(node, path, as: what) else { return nil }
        let value: Value
        do {
            value = try parse(text)
        } catch {
            report(node.position, error.message + Self.place(path), hint: error.hint)
            return nil
        }
        if case .scalar(_, isPlain: false) = node.content, !text.isEmpty,
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") })
        {
            report(
                node.position, "expected \(what)\(Self.place(path)), found the text \"\(text)\"",
                hint: "write numbers without quotes")
            return nil
        }
        return value
    }
}
