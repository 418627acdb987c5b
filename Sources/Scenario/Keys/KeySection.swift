// A section of a scenario: its keys, and how they are read together.
// Values; any thread. Reading is confined to its reader.

import Text

package struct KeySection<Target: Sendable>: Sendable {
    /// Such as `store.behaviour`; `[]` stands for any item of a list, and nothing for the top of the file.
    let path: String
    /// What a section that says nothing leads to; what it holds of required keys counts for nothing.
    let standard: Target
    let keys: [ScenarioKey<Target>]
    /// What is said of the keys.
    let facts: SectionFacts
    /// How many of its keys there must be, beyond those that are required.
    let rule: SchemaRule?

    init(_ path: String, _ standard: Target, _ keys: [ScenarioKey<Target>], rule: SchemaRule? = nil) {
        self.path = path
        self.standard = standard
        self.keys = keys
        facts = SectionFacts(path: path, keys: keys.map { $0.facts(standard) })
        self.rule = rule
    }

    /// What it is called in the section that it stands in.
    var name: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }

    var schema: SchemaValue {
        let fields = facts.keys.map(\.field)
        return rule.map { .restricted(fields, $0) } ?? .object(fields)
    }
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
        guard let nodes = fields(node, path, of: section.facts.keys) else { return nil }
        let isWhole = section.rule.map { holds($0, nodes, node, path, section.keys.map(\.name)) } ?? true
        let read = fill(section, nodes, path, from: start)
        return isWhole ? read : nil
    }

    /// Reads the keys of a section from what a mapping holds of them; other keys of the mapping are left alone.
    func fill<Target>(
        _ section: KeySection<Target>, _ nodes: [String: SourceNode], _ path: String, from start: Target? = nil
    ) -> Target? {
        var target = start ?? section.standard
        var isRead = true
        for key in section.keys {
            if let node = nodes[key.name] {
                if !key.read(self, node, Self.join(path, key.name), &target) { isRead = false }
            } else if key.isRequired {
                isRead = false
            }
        }
        return isRead ? target : nil
    }

    /// All items, or nil with what is wrong reported.
    func list<Item>(
        of section: KeySection<Item>, _ node: SourceNode, _ path: String, called noun: String, max: Int
    ) -> [Item]? {
        all(items(node, path, of: noun, max: max), path) { read(section, $0, $1) }
    }

    /// Each of them read, or nil where there are none or one cannot be.
    func all<Item>(
        _ nodes: [SourceNode]?, _ path: String, read: (SourceNode, _ path: String) -> Item?
    ) -> [Item]? {
        guard let nodes else { return nil }
        let read = nodes.enumerated().compactMap { read($1, "\(path)[\($0)]") }
        return read.count == nodes.count ? read : nil
    }

    /// Whether so many of the keys are there as the rule wants.
    private func holds(
        _ rule: SchemaRule, _ nodes: [String: SourceNode], _ node: SourceNode, _ path: String, _ keys: [String]
    ) -> Bool {
        let counted: [String]
        switch rule {
        case .anyKey, .oneKey: counted = keys
        case .oneOf(let names): counted = names
        }
        let given = counted.filter { nodes[$0] != nil }
        if given.isEmpty {
            // A key that is unknown here was meant to be one of them, and has been told.
            if case .mapping(let entries) = node.content,
                entries.contains(where: { $0.key != "<<" && !keys.contains($0.key) })
            {
                return false
            }
            let verb = path[(path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex)...]
            report(node.position, "nothing to \(verb) in \(path)", hint: "one of \(counted.joined(separator: ", "))")
            return false
        }
        if case .anyKey = rule { return true }
        guard given.count > 1 else { return true }
        let names = given.map { "'\($0)'" }.joined(separator: " and ")
        report(node.position, "\(names) at once in \(path)", hint: "one of \(counted.joined(separator: ", "))")
        return false
    }
}
