// One key of a section: what is said of it, and how its value gets into the model.
// Values; any thread. Reading is confined to its reader.

import Simulation
import Text

/// - Parameter Target: the part of the model that the section fills.
package struct ScenarioKey<Target: Sendable>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Target, Value> & Sendable
    /// Nil with a problem reported.
    typealias Read<Value> = @Sendable (ScenarioReader, SourceNode, _ path: String) -> Value?

    /// All but what counts where the key is left out.
    private let declared: KeyFacts
    /// As it is written in a section that leaves the key out.
    private let standard: @Sendable (Target) -> String?
    /// False where the value cannot be read, which has been reported then.
    let read: @Sendable (ScenarioReader, SourceNode, _ path: String, inout Target) -> Bool

    var name: String { declared.name }
    var isRequired: Bool { declared.isRequired }

    func facts(_ target: Target) -> KeyFacts {
        var facts = declared
        facts.standard = isRequired ? nil : declared.standard ?? standard(target)
        return facts
    }

    // MARK: Any value

    /// Read as it has to be.
    static func custom(
        _ declared: KeyFacts, read: @escaping @Sendable (ScenarioReader, SourceNode, String, inout Target) -> Bool
    ) -> ScenarioKey { ScenarioKey(declared: declared, standard: { _ in nil }, read: read) }

    /// Read by `read`, and put where `path` says.
    static func value<Value>(
        _ declared: KeyFacts, _ path: Path<Value>, written: @escaping @Sendable (Value) -> String? = { _ in nil },
        read: @escaping Read<Value>
    ) -> ScenarioKey {
        ScenarioKey(declared: declared, standard: { written($0[keyPath: path]) }) { reader, node, place, target in
            guard let value = read(reader, node, place) else { return false }
            target[keyPath: path] = value
            return true
        }
    }

    /// The same, where there is none unless the key is there.
    static func value<Value>(
        _ declared: KeyFacts, _ path: Path<Value?>, read: @escaping Read<Value>
    ) -> ScenarioKey {
        custom(declared) { reader, node, place, target in
            guard let value = read(reader, node, place) else { return false }
            target[keyPath: path] = value
            return true
        }
    }
}

// MARK: Kinds of values

extension ScenarioKey {
    static func duration(
        _ name: String, _ path: Path<Span>, _ meaning: String, zero: ValueParser.Zero = .allowed,
        required: Bool = false, rule: String? = nil, drawing: KeyDrawing = .byKind, example: String = "30s"
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, ScenarioSchema.span(zero), "duration", meaning, required: required, rule: rule, drawing: drawing,
            example: example)
        return value(facts, path, written: ScenarioSchema.written) { $0.span($1, $2, zero: zero) }
    }

    /// Without the key there is no such time.
    static func duration(
        _ name: String, _ path: Path<Span?>, _ meaning: String, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(name, ScenarioSchema.span(.allowed), "duration", meaning, drawing: drawing)
        return value(facts, path) { $0.span($1, $2) }
    }

    /// From the start of the run.
    static func instant(
        _ name: String, _ path: Path<Instant>, _ meaning: String, required: Bool = false
    ) -> ScenarioKey {
        let facts = KeyFacts(name, ScenarioSchema.span(.allowed), "duration", meaning, required: required)
        return value(facts, path) { $0.span($1, $2).map { .start + $0 } }
    }

    static func durations(
        _ name: String, _ path: Path<Distribution>, _ meaning: String, required: Bool = false,
        rule: String? = nil, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, .reference("durations"), "durations", meaning, required: required, rule: rule, drawing: drawing,
            example: "50ms")
        return value(facts, path, written: ScenarioSchema.written) { $0.spans($1, $2) }
    }

    static func share(
        _ name: String, _ path: Path<Share>, _ meaning: String, required: Bool = false, rule: String? = nil,
        drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, .reference("share"), "share", meaning, required: required, rule: rule, drawing: drawing,
            example: "1%")
        return value(facts, path, written: ScenarioSchema.written) { $0.share($1, $2) }
    }

    static func count(
        _ name: String, _ path: Path<Int>, in range: ClosedRange<Int64>, _ meaning: String,
        required: Bool = false, drawing: KeyDrawing = .byKind, example: String? = nil
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, ScenarioSchema.whole(range), "count", meaning, required: required, drawing: drawing,
            example: example)
        return value(facts, path, written: { "\($0)" }) { $0.count($1, $2, in: range) }
    }

    /// An amount of memory.
    static func bytes(
        _ name: String, _ path: Path<Int>, _ meaning: String, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, .reference("bytes"), "bytes", meaning, drawing: drawing, example: "512MiB")
        return value(facts, path, written: { ScenarioSchema.written(bytes: $0) }) { $0.bytes($1, $2) }
    }

    static func flag(
        _ name: String, _ path: Path<Bool>, _ meaning: String, rule: String? = nil
    ) -> ScenarioKey {
        let facts = KeyFacts(name, .boolean, "true | false", meaning, rule: rule)
        return value(facts, path, written: { "\($0)" }) { $0.bool($1, $2) }
    }

    /// One of the values of an enumeration.
    static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Path<Value>, _ meaning: String, called noun: String = "settings",
        required: Bool = false, rule: String? = nil
    ) -> ScenarioKey {
        let facts = KeyFacts(choice: Value.self, name, meaning, required: required, rule: rule)
        return value(facts, path, written: \.rawValue) { $0.choice($1, $2, called: noun) }
    }

    // MARK: Sections within sections

    /// One that is always there.
    static func section<Part>(
        _ section: KeySection<Part>, _ path: Path<Part>, _ meaning: String, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(section.name, section.schema, "section", meaning, drawing: drawing)
        return custom(facts) { reader, node, place, target in
            guard let part = reader.read(section, node, place, from: target[keyPath: path]) else { return false }
            target[keyPath: path] = part
            return true
        }
    }

    /// One without which nothing of it happens.
    static func section<Part>(
        _ section: KeySection<Part>, _ path: Path<Part?>, _ meaning: String
    ) -> ScenarioKey {
        value(KeyFacts(section.name, section.schema, "section", meaning), path) { $0.read(section, $1, $2) }
    }

    /// A list of sections.
    static func list<Item>(
        _ name: String, of section: KeySection<Item>, _ path: Path<[Item]>, called noun: String, max: Int,
        _ meaning: String, required: Bool = false, rule: String? = nil, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        let facts = KeyFacts(
            name, .list(of: section.schema, count: 1...max), "list", meaning, required: required, rule: rule,
            drawing: drawing)
        return value(facts, path) { $0.list(of: section, $1, $2, called: noun, max: max) }
    }
}

extension KeyFacts {
    /// Of a key that holds one of the values of an enumeration.
    init<Value: RawRepresentable<String> & CaseIterable>(
        choice _: Value.Type, _ name: String, _ meaning: String, required: Bool = false, rule: String? = nil,
        default standard: String? = nil, drawing: KeyDrawing = .byKind
    ) {
        let words = Value.allCases.map(\.rawValue)
        self.init(
            name, .string(among: words), words.joined(separator: " | "), meaning, required: required, rule: rule,
            default: standard, drawing: drawing, example: words.first)
    }
}
