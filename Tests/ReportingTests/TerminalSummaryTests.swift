// The summary of the sample reports, word for word.

import Foundation
import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct TerminalSummaryTests {
    private func text(_ report: Report) -> String {
        TerminalSummary.render(report, style: .plain, location: "Reports/\(ReportFolder.folderStem(report))")
    }

    private func lines(_ report: Report) -> [String] {
        text(report).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func compare(_ rendered: some Sequence<String>, with snapshot: String, _ name: String) {
        // By lines, so that a difference is shown where it is.
        let expected = snapshot.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for difference in expected.difference(from: Array(rendered)) { Issue.record("\(name): \(difference)") }
    }

    @Test(arguments: [
        (SampleReport.passed, SummarySnapshots.passed), (.failed, SummarySnapshots.failed),
        (.unknown, SummarySnapshots.unknown), (.broken, SummarySnapshots.broken),
    ])
    func summaryMatchesItsSnapshot(sample: SampleReport, snapshot: String) {
        compare(lines(sample.report), with: snapshot + "\n", sample.rawValue)
    }

    // Under the virtual clock nothing waits for its turn, and small runs have small numbers.
    @Test func summaryShowsEveryFigureOfASmallRun() {
        var report = SampleReports.unknown
        report.tell(SampleReports.tally().measurements)
        let metrics = lines(report).drop { $0 != "METRICS" }.prefix { $0 != "METRICS OF THIS MACHINE" }
        compare(metrics, with: SummarySnapshots.figures + "\n", "figures")
    }

    @Test func summaryShowsTheWorstRulesFirst() {
        var report = SampleReports.failed
        report.violations.byRule.reverse()
        #expect(report != SampleReports.failed && text(report) == text(SampleReports.failed))
    }

    // Commands are there to be copied, and stay whole.
    @Test(arguments: SampleReport.allCases)
    func summaryFitsEightyColumns(sample: SampleReport) {
        let commands = sample.report.violations.evidence.map { "    replay: " + $0.replay }
        for line in lines(sample.report) where !commands.contains(line) { #expect(line.count <= 80, "\(line)") }
    }

    @Test(arguments: SampleReport.allCases)
    func summaryColoursChangeNoWord(sample: SampleReport) {
        let report = sample.report
        let coloured = TerminalSummary.render(report, style: .coloured)
        let stripped = coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(coloured != stripped)
        #expect(stripped == TerminalSummary.render(report, style: .plain))
    }

    @Test func summaryShowsOneEvidencePerRule() {
        let report = SampleReports.failed
        #expect(report.violations.evidence[0].rule == report.violations.evidence[1].rule)
        let text = lines(report)
        #expect(text.filter { $0.contains("replay:") }.count == 2)
        #expect(text.contains { $0.hasPrefix("    #1 ") })
        #expect(!text.contains { $0.hasPrefix("    #2 ") })
    }

    @Test func summaryCutsTheMiddleOfLongTimelines() {
        var report = SampleReports.failed
        let lengths = [TerminalSummary.timelineMax, TerminalSummary.timelineMax + 1]
        let whole = report.violations.evidence[0]
        let hidden = lengths.map { length in
            var evidence = whole
            (evidence.timeline, evidence.about) = (Array(whole.timeline.prefix(length)), [])
            for place in evidence.timeline.indices { evidence.timeline[place].kind = nil }
            report.violations.evidence = [evidence]
            return lines(report).filter { $0.contains("more in report.json") }
        }
        #expect(hidden == [[], ["      … 2 more in report.json …"]])
    }

    @Test func summaryKeepsTheMarkedTimelineLines() {
        var report = SampleReports.failed
        report.violations.evidence[0].about = [17]
        report.violations.evidence.removeLast(report.violations.evidence.count - 1)
        let text = lines(report)
        #expect(text.contains("    › 17  00:00:01.642  App Store: charges 1.99 USD for 1 × superpowers"))
        #expect(text.count { $0.contains("more in report.json") } == 2)
    }

    // A command that is broken over two lines cannot be copied.
    @Test func summaryKeepsCommandsOnOneLine() {
        var report = SampleReports.failed
        let command = "stampede run " + String(repeating: "Scenarios/", count: 20) + "shop.yml --only-user 1"
        report.violations.evidence[0].replay = command
        #expect(lines(report).contains("    replay: " + command))
    }

    @Test func summaryRemovesControlCharactersFromNames() {
        var report = SampleReports.failed
        report.scenario.name = "evil\u{1B}[2J\rname"
        report.violations.byRule[0].rule = "rule\u{7}"
        report.violations.evidence[0].sentence = "one\ntwo\u{1B}]0;title\u{7}"
        report.thresholds[0].metric = "metric\u{9B}31m"
        for line in lines(report) {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
        }
    }

    @Test func summaryWrapsLongThresholdsAndNames() {
        var report = SampleReports.unknown
        report.scenario.name = Array(repeating: "storm", count: 30).joined(separator: " ")
        report.thresholds[0].metric = "violations{rule:finished-before-delivery,journey:a-very-long-name-of-a-journey}"
        let text = lines(report)
        #expect(text[0] == "? UNKNOWN  exit code 111")
        #expect(text.contains("      0"), "the value stands on a line of its own")
        for line in text where !line.contains("violations{") { #expect(line.count <= 80, "\(line)") }
    }
}
