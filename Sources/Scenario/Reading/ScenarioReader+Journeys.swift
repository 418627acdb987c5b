// Journeys and their steps.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    private static let bareSteps = [
        "launch", "terminate", "crash", "reinstall", "fetch_products", "restore", "switch_account",
    ]
    private static let mappedSteps = [
        "background", "fetch_products", "buy", "restore", "use", "think", "wait_for", "repeat", "choose", "together",
        "expect", "refund", "cancel_subscription", "change_subscription", "redeem_offer", "buy_outside",
        "family_shares", "family_stops_sharing", "change_storefront", "promoted_purchase", "on_other_device",
    ]
    private static let stepNames = bareSteps + mappedSteps.filter { !bareSteps.contains($0) }
    private static let stepsTogether = ["buy", "restore", "fetch_products", "use"]

    /// The names of the journeys, in the order of the file, whatever may be wrong with them.
    func journeyNames(_ node: SourceNode) -> [String]? {
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.map(\.key)
    }

    func journeys(_ node: SourceNode) -> [Journey]? {
        guard let entries = entries(node, "journeys") else { return nil }
        guard !entries.isEmpty, entries.count <= ScenarioLimits.journeysMax else {
            let hint = "at least one, at most \(ScenarioLimits.journeysMax)"
            report(node.position, "\(entries.count) journeys", hint: hint)
            return nil
        }
        let journeys = entries.compactMap { entry -> Journey? in
            let name = identifier(entry.key, at: entry.keyPosition, "journeys")
            let path = "journeys.\(name ?? "?")"
            var budget = ScenarioLimits.stepsPerJourneyMax
            let steps = steps(entry.value, path, budget: &budget)
            if budget < 0 {
                report(
                    entry.keyPosition, "\(path) has \(ScenarioLimits.stepsPerJourneyMax - budget) steps",
                    hint: "at most \(ScenarioLimits.stepsPerJourneyMax); use repeat")
            }
            guard let name, let steps else { return nil }
            return Journey(name: name, steps: steps)
        }
        return journeys.count == entries.count ? journeys : nil
    }

    /// All steps of a list, or nil with what is wrong reported. Each takes one from the budget.
    private func steps(_ node: SourceNode, _ path: String, budget: inout Int) -> [Step]? {
        guard let items = items(node, path, of: "steps", max: ScenarioLimits.stepsPerJourneyMax) else { return nil }
        budget -= items.count
        var steps: [Step] = []
        for (place, item) in items.enumerated() {
            if let step = step(item, "\(path)[\(place)]", budget: &budget) { steps.append(step) }
        }
        return steps.count == items.count ? steps : nil
    }

    private func step(_ node: SourceNode, _ path: String, budget: inout Int) -> Step? {
        guard case .mapping = node.content else {
            guard let name = text(node, path, as: "a step") else { return nil }
            return bareStep(name, node, path).map { Step(kind: $0, path: path) }
        }
        guard let entries = entries(node, path) else { return nil }
        let unknown = entries.filter { !Self.stepNames.contains($0.key) }
        for entry in unknown {
            report(
                entry.keyPosition, "unknown key \(quoted(entry.key)) in \(path)",
                hint: Self.suggestion(entry.key, among: Self.stepNames, called: "steps"))
        }
        guard unknown.isEmpty else { return nil }
        guard entries.count == 1, let entry = entries.first else {
            let names = entries.map { quoted($0.key) }.joined(separator: " and ")
            let hint = "begin each step with a '-' of its own"
            let what = entries.isEmpty ? "an empty step" : "one step cannot be \(names)"
            report(node.position, "\(what) in \(path)", hint: hint)
            return nil
        }
        let inner = "\(path).\(entry.key)"
        guard Self.mappedSteps.contains(entry.key) else {
            report(entry.keyPosition, "step '\(entry.key)' in \(path) takes no value", hint: "write '- \(entry.key)'")
            return nil
        }
        return mappedStep(entry.key, entry.value, inner, budget: &budget).map { Step(kind: $0, path: path) }
    }

    private func bareStep(_ name: String, _ node: SourceNode, _ path: String) -> Step.Kind? {
        switch name {
        case "launch": return .launch
        case "terminate": return .terminate
        case "crash": return .crash
        case "reinstall": return .reinstall
        case "switch_account": return .switchAccount
        case "fetch_products": return .fetchProducts(FetchStep(identifiers: nil, waits: true))
        case "restore": return .restore(waits: true)
        case _ where Self.mappedSteps.contains(name):
            report(node.position, "step '\(name)' in \(path) needs a value", hint: "write '- \(name): …'")
        default:
            report(
                node.position, "unknown step \(quoted(name)) in \(path)",
                hint: Self.suggestion(name, among: Self.stepNames, called: "steps"))
        }
        return nil
    }

    private func mappedStep(_ name: String, _ node: SourceNode, _ path: String, budget: inout Int) -> Step.Kind? {
        switch name {
        case "background": spans(node, path).map { .background($0) }
        case "think": spans(node, path).map { .think($0) }
        case "fetch_products": fetch(node, path)
        case "buy": buy(node, path)
        case "restore": restore(node, path)
        case "use": use(node, path)
        case "wait_for": waitFor(node, path)
        case "repeat": repeated(node, path, budget: &budget)
        case "choose": choose(node, path, budget: &budget)
        case "together": together(node, path, budget: &budget)
        case "expect": expectation(node, path).map { .expect($0) }
        case "on_other_device": steps(node, path, budget: &budget).map { .onOtherDevice($0) }
        case "promoted_purchase": product(node, path).map { .promotedPurchase($0) }
        case "refund", "cancel_subscription", "change_subscription", "redeem_offer", "buy_outside", "family_shares",
            "family_stops_sharing", "change_storefront":
            accountAction(name, node, path).map { .account($0) }
        default: nil
        }
    }

    // MARK: Waiting

    private func restore(_ node: SourceNode, _ path: String) -> Step.Kind? {
        fields(node, path, known: ["wait"]).flatMap { waits($0, path) }.map { .restore(waits: $0) }
    }

    /// Nil only when the key is there and wrong.
    func waits(_ fields: [String: SourceNode], _ path: String) -> Bool? {
        guard let node = fields["wait"] else { return true }
        return bool(node, "\(path).wait")
    }

    private func waitFor(_ node: SourceNode, _ path: String) -> Step.Kind? {
        guard let fields = fields(node, path, known: ["outcome", "at_most"], required: ["outcome"]) else { return nil }
        let pending: Pending? = fields["outcome"].flatMap { choice($0, "\(path).outcome", called: "outcomes") }
        let limit = fields["at_most"].map { span($0, "\(path).at_most", zero: .refused) } ?? .minutes(1)
        guard let pending, let limit else { return nil }
        return .waitFor(pending, atMost: limit)
    }

    // MARK: Steps of steps

    private func repeated(_ node: SourceNode, _ path: String, budget: inout Int) -> Step.Kind? {
        let names = ["times", "steps"]
        guard let fields = fields(node, path, known: names, required: names) else { return nil }
        let times = fields["times"].flatMap {
            counts($0, "\(path).times", in: 0...ScenarioLimits.repeatMax, bounded: false)
        }
        guard let stepsNode = fields["steps"] else { return nil }
        let steps = steps(stepsNode, "\(path).steps", budget: &budget)
        guard let times, let steps else { return nil }
        return .repeated(times: times, steps: steps)
    }

    private func choose(_ node: SourceNode, _ path: String, budget: inout Int) -> Step.Kind? {
        guard let items = items(node, path, of: "branches", max: ScenarioLimits.weightsMax) else { return nil }
        var branches: [[Step]] = []
        var weightNodes: [(node: SourceNode, path: String)] = []
        for (place, item) in items.enumerated() {
            let inner = "\(path)[\(place)]"
            let names = ["weight", "steps"]
            guard let fields = fields(item, inner, known: names, required: names) else { continue }
            if let weight = fields["weight"] { weightNodes.append((weight, "\(inner).weight")) }
            if let node = fields["steps"], let steps = steps(node, "\(inner).steps", budget: &budget) {
                branches.append(steps)
            }
        }
        guard weightNodes.count == items.count, let weights = weights(weightNodes, of: node, path),
            branches.count == items.count
        else { return nil }
        return .choose(zip(weights, branches).map { Branch(weight: $0, steps: $1) })
    }

    private func together(_ node: SourceNode, _ path: String, budget: inout Int) -> Step.Kind? {
        guard case .sequence(let items) = node.content, items.count <= ScenarioLimits.togetherMax else {
            expected("a list of at most \(ScenarioLimits.togetherMax) steps", node, path)
            return nil
        }
        var isLegal = true
        for (place, item) in items.enumerated() {
            guard let (name, position) = stepName(item), Self.stepNames.contains(name),
                !Self.stepsTogether.contains(name)
            else { continue }
            isLegal = false
            report(
                position, "step '\(name)' in \(path)[\(place)] cannot be done together with others",
                hint: "these can: \(Self.stepsTogether.joined(separator: ", "))")
        }
        guard let steps = steps(node, path, budget: &budget), isLegal else { return nil }
        return .together(steps)
    }

    private func stepName(_ node: SourceNode) -> (String, SourcePosition)? {
        switch node.content {
        case .scalar(let name, _): (name, node.position)
        case .mapping(let entries): entries.first.map { ($0.key, $0.keyPosition) }
        case .sequence: nil
        }
    }
}
