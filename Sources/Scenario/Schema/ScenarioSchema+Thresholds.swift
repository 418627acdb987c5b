// Thresholds: the names of metrics with their tags, and the expressions that fit each.
// Pure; any thread.

import Metrics
import Simulation

extension ScenarioSchema {
    /// By metric, and by patterns for parts of metrics.
    var thresholds: SchemaValue {
        let fields = MetricName.allCases.map { metric in
            let aggregates = metric.kind.aggregateNames.joined(separator: " ")
            return SchemaValue.optional(
                metric.name, .reference(Self.limitsName(metric)),
                """
                \(metric.meaning) A \(metric.kind.rawValue): \(aggregates), such as '\(metric.exampleLimit)'. \
                Tags: \(metric.tagNames.joined(separator: " ")).
                """)
        }
        var patterns: [String: SchemaValue] = [:]
        for metric in MetricName.allCases {
            // An empty list reports a part of a metric without a limit on it.
            patterns["^\(metric.name)\\{\(tag(of: metric))(,\(tag(of: metric)))*\\}$"] =
                .choice([.reference(Self.limitsName(metric)), .list(of: .string(), count: 0...0)])
        }
        return .openObject(fields, patterns: patterns)
    }

    /// What metrics of each kind are held against.
    var limits: [String: SchemaValue] {
        var limits: [String: SchemaValue] = [:]
        for metric in MetricName.allCases {
            let one = SchemaValue.reference(Self.limitName(metric))
            limits[Self.limitName(metric)] = Self.limit(metric)
            limits[Self.limitsName(metric)] =
                .choice([one, .list(of: one, count: 1...ScenarioLimits.thresholdsPerMetricMax)])
        }
        return limits
    }

    private static func limitName(_ metric: MetricName) -> String {
        let unit = metric.unit == .none ? "" : "_of_\(metric.unit.rawValue)"
        return "limit_on_\(metric.kind.rawValue)\(unit)\(metric.row.hasWindows ? "_in_windows" : "")"
    }

    private static func limitsName(_ metric: MetricName) -> String {
        limitName(metric).replacing("limit_on_", with: "limits_on_")
    }

    // MARK: Keys

    /// Codes of errors are so many that a key with all of them would be longer than keys may be: the reader alone knows them.
    private func tag(of metric: MetricName) -> String {
        let value = "[A-Za-z0-9._-]+"
        var tags = metric.tagNames.map { name in
            switch name {
            case "rule": "rule *: *(\(rules.joined(separator: "|")))"
            case "kind": "kind *: *(\(ScenarioReader.faultKinds.joined(separator: "|")))"
            case "stage", "outcome", "answer":
                "\(name) *: *(\((MetricLabel(rawValue: name)?.values ?? []).joined(separator: "|")))"
            case "client": "client *: *(\(clients.keys.sorted().joined(separator: "|")))"
            case "device": "device *: *(\(ScenarioLimits.devicesPerUser.map(String.init).joined(separator: "|")))"
            default: "\(name) *: *\(value)"
            }
        }
        if metric.tagNames.contains("phase") {
            tags.append("(?!(\(ScenarioReader.reservedTags.joined(separator: "|"))) *:)\(Self.name) *: *\(value)")
        }
        return " *(\(tags.joined(separator: "|"))) *"
    }

    // MARK: Expressions

    private static func limit(_ metric: MetricName) -> SchemaValue {
        let keys = KeySection.threshold(on: .whole(metric)).facts.keys.filter {
            $0.name != "window" || metric.row.hasWindows
        }
        return .choice([expression(on: metric), .object(keys.map(\.field))])
    }

    static func expression(on metric: MetricName) -> SchemaValue {
        .scalar(SchemaScalar(kinds: [.string], pattern: pattern(of: metric)))
    }

    /// `aggregate operator value`: what `ThresholdParser` reads for the metric.
    private static func pattern(of metric: MetricName) -> String {
        let number = #"[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?"#
        let comparison = ThresholdComparison.allCases.map(\.rawValue).joined(separator: "|")
        let forms = metric.kind.aggregateNames.map { name in
            // Of all aggregates, counts alone have no unit where the metric has one.
            let dimension = ThresholdDimension(metric: metric, aggregate: name == "count" ? .count : .maximum)
            let units = dimension.units.keys.filter { !$0.isEmpty }.sorted().joined(separator: "|")
            let aggregate = name == "p(N)" ? #"p\(\s*\#(number)\s*\)"# : name
            return #"\#(aggregate)\s*(\#(comparison))\s*\#(number)\s*"# + (units.isEmpty ? "" : "(\(units))?")
        }
        return #"^\s*(\#(forms.joined(separator: "|")))\s*$"#
    }
}
