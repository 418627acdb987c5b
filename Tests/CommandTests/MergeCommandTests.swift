// stampede merge: from the reports of two runs to one, its files and its exit code.

import Foundation
import Metrics
import ReportModel
import Reporting
import Testing

@Suite struct MergeCommandTests {
    /// One client under two seeds, and another.
    private func place(_ client: String = "reference") throws -> Workplace {
        let place = try Workplace()
        let file = try place.scenario()
        for seed in ["1", "2"] {
            _ = try place.stampede("run", file, "--client", client, "--seed", seed, "--quiet", "--out", "out\(seed)")
        }
        return place
    }

    @Test func mergeMakesOneReportOfTwoRuns() throws {
        let place = try place()
        let outcome = try place.stampede("merge", "out1/latest", "out2/latest/report.json", "--out", "all")
        #expect(outcome.isStatus(.passed) && outcome.out.contains("seeds 1, 2"), "\(outcome)")
        let parts = try ["out1", "out2"].map { try place.report("\($0)/latest/report.json") }
        let merged = try place.report("all/report.json")
        #expect(merged.run.users == 60 && merged.host.parts?.count == 2)
        func count(_ report: Report, _ name: String) -> Int? { report.metrics.first { $0.name == name }?.count }
        for name in ["purchases", "launches", "requests"] {
            let sum = parts.reduce(0) { $0 + (count($1, name) ?? 0) }
            #expect(sum > 0 && count(merged, name) == sum, "\(name)")
        }
        let trend = try #require(merged.metrics.first { $0.name == "purchase_duration" }?.response)
        let samples = parts.compactMap { $0.metrics.first { $0.name == "purchase_duration" }?.response }
        #expect(trend.count == samples.reduce(0) { $0 + $1.count } && trend.max == samples.map(\.max).max())
        for name in ["report.html", "summary.md", "junit.xml", "series.csv", "purchase_duration.hgrm"] {
            #expect(place.exists("all/\(name)"), "\(name)")
        }
        let again = try place.stampede("report", "all", "--out", "again")
        #expect(again.isStatus(.passed))
        #expect(try place.read("again/report.html") == place.read("all/report.html"))
        #expect(try place.stampede("merge", "out1/latest", "out2/latest", "--out", "all").isStatus(.reportNotWritten))
    }

    // As shells hand on a pattern that no part's folder fits.
    @Test func mergeRefusesMissingReportsAndASingleRun() throws {
        let place = try place()
        let missing = try place.stampede("merge", "parts/*-part-*-of-4", "--out", "all")
        #expect(missing.isStatus(.invalidInput), "\(missing)")
        #expect(missing.errors.contains("there is no report at parts/*-part-*-of-4"), "\(missing)")
        let one = try place.stampede("merge", "out1/latest", "--out", "all")
        #expect(one.isStatus(.invalidInput) && one.errors.contains("out1/latest is one whole run"), "\(one)")
    }

    @Test func replayUsesTheSeedOfAMergedViolation() throws {
        let place = try place("iap-manager")
        let outcome = try place.stampede("merge", "out1/latest", "out2/latest", "--out", "all", "--quiet")
        #expect(outcome.isStatus(.violationsFound) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.out.hasPrefix("✗ FAILED") && outcome.out.contains("  report: all\n"), "\(outcome)")
        #expect(!outcome.out.contains("METRICS"))
        let evidence = try place.report("all/report.json").violations.evidence
        let second = try #require(evidence.first { $0.seed == 2 })
        let replay = try place.stampede("replay", "all", "--violation", "\(second.number)")
        #expect(replay.isStatus(.violationsFound) && replay.out.contains("seed 2"), "\(replay)")
    }

    @Test func mergeRefusesReportsThatDoNotBelongTogether() throws {
        let place = try place()
        _ = try place.stampede("run", "small.yml", "--client", "iap-manager", "--seed", "3", "--quiet", "--out", "mine")
        for (other, words) in [
            ("mine/latest", "has the client 'iap-manager', but the first report has 'reference'"),
            ("out1/latest", "are the same run, with seed 1"), ("nowhere", "there is no report at nowhere"),
        ] {
            let outcome = try place.stampede("merge", "out1/latest", other, "--out", "all")
            #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words), "\(outcome)")
            #expect(outcome.errors.contains("hint:") && !place.exists("all"))
        }
        #expect(try place.stampede("merge", "out1/latest", "--out", "all").isStatus(.invalidInput))
        #expect(try place.stampede("merge", "out1/latest", "out2/latest").isStatus(.invalidInput))
    }
}
