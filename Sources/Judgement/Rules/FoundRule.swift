// What breaches are counted by: a rule, and how grave they are.
// Values; any thread.

package import Metrics

package struct FoundRule: Hashable, Sendable {
    package let rule: AuditRule
    package let severity: Severity

    package init(_ rule: AuditRule, _ severity: Severity) { (self.rule, self.severity) = (rule, severity) }

    /// In the order of the rule book, the gravest breaches of a rule first.
    package static let all = AuditRule.allCases.flatMap { rule in rule.severities.map { FoundRule(rule, $0) } }
}

extension AuditRule {
    /// Under which metrics the breaches of each rule are counted: none of those that are only told.
    package static let metrics: [String: [MetricName]] = Dictionary(
        uniqueKeysWithValues: allCases.map { rule in
            (
                rule.rawValue,
                (rule.isViolation ? [.violations] : []) + (rule.isWarning ? [.warnings] : [])
            )
        })
}

extension Violation {
    package var severity: Severity { rule.severity(isGraver: isGraver) }

    private var isGraver: Bool {
        switch finding {
        case .owed, .promoted: true
        default: false
        }
    }

    var found: FoundRule { FoundRule(rule, severity) }
}
