// Commands that may take so long and no longer: what they have found by then is told.

import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Simulation
import Testing

@Suite(.mostlyWaits) struct TimeLimitTests {
    /// Users who would take hours of real time.
    private static let many = ["--users", "30000000", "--workers", "1"]

    /// Without the breaks of lines.
    private static func words(_ outcome: Outcome) -> String {
        (outcome.out + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func runStopsAtItsTimeLimitAndReports() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let outcome = try place.run(
            Workplace.tool, ["run", file, "--time-limit", "500ms", "--quiet"] + Self.many)
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        #expect(Self.words(outcome).contains("the time limit of 500ms ended before the end: "), "\(outcome)")
        let report = try place.report()
        let stop = try #require(report.verdict.reasons.first)
        #expect(stop.sentence.hasPrefix("the time limit of 500ms ended before the end: "), "\(stop.sentence)")
        #expect(stop.kind == .stopped && stop.timeLimitNs == 500_000_000, "\(stop)")
        #expect(stop.unjudged ?? 0 > 0 && report.isBrokenOff)
        #expect(report.notes.contains { $0.contains("time limit of 500ms") }, "\(report.notes)")
    }

    @Test func wallClockRunJudgesUsersWhereTheLimitStoppedThem() throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", try place.longScenario(), "--time-limit", "1s", "--ignore-saturation")
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        #expect(
            Self.words(outcome).contains("limit of 1s ended before the end: everything done so far was judged"))
    }

    // What is found before the time is over is worth more than that it is over.
    @Test func violationsOutweighTheTimeLimit() throws {
        let place = try Workplace()
        let outcome = try place.stampede(
            ["run", Workplace.shipped("launch-redelivery"), "--client", "iap-manager", "--time-limit", "1s", "--quiet"]
                + Self.many)
        #expect(outcome.isStatus(.violationsFound), "\(outcome)")
        #expect(try place.report().verdict.reasons.contains { $0.isOfStop })
    }

    @Test func sweepSwarmAndMatrixReportTheTimeLimit() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let endless = ["--interleavings", "10000000", "--window", "1s", "--workers", "1"]
        let sweep = try place.stampede(["sweep", file, "--time-limit", "1s"] + endless)
        #expect(sweep.isStatus(.unknown), "\(sweep)")
        #expect(Self.words(sweep).contains("the time limit of 1s ended before every trial was run"), "\(sweep.out)")
        let quiet = try place.stampede(["sweep", file, "--time-limit", "1s", "--quiet"] + endless)
        #expect(quiet.isStatus(.unknown) && Self.words(quiet).contains("before every trial was run"), "\(quiet)")
        let swarm = try place.stampede("swarm", "--runs", "100000000", "--time-limit", "1s")
        #expect(swarm.isStatus(.unknown), "\(swarm)")
        #expect(
            Self.words(swarm).contains("the time limit of 1s ended before every scenario was run"), "\(swarm.out)")
        let silent = try place.stampede("swarm", "--runs", "100000000", "--time-limit", "1s", "--quiet")
        #expect(silent.isStatus(.unknown) && Self.words(silent).contains("every scenario was run"), "\(silent)")
        let matrix = try place.stampede(["matrix", "--scenarios", file, "--time-limit", "1s"] + Self.many)
        #expect(matrix.isStatus(.unknown), "\(matrix)")
        #expect(matrix.out.contains("not run") && Self.words(matrix).contains("every run was judged"), "\(matrix)")
    }

    @Test func shrinkAndCompareReportTheTimeLimit() throws {
        let place = try Workplace()
        try place.stampede(
            "run", Workplace.shipped("launch-redelivery"), "--client", "iap-manager", "--users", "300", "--quiet")
        let shrink = try place.stampede("shrink", "Reports/latest", "--time-limit", "1us", "--out", "small.yml")
        #expect(shrink.isStatus(.unknown), "\(shrink)")
        #expect(Self.words(shrink).contains("the time limit of 1µs ended before"), "\(shrink)")
        // Wherever it is by then.
        for limit in ["50ms", "200ms", "700ms"] {
            let quiet = try place.stampede(
                "shrink", "Reports/latest", "--time-limit", limit, "--out", "small.yml", "--quiet")
            #expect(quiet.out.isEmpty && (quiet.isStatus(.passed) || quiet.isStatus(.unknown)), "\(quiet)")
            let isTold = quiet.errors.contains("the time limit of ") && quiet.errors.contains(" ended before ")
            #expect(isTold == quiet.isStatus(.unknown), "\(quiet)")
        }
        let name = Workplace.tool.path
        let run = "\(name) run \(try place.scenario())"
        let compare = try place.stampede("compare", "--run", run, "--run", run, "--pairs", "900", "--time-limit", "1s")
        #expect(compare.isStatus(.unknown) || compare.isStatus(.comparedWorse), "\(compare)")
        #expect(
            Self.words(compare).contains("the time limit of 1s ended before the end of pair"), "\(compare.errors)")
    }

    // A worker that cannot notice is not waited for.
    @Test(arguments: ["run", "sweep"])
    func timeLimitDoesNotWaitForHungClientCode(command: String) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {hang_limit: 10m}")
        let outcome = try place.run(
            Workplace.faultyTool,
            [command] + CrashTests.arguments(file, "loop", in: "launch")
                + ["--client-option", "who=all", "--time-limit", "1s"])
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        #expect(Self.words(outcome).contains("the time limit of 1s ended before "), "\(outcome)")
    }

    @Test(arguments: ["0s", "ten", "-1s"])
    func runRefusesAnInvalidTimeLimit(time: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", try place.scenario(), "--time-limit=\(time)")
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("--time-limit"), "\(outcome)")
    }
}
