// The last line of each command is its answer, and what is wrong fits on a screen.

import Engine
import Judgement
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ClosingWordsTests {
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    // MARK: Sweeps

    private static var trial: TrialCase {
        guard let trial = TrialCase(text: "crash:1") else { preconditionFailure("the text of a trial") }
        return trial
    }

    private static func sweep(stories: Int) -> SweepReport {
        let rules = AuditRule.allCases.filter(\.isViolation).prefix(stories)
        let told = rules.enumerated().map { place, rule in
            SweepReport.Story(
                rule: rule.rawValue, severity: rule.severity, trials: 1_000 + place, trial: trial,
                sentence: String(repeating: "a long story of what the app did, ", count: 12),
                timeline: SampleReports.failed.violations.evidence[0].timeline, replay: "stampede sweep x --trial y")
        }
        let places = (1...60).map {
            SweepReport.Place(
                device: 1, atNs: Int64($0), text: "place \($0)",
                outcomes: [SweepReport.Outcome(mishap: "crash:\($0)", rules: rules.map(\.rawValue))])
        }
        let journey = SweepReport.Journey(
            name: "buyer", effects: 1_200, messages: 1, done: 2_400, planned: 2_400, undisturbed: [], places: places,
            deeper: [], stories: told, faults: [])
        let reasons = stories > 0 ? [Report.Reason(.rulesBroken(told.map(\.rule)))] : []
        return SweepReport(
            scenario: "Shop", client: "iap-manager", seed: 1, depth: 1, journeys: [journey], neverBought: [],
            verdict: Report.Verdict(reasons))
    }

    @Test func sweepTextEndsWithTheNextCommand() {
        let report = Self.sweep(stories: 20)
        for extent in [TextExtent.brief, .problems] {
            let all = lines(SweepText.render(report, style: .plain, extent: extent))
            #expect(all.count <= 40 && all.last == "  next: stampede sweep x --trial y", "\(all)")
            #expect(all.contains { $0.hasPrefix("✗ FAILED ") && $0.contains("in 1,0") }, "\(all)")
            #expect(all.contains { $0.contains("more findings") && $0.contains("--verbose") }, "\(all)")
            #expect(all.joined().contains("1,200 effects, 1 message;"))
        }
        #expect(lines(SweepText.render(report, style: .plain)).count > 80)
        let clean = Self.sweep(stories: 0)
        #expect(SweepText.render(clean, style: .plain, extent: .problems).isEmpty)
        #expect(
            lines(SweepText.render(clean, style: .plain, extent: .brief)).last
                == "✓ PASSED 2,400 trials, no rule was broken")
    }

    // MARK: Swarms

    private static func swarm(findings: Int, accepted: Int = 0) -> SwarmReport {
        let found = (0..<findings + accepted).map { place in
            SwarmReport.Finding(
                name: "lost-purchase-\(1_000 + place)", rule: "lost-purchase", severity: .critical, state: .new,
                scenarios: 12_345, sentence: String(repeating: "a long story of what the app did, ", count: 12),
                users: 1, steps: 2, isMinimal: true, file: "f.yml", replay: "stampede run f\(place).yml",
                accepted: place < findings ? nil : SwarmReport.Acceptance(reason: "known", until: "2099-01-01"))
        }
        let reasons = findings > 0 ? [Report.Reason(.findings(findings, accepted: accepted))] : []
        return SwarmReport(
            client: "iap-manager", catalog: "c", seed: 1, users: 20, scenarios: 10_000, unjudged: 0, findings: found,
            fixed: [], stillFixed: 0, gone: [], faults: [], verdict: Report.Verdict(reasons))
    }

    @Test func swarmTextEndsWithTheNextCommand() {
        let report = Self.swarm(findings: 30, accepted: 2)
        for extent in [TextExtent.brief, .problems] {
            let all = lines(SwarmText.render(report, perSecond: nil, style: .plain, extent: extent))
            #expect(all.count <= 40 && all.last == "  next: stampede run f0.yml", "\(all)")
            let text = all.joined(separator: " ")
            #expect(text.contains("✗ FAILED 30 findings: lost-purchase-1000 (critical, new), "), "\(text)")
            #expect(
                text.contains("and 28 findings more · 10,000 scenarios") && text.contains("more findings"), "\(text)")
            #expect(text.contains("and the accepted findings: --verbose") == (extent == .brief))
        }
        #expect(lines(SwarmText.render(report, perSecond: nil, style: .plain)).count > 80)
        let clean = Self.swarm(findings: 0, accepted: 2)
        #expect(SwarmText.render(clean, perSecond: nil, style: .plain, extent: .problems).isEmpty)
        let last = lines(SwarmText.render(clean, perSecond: nil, style: .plain, extent: .brief)).last
        #expect(last == "✓ PASSED 10,000 scenarios, no finding except 2 accepted findings")
    }

    // MARK: Matrices

    private static func matrix(scenarios: Int, wrong: Int) -> MatrixReport {
        var report = MatrixReport(clients: ["reference", "iap-manager"])
        for place in 0..<scenarios {
            func cell(_ critical: Int) -> MatrixReport.Cell {
                MatrixReport.Cell(
                    exitCode: critical > 0 ? 110 : 0, critical: critical, error: 0, warning: 0,
                    rules: critical > 0 ? ["lost-purchase": critical] : [:], charges: 1, lost: critical, untried: [])
            }
            report.rows.append(
                MatrixReport.Row(
                    scenario: "Scenario \(place)", file: "s \(place).yml", users: 5_000, seed: 7,
                    cells: [cell(0), cell(place < wrong ? 1_000 + place : 0)]))
        }
        return report
    }

    @Test func matrixTextEndsWithTheNextCommand() {
        let report = Self.matrix(scenarios: 60, wrong: 50)
        let next =
            "  next: stampede run 's 49.yml' --client iap-manager --users 5000 --seed 7 --clock virtual"
        for extent in [TextExtent.brief, .problems] {
            let all = lines(MatrixText.render(report, style: .plain, extent: extent))
            #expect(all.count <= 40 && all.last == next, "\(all)")
            #expect(
                all.contains { $0.contains("✗ 1 of 2 clients broke rules: iap-manager in 50 of 60 scenarios") },
                "\(all)")
            #expect(all.contains { $0.contains("more rows") && $0.contains("--verbose") }, "\(all)")
        }
        #expect(MatrixText.render(report, style: .plain, extent: .problems).contains("1,000 × lost-purchase"))
        let small = Self.matrix(scenarios: 3, wrong: 1)
        #expect(MatrixText.render(small, style: .plain, extent: .brief) == MatrixText.render(small, style: .plain))
        let clean = Self.matrix(scenarios: 60, wrong: 0)
        #expect(MatrixText.render(clean, style: .plain, extent: .problems).isEmpty)
        let all = lines(MatrixText.render(clean, style: .plain, extent: .brief))
        #expect(all.count > 100 && all.last == "✓ 2 clients, 60 scenarios, no rule was broken")
        var broken = clean
        broken.rows[0].cells[1] = nil
        #expect(
            lines(MatrixText.render(broken, style: .plain)).last
                == "? 2 clients, 60 scenarios, no rule was broken · 1 run not run")
        #expect(!MatrixText.render(broken, style: .plain, extent: .problems).isEmpty)
    }

    // MARK: Replays

    private static func replay(comesBack: Bool) -> Replay {
        let report = SampleReports.failed
        let evidence = report.violations.evidence[0]
        return Replay(
            evidence: evidence, of: report, again: comesBack ? evidence : nil, timeline: evidence.timeline,
            output: (0..<50).map { Report.OutputLine(atNs: 0, process: 1, text: "line \($0)") }, version: "0.1.0")
    }

    @Test(arguments: [80, 120]) func replayTextEndsWithTheNextCommand(width: Int) {
        let replay = Self.replay(comesBack: true)
        let all = lines(
            ReplayText.render(replay, style: .plain, width: width, extent: .brief, location: "Reports/a b"))
        #expect(all.count <= 40 && all.last == "  next: stampede shrink 'Reports/a b' --violation 1", "\(all)")
        #expect(
            all.dropLast().last == "✗ lost-purchase came back in the same way: user 1 of iap-manager, seed 1", "\(all)"
        )
        #expect(all.contains { $0.contains("the app finishes") || $0.contains("finishes") }, "\(all)")
        #expect(all.contains("  … the full timeline and the client's output: --verbose"), "\(all)")
        #expect(ReplayText.render(replay, style: .plain).contains("line 49"))
        let quiet = lines(ReplayText.render(replay, style: .plain, extent: .problems, location: "x"))
        #expect(quiet.count < 10 && quiet.last == "  next: stampede shrink x --violation 1", "\(quiet)")
        let gone = Self.replay(comesBack: false)
        #expect(ReplayText.render(gone, style: .plain, extent: .problems).isEmpty)
        #expect(
            lines(ReplayText.render(gone, style: .plain, extent: .brief, location: "x")).last
                == "? lost-purchase did not come back: user 1 of iap-manager, seed 1")
    }

    // MARK: Comparisons

    @Test func comparisonTextEndsWithTheNextCommand() {
        let base = SampleReports.passed
        var candidate = base
        for place in candidate.metrics.indices {
            candidate.metrics[place].count = candidate.metrics[place].count.map { $0 * 2_000 }
        }
        let same = Comparison(base: [base], candidate: [base], noise: 0.01, isPaired: false)
        #expect(ComparisonText.render(same, style: .plain, extent: .problems).isEmpty)
        #expect(lines(ComparisonText.render(same, style: .plain)).last?.hasPrefix("✓ NOT WORSE none of ") == true)
        var worse = Comparison(base: [base], candidate: [candidate], noise: 0.01, isPaired: false)
        worse.lines = (0..<60).map {
            Comparison.Line(
                name: "figure \($0)", unit: .count, base: 1_000, candidate: 12_345, ratio: 12.345, isExact: true,
                verdict: .worse)
        }
        for extent in [TextExtent.brief, .problems] {
            let all = lines(
                ComparisonText.render(worse, style: .plain, extent: extent, reports: ("old", "new one")))
            #expect(all.count <= 40 && all.last == "  next: stampede compare old 'new one' --all", "\(all)")
            #expect(all.contains { $0.hasPrefix("✗ WORSE 60 figures: figure 0 1,000 → 12,345, figure 1 ") }, "\(all)")
            #expect(all.contains { $0.contains("more figures: --verbose") }, "\(all)")
        }
        worse.lines[3].name = "violations"
        let text = ComparisonText.render(worse, style: .plain, reports: ("old", "new"))
        #expect(text.hasSuffix("\n  next: stampede replay new\n"), "\(text)")
        #expect(!ComparisonText.render(worse, style: .plain).contains("next:"), "runs that are gone")
    }

    // MARK: Doctors

    @Test func doctorTextEndsWithTheNextCommand() {
        let bad = DoctorReport(
            client: "mine",
            sections: [
                DoctorReport.Section(
                    "The program", (0..<60).map { DoctorReport.Check(.bad, "wrong \($0)", hint: "mend \($0)") })
            ])
        for extent in [TextExtent.brief, .problems] {
            let all = lines(DoctorText.render(bad, next: "x", style: .plain, extent: extent))
            #expect(all.count <= 40 && all.last == "60 things to fix before mine can be judged.", "\(all)")
            #expect(all.contains { $0.contains("more findings") }, "\(all)")
        }
        let good = DoctorReport(
            client: "mine", sections: [DoctorReport.Section("It", [DoctorReport.Check(.good, "fine")])])
        #expect(DoctorText.render(good, next: "x", style: .plain, extent: .problems).isEmpty)
        #expect(
            DoctorText.render(good, next: "stampede swarm", style: .plain, extent: .brief).hasSuffix(
                "\n\nNothing prevents a verdict on mine.\n  next: stampede swarm\n"))
    }
}
