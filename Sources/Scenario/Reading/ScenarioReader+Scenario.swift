// The scenario put together, and the values of the short keys at the top of the file.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// The whole scenario. Nil only with a problem reported.
    func scenario(_ root: SourceNode) -> Scenario? {
        let section = ScenarioSchema(context).top
        guard let nodes = fields(root, "", of: section.facts.keys) else { return nil }
        names = ScenarioNames(
            journeys: nodes["journeys"].flatMap { journeyNames($0) }, load: nodes["load"].flatMap { entryOutlines($0) })
        guard let draft = fill(section, nodes, ""), let store = draft.store, let population = draft.population else {
            return nil
        }
        return Scenario(
            name: draft.name, description: draft.description, clock: draft.clock, seed: draft.seed,
            client: draft.client, store: store, validator: draft.validator, http: draft.http, network: draft.network,
            buyers: draft.buyers ?? standardBuyers, population: population, app: draft.app, load: draft.load,
            journeys: draft.journeys, crashes: draft.faults.crashes, delivery: draft.faults.delivery,
            audit: draft.audit, exploration: draft.exploration, thresholds: draft.thresholds.limits,
            subMetrics: draft.thresholds.subMetrics, warmUp: draft.warmUp, source: String(source.scalars),
            path: problems.file)
    }

    // MARK: Audit

    func toleratedRule(_ node: SourceNode, _ path: String) -> String? {
        guard let name = text(node, path, as: "a rule"), context.rules.contains(name),
            !context.toleratedRules.contains(name)
        else { return word(node, path, of: context.toleratedRules, called: "rules that can be tolerated") }
        report(
            node.position, "\(name) cannot be tolerated: breaking it is a fault, not a decision of the app",
            hint:
                "tolerate only \(context.toleratedRules.joined(separator: ", ")); for other rules a threshold such as "
                + "'violations{rule:\(name)}: count < 10' allows some violations")
        return nil
    }

    // MARK: Exploration

    func exploration(_ node: SourceNode, _ clock: RunClock) -> Exploration? {
        if clock == .wall {
            report(
                node.position, "explore needs the virtual clock: the wall clock has only one order of events",
                hint: "write 'clock: virtual', or remove explore")
        }
        guard case .mapping = node.content else {
            return word(node, "explore", of: ["interleavings"], called: "explorations").map { _ in
                Exploration(window: .zero)
            }
        }
        return read(.exploration, node)
    }

    func title(_ node: SourceNode) -> String? {
        guard let text = text(node, "name") else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else {
            report(node.position, "the name is empty")
            return nil
        }
        guard !text.contains(where: \.isNewline) else {
            report(
                node.position, "the name has several lines", hint: "write one line, and put the rest into description")
            return nil
        }
        guard text.unicodeScalars.count <= ScenarioLimits.titleLengthMax else {
            report(
                node.position, "the name is too long",
                hint: "write at most \(ScenarioLimits.titleLengthMax) characters, and put the rest into description")
            return nil
        }
        return text
    }

    func description(_ node: SourceNode) -> String {
        guard let text = text(node, "description") else { return "" }
        if text.unicodeScalars.count > ScenarioLimits.descriptionLengthMax {
            let limit = ScenarioLimits.descriptionLengthMax
            report(node.position, "the description is too long", hint: "at most \(limit) characters")
        }
        return text
    }
}
