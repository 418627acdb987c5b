// A section of a scenario: its keys, and how they are read together.
// Values; any thread. Reading is confined to its reader.

import Text

struct KeySection<Target: Sendable>: Sendable {
    /// Such as `store.behaviour`; `[]` stands for any item of a list.
    let path: String
    /// What a section that says nothing leads to; what it holds of required keys counts for nothing.
    let standard: Target
    let keys: [ScenarioKey<Target>]

    init(_ path: String, _ standard: Target, _ keys: [ScenarioKey<Target>]) {
        self.path = path
        self.standard = standard
        self.keys = keys
    }

    /// What it is called in the section that it stands in.
    var name: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }

    var facts: SectionFacts { SectionFacts(path: path, keys: keys.map { $0.facts(standard) }) }

    var schema: SchemaValue { .object(facts.keys.map(\.field)) }
}

extension ScenarioReader {
    /// - Parameters:
    ///   - path: where this one stands, for problems; the section's own unless it is an item of a list.
    ///   - start: what holds where the section says nothing.
    /// - Returns: nil where a part cannot be read, which has been reported then.
    func read<Target>(
        _ section: KeySection<Target>, _ node: SourceNode, _ path: String? = nil, from start: Target? = nil
    ) -> Target? {
        let path = path ?? section.path
        let required = section.keys.filter(\.isRequired).map(\.name)
        guard let fields = fields(node, path, known: section.keys.map(\.name), required: required) else { return nil }
        var target = start ?? section.standard
        var isRead = required.allSatisfy { fields[$0] != nil }
        for key in section.keys {
            guard let node = fields[key.name] else { continue }
            if !key.read(self, node, Self.join(path, key.name), &target) { isRead = false }
        }
        return isRead ? target : nil
    }
}
