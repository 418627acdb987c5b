// The summary of hand-made reports, word for word.

import Foundation
import Testing

@testable import Reporting

@Suite struct TerminalSummaryTests {
    private static let location = "Reports/restore-storm-iap-manager-42"

    private func lines(_ report: Report, style: TerminalStyle = .plain, width: Int = 80) -> [String] {
        TerminalSummary.render(report, style: style, width: width, location: Self.location)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: [
        (SampleReport.passed, SummarySnapshots.passed), (.failed, SummarySnapshots.failed),
        (.unknown, SummarySnapshots.unknown),
    ])
    func rendersAsBefore(sample: SampleReport, snapshot: String) {
        let text = TerminalSummary.render(sample.report, style: .plain, location: Self.location)
        // By lines, so that a difference is shown where it is.
        let rendered = text.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = (snapshot + "\n").split(separator: "\n", omittingEmptySubsequences: false)
        for difference in expected.difference(from: rendered) { Issue.record("\(sample): \(difference)") }
    }

    @Test(arguments: SampleReport.allCases)
    func fitsEightyColumns(sample: SampleReport) {
        for line in lines(sample.report) { #expect(line.count <= 80, "\(line)") }
    }

    @Test(arguments: SampleReport.allCases)
    func coloursChangeNoWord(sample: SampleReport) {
        let report = sample.report
        let coloured = TerminalSummary.render(report, style: .coloured)
        let stripped = coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(coloured != stripped)
        #expect(stripped == TerminalSummary.render(report, style: .plain))
    }

    @Test func everyRuleShowsItsFirstEvidenceOnly() {
        let text = lines(SampleReports.failed())
        #expect(text.filter { $0.contains("replay:") }.count == 2)
        #expect(text.contains { $0.contains("--violation 1") })
        #expect(!text.contains { $0.contains("--violation 2") })
    }

    @Test func longTimelinesLoseTheirMiddle() {
        var report = SampleReports.failed()
        let lengths = [TerminalSummary.timelineMax, TerminalSummary.timelineMax + 1]
        let hidden = lengths.map { length in
            report.violations.evidence = [SampleReports.evidence(1, "lost-purchase", .critical, lines: length)]
            return lines(report).filter { $0.contains("more in report.json") }
        }
        #expect(hidden == [[], ["      … 2 more in report.json …"]])
    }

    @Test func longTimelinesKeepWhatTheyAreAbout() {
        var report = SampleReports.failed()
        var evidence = SampleReports.evidence(1, "lost-purchase", .critical, lines: 60)
        evidence.about = [17]
        report.violations.evidence = [evidence]
        let text = lines(report)
        #expect(text.contains { $0.contains("17  00:18:10.720") })
        #expect(text.count { $0.contains("more in report.json") } == 2)
    }

    // A command that is broken over two lines cannot be copied.
    @Test func commandsStayOnOneLine() {
        var report = SampleReports.failed()
        let command = "stampede replay " + String(repeating: "Reports/", count: 20) + " --violation 1"
        report.violations.evidence[0].replay = command
        #expect(lines(report).contains("    replay: " + command))
    }

    @Test func namesCannotMoveTheCursor() {
        var report = SampleReports.failed()
        report.scenario.name = "evil\u{1B}[2J\rname"
        report.violations.byRule[0].rule = "rule\u{7}"
        report.violations.evidence[0].sentence = "one\ntwo\u{1B}]0;title\u{7}"
        report.thresholds[0].metric = "metric\u{9B}31m"
        for line in lines(report) {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
        }
    }

    @Test func longThresholdsAndNamesAreWrapped() {
        var report = SampleReports.unknown()
        report.scenario.name = Array(repeating: "storm", count: 30).joined(separator: " ")
        report.thresholds[0].metric = "violations{rule:finished-before-delivery,journey:a-very-long-name-of-a-journey}"
        let text = lines(report)
        #expect(text[0] == "? UNKNOWN  exit code 111")
        #expect(text.contains("      0"), "the value stands on a line of its own")
        for line in text where !line.contains("violations{") { #expect(line.count <= 80, "\(line)") }
    }
}
