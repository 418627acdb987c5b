// The figures of a report that two builds can be compared by.
// Values; any thread.

package import Metrics
package import ReportModel
import Scenario

/// One figure of one report.
package struct MeasuredValue: Sendable, Equatable {
    package typealias Direction = MetricDirection

    /// `purchase_duration p(95)`, `violations{rule:lost-purchase}`
    package let name: String
    package let value: Double
    package let unit: ReportUnit
    package let direction: Direction
    /// The same in every run of one build, whatever the machine does meanwhile.
    package var isExact: Bool
    /// An exact figure that differs by no more than this share is the same.
    package var precision = 0.0
    /// Of what the audit looks for in every run: where it is not listed, there was none.
    package var isCountOfViolations = false
}

extension Report {
    /// Whether the run was under the virtual clock, which gives the same figures each time.
    package var isRepeatable: Bool { run.clock == RunClock.virtual.rawValue }

    /// Every figure, in the order of the report, violations first.
    package var measuredValues: [MeasuredValue] {
        let isVirtual = isRepeatable
        func violations(_ name: String, _ count: Int) -> MeasuredValue {
            MeasuredValue(
                name: name, value: Double(count), unit: .count, direction: .lowerIsBetter, isExact: isVirtual,
                isCountOfViolations: true)
        }
        var values = [violations(FigureName.violations, self.violations.total)]
        values += self.violations.byRule.map { violations(FigureName.violations(of: $0.rule), $0.count) }
        let warned = warnings.byRule.map { (FigureName.warnings(of: $0.rule), $0.count) }
        values += warned.map {
            MeasuredValue(name: $0, value: Double($1), unit: .count, direction: .neutral, isExact: isVirtual)
        }
        if let users = self.violations.users {
            values.append(
                MeasuredValue(
                    name: FigureName.usersAffected, value: Double(users), unit: .count, direction: .lowerIsBetter,
                    isExact: isVirtual))
        }
        for metric in metrics where metric.name != FigureName.violations { values += metric.values(isExact: isVirtual) }
        // A rule that a threshold is about is a part of the metric too, and has been counted.
        let counted = Set(values.map(\.name))
        for metric in subMetrics ?? [] {
            values += metric.values(isExact: isVirtual).filter { !counted.contains($0.name) }
        }
        for metric in host.metrics + (host.subMetrics ?? []) {
            values += metric.values(isExact: metric.isRepeatable && isVirtual && host.workers == 1)
        }
        if let rate = host.purchasesPerSecond {
            values.append(
                MeasuredValue(
                    name: FigureName.purchasesPerSecond, value: rate, unit: .perSecond, direction: .higherIsBetter,
                    isExact: false))
        }
        return values
    }
}

extension ReportMetric {
    /// Nil for what a later version measured.
    private var metric: MetricName? { MetricName(name: base ?? name) }

    /// Noise on the machine does not reach it.
    fileprivate var isRepeatable: Bool { metric?.row.source == .allocations }

    /// Swift's library makes room for its own tables 16 KiB at a time.
    private static let allocatorPrecision = 0.001

    fileprivate func values(isExact: Bool) -> [MeasuredValue] {
        let direction = metric?.row.direction ?? kind.usualDirection
        let precision = isRepeatable ? Self.allocatorPrecision : 0
        func value(_ suffix: String, _ value: Double?, _ unit: ReportUnit) -> MeasuredValue? {
            value.map {
                MeasuredValue(
                    name: name + suffix, value: $0, unit: unit, direction: direction, isExact: isExact,
                    precision: precision,
                    isCountOfViolations: (base ?? self.name) == FigureName.violations)
            }
        }
        func durations(_ trend: ReportMetric.Trend?, of part: String = "") -> [MeasuredValue] {
            guard let trend else { return [] }
            let figures = [trend.avg, Double(trend.med), Double(trend.p95), Double(trend.p99)]
            return zip(FigureName.aggregates, figures).compactMap { value("\(part) \($0)", $1, unit) }
        }
        switch kind {
        case .trend:
            let apart = (outcomes ?? [:]).sorted { $0.key < $1.key }
            return durations(response) + apart.flatMap { durations($0.value, of: FigureName.part(.outcome, $0.key)) }
        case .counter:
            var counts = [("", count)]
            // The rules of violations are figures of their own, and the kinds of faults the scenario's doing.
            if let stages {
                counts += (tags ?? [:]).sorted { $0.key < $1.key }.map { (FigureName.part(.code, $0.key), $0.value) }
                counts += stages.sorted { $0.key < $1.key }.map { (FigureName.part(.stage, $0.key), $0.value) }
            }
            return counts.compactMap { value($0, $1.map(Double.init), .count) }
        case .rate:
            guard let passes, let total, total > 0 else { return [] }
            return [value("", Double(passes) / Double(total), .fraction)].compactMap { $0 }
        case .gauge: return [value("", self.value, unit)].compactMap { $0 }
        }
    }
}
