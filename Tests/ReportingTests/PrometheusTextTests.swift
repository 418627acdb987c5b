// Metrics in Prometheus' text format.

import Engine
import Foundation
import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct PrometheusTextTests {
    @Test func prometheusTextShowsTheRunsProgress() throws {
        let run = ExportedFigures.run()
        let text = PrometheusText.render(
            ExportedMetric.progress(of: run, ExportedFigures.snapshot(), users: 100), of: run)
        let labels = #"scenario="Shop",client="reference",seed="7""#
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            samples == [
                #"stampede_run_info{\#(labels),version="9.8.7",clock="virtual"} 1"#,
                "stampede_run_start_time_seconds{\(labels)} 1704164645.25",
                "stampede_progress_users_planned{\(labels)} 100",
                "stampede_progress_users_judged_total{\(labels)} 30",
                "stampede_progress_purchases_total{\(labels)} 40",
                "stampede_progress_violations_total{\(labels)} 2",
                "stampede_progress_crashes_total{\(labels)} 5",
                "stampede_progress_purchase_duration_p95_seconds{\(labels)} 1.23456789",
            ])
        #expect(
            text.hasPrefix(
                """
                # HELP stampede_run_info Always 1: the labels describe the run.
                # TYPE stampede_run_info gauge

                """))
    }

    /// Counts, sums and levels of every metric are the report's, whatever the run came to.
    @Test(arguments: SampleReport.allCases)
    func prometheusTextHoldsTheReportsFigures(sample: SampleReport) throws {
        let report = sample.report
        let text = try ExpositionText(ExportedFigures.text(of: report))
        for metric in report.metrics + report.host.metrics {
            try check(metric, "stampede_\(metric.name)", text)
            let type = metric.kind == .trend ? "histogram" : metric.kind == .counter ? "counter" : "gauge"
            let unit = metric.kind == .trend ? "_seconds" : metric.kind == .rate ? "_ratio" : ""
            let bytes = metric.unit == .bytes && !metric.name.contains("bytes") ? "_bytes" : ""
            let ending = metric.kind == .counter ? "_total" : ""
            if metric.response != nil || metric.kind != .trend {
                #expect(text.types["stampede_\(metric.name)\(unit)\(bytes)\(ending)"] == type, "\(metric.name)")
            }
        }
        for part in (report.subMetrics ?? []) + (report.host.subMetrics ?? []) {
            try check(part, "stampede_part_\(part.base ?? "")", text, #"part="\#(part.name)""#)
        }
        #expect(try text.value("stampede_run_exit_code") == Double(report.verdict.exitCode))
        #expect(try text.value("stampede_run_duration_seconds") == report.host.durationSeconds)
        for threshold in report.thresholds + report.host.thresholds where threshold.outcome != .notJudged {
            let label = #"threshold="\#(threshold.metric): \#(threshold.expression)""#
            #expect(try text.value("stampede_threshold_holds", label) == (threshold.outcome == .passed ? 1 : 0))
        }
    }

    private func check(_ metric: ReportMetric, _ name: String, _ text: ExpositionText, _ label: String = "") throws {
        for (trend, ending) in [(metric.response, "_seconds"), (metric.service, "_service_seconds")] {
            guard let trend else { continue }
            #expect(text.sum("\(name)\(ending)_count", label) == trend.count)
            let infinite = text.values.filter {
                $0.key.hasPrefix("\(name)\(ending)_bucket{") && $0.key.contains(#"le="+Inf""#)
                    && (label.isEmpty || $0.key.contains(label))
            }
            #expect(infinite.values.map { $0 } == ["\(trend.count)"])
            let seconds = try text.value("\(name)\(ending)_sum", label)
            #expect(abs(seconds - trend.avg * Double(trend.count) / 1e9) <= seconds * 1e-9)
        }
        for (outcome, trend) in metric.outcomes ?? [:] {
            #expect(text.sum("\(name)_by_outcome_seconds_count", #"outcome="\#(outcome)""#) == trend.count)
        }
        if let instant = metric.instant { #expect(text.sum("\(name)_instant_total", label) == instant) }
        if let count = metric.count { #expect(text.sum("\(name)_total", label) == count, "\(metric.name)") }
        for (tag, count) in metric.tags ?? [:] { #expect(text.sum("\(name)_total", "=\"\(tag)\"") == count) }
        for (stage, count) in metric.stages ?? [:] {
            #expect(text.sum("\(name)_by_stage_total", #"stage="\#(stage)""#) == count)
        }
        if let passes = metric.passes, let total = metric.total {
            #expect(text.sum("\(name)_passes_total", label) == passes)
            #expect(text.sum("\(name)_tries_total", label) == total)
            #expect(try text.value("\(name)_ratio", label) == Double(passes) / Double(total))
        }
        guard let value = metric.value else { return }
        let unit = metric.unit == .bytes && !metric.name.contains("bytes") ? "_bytes" : ""
        #expect(try text.value(name + unit, label) == value)
        if let low = metric.min, let high = metric.max, low != high {
            #expect(try text.value("\(name)_min\(unit)", label) == low)
            #expect(try text.value("\(name)_max\(unit)", label) == high)
        }
    }

    @Test func prometheusTextTurnsTagsIntoLabels() throws {
        let text = try ExpositionText(ExportedFigures.text(of: ExportedFigures.report()))
        #expect(try text.value("stampede_faults_total", #"kind="answer_lost""#) == 1_200)
        #expect(try text.value("stampede_faults_total", #"kind="crash""#) == 31)
        #expect(try text.value("stampede_purchases_failed_by_stage_total", #"stage="processing""#) == 16)
        // Without any the count is 0, and not absent.
        #expect(try text.value("stampede_violations_total") == 0)
    }

    // Bounds are within their buckets, the last has all, and what lies above every bound is in that one alone.
    @Test func prometheusBucketsCountUpToTheirBounds() throws {
        let tally = Tally()
        for length in [300, 1_000, 1_001, 5_000_000, 5_500_000, 60_000_000_000_000] as [Int64] {
            tally.record(.finishDuration, nanoseconds: length)
        }
        var report = ExportedFigures.report()
        (report.metrics, report.host.metrics) = ([], [])
        report.tell(tally.measurements)
        let text = try ExpositionText(ExportedFigures.text(of: report))
        func count(_ bound: String) throws -> Double {
            try text.value("stampede_finish_duration_seconds_bucket", "le=\"\(bound)\"")
        }
        #expect(try count("0.000001") == 2 && count("0.0000025") == 3 && count("0.0025") == 3)
        #expect(try count("0.005") == 4 && count("0.01") == 5 && count("50000") == 5 && count("+Inf") == 6)
        #expect(try text.value("stampede_finish_duration_seconds_sum") == 60_000.010502301)
        #expect(ExportedHistogram.bounds == ExportedHistogram.bounds.sorted())
    }

    @Test func everyPrometheusSampleNamesItsRun() throws {
        let shard = try #require(Shard(index: 3, of: 16))
        let part = try ExpositionText(
            ExportedFigures.text(of: ExportedFigures.report(), ExportedFigures.run(seed: .max, shard: shard)))
        let whole = try ExpositionText(ExportedFigures.text(of: ExportedFigures.report()))
        #expect(part.labels.count == whole.labels.count)
        let labels = #"scenario="Shop",client="reference",seed="18446744073709551615",shard="3/16""#
        #expect(part.labels.allSatisfy { $0.hasPrefix(labels) })
        #expect(!whole.labels.contains { $0.contains("shard") })
    }

    @Test func prometheusLabelsAreEscaped() throws {
        let name = "a \"b\" \\ c\r\nd, {e}"
        var report = ExportedFigures.report()
        report.thresholds = [
            Report.Threshold(
                metric: "violations{rule:\"\\\n}", base: "violations", expression: "count == 0", outcome: .failed,
                limit: 0, unit: .count)
        ]
        let text = try ExpositionText(ExportedFigures.text(of: report, ExportedFigures.run(scenario: name)))
        #expect(text.labels.allSatisfy { $0.hasPrefix(#"scenario="a \"b\" \\ c\#u{D}\nd, {e}","#) })
        #expect(try text.value("stampede_threshold_holds", #"threshold="violations{rule:\"\\\n}: count == 0""#) == 0)
    }

    // Every metric that there is, with what it may have beside it: no name is two metrics', or of two units.
    @Test func prometheusNamesAreUnique() throws {
        var report = ExportedFigures.report()
        report.metrics = MetricName.allCases.map { name in
            var metric = ReportMetric(name: name.name, kind: name.kind, unit: ReportUnit(of: name))
            let trend = Report(SampleReports.tally()).response
            switch name.kind {
            case .trend:
                (metric.response, metric.service, metric.instant) = (trend, trend, 1)
                metric.outcomes = trend.map { ["success": $0] }
            case .counter: (metric.count, metric.tags, metric.stages) = (1, ["x": 1], ["y": 1])
            case .rate: (metric.passes, metric.total) = (1, 2)
            case .gauge: (metric.value, metric.min, metric.max) = (2, 1, 3)
            }
            return metric
        }
        let text = try ExpositionText(ExportedFigures.text(of: report))
        #expect(text.types.count > 2 * MetricName.allCases.count)
    }
}

extension Report {
    /// Alone for the trend in it.
    fileprivate init(_ tally: Tally) {
        self = ExportedFigures.report()
        tell(tally.measurements)
    }

    fileprivate var response: ReportMetric.Trend? { metrics.compactMap(\.response).first }
}
