// What the figures of a report are called wherever runs are held against each other.
// Pure; any thread.

import Judgement
import Metrics
import Simulation

package enum FigureName {
    static let violations = MetricName.violations.name
    static let purchasesPerSecond = "purchases_per_second"
    static let usersAffected = "users_affected"
    /// What is compared of a distribution of durations. The mean too: where durations are of two kinds, half of them short,
    /// the median is now the one and now the other.
    static let aggregates = ["avg", "med", "p(95)", "p(99)"]

    static func violations(of rule: String) -> String { "\(violations){rule:\(rule)}" }

    static func warnings(of rule: String) -> String { "\(MetricName.warnings.name){rule:\(rule)}" }

    /// Of a metric that is always told apart: as thresholds write it, behind the metric's name.
    static func part(_ label: MetricLabel, _ value: String) -> String { "{\(label.rawValue):\(value)}" }

    /// The parts that a report tells of without being asked.
    private static func parts(of metric: MetricName) -> [String] {
        metric.row.labels.flatMap { label -> [String] in
            switch label {
            case .code: StoreFailure.codes.map { part(label, $0) }
            case .stage, .outcome: (label.values ?? []).map { part(label, $0) }
            // Rules are figures of their own, faults the scenario's doing, and instant answers without a length.
            case .kind, .rule, .answer: []
            }
        }
    }

    /// Whether a name that was asked for is that of a count of violations, or of a part of them.
    static func isCountOfViolations(_ name: String) -> Bool { name.hasPrefix(violations) }

    /// Every figure that a report can have.
    package static var all: [String] {
        let rules =
            AuditRule.allCases.filter(\.isViolation).map { violations(of: $0.rawValue) }
            + AuditRule.allCases.filter(\.isWarning).map { warnings(of: $0.rawValue) }
        let metrics = MetricName.allCases.flatMap { metric in
            let names = [metric.name] + parts(of: metric).map { metric.name + $0 }
            return metric.kind == .trend ? names.flatMap { name in aggregates.map { "\(name) \($0)" } } : names
        }
        return metrics + rules + [usersAffected, purchasesPerSecond]
    }

    /// `purchase_duration.p95`, which needs no quotes in a shell, is `purchase_duration p(95)`.
    package static func canonical(_ name: String) -> String {
        // A tag may have a dot in it.
        let tagsEnd = name.lastIndex(of: "}") ?? name.startIndex
        guard let dot = name[tagsEnd...].firstIndex(of: "."),
            MetricName(name: String(name.prefix { $0 != "{" && $0 != "." }))?.kind == .trend
        else { return name }
        let aggregate = name[name.index(after: dot)...]
        return "\(name[..<dot]) " + (aggregate.hasPrefix("p") ? "p(\(aggregate.dropFirst()))" : String(aggregate))
    }

    /// The other way round; names that need no other spelling stay as they are.
    package static func shellSpelling(_ name: String) -> String {
        guard let space = name.firstIndex(of: " ") else { return name }
        return name[..<space] + "." + name[name.index(after: space)...].filter { $0 != "(" && $0 != ")" }
    }
}
