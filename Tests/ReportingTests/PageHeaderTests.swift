// The first screen of the page: what is wrong, for whom, what to type next, and what it was before.

import Foundation
import Judgement
import Metrics
import RunStore
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct PageHeaderTests {
    private func header(_ report: Report) -> String {
        ReportPage.render(report).components(separatedBy: "</header>")[0].components(separatedBy: "<header")[1]
    }

    @Test func headerNamesGravestRuleUsersAndReplayCommand() throws {
        let report = SampleReports.failed
        let header = header(report)
        let gravest = try #require(report.violations.gravest)
        #expect(gravest.rule == "lost-purchase" && gravest.severity == .critical)
        let answer = try #require(header.range(of: "lost (critical)"))
        let whom = try #require(header.range(of: "user \(gravest.user)"))
        let command = try #require(header.range(of: HTMLText.command(gravest.replay)))
        let tiles = try #require(header.range(of: "class=\"tiles\""))
        #expect(answer.lowerBound < whom.lowerBound && whom.lowerBound < command.lowerBound)
        #expect(command.lowerBound < tiles.lowerBound)
        let charges = try #require(report.violations.charges)
        let lost = try #require(report.violations.byRule.first { $0.rule == "lost-purchase" })
        #expect(header.contains("\(lost.count) of \(charges) purchases lost (critical)"))
    }

    @Test func passedHeaderNamesTheSweepCommand() {
        let header = header(SampleReports.passed)
        #expect(header.contains("Passed: ") && header.contains("none lost or doubled"))
        #expect(header.contains(HTMLText.command("stampede sweep Scenarios/two-outages.yml --client reference")))
    }

    @Test func reportCountsAffectedUsersAndCharges() throws {
        let violations = SampleReports.failed.violations
        let users = try #require(violations.users)
        #expect(users > 0 && users <= SampleReports.failed.run.users && users <= violations.total)
        for rule in violations.byRule {
            #expect(rule.users > 0 && rule.users <= rule.count && rule.users <= users)
        }
        #expect(SampleReports.passed.violations.users == 0)
        #expect(violations.byPhase?.reduce(0) { $0 + $1.count } == violations.total)
    }

    @Test func mergedReportAddsAffectedUsersAndCharges() throws {
        let first = SampleReports.failed
        var second = first
        second.run.seed += 1
        func merge(_ reports: Report...) throws -> Report.Violations {
            try ReportMerge.merge(reports.map { ReportMerge.Source(path: "seed-\($0.run.seed)", report: $0) })
                .violations
        }
        let (one, both) = (first.violations, try merge(first, second))
        #expect(both.users == (one.users ?? 0) * 2 && both.charges == (one.charges ?? 0) * 2)
        #expect(both.byRule.map(\.users) == one.byRule.map { $0.users * 2 })
        #expect(both.byPhase?.map(\.count) == one.byPhase?.map { $0.count * 2 })
        // What one of them does not tell is not known of both.
        (second.violations.users, second.violations.byPhase) = (nil, nil)
        let part = try merge(first, second)
        #expect(part.users == nil && part.byPhase == nil && part.charges != nil)
    }

    @Test(arguments: SampleReport.allCases)
    func everyRendererGivesTheSameAnswer(sample: SampleReport) {
        let report = sample.report
        let answer = ClosingWords.matter(report)
        #expect(
            ReportPage.render(report).contains(
                "\(AnswerPart.word(report.verdict.outcome)): \(HTMLText.escaped(answer))</p>"))
        #expect(SummaryMarkdown.render(report).contains("**\(report.verdict.outcome.rawValue): "))
        #expect(ClosingWords.sentence(report).hasPrefix(answer))
        if report.verdict.outcome != .passed { #expect(JUnit.render(report).contains(HTMLText.escaped(answer))) }
        // Each rule with the same count everywhere.
        for rule in report.violations.byRule {
            let (count, users) = (HumanNumbers.count(rule.count), HumanNumbers.count(rule.users))
            #expect(SummaryMarkdown.render(report).contains("`\(rule.rule)` | \(count) | \(users) |"))
            #expect(GitHub.annotations(report).contains { $0.contains("title=\(rule.rule)%2C \(count) time") })
            #expect(ReportPage.render(report).contains("<b>\(HumanNumbers.quantity(rule.count, "time"))</b>"))
        }
    }

    // MARK: Tiles

    @Test func lostPurchasesTileIsQuietWithoutCharges() throws {
        var report = SampleReports.passed
        report.violations.charges = 0
        #expect(Tiles(report).all.first { $0.title == "Purchases lost" }?.tone == .quiet)
        report.violations.charges = 7
        #expect(Tiles(report).all.first { $0.title == "Purchases lost" }?.tone == .good)
    }

    @Test func unmeasuredFiguresHaveNoTile() {
        var report = SampleReports.passed
        #expect(Tiles(report).all.count == 7)
        report.metrics = []
        report.host.purchasesPerSecond = nil
        #expect(
            Tiles(report).all.map(\.title) == [
                "Purchases lost", "Purchases doubled", "Users affected", "Simulated time",
            ])
    }

    @Test func warningsTileAppearsOnlyWithWarnings() throws {
        var report = SampleReports.passed
        report.warnings = Report.Violations(total: 3, users: 2, byRule: [])
        let tile = try #require(Tiles(report).all.first { $0.title == "Warnings" })
        #expect(tile.value == "3" && tile.detail == "of 2 users" && tile.link == "#warnings")
        report.warnings.total = 0
        #expect(!Tiles(report).all.contains { $0.title == "Warnings" })
    }

    @Test func headerShowsChangesWithTheirDirection() {
        var report = SampleReports.failed
        report.host.earlier = Report.Earlier(
            run: 41, startedAt: "2024-01-01T00:00:00Z", commit: "0123456789ab", isDirty: true,
            figures: [
                Report.Earlier.Figure(
                    name: "violations{rule:lost-purchase}", unit: .count, direction: .lowerIsBetter,
                    values: [3, nil, 0]),
                Report.Earlier.Figure(
                    name: "purchases_per_second", unit: .perSecond, direction: .higherIsBetter, values: [1]),
            ])
        let html = Tiles(report).html()
        #expect(html.contains("<span class=\"change bad\"><span aria-hidden=\"true\">▲</span> up from 0</span>"))
        // Real time is another thing each time: no judgement.
        #expect(html.contains("<span class=\"change quiet\">1/s before</span>"))
        #expect(html.contains("run 41 of 2024-01-01 00:00, commit 01234567+"))
        #expect(html.contains("aria-label=\"Purchases lost in 3 runs: from 0 to"))
    }

    // MARK: History

    private func database() throws -> (RunDatabase, URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("answer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return (try RunDatabase.recording(at: folder.appendingPathComponent("runs.sqlite").path), folder)
    }

    @Test func earlierRunIsOneOfTheSameSeries() throws {
        let (database, folder) = try database()
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = SampleReports.failed
        let run = report.recorded(folder: "")
        #expect(try Report.Earlier(before: run, in: database) == nil)
        try database.add(run, figures: report.recordedFigures)
        var others = [run, run, run, run, run]
        others[0].seed += 1
        others[1].users += 1
        others[2].client = "another"
        others[3].isWhole = false
        others[4].scenario = "another"
        for other in others { try database.add(other, figures: []) }
        let earlier = try #require(try Report.Earlier(before: run, in: database))
        #expect(earlier.run == 1 && earlier.figures.allSatisfy { $0.values.count == 1 })
        let lost = earlier.figures.first { $0.name == "violations{rule:lost-purchase}" }
        #expect(lost?.values == [Double(report.violations.byRule.first { $0.rule == "lost-purchase" }?.count ?? -1)])
        // None of a rule is zero, and not unknown.
        #expect(earlier.figures.first { $0.name == "violations{rule:duplicate-delivery}" }?.values == [0])
        var elsewhere = run
        elsewhere.cores += 2
        let other = try #require(try Report.Earlier(before: elsewhere, in: database))
        #expect(!other.figures.contains { $0.name == "purchases_per_second" }, "measured on another machine")
    }

    @Test func overviewHasARowForEachSeries() throws {
        let (database, folder) = try database()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (failed, passed) = (SampleReports.failed, SampleReports.passed)
        for _ in 0..<3 { try database.add(passed.recorded(folder: "a"), figures: passed.recordedFigures) }
        try database.add(failed.recorded(folder: "b"), figures: failed.recordedFigures)
        let page = try OverviewPage(database.runs(), in: database, folder: "Reports/").render()
        #expect(Markup(page, isHTML: true).problems.isEmpty)
        #expect(page.contains("1 of 2 series failed in its newest run"))
        #expect(page.components(separatedBy: "<tr>").count == 1 + 1 + 2)
        let rows = page.components(separatedBy: "<th scope=\"row\">").dropFirst()
        #expect(rows.first?.contains("Redelivery at launch") ?? false, "what failed comes first")
        #expect(page.contains("Next, look at the first failed series:"))
        #expect(page.contains(HTMLText.command("stampede replay Reports/b")))
        #expect(!page.contains("Commands for the other failed series"), "there is one")
        #expect(rows.last?.contains("as before") ?? false)
    }
}
