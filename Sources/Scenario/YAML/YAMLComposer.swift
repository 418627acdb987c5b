// From checked text to nodes. The only file that knows the YAML library.
// Owned by one reading of one file; not sendable.
//
// The library resolves aliases itself, hashes whole subtrees when they stand as mapping keys, and stops at the
// first repeated key. So it never gets to see an alias or a key that is not short: each `*` and each `?` is replaced
// by a letter that no source contains, which makes an alias or an explicit key a plain scalar; and a repeated key
// gets such a letter for its first one. All is undone here, and columns stay what they were.

import Metrics
import Text
import Yams

struct YAMLComposer {
    /// The root, or nil when the text cannot be a document at all.
    private(set) var root: SourceNode?
    private(set) var problems: [(position: SourcePosition, message: String, hint: String?)] = []

    private static let star: Unicode.Scalar = "\u{E000}"
    private static let question: Unicode.Scalar = "\u{E001}"
    /// The first of the letters that stand for the first letter of a repeated key.
    private static let renamedMin: UInt32 = 0xE100

    private let source: SourceText
    private var text: [Unicode.Scalar]
    private let renamingsMax: Int
    private var renamed: [Unicode.Scalar: Unicode.Scalar] = [:]
    private var anchors: [String: SourceNode] = [:]

    /// Ends the composition: what is beneath cannot be looked at.
    private struct Failure: Error {
        let position: SourcePosition
        let message: String
        let hint: String?
    }

    init(_ source: SourceText) {
        self.source = source
        text = source.scalars.map { $0 == "*" ? Self.star : $0 == "?" ? Self.question : $0 }
        // A parse costs up to a second a megabyte, so that large files get fewer.
        renamingsMax = max(1, min(20, (4 << 20) / max(1, text.count)))
        while !compose() {}
        text = []
        anchors = [:]
    }

