// A YAML document as plain values: every node knows its place, aliases are replaced, sizes are known.
// Pure values; any thread.

import Metrics

struct SourceNode: Sendable {
    enum Content: Sendable {
        /// Plain means written without quotes: only a plain scalar can be a number, a boolean or nothing.
        case scalar(String, isPlain: Bool)
        case sequence([SourceNode])
        case mapping([Entry])
    }

    struct Entry: Sendable {
        let key: String
        let keyPosition: SourcePosition
        let keyIsPlain: Bool
        let value: SourceNode
    }

    let content: Content
    /// Where the node is written; for an alias, where the alias is.
    let position: SourcePosition
    /// Nodes in this one, itself included.
    let weight: Int
    /// Levels of nesting in this one, itself included.
    let height: Int

    init(scalar: String, isPlain: Bool, position: SourcePosition) {
        content = .scalar(scalar, isPlain: isPlain)
        self.position = position
        weight = 1
        height = 1
    }

    init(sequence: [SourceNode], position: SourcePosition) {
        content = .sequence(sequence)
        self.position = position
        weight = sequence.reduce(1) { $0 + $1.weight }
        height = 1 + (sequence.map(\.height).max() ?? 0)
    }

    init(mapping: [Entry], position: SourcePosition) {
        content = .mapping(mapping)
        self.position = position
        weight = mapping.reduce(1) { $0 + 1 + $1.value.weight }
        height = 1 + (mapping.map(\.value.height).max() ?? 0)
    }

    private init(_ original: SourceNode, at position: SourcePosition) {
        content = original.content
        self.position = position
        weight = original.weight
        height = original.height
    }

    /// The same content, standing where an alias stands.
    func aliased(at position: SourcePosition) -> SourceNode { SourceNode(self, at: position) }

    /// YAML's null, written or left out.
    var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What the node is, for a message such as "expected a list, found a mapping".
    var shown: String {
        switch content {
        case .scalar(let text, _): isNothing ? "nothing" : text.isEmpty ? "an empty text" : quoted(text)
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
