// What must hold: thresholds, and the parts of metrics that they are about.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

/// What `thresholds` holds: limits, and sub-metrics that are only reported.
struct ReadThresholds: Sendable {
    var limits: [Threshold] = []
    var subMetrics: [MetricSelection] = []
}

extension ScenarioReader {
    /// What the tags of thresholds can say; nil where it could not be read, and is not checked then.
    private struct TagValues {
        let names: ScenarioNames
        let catalog: Catalog?
        /// The numbers that the devices of a user can have.
        let devices: ClosedRange<Int>?
    }

    func thresholds(_ node: SourceNode, catalog: Catalog?, devices: ClosedRange<Int>?) -> ReadThresholds {
        let values = TagValues(names: names, catalog: catalog, devices: devices)
        var read = ReadThresholds()
        for entry in entries(node, "thresholds") ?? [] {
            let path = "thresholds.\(entry.key)"
            let key = thresholdKey(entry, values)
            var nodes = [entry.value]
            if case .sequence(let items) = entry.value.content {
                // k6's way to see a part of a metric in the report without a limit on it.
                if items.isEmpty, key.map({ !$0.tags.isEmpty }) ?? true {
                    if let key { read.subMetrics.append(MetricSelection(metric: key.metric, tags: key.tags)) }
                    continue
                }
                nodes =
                    self.items(entry.value, path, of: "thresholds", max: ScenarioLimits.thresholdsPerMetricMax) ?? []
            }
            guard let key else { continue }
            read.limits += nodes.compactMap { threshold($0, path, key) }
        }
        return read
    }

    // MARK: The key

    private func thresholdKey(_ entry: SourceNode.Entry, _ values: TagValues) -> ThresholdKey? {
        let key: ThresholdKey
        do {
            key = try ThresholdKey(parsing: entry.key, ownTags: values.names.ownTags)
        } catch {
            let position = inside(entry.key, at: entry.keyPosition, isPlain: entry.keyIsPlain, offset: error.offset)
            report(position, "\(error.message) in thresholds", hint: Self.hint(for: error))
            return nil
        }
        let isSound = key.tags.map { check($0, of: key.metric, at: entry.keyPosition, values) }
        guard isSound.allSatisfy(\.self), checkTogether(key.tags, at: entry.keyPosition, values) else { return nil }
        return key
    }

    /// Whether one load entry carries all the tags that are about load entries.
    private func checkTogether(_ tags: [MetricTag], at position: SourcePosition, _ values: TagValues) -> Bool {
        let tags = tags.filter { ["phase", "journey"].contains($0.name) || values.names.ownTags.contains($0.name) }
        guard tags.count > 1, let load = values.names.load else { return true }
        if load.contains(where: { entry in tags.allSatisfy { entry.carries($0) } }) { return true }
        let names = tags.map { "\($0.name):\($0.value)" }.joined(separator: " and ")
        report(
            position, "no load entry has \(names), as thresholds require",
            hint: "one entry has to match all tags; write a threshold for each tag")
        return false
    }

    static let faultKinds = FaultKind.all.map(\.row.tag)

    /// Whether anything can ever carry this tag.
    private func check(
        _ tag: MetricTag, of metric: MetricName, at position: SourcePosition, _ values: TagValues
    ) -> Bool {
        if tag.name == "rule", !checkMetric(metric, of: tag.value, at: position) { return false }
        if tag.name == "device" { return checkDevice(tag, at: position, values) }
        let (known, kind): ([String]?, String) =
            switch tag.name {
            case "rule": (context.rules, "rules")
            case "kind": (Self.faultKinds, "kinds of faults")
            case "code": (StoreFailure.codes, "codes")
            case "stage", "outcome", "answer": (MetricLabel(rawValue: tag.name)?.values, "\(tag.name)s")
            case "client": (context.clients.keys.sorted(), "clients")
            case "journey": (values.names.journeys, "journeys")
            case "phase": (values.names.load?.map(\.name), "load entries")
            case "product": (products(values.catalog, tag.value), "products")
            default: (values.names.load.map { Set($0.compactMap { $0.tags[tag.name] }).sorted() }, "values of this tag")
            }
        guard let known else { return true }
        guard !known.contains(tag.value) else { return tag.name != "journey" || checkUse(tag, at: position, values) }
        report(
            position, "unknown \(tag.name) \(quoted(tag.value)) in thresholds",
            hint: Self.suggestion(tag.value, among: known, called: kind))
        return false
    }

    /// Whether breaches of a rule are counted there.
    private func checkMetric(_ metric: MetricName, of rule: String, at position: SourcePosition) -> Bool {
        guard let metrics = context.metricsOfRules[rule], !metrics.contains(metric) else { return true }
        let breaches = metrics.first.map { "are counted as \($0.name)" } ?? "are notes and not counted at all"
        report(
            position, "breaches of \(rule) \(breaches), never as \(metric.name)",
            hint: metrics.first.map { "write \($0.name){rule:\(rule)}" } ?? "leave it out")
        return false
    }

