// What the terminal shows of a run that did not pass, where not all of it was asked for.

import Engine
import Foundation
import Hosting
import Judgement
import Simulation
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct BriefSummaryTests {
    /// More than any run has shown: many rules with long stories, thresholds, faults and reasons.
    static func report(rules: Int = 20, thresholds: Int = 15, faults: Int = 0) -> Report {
        var report = SampleReports.failed
        let story = report.violations.evidence[0]
        report.violations = Report.Violations()
        for (place, rule) in AuditRule.allCases.filter(\.isViolation).prefix(rules).enumerated() {
            report.violations.byRule.append(
                Report.RuleCount(rule: rule.rawValue, severity: rule.severity, count: 1_000 - place, users: 1))
            var evidence = story
            (evidence.number, evidence.rule, evidence.severity) = (place + 1, rule.rawValue, rule.severity)
            evidence.sentence = String(repeating: "the app did something that takes long to tell, ", count: 12)
            report.violations.evidence.append(evidence)
        }
        report.violations.total = report.violations.byRule.reduce(0) { $0 + $1.count }
        report.thresholds = (0..<thresholds).map {
            Report.Threshold(
                metric: "purchase_duration{journey:journey-\($0)}", base: "purchase_duration",
                expression: "p(95) < \($0 + 1)s", outcome: .failed, actual: 5e10, limit: 0, unit: .nanoseconds)
        }
        report.harnessFaults = (0..<faults).map { "transaction \($0) was charged twice (user \($0), cell 0)" }
        let reasons = report.thresholds.map {
            Report.Reason(
                .thresholdFailed(
                    Report.Reason.ThresholdText(metric: $0.metric, expression: $0.expression),
                    Report.Reason.Breach(isOfViolations: false, actual: $0.actual, unit: .nanoseconds)))
        }
        report.verdict = Report.Verdict(
            [Report.Reason(.clientRaised(times: 12))] + reasons
                + (faults > 0 ? [Report.Reason(.brokenInvariants(faults, first: nil))] : []))
        return report
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func brief(_ report: Report, width: Int = 80) -> [String] {
        lines(TerminalSummary.brief(report, style: .plain, width: width, location: "Reports/it"))
    }

    @Test(arguments: [80, 100, 120], [(20, 15, 0), (20, 15, 30), (20, 0, 0), (1, 15, 0), (0, 15, 3), (3, 2, 0)])
    func briefSummaryHasAtMostFortyLines(width: Int, counts: (rules: Int, thresholds: Int, faults: Int)) {
        let report = Self.report(rules: counts.rules, thresholds: counts.thresholds, faults: counts.faults)
        let all = brief(report, width: width)
        #expect(all.count <= 40, "\(all.joined(separator: "\n"))")
        let quiet = TerminalSummary.problems(report, style: .plain, width: width, location: "Reports/it")
        #expect(lines(quiet).count <= 40, "\(quiet)")
    }

    @Test func briefSummaryShowsTheGravestFindings() throws {
        let report = Self.report()
        let all = brief(report)
        let text = all.joined(separator: "\n")
        #expect(all[0].hasPrefix("✗ ERROR  Redelivery at launch"))
        let gravest = try #require(report.violations.rulesByGravity.first)
        #expect(text.contains(" \(gravest.rule) ") && text.contains("    replay: stampede run Scenarios/"))
        #expect(all.count { $0.contains("replay: ") } >= 2)
        #expect(all.count { $0.hasPrefix("  ✗ purchase_duration{journey:") } >= 4)
        for metric in ["purchase_duration.", "purchases.", "purchase_success."] {
            #expect(text.contains("  \(metric)"))
        }
        #expect(text.contains("  report: Reports/it\n"))
        #expect(all.last == "  next: stampede replay Reports/it")
    }

    // In one sentence, and none of it is counted wrong.
    @Test func briefSummaryCountsHiddenFindings() throws {
        let all = brief(Self.report())
        let rest = try #require(all.first { $0.hasPrefix("  … ") })
        let count = try #require(Int(rest.dropFirst(4).prefix { $0.isNumber }))
        let shown =
            all.count { $0.contains("replay: ") } + all.count { $0.hasPrefix("  ✗ ") }
            + all.count { $0.hasPrefix("  - ") }
        #expect(count + shown == 20 + 15 + 1, "\(all.joined(separator: "\n"))")
        let words = all.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        #expect(words.contains("--verbose, or the page Reports/it/report.html"), "\(words)")
        let few = brief(Self.report(rules: 1, thresholds: 1)).joined(separator: "\n")
        #expect(!few.contains("more finding"), "\(few)")
        #expect(few.contains("… the timelines and all metrics: --verbose"), "\(few)")
    }

    @Test(arguments: [SampleReport.failed, .unknown, .broken])
    func briefSummaryShowsAFailedThresholdOnce(sample: SampleReport) {
        let report = sample.report
        let text = TerminalSummary.brief(report, style: .plain)
        for threshold in report.thresholds where !threshold.outcome.isHarmless {
            // The last line is the answer once more.
            let count = text.split(separator: "\n").prefix { $0 != "METRICS" }.count {
                $0.contains(threshold.metric) && $0.contains(threshold.expression)
            }
            #expect(count == 1, "\(threshold): \(text)")
        }
        #expect(!text.contains("✓ "))
    }

    /// What leaves a verdict open.
    static let doubts: [VerdictReason] = [
        .stopped(unjudged: 1_234, by: .timeLimit(.seconds(90))),
        .workerDied(how: "signal 9 (SIGKILL)", cell: 3, unjudged: 32, .nobody),
        .thresholdUnknown(Report.Reason.ThresholdText(metric: "restore_duration", expression: "p(95) < 1s")),
        .journeysEndless(cell: 7), .journeysSpinning(users: 9), .machineSaturated(.pressure(0.5)),
        .machineSaturated(.steal(0.5)), .machineSaturated(.lag(1_000_000)), .nobodyJudged,
        .nothingTried(.purchase, asked: 5, refused: 0), .nothingTried(.restore, asked: 5, refused: 0),
    ]

    @Test(arguments: doubts.indices)
    func summariesSayWhyNothingWasJudged(place: Int) {
        var report = SampleReports.unknown
        report.verdict = Report.Verdict([Report.Reason(Self.doubts[place])])
        #expect(report.verdict.status == .unknown)
        for render in [TerminalSummary.brief, TerminalSummary.problems, TerminalSummary.render] {
            let text = render(report, .plain, 80, nil).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains(report.verdict.sentences[0]), "\(text)")
        }
    }

    // They say what to do, such as which server to describe.
    @Test func briefSummaryShowsNotes() {
        var report = SampleReports.failed
        report.host.notes = ["the app asked https://example.com, which nobody described: add it to the scenario"]
        #expect(brief(report).joined(separator: " ").contains("  the app asked https://example.com, which"))
        #expect(brief(report).count <= 40)
    }

    @Test func briefSummaryShowsAPassedRunWhole() {
        let report = SampleReports.passed
        #expect(
            TerminalSummary.brief(report, style: .plain, location: "x")
                == TerminalSummary.render(report, style: .plain, location: "x"))
        #expect(TerminalSummary.problems(report, style: .plain).isEmpty)
    }

    @Test func lineBudgetSharesLinesInTurn() {
        let long = LineBudget.List(heading: ["", "A"], items: (1...9).map { ["a\($0)", "-"] })
        let short = LineBudget.List(heading: ["B"], items: (1...9).map { ["b\($0)"] }, turn: 2)
        let none = LineBudget.List(heading: ["C"], items: [])
        let shares = LineBudget.shares(of: [long, short, none], lines: 10)
        #expect(shares[0] == LineBudget.Share(lines: ["", "A", "a1", "-", "a2", "-"], left: 7))
        #expect(shares[1] == LineBudget.Share(lines: ["B", "b1", "b2", "b3"], left: 6))
        #expect(shares[2] == LineBudget.Share(left: 0))
        #expect(LineBudget.shares(of: [long], lines: 3) == [LineBudget.Share(left: 9)])
        #expect(LineBudget.cut(["a", "b", "c"], to: 2) == ["a", "b …"])
        #expect(LineBudget.cut(["a", "b"], to: 2) == ["a", "b"])
    }
}
