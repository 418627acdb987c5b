// What commands do with warnings: a client shows cancels as errors and observes only from the first purchase on, and
// breaks no other rule.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct WarningTests {
    private func place(thresholds: String = "{}") throws -> Workplace {
        let place = try Workplace()
        try place.write(
            """
            name: Warned
            client: purchase-helper
            store: {catalog: FakeGame.storekit}
            network: {latency: 20ms}
            buyers: {cancel: 100%}
            population: {users: 30}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, {buy: unlock_maps}, terminate]}
            thresholds: \(thresholds)

            """, to: "warned.yml")
        return place
    }

    @Test func runShowsWarningsAndPasses() throws {
        let place = try place()
        let run = try place.stampede("run", "warned.yml")
        #expect(run.isStatus(.passed) && run.prose.contains("✓ PASSED no violations; 90 warnings"), "\(run)")
        #expect(run.prose.contains("WARNINGS 90 warning unobserved-launch 60 launch 1 returned"), "\(run)")
        // Its timeline is for `replay`.
        #expect(!run.out.contains("launch 1 begins"), "\(run)")
        let report = try place.report()
        #expect(report.violations.total == 0 && report.violations.users == 0)
        let warnings = report.warnings
        #expect(warnings.total == 90 && warnings.byRule.map(\.rule) == ["cancel-as-error", "unobserved-launch"])
        #expect(warnings.byRule.map(\.count) == [30, 60] && warnings.byRule.map(\.users) == [30, 30])
        #expect(warnings.evidence.first?.number == 1)
        let summary = String(decoding: try place.read("Reports/latest/summary.md"), as: UTF8.self)
        #expect(summary.contains("### Warnings: 90") && !summary.contains("### Violations"))
        let page = String(decoding: try place.read("Reports/latest/report.html"), as: UTF8.self)
        #expect(
            page.contains("id=\"warning-cancel-as-error\"") && page.contains("90 warnings, which do not fail a run"))
    }

    @Test(arguments: ["{warnings: count == 0}", "{'warnings{rule:cancel-as-error}': count < 30}"])
    func thresholdOnWarningsFailsTheRun(thresholds: String) throws {
        let run = try place(thresholds: thresholds).stampede("run", "warned.yml")
        #expect(run.isStatus(.thresholdFailed) && run.prose.contains("WARNINGS 90"), "\(run)")
    }

    @Test func strictFailsOnWarningsInWholeRunsAndParts() throws {
        let place = try place()
        let whole = try place.stampede("run", "warned.yml", "--strict", "--quiet")
        #expect(whole.isStatus(.thresholdFailed) && whole.out.contains("warnings: count == 0 does not hold: it is 90"))
        for part in ["1/2", "2/2"] {
            let outcome = try place.stampede(
                "run", "warned.yml", "--strict", "--shard", part, "--quiet", "--out", "parts")
            #expect(outcome.isStatus(.passed), "\(outcome)")
        }
        let names = try place.names("parts").filter { $0.contains("-of-2") }.map { "parts/\($0)" }
        let merged = try place.stampede(["merge"] + names + ["--out", "whole", "--quiet"])
        #expect(merged.isStatus(.thresholdFailed), "\(merged)")
        #expect(
            difference(
                try place.withoutHost("whole/report.json"), try place.withoutHost("Reports/latest/report.json")) == nil)
        // The other part was asked for something else.
        _ = try place.stampede("run", "warned.yml", "--shard", "2/2", "--quiet", "--out", "lenient")
        let other = try place.names("lenient").filter { $0.contains("-of-2") }.map { "lenient/\($0)" }
        let mixed = try place.stampede(["merge", names[0]] + other + ["--out", "mixed"])
        #expect(mixed.isStatus(.invalidInput) && mixed.errors.contains("--strict"), "\(mixed)")
    }

    @Test func junitSkipsWarningsUnlessStrict() throws {
        let place = try place()
        func testCase() throws -> String? {
            String(decoding: try place.read("Reports/latest/junit.xml"), as: UTF8.self).split(separator: "\n")
                .first { $0.contains("name=\"cancel-as-error\"") }.map(String.init)
        }
        _ = try place.stampede("run", "warned.yml", "--quiet")
        #expect(try testCase()?.contains("<skipped message=\"broken 30 times, a warning") == true)
        _ = try place.stampede("run", "warned.yml", "--quiet", "--strict")
        #expect(try testCase()?.contains("<failure message=\"broken 30 times\"") == true)
    }

    // What a person would look for in the story is there for warnings too; the exit code is that of a run.
    @Test func replayOfAWarningExitsWithZero() throws {
        let place = try place()
        _ = try place.stampede("run", "warned.yml", "--quiet")
        let replay = try place.stampede("replay", "Reports/latest", "--violation", "1")
        #expect(replay.isStatus(.passed) && replay.prose.contains("cancel-as-error came back"), "\(replay)")
    }

    @Test func shrinkTakesAWarningByItsNumber() throws {
        let place = try place()
        _ = try place.stampede("run", "warned.yml", "--quiet")
        let shrunk = try place.stampede("shrink", "Reports/latest", "--violation", "1", "--out", "small.yml", "--quiet")
        #expect(shrunk.isStatus(.passed), "\(shrunk)")
        let small = try place.stampede("run", "small.yml")
        #expect(small.isStatus(.passed) && small.out.contains("cancel-as-error"), "\(small)")
    }

    @Test func sweepIgnoresWarnings() throws {
        let sweep = try place().stampede("sweep", "warned.yml", "--depth", "0", "--json")
        #expect(sweep.isStatus(.passed) && !sweep.out.contains("cancel-as-error"), "\(sweep)")
    }

    @Test func compareAndHistoryShowWarnings() throws {
        let place = try place()
        _ = try place.stampede("run", "warned.yml", "--client", "reference", "--quiet", "--out", "before")
        _ = try place.stampede("run", "warned.yml", "--quiet")
        let compared = try place.stampede("compare", "before/latest", "Reports/latest")
        #expect(compared.isStatus(.passed), "\(compared)")
        #expect(compared.out.contains(#/warnings +0 +90 +- exact +changed/#), "\(compared)")
        #expect(compared.out.contains(#/warnings{rule:cancel-as-error} +- +30 +- exact +changed/#), "\(compared)")
        let history = try place.stampede("history", "warnings{rule:cancel-as-error}")
        #expect(history.isStatus(.passed) && history.out.contains(#/ 30\b/#), "\(history)")
    }

    @Test func matrixCountsWarningsSeparately() throws {
        let outcome = try place().stampede(
            "matrix", "--scenarios", "warned.yml", "--clients", "purchase-helper", "--json", "--fail-on-violations",
            "--quiet")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let cell = try #require(
            try decoder.decode(MatrixReport.self, from: Data(outcome.out.utf8)).rows.first?.cells[0])
        #expect(cell.exitCode == 0 && cell.warning == 90 && cell.error == 0 && cell.critical == 0)
        #expect(cell.rules == ["cancel-as-error": 30, "unobserved-launch": 60])
    }

    @Test func metricNamesOfRulesFollowTheirSeverity() throws {
        let place = try place(
            thresholds: """
                {'violations{rule:cancel-as-error}': count == 0, 'warnings{rule:lost-purchase}': count == 0,
                  'violations{rule:observer-left}': count == 0, 'violations{rule:unobserved-launch}': count == 0,
                  'warnings{rule:unobserved-launch}': count < 100}
                """)
        let check = try place.stampede("check", "warned.yml")
        #expect(check.isStatus(.invalidInput) && check.errors.components(separatedBy: "error:").count == 4, "\(check)")
        #expect(check.prose.isEmpty && check.errors.contains("hint: write warnings{rule:cancel-as-error}"), "\(check)")
        #expect(check.errors.contains("hint: write violations{rule:lost-purchase}"), "\(check)")
        #expect(check.errors.contains("breaches of observer-left are notes and not counted at all"), "\(check)")
    }
}