    /// A number is mistyped for none of the others: which there are says more than the nearest.
    private func checkDevice(_ tag: MetricTag, at position: SourcePosition, _ values: TagValues) -> Bool {
        let devices = values.devices ?? ScenarioLimits.devices
        if devices.map(String.init).contains(tag.value) { return true }
        let numbers =
            devices.count == 1
            ? "every user has one device, number 1"
            : "the devices of a user are numbered from 1 to \(devices.upperBound)"
        let more = devices.upperBound < ScenarioLimits.devices.upperBound ? "; population.devices_per_user sets it" : ""
        report(position, "unknown device \(quoted(tag.value)) in thresholds", hint: numbers + more)
        return false
    }

    /// Whether a load entry begins this journey.
    private func checkUse(_ tag: MetricTag, at position: SourcePosition, _ values: TagValues) -> Bool {
        guard let journeys = values.names.journeys, let load = values.names.load else { return true }
        let used = Set(load.map(\.journey))
        // An entry whose journey is mistyped may mean this one.
        if used.contains(tag.value) || !used.isSubset(of: journeys) { return true }
        report(
            position, "no load entry runs the journey \(quoted(tag.value)) in thresholds",
            hint: "add a load entry for it; journeys of the load: \(used.sorted().joined(separator: ", "))")
        return false
    }

    /// Every name there is for a product, and the one that was given if it is another such.
    private func products(_ catalog: Catalog?, _ name: String) -> [String]? {
        catalog.map { catalog in
            catalog.resolve(name).map { _ in [name] } ?? catalog.products.flatMap { [$0.shortName, $0.identifier] }
        }
    }

    // MARK: The limit

    private func threshold(_ node: SourceNode, _ path: String, _ key: ThresholdKey) -> Threshold? {
        guard case .mapping = node.content else { return limit(node, path, key) }
        let section = KeySection.threshold(on: key)
        guard let nodes = fields(node, path, of: section.facts.keys) else { return nil }
        let draft = fill(section, nodes, path)
        if let delay = nodes["delay_abort_eval"], nodes["abort_on_fail"].map(Self.isFalse) ?? true {
            report(
                delay.position, "'delay_abort_eval' in \(path) has no effect without 'abort_on_fail'",
                hint: "write 'abort_on_fail: true' beside it")
        }
        guard let draft, var limit = draft.limit else { return nil }
        limit.window = draft.window
        if draft.aborts { limit.abort = ThresholdAbort(delay: draft.delay.nanoseconds) }
        return limit
    }

    private static func isFalse(_ node: SourceNode) -> Bool {
        if case .scalar("false", _) = node.content { true } else { false }
    }

    /// `2m..8m`, from the start of the run.
    func window(_ node: SourceNode, _ path: String, _ key: ThresholdKey) -> Range<Int64>? {
        guard key.metric.row.hasWindows else {
            report(
                node.position, "\(key.metric.name) is measured over the whole run and has no windows",
                hint: "metrics of requests, purchases and launches have windows")
            return nil
        }
        guard let range = spans(node, path) else { return nil }
        if case .uniform(let from, let to) = range { return from..<to }
        // A range that ends where it begins is a single time.
        if case .constant = range, case .scalar(let text, _) = node.content, text.contains("..") {
            report(
                node.position, "the window \(quoted(text))\(Self.place(path)) is empty",
                hint: "its end is its start; write a later end")
        } else {
            report(node.position, "write a window\(Self.place(path)) as from..to, such as 2m..8m")
        }
        return nil
    }

    func limit(_ node: SourceNode, _ path: String, _ key: ThresholdKey) -> Threshold? {
        guard case .scalar(let expression, let isPlain) = node.content, !node.isNothing else {
            expected("a threshold such as 'p(95) < 900ms'", node, path)
            return nil
        }
        do {
            return try Threshold(key: key, expression: expression)
        } catch {
            let position = inside(expression, at: node.position, isPlain: isPlain, offset: error.offset)
            report(position, error.message + Self.place(path), hint: Self.hint(for: error))
            return nil
        }
    }

    /// The place of a letter of a text, when the text stands in the file as it is; else the place of the text.
    private func inside(_ text: String, at position: SourcePosition, isPlain: Bool, offset: Int) -> SourcePosition {
        let start = SourcePosition(line: position.line, column: position.column + (isPlain ? 0 : 1))
        guard source.has(text, at: start) else { return position }
        return SourcePosition(line: start.line, column: start.column + offset)
    }
}