    /// Parses the text as it is now. False, at most `renamingsMax` times, when a repeated key had to be renamed and
    /// another parse may find more.
    private mutating func compose() -> Bool {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text)
        do {
            let parser = try Parser(yaml: String(string), resolver: .basic, encoding: .utf8)
            guard let node = try parser.singleRoot() else {
                report(.start, "the file is empty", "`stampede init` writes a scenario to start from")
                return true
            }
            // Nodes hold their anchors weakly; the parser keeps them.
            try withExtendedLifetime(parser) { root = try convert(node, depth: 1) }
            return true
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            if rename(at: SourcePosition(context.mark)) { return false }
            let names = keys.map { quoted(restored($0)) }.joined(separator: ", ")
            report(SourcePosition(context.mark), "duplicate key \(names)", nil)
        } catch {
            report(error)
        }
        return true
    }

    // MARK: Conversion

    private mutating func convert(_ node: Node, depth: Int) throws -> SourceNode {
        let position = SourcePosition(node.mark)
        guard depth <= ScenarioLimits.nestingMax else { throw tooDeep(position) }
        var result: SourceNode
        switch node {
        case .scalar(let scalar):
            result = try convert(scalar.string, isPlain: scalar.style == .plain, at: position, depth: depth)
        case .sequence(let sequence):
            var items: [SourceNode] = []
            for item in sequence { items.append(try convert(item, depth: depth + 1)) }
            result = SourceNode(sequence: items, position: position)
        case .mapping(let mapping):
            result = SourceNode(mapping: try entries(mapping, depth: depth), position: position)
        case .alias:
            // The parser never makes one.
            throw Failure(position: position, message: "unexpected alias", hint: nil)
        }
        guard result.weight <= ScenarioLimits.nodesMax else {
            throw Failure(
                position: position,
                message: "the document has more than \(ScenarioLimits.nodesMax) nodes once its aliases are expanded",
                hint: nil)
        }
        if let anchor = node.anchor { anchors[anchor.rawValue] = result }
        return result
    }

    private mutating func entries(_ mapping: Node.Mapping, depth: Int) throws -> [SourceNode.Entry] {
        var entries: [SourceNode.Entry] = []
        var places: [String: SourcePosition] = [:]
        for (keyNode, valueNode) in mapping {
            let key = try convert(keyNode, depth: depth + 1)
            let value = try convert(valueNode, depth: depth + 1)
            guard case .scalar(let name, let isPlain) = key.content else {
                report(key.position, "a key must be a single word, not \(key.shown)", nil)
                continue
            }
            if let first = places[name] {
                let hint = "the first is at \(first.line):\(first.column); keep one of them"
                report(key.position, "duplicate key \(quoted(name))", name == "<<" ? Self.mergeHint : hint)
                continue
            }
            places[name] = key.position
            entries.append(
                SourceNode.Entry(key: name, keyPosition: key.position, keyIsPlain: isPlain, value: value))
        }
        return entries
    }

    private func convert(_ text: String, isPlain: Bool, at position: SourcePosition, depth: Int) throws -> SourceNode {
        let start = text.unicodeScalars.prefix(2)
        if isPlain, start.first == Self.star { return try resolve(text, at: position, depth: depth) }
        if isPlain, start.first == Self.question, start.dropFirst().allSatisfy({ $0 == " " }) {
            throw Failure(position: position, message: "unexpected '?'", hint: Self.explicitKeyHint)
        }
        return SourceNode(scalar: restored(text), isPlain: isPlain, position: position)
    }

    private func resolve(_ text: String, at position: SourcePosition, depth: Int) throws -> SourceNode {
        let name = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
        guard let node = anchors[name] else {
            throw Failure(
                position: position, message: "unknown alias \(quoted("*" + restored(name)))",
                hint: closestMatch(to: name, in: anchors.keys).map { "did you mean '*\($0)'?" }
                    ?? "an anchor must be written before its aliases; quote a text that begins with '*'")
        }
        guard depth + node.height - 1 <= ScenarioLimits.nestingMax else { throw tooDeep(position) }
        return node.aliased(at: position)
    }

    private func restored(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { SourceText.reserved.contains($0.value) }) else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.map { original($0) })
        return String(scalars)
    }

    private func original(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case Self.star: "*"
        case Self.question: "?"
        default: renamed[scalar] ?? scalar
        }
    }

    /// Replaces the first letter of the key at a position. False when that is not possible.
    private mutating func rename(at position: SourcePosition) -> Bool {
        guard let letter = Unicode.Scalar(Self.renamedMin + UInt32(renamed.count)), renamed.count < renamingsMax,
            var place = source.offset(of: position), text.indices.contains(place)
        else { return false }
        if text[place] == "\"" || text[place] == "'" { place += 1 }
        guard text.indices.contains(place), Self.canStandIn(for: text[place]) else {
            return false
        }
        renamed[letter] = text[place]
        text[place] = letter
        return true
    }

    /// Whether a letter of the private use area instead of this one leaves the rest of the syntax as it is.
    private static func canStandIn(for letter: Unicode.Scalar) -> Bool {
        letter.properties.isAlphabetic || ("0"..."9").contains(letter) || letter == "_" || letter == "<"
    }

    // MARK: Problems

    private mutating func report(_ position: SourcePosition, _ message: String, _ hint: String?) {
        problems.append((position, message, hint))
    }

    private func tooDeep(_ position: SourcePosition) -> Failure {
        Failure(position: position, message: "nested more than \(ScenarioLimits.nestingMax) levels deep", hint: nil)
    }

    private mutating func report(_ error: any Error) {
        switch error {
        case let failure as Failure:
            report(failure.position, failure.message, failure.hint)
        case YamlError.composer(_, "but found another document", let mark, _):
            report(
                SourcePosition(mark), "a scenario file holds one document, and a second document begins here",
                "remove the '---'")
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            let message = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
            let hint = YAMLHint(
                source: source, problem: problem, position: SourcePosition(mark),
                opening: context.map { SourcePosition($0.mark) })
            report(hint.place, message, hint.text)
        case YamlError.reader(let problem, _, _, _):
            report(.start, problem, nil)
        default:
            report(.start, "the file cannot be read as YAML", nil)
        }
    }

    private static let mergeHint = "merge several in one list: <<: [*one, *two]"
    private static let explicitKeyHint = "write keys as 'key: value', not after a '?'"
}

extension SourcePosition {
    /// The library counts from 1 too, except where it does not know.
    fileprivate init(_ mark: Mark?) {
        self.init(line: max(1, mark?.line ?? 1), column: max(1, mark?.column ?? 1))
    }
}
