// One step of journeys, declared once: what reads it, what explains it to editors and in the guide, and what a swarm
// draws.
// Values; any thread. Reading is confined to its reader.

import Simulation
import Text

package struct ScenarioStep: Sendable {
    /// Its name, and what stands behind its colon, if anything does.
    package let key: KeyFacts
    /// What it does as a word; nil: it needs a value.
    let bare: Step.Kind?
    /// Given the path of its value. Nil: it takes none.
    let read: (@Sendable (ScenarioReader, SourceNode, String) -> Step.Kind?)?
    /// Whether it can be begun at the same time as others in one app.
    var isRequest = false
    /// Whether it holds steps.
    var isNesting = false

    package var name: String { key.name }
    /// Whether it can be a word alone.
    package var canBeBare: Bool { bare != nil }
    /// Whether anything can stand behind it.
    package var takesValue: Bool { read != nil }

    // MARK: Kinds of steps

    /// A step that is a word.
    static func word(_ name: String, _ kind: Step.Kind, _ meaning: String) -> ScenarioStep {
        ScenarioStep(key: KeyFacts(name, .string(among: [name]), "", meaning), bare: kind, read: nil)
    }

    /// A step with a value, which may be left out where it is something without one.
    static func valued<Value>(
        _ key: KeyFacts, bare: Step.Kind? = nil, isRequest: Bool = false, isNesting: Bool = false,
        _ kind: @escaping @Sendable (Value) -> Step.Kind,
        read: @escaping @Sendable (ScenarioReader, SourceNode, String) -> Value?
    ) -> ScenarioStep {
        ScenarioStep(
            key: key, bare: bare, read: { read($0, $1, $2).map(kind) }, isRequest: isRequest, isNesting: isNesting)
    }

    // MARK: All of them

    /// In the order in which lists show them.
    package static let all = app + requests + pastime + nesting + outside

    static let names = all.map(\.name)

    /// Those that a swarm draws from.
    static let drawn = all.filter { if case .leftOut = $0.key.field.drawing { false } else { true } }

    static func named(_ name: String) -> ScenarioStep? { all.first { $0.name == name } }

    /// The sections that values of steps can be.
    static let sections: [SectionFacts] = [
        KeySection.fetch.facts, KeySection.buy.facts, KeySection.restoreStep.facts, KeySection.waitFor.facts,
        KeySection.expectation.facts, KeySection.repetition.facts, KeySection.branch.facts,
        KeySection.redemption.facts,
    ]

    /// For the schema: definitions, since steps hold steps.
    static let definitions: [String: SchemaValue] = [
        "steps": .list(of: .reference("step"), count: 1...ScenarioLimits.stepsPerJourneyMax),
        "step": value(of: all), "request": value(of: requests),
        "fetch": .choice([.reference("products"), KeySection.fetch.schema]),
        "buy": .choice([.reference("product"), KeySection.buy.schema]),
        "restore": KeySection.restoreStep.schema, "product": .reference("text"),
        "products": .list(of: .reference("text"), count: 1...ScenarioLimits.productsPerFetchMax),
    ]

    private static func value(of steps: [ScenarioStep]) -> SchemaValue {
        .choice([
            .string(among: steps.filter(\.canBeBare).map(\.name)),
            .restricted(steps.filter(\.takesValue).map(\.key.field), .oneKey),
        ])
    }
}

extension ScenarioReader {
    /// All steps of a list, or nil with what is wrong reported.
    ///
    /// - Parameter accepted: the steps that hints may give.
    func steps(_ node: SourceNode, _ path: String, among accepted: [ScenarioStep] = ScenarioStep.all) -> [Step]? {
        guard let items = items(node, path, of: "steps", max: ScenarioLimits.stepsPerJourneyMax) else { return nil }
        stepsLeft -= items.count
        return all(items, path) { step($0, $1, among: accepted) }
    }

    private func step(_ node: SourceNode, _ path: String, among accepted: [ScenarioStep]) -> Step? {
        guard case .mapping = node.content else {
            guard let name = text(node, path, as: "a step") else { return nil }
            return bareStep(name, node, path, among: accepted).map { Step(kind: $0, path: path) }
        }
        guard let entries = entries(node, path) else { return nil }
        let unknown = entries.filter { ScenarioStep.named($0.key) == nil }
        for entry in unknown {
            report(
                entry.keyPosition, "unknown key \(quoted(entry.key)) in \(path)",
                hint: Self.hint(forStep: entry.key, isBare: false, among: accepted))
        }
        guard unknown.isEmpty else { return nil }
        guard entries.count == 1, let entry = entries.first, let step = ScenarioStep.named(entry.key) else {
            let names = entries.map { quoted($0.key) }.joined(separator: " and ")
            let hint = "begin each step with its own '-'"
            let what = entries.isEmpty ? "an empty step" : "one step cannot be \(names)"
            report(node.position, "\(what) in \(path)", hint: hint)
            return nil
        }
        guard let read = step.read else {
            report(entry.keyPosition, "step '\(entry.key)' in \(path) takes no value", hint: "write '- \(entry.key)'")
            return nil
        }
        return read(self, entry.value, "\(path).\(entry.key)").map { Step(kind: $0, path: path) }
    }

    private func bareStep(
        _ name: String, _ node: SourceNode, _ path: String, among accepted: [ScenarioStep]
    ) -> Step.Kind? {
        guard let step = ScenarioStep.named(name) else {
            report(
                node.position, "unknown step \(quoted(name)) in \(path)",
                hint: Self.hint(forStep: name, isBare: true, among: accepted))
            return nil
        }
        if step.bare == nil {
            report(node.position, "step '\(name)' in \(path) needs a value", hint: "write '- \(name): …'")
        }
        return step.bare
    }
}
