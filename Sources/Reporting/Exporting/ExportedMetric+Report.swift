// What a report says, as metrics for other people's collections.
// Pure; any thread.

package import Engine
import Metrics
package import ReportModel

extension ExportedMetric {
    /// All figures of a report, and the last of what was told while the run went on.
    package static func final(
        of run: ExportedRun, _ report: Report, _ last: RunBoard.Snapshot, users: Int
    ) -> [ExportedMetric] {
        let measured = report.metrics + report.host.metrics
        let parts = (report.subMetrics ?? []) + (report.host.subMetrics ?? [])
        let all =
            progress(of: run, last, users: users) + outcome(of: report)
            + measured.flatMap { MetricExport($0).metrics }
            + parts.flatMap { MetricExport(part: $0).metrics }
        return all.gathered
    }

    /// What the run as a whole came to.
    private static func outcome(of report: Report) -> [ExportedMetric] {
        var metrics = [
            ExportedMetric(
                "run_exit_code", .gauge, .none, "The verdict as an exit code; 0: passed. Absent before the end.",
                .count(report.verdict.exitCode)),
            ExportedMetric(
                "run_duration", .gauge, .seconds, "How long the run took, in real time.",
                .number(report.host.durationSeconds)),
            ExportedMetric(
                "simulated_duration", .gauge, .seconds,
                "Simulated time from the start of the run to the end of the last journey.",
                .nanoseconds(report.simulatedDurationNs)),
            ExportedMetric(
                "users", .gauge, .none, "Users that the load uses.", .count(report.shard?.users ?? report.run.users)),
        ]
        if let users = report.violations.users {
            metrics.append(
                ExportedMetric("users_affected", .gauge, .none, "Users whose app broke any rule.", .count(users)))
        }
        if let rate = report.host.purchasesPerSecond {
            metrics.append(
                ExportedMetric(
                    "purchases_per_second", .gauge, .none, "Purchases per second of real time.", .number(rate)))
        }
        let thresholds = (report.thresholds + report.host.thresholds).filter { $0.outcome != .notJudged }.map {
            Sample(
                label: Label(name: "threshold", value: "\($0.metric): \($0.expression)"),
                value: .count($0.outcome == .passed ? 1 : 0))
        }
        if !thresholds.isEmpty {
            metrics.append(
                ExportedMetric(
                    "threshold_holds", .gauge, .none,
                    "1: the threshold holds. 0: it failed, or there was nothing to judge.",
                    thresholds))
        }
        return metrics
    }
}

/// One metric of a report, or a part of one.
private struct MetricExport {
    private let metric: ReportMetric
    private let name: String
    private let meaning: String
    private let label: ExportedMetric.Label?

    init(_ metric: ReportMetric) {
        (self.metric, name, label) = (metric, metric.name, nil)
        meaning = MetricName(name: metric.name)?.meaning ?? metric.name
    }

    /// Under a name of its own: beside the whole, sums over all samples would count it twice.
    init(part metric: ReportMetric) {
        let base = metric.base ?? metric.name
        (self.metric, name) = (metric, "part_" + base)
        label = ExportedMetric.Label(name: "part", value: metric.name)
        meaning = "For a part that the scenario names. " + (MetricName(name: base)?.meaning ?? base)
    }

    var metrics: [ExportedMetric] {
        switch metric.kind {
        case .trend: trend
        case .counter: counter
        case .rate: rate
        case .gauge: gauge
        }
    }

    /// - Parameter ending: of the name.
    private func one(
        _ kind: ExportedMetric.Kind, in unit: ExportedMetric.Unit = .none, _ value: ExportedMetric.Value,
        as ending: String = "", _ remark: String? = nil
    ) -> ExportedMetric {
        let sample = ExportedMetric.Sample(label: label, value: value)
        return ExportedMetric(name + ending, kind, unit, help(remark), [sample])
    }

    /// Told apart by a tag, which parts of metrics have none of.
    private func apart(
        _ kind: ExportedMetric.Kind, in unit: ExportedMetric.Unit = .none, by tag: MetricLabel,
        _ values: [(String, ExportedMetric.Value)], as ending: String = "", _ remark: String? = nil
    ) -> ExportedMetric {
        ExportedMetric(
            name + ending, kind, unit, help(remark),
            values.map {
                ExportedMetric.Sample(label: ExportedMetric.Label(name: tag.rawValue, value: $0), value: $1)
            })
    }

    private func help(_ remark: String?) -> String { remark.map { "\(meaning) \($0)" } ?? meaning }

    private var trend: [ExportedMetric] {
        var metrics: [ExportedMetric] = []
        if let response = metric.response.flatMap(ExportedHistogram.init) {
            metrics.append(one(.histogram, in: .seconds, .histogram(response)))
        }
        if let service = metric.service.flatMap(ExportedHistogram.init) {
            let remark = "Measured from the actual start, not the planned start."
            metrics.append(one(.histogram, in: .seconds, .histogram(service), as: "_service", remark))
        }
        let outcomes = (metric.outcomes ?? [:]).sorted { $0.key < $1.key }.compactMap { outcome, trend in
            ExportedHistogram(trend).map { (outcome, ExportedMetric.Value.histogram($0)) }
        }
        if !outcomes.isEmpty {
            let remark = "By outcome."
            metrics.append(
                apart(.histogram, in: .seconds, by: .outcome, outcomes, as: "_by_outcome", remark))
        }
        if let instant = metric.instant {
            let remark = "Answers at the same instant, which are not samples."
            metrics.append(one(.counter, .count(instant), as: "_instant", remark))
        }
        return metrics
    }

    /// The counts under its tags, which are all of it; where it has none, the count alone.
    private var counter: [ExportedMetric] {
        guard let count = metric.count else { return [] }
        var metrics: [ExportedMetric] = []
        if let tag = MetricName(name: metric.name)?.row.labels.first, let tags = metric.tags {
            metrics.append(apart(.counter, by: tag, Self.sorted(tags)))
        } else {
            metrics.append(one(.counter, .count(count)))
        }
        if let stages = metric.stages {
            metrics.append(apart(.counter, by: .stage, Self.sorted(stages), as: "_by_stage", "By stage."))
        }
        return metrics
    }

    private static func sorted(_ counts: [String: Int]) -> [(String, ExportedMetric.Value)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) }
    }

    /// What it is a share of, too: shares of several machines cannot be added up.
    private var rate: [ExportedMetric] {
        guard let passes = metric.passes, let total = metric.total, total > 0 else { return [] }
        return [
            one(.gauge, in: .ratio, .number(Double(passes) / Double(total))),
            one(.counter, .count(passes), as: "_passes", "Successes."),
            one(.counter, .count(total), as: "_tries", "Attempts."),
        ]
    }

    private var gauge: [ExportedMetric] {
        let unit: ExportedMetric.Unit = metric.unit == .bytes ? .bytes : .none
        guard let value = metric.value else { return [] }
        var metrics = [one(.gauge, in: unit, .number(value))]
        // Most have one level alone.
        if let low = metric.min, let high = metric.max, low != high {
            metrics.append(
                one(
                    .gauge, in: unit, .number(low), as: "_min",
                    metric.isAveraged ? "Average over the emptiest interval." : "The lowest."))
            metrics.append(
                one(
                    .gauge, in: unit, .number(high), as: "_max",
                    metric.isAveraged ? "Average over the fullest interval." : "The highest."))
        }
        return metrics
    }
}
