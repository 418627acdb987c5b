// A YAML or JSON document as plain values: every node knows its place, aliases are replaced, sizes are known.
// Pure values; any thread.

package struct SourceNode: Sendable {
    package enum Content: Sendable {
        /// Plain means written without quotes: only a plain scalar can be a number, a boolean or nothing.
        case scalar(String, isPlain: Bool)
        case sequence([SourceNode])
        case mapping([Entry])
    }

    package struct Entry: Sendable {
        package let key: String
        package let keyPosition: SourcePosition
        package let keyIsPlain: Bool
        package let value: SourceNode

        package init(key: String, keyPosition: SourcePosition, keyIsPlain: Bool, value: SourceNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.keyIsPlain = keyIsPlain
            self.value = value
        }
    }

    package let content: Content
    /// Where the node is written; for an alias, where the alias is.
    package private(set) var position: SourcePosition
    /// Nodes in this one, itself included.
    package let weight: Int
    /// Levels of nesting in this one, itself included.
    package let height: Int

    package init(scalar: String, isPlain: Bool, position: SourcePosition) {
        content = .scalar(scalar, isPlain: isPlain)
        self.position = position
        weight = 1
        height = 1
    }

    package init(sequence: [SourceNode], position: SourcePosition) {
        content = .sequence(sequence)
        self.position = position
        weight = sequence.reduce(1) { $0 + $1.weight }
        height = 1 + (sequence.map(\.height).max() ?? 0)
    }

    package init(mapping: [Entry], position: SourcePosition) {
        content = .mapping(mapping)
        self.position = position
        weight = mapping.reduce(1) { $0 + 1 + $1.value.weight }
        height = 1 + (mapping.map(\.value.height).max() ?? 0)
    }

    /// The same content, standing where an alias stands.
    package func aliased(at position: SourcePosition) -> SourceNode {
        var alias = self
        alias.position = position
        return alias
    }

    /// YAML's null, written or left out.
    package var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What the node is, for a message such as "expected a list, found a mapping".
    package var shown: String {
        switch content {
        case .scalar(let text, _): isNothing ? "nothing" : text.isEmpty ? "an empty text" : quoted(text)
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The same in the words of JSON, where a number in quotes is none.
    package var shownAsJSON: String {
        switch content {
        case .scalar(let text, isPlain: false): "the string \(quoted(text))"
        case .scalar(let text, isPlain: true): text.first?.isLetter == true ? text : "the number \(quoted(text))"
        case .sequence: "an array"
        case .mapping: "an object"
        }
    }
}
