// A scenario file as a tree that can be changed and written again.
// Plain values; any thread.

import Yams

/// What a scenario file says, without its comments and without knowing what it means.
package indirect enum ScenarioOutline: Sendable, Hashable {
    case scalar(String)
    case list([ScenarioOutline])
    case mapping([Entry])

    package struct Entry: Sendable, Hashable {
        package var key: String
        package var value: ScenarioOutline

        package init(_ key: String, _ value: ScenarioOutline) {
            self.key = key
            self.value = value
        }
    }

    /// Nil where the text is no YAML document; a scenario that was checked is one.
    package init?(text: String) {
        guard let node = try? Yams.compose(yaml: text), let outline = ScenarioOutline(node) else { return nil }
        self = outline
    }

    private init?(_ node: Node) {
        switch node {
        case .scalar(let scalar): self = .scalar(scalar.string)
        case .sequence(let sequence):
            let items = sequence.map { ScenarioOutline($0) }
            guard items.allSatisfy({ $0 != nil }) else { return nil }
            self = .list(items.compactMap { $0 })
        case .mapping(let mapping):
            var entries: [Entry] = []
            for (key, value) in mapping {
                guard let key = key.string, let value = ScenarioOutline(value) else { return nil }
                entries.append(Entry(key, value))
            }
            self = .mapping(entries)
        // Composing has put in place what aliases stand for.
        default: return nil
        }
    }

    /// As YAML that reads back the same: short lists and mappings on one line, as people write them.
    package var text: String {
        (try? Yams.serialize(node: node(depth: 0), width: 110, allowUnicode: true)) ?? ""
    }

    private func node(depth: Int) -> Node {
        switch self {
        case .scalar(let text): return Node.scalar(Node.Scalar(text, Tag(.implicit), .any))
        case .list(let items):
            let style: Node.Sequence.Style = depth > 1 && isShort ? .flow : .block
            return .sequence(Node.Sequence(items.map { $0.node(depth: depth + 1) }, Tag(.implicit), style))
        case .mapping(let entries):
            let style: Node.Mapping.Style = depth > 0 && isShort ? .flow : .block
            let pairs = entries.map { (Node($0.key), $0.value.node(depth: depth + 1)) }
            return .mapping(Node.Mapping(pairs, Tag(.implicit), style))
        }
    }

    /// Whether it fits a line.
    private var isShort: Bool { length <= 90 }

    private var length: Int {
        switch self {
        case .scalar(let text): return text.count
        case .list(let items): return items.reduce(2) { $0 + $1.length + 2 }
        case .mapping(let entries): return entries.reduce(2) { $0 + $1.key.count + 2 + $1.value.length + 2 }
        }
    }

    // MARK: Parts

    /// The value under a key of a mapping; set to nil, the key goes.
    package subscript(key: String) -> ScenarioOutline? {
        get {
            guard case .mapping(let entries) = self else { return nil }
            return entries.first { $0.key == key }?.value
        }
        set {
            guard case .mapping(var entries) = self else { return }
            if let place = entries.firstIndex(where: { $0.key == key }) {
                if let newValue { entries[place].value = newValue } else { entries.remove(at: place) }
            } else if let newValue {
                entries.append(Entry(key, newValue))
            }
            self = .mapping(entries)
        }
    }
}
