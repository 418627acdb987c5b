// One key of a section: what is said of it, and how its value gets into the model.
// Values; any thread. Reading is confined to its reader.

import Simulation
import Text

/// - Parameter Target: the part of the model that the section fills.
struct ScenarioKey<Target: Sendable>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Target, Value> & Sendable

    let name: String
    let meaning: String
    let kind: String
    var isRequired = false
    var rule: String?
    let value: SchemaValue
    var drawing = KeyDrawing.byKind
    /// As it is written in a section that leaves the key out.
    var standard: @Sendable (Target) -> String? = { _ in nil }
    /// False where the value cannot be read, which has been reported then.
    let read: @Sendable (ScenarioReader, SourceNode, _ path: String, inout Target) -> Bool

    func facts(_ target: Target) -> KeyFacts {
        KeyFacts(
            name: name, meaning: meaning, kind: kind, standard: isRequired ? nil : standard(target),
            isRequired: isRequired, rule: rule, value: value, drawing: drawing)
    }
}

// MARK: Kinds of values

extension ScenarioKey {
    /// Whatever else it may be.
    static func custom(
        _ name: String, _ value: SchemaValue, _ kind: String, _ meaning: String, required: Bool = false,
        rule: String? = nil, default standard: String? = nil, drawing: KeyDrawing = .byKind,
        read: @escaping @Sendable (ScenarioReader, SourceNode, _ path: String, inout Target) -> Bool
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, kind: kind, isRequired: required, rule: rule, value: value, drawing: drawing,
            standard: { _ in standard }, read: read)
    }

    static func duration(
        _ name: String, _ path: Path<Span>, _ meaning: String, zero: ValueParser.Zero = .allowed,
        required: Bool = false, rule: String? = nil, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, kind: "duration",
            isRequired: required, rule: rule, value: ScenarioSchema.span(zero), drawing: drawing,
            standard: { ScenarioSchema.written($0[keyPath: path]) }
        ) { reader, node, place, target in
            assign(reader.span(node, place, zero: zero), to: path, of: &target)
        }
    }

    /// From the start of the run.
    static func instant(
        _ name: String, _ path: Path<Instant>, _ meaning: String, required: Bool = false
    ) -> ScenarioKey {
        custom(name, ScenarioSchema.span(.allowed), "duration", meaning, required: required) {
            reader, node, place, target in
            assign(reader.span(node, place).map { .start + $0 }, to: path, of: &target)
        }
    }

    static func durations(
        _ name: String, _ path: Path<Distribution>, _ meaning: String, required: Bool = false,
        rule: String? = nil, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, kind: "durations",
            isRequired: required, rule: rule, value: .reference("durations"), drawing: drawing,
            standard: { ScenarioSchema.written($0[keyPath: path]) }
        ) { reader, node, place, target in
            assign(reader.spans(node, place), to: path, of: &target)
        }
    }

    static func share(
        _ name: String, _ path: Path<Share>, _ meaning: String, required: Bool = false, rule: String? = nil,
        drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, kind: "share", isRequired: required,
            rule: rule, value: .reference("share"), drawing: drawing,
            standard: { ScenarioSchema.written($0[keyPath: path]) }
        ) { reader, node, place, target in
            assign(reader.share(node, place), to: path, of: &target)
        }
    }

    static func count(
        _ name: String, _ path: Path<Int>, in range: ClosedRange<Int64>, _ meaning: String,
        required: Bool = false, drawing: KeyDrawing = .byKind
    ) -> ScenarioKey {
        custom(name, ScenarioSchema.whole(range), "count", meaning, required: required, drawing: drawing) {
            reader, node, place, target in
            assign(reader.count(node, place, in: range), to: path, of: &target)
        }
    }

    static func flag(
        _ name: String, _ path: Path<Bool>, _ meaning: String, rule: String? = nil
    ) -> ScenarioKey {
        ScenarioKey(
            name: name, meaning: meaning, kind: "true | false", rule: rule, value: .boolean,
            standard: { "\($0[keyPath: path])" }
        ) { reader, node, place, target in
            assign(reader.bool(node, place), to: path, of: &target)
        }
    }

    /// One of the values of an enumeration.
    static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Path<Value>, _ meaning: String, called noun: String = "settings",
        required: Bool = false, rule: String? = nil
    ) -> ScenarioKey {
        let words = Value.allCases.map(\.rawValue)
        return ScenarioKey(
            name: name, meaning: meaning, kind: words.joined(separator: " | "), isRequired: required,
            rule: rule, value: .string(among: words), standard: { $0[keyPath: path].rawValue }
        ) { reader, node, place, target in
            assign(reader.choice(node, place, called: noun), to: path, of: &target)
        }
    }

    /// A section within this one that is always there.
    static func section<Part>(
        _ section: KeySection<Part>, _ path: Path<Part>, _ meaning: String
    ) -> ScenarioKey {
        custom(section.name, section.schema, "section", meaning) { reader, node, place, target in
            assign(reader.read(section, node, place, from: target[keyPath: path]), to: path, of: &target)
        }
    }

    /// A section within this one without which nothing of it happens.
    static func section<Part>(
        _ section: KeySection<Part>, _ path: Path<Part?>, _ meaning: String
    ) -> ScenarioKey {
        custom(section.name, section.schema, "section", meaning) { reader, node, place, target in
            guard let part = reader.read(section, node, place) else { return false }
            target[keyPath: path] = part
            return true
        }
    }

    private static func assign<Value>(
        _ value: Value?, to path: Path<Value>, of target: inout Target
    ) -> Bool {
        guard let value else { return false }
        target[keyPath: path] = value
        return true
    }
}
