// The files beside report.json.

import Foundation
import Judgement
import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ReportFilesTests {
    @Test func reportHasEveryFile() {
        var report = SampleReports.failed
        report.tell(SampleReports.tally().measurements)
        let names = ReportFiles.all(report).keys.sorted()
        #expect(
            names == [
                "finish_duration.hgrm", "junit.xml", "observer_callback_time.hgrm", "purchase_duration.hgrm",
                "purchase_duration.service.hgrm", "report.html", "series.csv", "summary.md",
            ])
    }

    // A name from a report becomes the name of a file: only names of metrics may.
    @Test func metricWithAStrangeNameLeavesNoFile() {
        var report = SampleReports.passed
        report.metrics = report.metrics.map {
            var metric = $0
            metric.name = "../../" + metric.name
            return metric
        }
        report.host.metrics = []
        #expect(ReportFiles.percentileFiles(report).isEmpty)
    }

    // MARK: JUnit

    private func junit(_ report: Report) -> Markup { Markup(JUnit.render(report), isHTML: false) }

    @Test(arguments: SampleReport.allCases)
    func junitIsWellFormedAndCountsRight(sample: SampleReport) {
        let page = junit(sample.report)
        #expect(page.problems.isEmpty && page.elements.first == "testsuites")
        let cases = page.elements.filter { $0 == "testcase" }.count
        let bad = page.elements.filter { $0 == "failure" || $0 == "error" }.count
        func announced(_ name: String) -> Int? { page.attributes.first { $0.name == name }.flatMap { Int($0.value) } }
        #expect(announced("tests") == cases)
        #expect((announced("failures") ?? -1) + (announced("errors") ?? -1) == bad)
        #expect((bad > 0) == (sample != .passed))
    }

    @Test func junitHasACaseForEachThresholdAndRule() {
        let text = JUnit.render(SampleReports.failed)
        #expect(text.contains("<testcase name=\"purchase_duration - p(95) &lt; 1s\""))
        #expect(text.contains("message=\"purchase_duration is 1.24s, not p(95) &lt; 1s\""))
        #expect(text.contains("<testcase name=\"duplicate-delivery\""))
        #expect(text.contains("<failure message=\"failed, exit code 110: 2 of "), "a verdict of failed is a failure")
        #expect(JUnit.render(SampleReports.broken).contains("<error message=\"error, exit code 109: "))
        #expect(junit(ReportPageTests.hostile()).problems.isEmpty)
    }

    @Test func thresholdWithTooFewUsersIsSkipped() throws {
        var report = SampleReports.passed
        report.thresholds.append(
            Report.Threshold(
                metric: "crashes", base: "crashes", expression: "count > 4",
                written: .init(expression: "count > 800", users: 20_000), outcome: .notJudged, actual: 3, limit: 0,
                unit: .count))
        report.notes += report.scaledThresholdsNote.map { [$0.sentence] } ?? []
        let text = JUnit.render(report)
        #expect(text.contains("crashes - count &gt; 4"))
        #expect(text.contains("<skipped message=\"not judged (too few users)\"/>"))
        #expect(GitHub.annotations(report).isEmpty)
        for shown in [SummaryMarkdown.render(report), TerminalSummary.render(report, style: .plain, width: 200)] {
            #expect(shown.contains("crashes count > 4") && shown.contains("not judged (too few users)"))
        }
        #expect(ReportPage.render(report).contains("not judged (too few users)"))
        #expect(try ReportJSON.encode(report).contains(Data(#""outcome" : "not_judged""#.utf8)))
    }

    @Test func junitSkipsViolationsThatThresholdsAllow() {
        var report = SampleReports.failed
        report.verdict = Report.Verdict(outcome: .passed, exitCode: 0)
        report.thresholds = []
        let page = junit(report)
        #expect(page.elements.contains("skipped") && !page.elements.contains("failure"))
    }

    // MARK: Markdown

    @Test func summaryIsShortAndEscaped() {
        let text = SummaryMarkdown.render(ReportPageTests.hostile())
        // Code is shown as it is; nothing outside of it is taken for a tag.
        let fence = text.components(separatedBy: "````")
        let prose = fence.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
            .replacing(#/`[^`\n]*`/#, with: "")
        #expect(fence.count == 5 && !prose.contains("<script") && !text.contains("\u{1B}"))
        #expect(text.hasPrefix("## ❌ &#60;script&#62;"))
        for line in text.split(separator: "\n") where line.hasPrefix("| ❌") {
            #expect(line.replacingOccurrences(of: "\\|", with: "").filter { $0 == "|" }.count == 4, "\(line)")
        }
        var report = SampleReports.failed
        let long = String(repeating: "word ", count: 1_000)
        report.verdict.reasons = Array(repeating: .nobodyJudged(long), count: 200)
        report.notes = report.verdict.sentences
        report.thresholds = (0..<300).map { _ in
            Report.Threshold(metric: long, base: long, expression: long, outcome: .failed, limit: 0, unit: .count)
        }
        #expect(SummaryMarkdown.render(report).count < 65_536)
    }

    @Test func summaryNamesVerdictAndFindings() {
        let text = SummaryMarkdown.render(SampleReports.failed)
        let lost = SampleReports.failed.violations.evidence[0]
        #expect(
            text.contains("exit code 110 · `iap-manager` · seed 1 · virtual clock · 10 of 10 users affected · 4.44s"))
        #expect(text.contains("| critical | `lost-purchase` | 2 | 2 | \(lost.sentence) |"))
        #expect(text.contains("| ❌ | `purchase_duration p(95) < 1s` | 1.24s |"))
        #expect(text.contains(lost.replay))
    }

    // MARK: GitHub

    @Test func annotationsComeWorstFirstAndAreEscaped() throws {
        let evidence = SampleReports.failed.violations.evidence
        let lines = GitHub.annotations(SampleReports.failed)
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("::error title=lost-purchase%2C 2 times%2C 2 users::\(evidence[0].sentence)%0A"))
        #expect(lines[0].hasSuffix("%0A" + evidence[0].replay) && evidence[0].replay.hasPrefix("stampede run "))
        #expect(lines[1].hasPrefix("::error title=finished-before-delivery%2C 10 times%2C 10 users::"))
        #expect(lines[2] == "::error title=violations count == 0::It is 12.")
        #expect(lines[3] == "::error title=purchase_duration p(95) < 1s::It is 1.24s.")
        let faults = SampleReports.broken.harnessFaults
        #expect(
            Array(GitHub.annotations(SampleReports.broken).prefix(faults.count))
                == faults.map { "::error title=A fault of Stampede%2C not of the client::\($0)" })
        #expect(faults.count == 3 && faults[0].hasPrefix("transaction 100000000000002 was charged 2 times (user 0"))
        #expect(GitHub.annotations(SampleReports.passed).isEmpty)
        #expect(
            GitHub.annotations(SampleReports.unknown)
                == ["::error title=restore_duration p(99.9) < 30s::It was not measured."])
    }

    // A run that passed has them too.
    @Test func warningsAreAnnotatedAsWarnings() {
        var report = SampleReports.passed
        report.warnings = Report.Violations(
            total: 3, byRule: [Report.RuleCount(rule: "asked-again", severity: .warning, count: 3, users: 2)])
        #expect(GitHub.annotations(report) == ["::warning title=asked-again%2C 3 times%2C 2 users::"])
    }

    @Test func annotationsStayOnTheirLine() {
        var report = SampleReports.unknown
        report.thresholds = [
            Report.Threshold(
                metric: "a:b,c\r\n::error::x", base: "a:b,c", expression: "100%", outcome: .unknown, limit: 0,
                unit: .count)
        ]
        #expect(
            GitHub.annotations(report)
                == ["::error title=a%3Ab%2Cc%0D%0A%3A%3Aerror%3A%3Ax 100%25::It was not measured."])
    }

    @Test func annotationsAreTenAtMost() {
        var report = SampleReports.failed
        report.thresholds = (0..<30).map {
            Report.Threshold(
                metric: "m\($0)", base: "m\($0)", expression: "count > 0", outcome: .failed, limit: 0, unit: .count)
        }
        let lines = GitHub.annotations(report)
        #expect(lines.count == 10 && lines[9].hasPrefix("::error title=23 more::"), "\(lines)")
    }

    @Test func stepSummariesAreAppended() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try GitHub.appendSummary("one\n", to: path)
        try GitHub.appendSummary("two\n", to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
    }

    // MARK: Figures

    @Test func percentileFilesHaveHdrHistogramsFormat() throws {
        var report = SampleReports.passed
        report.tell(SampleReports.tally().measurements)
        let trend = try #require(report.metrics.first { $0.name == "finish_duration" }?.response)
        let lines = PercentileFile.render(trend).components(separatedBy: "\n")
        #expect(lines[0].split(separator: " ") == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
        #expect(lines[1].isEmpty)
        #expect(lines[2].split(separator: " ") == ["0.012351", "0.000000000000", "1", "1.00"])
        let whole = lines.filter { !$0.hasPrefix("#") && !$0.isEmpty }
        #expect(whole.last?.split(separator: " ").dropFirst() == ["1.000000000000", "1000"])
        #expect(lines.suffix(4).map { String($0.prefix(10)) } == ["#[Mean    ", "#[Max     ", "#[Buckets ", ""])
        #expect(lines.contains { $0.contains("0.500000000000") && $0.contains("500") })
        var broken = trend
        broken.histogram = "?"
        #expect(PercentileFile.render(broken).isEmpty)
    }

    @Test func seriesTableHasARowPerInterval() throws {
        let report = SampleReports.passed
        let rows = SeriesTable.render(report).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let series = try #require(report.series)
        #expect(rows.count == series.intervals + 1 && series.intervals > 300 && series.intervalNs == 250_000_000)
        #expect(rows.allSatisfy { $0.count == rows[0].count })
        #expect(rows[0].prefix(3) == ["start_seconds", "length_seconds", "users_active"])
        #expect(rows[1][0] == "0.000000" && rows[2][0] == "0.250000" && rows[2][1] == "0.250000")
        #expect(rows[177].suffix(3) == ["", "", ""], "nothing ended then")
        var still = report
        still.series = nil
        #expect(SeriesTable.render(still).split(separator: "\n").count == 1)
        var endless = report
        endless.series?.intervals = Int.max
        #expect(SeriesTable.render(endless).split(separator: "\n").count == 1)
    }
}
