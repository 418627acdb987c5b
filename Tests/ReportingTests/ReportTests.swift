// The report as JSON.

import Foundation
import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ReportTests {
    @Test(arguments: SampleReport.allCases)
    func reportDecodesTheSameFromJSON(sample: SampleReport) throws {
        let report = sample.report
        let json = try report.json()
        let again = try Report(json: json)
        #expect(again == report)
        #expect(try again.json() == json)
    }

    @Test func reportKeepsTheLargestSeed() throws {
        var report = SampleReports.unknown
        report.run.seed = .max
        #expect(try Report(json: report.json()).run.seed == .max)
    }

    @Test func equalRunsWriteEqualReportBytes() throws {
        #expect(try SampleReports.runFailed().json() == SampleReports.failed.json())
    }

    @Test func reportKeysAreSnakeCaseAndSorted() throws {
        let text = String(decoding: try SampleReports.failed.json(), as: UTF8.self)
        for key in [
            "schema_version", "simulated_duration_ns", "harness_faults", "by_rule", "at_ns", "exit_code",
            "client_options",
            "per_second", "p999", "memory_peak_bytes", "started_at",
        ] {
            #expect(text.contains("\"\(key)\" : "), "\(key)")
        }
        #expect(!text.contains("only_user"), "what is not known is left out")
        let topLevel = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
            .map { $0.prefix { $0 != ":" } }
        #expect(topLevel == topLevel.sorted())
    }

    // A key of a dictionary is data: a tag keeps its spelling.
    @Test func reportKeepsTheSpellingOfTags() throws {
        var report = SampleReports.unknown
        var metric = ReportMetric(name: "violations", kind: .counter, unit: .count)
        metric.tags = ["lost-purchase": 1, "answerLost": 2, "answer_lost": 3]
        report.metrics = [metric]
        #expect(try Report(json: report.json()).metrics[0].tags == metric.tags)
        #expect(String(decoding: try report.json(), as: UTF8.self).contains("\"answerLost\" : 2"))
    }

    @Test func reportKeepsMachineMetricsInItsHostSection() {
        let tally = SampleReports.tally()
        var report = SampleReports.unknown
        report.tell(tally.measurements)
        let (pure, host) = (report.metrics, report.host.metrics)
        #expect(
            pure.map(\.name) == [
                "faults", "finish_duration", "purchase_duration", "purchase_success", "purchases",
                "purchases_failed", "violations",
            ])
        #expect(
            host.map(\.name) == [
                "allocations_per_purchase", "memory_per_user", "memory_resident", "observer_callback_time",
            ])
        #expect(pure[0].tags == ["answer_lost": 1_200, "crash": 31])
        #expect(pure[0].count == 1_231)
        #expect(pure[2].response?.count == 1_000)
        #expect(pure[2].response?.max == 5_300_000_000)
        #expect(pure[2].service?.max == 5_000_000_000)
        #expect(pure[2].response?.histogram.hasPrefix("HISTFAAA") == true)
        #expect(pure[3].unit == .fraction)
        #expect(pure[2].outcomes?.mapValues(\.count) == ["success": 950, "failure": 50] && pure[2].instant == 1_000)
        #expect(pure[5].count == 50 && pure[5].tags == ["paymentCancelled": 24, "unknown": 13, "none": 13])
        #expect(pure[5].stages == ["deciding": 34, "processing": 16])
        #expect(pure[6].count == 0)
        #expect(pure[6].tags == nil && pure[6].stages == nil)
        #expect(host[2].max == 120.0 * 1_048_576)
    }
}
