// Steps that hold steps.
// Constants; any thread.

import Simulation
import Text

extension ScenarioStep {
    static let nesting: [ScenarioStep] = [
        .valued(
            KeyFacts(
                "repeat", KeySection<RepetitionDraft>.repetition.schema, "{times, steps}",
                "Runs the steps several times."), isNesting: true,
            { .repeated(times: $0.times, steps: $0.steps) }
        ) { $0.read(.repetition, $1, $2) },
        .valued(
            KeyFacts(
                "choose", .list(of: KeySection<Branch>.branch.schema, count: 1...ScenarioLimits.weightsMax),
                "[{weight, steps}]", "Runs one of several branches, by weight."), isNesting: true, Step.Kind.choose
        ) { $0.branches($1, $2) },
        .valued(
            KeyFacts(
                "together", .list(of: .reference("request"), count: 1...ScenarioLimits.togetherMax), "steps",
                "Starts buy, restore, fetch_products and use at the same time in one app; ends when all have ended."),
            Step.Kind.together
        ) { $0.together($1, $2) },
        .valued(
            KeyFacts(
                "on_other_device", .reference("steps"), "steps",
                "Runs the steps on the user's next device, or on the only device."),
            isNesting: true, Step.Kind.onOtherDevice
        ) { $0.steps($1, $2) },
    ]
}

/// Steps done several times, while their section is read.
struct RepetitionDraft: Sendable {
    var times = Distribution.constant(1)
    var steps: [Step] = []
}

extension KeySection<RepetitionDraft> {
    static let repetition = KeySection(
        "step.repeat", RepetitionDraft(),
        [
            .value(
                KeyFacts(
                    "times", ScenarioSchema.wholes(0...ScenarioLimits.repeatMax, bounded: false), "counts",
                    "How often: 3, 1..4 or {mean: 2}.", required: true,
                    drawing: .drawn { $0.hits(90) ? $0.wholes(0...3) : .mapping([.init("mean", .scalar("1"))]) },
                    example: "3"), \.times
            ) { $0.counts($1, $2, in: 0...ScenarioLimits.repeatMax, bounded: false) },
            .steps(\.steps, "The steps to repeat."),
        ])
}

extension KeySection<Branch> {
    static let branch = KeySection(
        "step.choose[]", Branch(weight: 0, steps: []),
        [
            .value(
                KeyFacts(
                    "weight", .reference("weight"), "weight", "The branch's weight: 80%, 0.8 or 4.", required: true,
                    example: "1"), \.weight
            ) { $0.weight($1, $2) },
            .steps(\.steps, "The steps of the branch."),
        ])
}

extension ScenarioKey {
    fileprivate static func steps(_ path: Path<[Step]>, _ meaning: String) -> ScenarioKey {
        let facts = KeyFacts(
            "steps", .reference("steps"), "steps", meaning, required: true, example: "[launch]")
        return value(facts, path) { $0.steps($1, $2) }
    }
}

extension ScenarioReader {
    fileprivate func branches(_ node: SourceNode, _ path: String) -> [Branch]? {
        let branches = list(of: .branch, node, path, called: "branches", max: ScenarioLimits.weightsMax)
        guard let branches, let weights = inLowestTerms(branches.map(\.weight), of: node, path) else { return nil }
        return zip(weights, branches).map { Branch(weight: $0, steps: $1.steps) }
    }

    fileprivate func together(_ node: SourceNode, _ path: String) -> [Step]? {
        guard case .sequence(let items) = node.content, items.count <= ScenarioLimits.togetherMax else {
            expected("a list of at most \(ScenarioLimits.togetherMax) steps", node, path)
            return nil
        }
        var isLegal = true
        for (place, item) in items.enumerated() {
            guard let (name, position) = stepName(item), let step = ScenarioStep.named(name), !step.isRequest else {
                continue
            }
            isLegal = false
            let names = ScenarioStep.requests.map(\.name)
            report(
                position, "step '\(name)' in \(path)[\(place)] cannot run together with other steps",
                hint: "these can: \(names.joined(separator: ", "))")
        }
        guard let steps = steps(node, path, among: ScenarioStep.requests), isLegal else { return nil }
        return steps
    }

    private func stepName(_ node: SourceNode) -> (String, SourcePosition)? {
        switch node.content {
        case .scalar(let name, _): (name, node.position)
        case .mapping(let entries): entries.first.map { ($0.key, $0.keyPosition) }
        case .sequence: nil
        }
    }
}
