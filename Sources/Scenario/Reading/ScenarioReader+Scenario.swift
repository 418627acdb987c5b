// The top of the file: which sections there are, and the ones that are short.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    private static let keys = [
        "name", "description", "clock", "seed", "client", "store", "validator", "network", "buyers", "population",
        "app", "load", "warm_up", "journeys", "faults", "audit", "explore", "thresholds",
    ]

    /// The whole scenario. Nil only with a problem reported; when problems are reported it may be incomplete.
    func scenario(_ root: SourceNode) -> Scenario? {
        let required = ["name", "store", "population", "load", "journeys"]
        guard let fields = fields(root, "", known: Self.keys, required: required) else { return nil }
        // The catalog comes first: products are named all over the file.
        let store = fields["store"].flatMap { self.store($0) }
        let name = fields["name"].flatMap { title($0) }
        let description = fields["description"].map { self.description($0) }
        let clock: RunClock? = fields["clock"].flatMap { choice($0, "clock", called: "clocks") }
        let seed = fields["seed"].flatMap { value($0, "seed", as: "a seed", ValueParser.seed) }
        let client = fields["client"].flatMap { self.client($0) }
        let validator = fields["validator"].flatMap { read(.validator, $0) }
        let network = fields["network"].flatMap { read(.network, $0) }
        let buyers = fields["buyers"].flatMap { read(.buyers, $0, from: standardBuyers) }
        let population = fields["population"].flatMap { read(.population, $0) }
        let app = fields["app"].flatMap { read(.app, $0) }
        let journeys = fields["journeys"].flatMap { self.journeys($0) }
        // By their names alone: a mistake in a step is no reason to say nothing of a journey that does not exist.
        let journeyNames = fields["journeys"].flatMap { self.journeyNames($0) }
        let load = fields["load"].flatMap { self.load($0, journeys: journeyNames, population: population?.users) }
        let faults = fields["faults"].flatMap { read(.faults, $0) }
        let audit = fields["audit"].flatMap { read(.audit(tolerable: context.toleratedRules), $0) }
        let exploration = fields["explore"].flatMap { self.exploration($0, clock ?? .virtual) }
        let warmUp = fields["warm_up"].flatMap { span($0, "warm_up") }
        let tagValues = TagValues(
            journeys: journeyNames, load: fields["load"].flatMap { entryOutlines($0) }, catalog: store?.catalog,
            devices: population?.devices)
        let thresholds = fields["thresholds"].map { self.thresholds($0, tagValues) } ?? ReadThresholds()
        guard let name, let store, let population, let journeys, let load else { return nil }
        var scenario = Scenario(
            name: name, description: description ?? "", clock: clock ?? .virtual, seed: seed ?? 1,
            client: client ?? .reference, store: store, network: network ?? LinkConditions(),
            buyers: buyers ?? standardBuyers, population: population, app: app ?? AppConditions(), load: load,
            journeys: journeys, crashes: faults?.crashes ?? [], thresholds: thresholds.limits,
            source: String(source.scalars), path: problems.file, delivery: faults?.delivery ?? DeliveryFaults(),
            validator: validator ?? ValidatorConditions())
        scenario.audit = audit ?? AuditSettings()
        scenario.exploration = exploration
        scenario.warmUp = warmUp ?? .zero
        scenario.subMetrics = thresholds.subMetrics
        return scenario
    }

    // MARK: Audit

    func toleratedRule(_ node: SourceNode, _ path: String) -> String? {
        guard let name = text(node, path, as: "a rule"), context.rules.contains(name),
            !context.toleratedRules.contains(name)
        else { return word(node, path, of: context.toleratedRules, called: "rules that can be tolerated") }
        report(
            node.position, "\(name) cannot be tolerated: a breach of it is a fault, not a decision",
            hint: "\(context.toleratedRules.joined(separator: ", ")) can; a threshold such as "
                + "'violations{rule:\(name)}: count < 10' allows for some of others")
        return nil
    }

    // MARK: Exploration

    private func exploration(_ node: SourceNode, _ clock: RunClock) -> Exploration? {
        if clock == .wall {
            report(
                node.position, "other orders of events cannot be tried on the wall clock",
                hint: "write 'clock: virtual', or take explore out")
        }
        guard case .mapping = node.content else {
            return word(node, "explore", of: ["interleavings"], called: "explorations").map { _ in
                Exploration(window: .zero)
            }
        }
        return read(.exploration, node)
    }

    private func title(_ node: SourceNode) -> String? {
        guard let text = text(node, "name") else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else {
            report(node.position, "the name is empty")
            return nil
        }
        guard !text.contains(where: \.isNewline) else {
            report(node.position, "the name has several lines", hint: "write one; the rest belongs in description")
            return nil
        }
        guard text.unicodeScalars.count <= ScenarioLimits.titleLengthMax else {
            report(
                node.position, "the name is too long",
                hint: "one line of at most \(ScenarioLimits.titleLengthMax) letters; the rest belongs in description")
            return nil
        }
        return text
    }

    private func description(_ node: SourceNode) -> String {
        guard let text = text(node, "description") else { return "" }
        if text.unicodeScalars.count > ScenarioLimits.descriptionLengthMax {
            let limit = ScenarioLimits.descriptionLengthMax
            report(node.position, "the description is too long", hint: "at most \(limit) letters")
        }
        return text
    }

    // MARK: Client

    private func client(_ node: SourceNode) -> ClientChoice? {
        let names = context.clients.keys.sorted()
        guard case .mapping = node.content else {
            return word(node, "client", of: names, called: "clients").map { ClientChoice(name: $0, options: [:]) }
        }
        guard let fields = fields(node, "client", known: ["name", "options"], required: ["name"]),
            let nameNode = fields["name"],
            let name = word(nameNode, "client.name", of: names, called: "clients")
        else { return nil }
        var options: [String: String] = [:]
        let known = context.clients[name, default: [:]]
        if let node = fields["options"], let given = self.fields(node, "client.options", known: known.keys.sorted()) {
            for (option, value) in given {
                options[option] = word(
                    value, "client.options.\(option)", of: known[option, default: []], called: "values")
            }
        }
        return ClientChoice(name: name, options: options)
    }
}
