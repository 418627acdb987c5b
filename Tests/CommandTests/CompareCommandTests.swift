// stampede compare: its exit codes, on reports, on folders of them, and on command lines.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct CompareCommandTests {
    private func place() throws -> Workplace {
        let place = try Workplace()
        let file = try place.scenario(extra: "thresholds: {violations: count < 1000}")
        for (client, out) in [("reference", "good"), ("reference", "good"), ("iap-manager", "bad")] {
            let run = try place.stampede("run", file, "--client", client, "--quiet", "--out", out)
            #expect(run.isStatus(.passed), "\(run)")
        }
        return place
    }

    @Test func compareExitsWithTwoIfTheCandidateIsWorse() throws {
        let place = try place()
        let worse = try place.stampede("compare", "good/latest", "bad/latest/report.json")
        #expect(worse.isStatus(.comparedWorse) && worse.out.contains("violations{rule:"), "\(worse)")
        #expect(try place.stampede("compare", "bad/latest", "good/latest").isStatus(.passed))
        let same = try place.stampede("compare", "good", "good/latest", "--markdown")
        #expect(same.isStatus(.passed) && same.out.contains("✓ Not worse"), "\(same)")
        let json = try place.stampede("compare", "good", "bad", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(object?["base_runs"] as? Int == 2 && object?["candidate_runs"] as? Int == 1)
    }

    @Test func compareExactNeedsTheVirtualClock() throws {
        let place = try place()
        let json = try place.stampede("compare", "good", "good/latest", "--exact", "--json", "--all")
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        let lines = object?["lines"] as? [[String: Any]] ?? []
        #expect(json.isStatus(.passed) && lines.count > 10 && lines.allSatisfy { $0["is_exact"] as? Bool == true })
        #expect(try place.stampede("compare", "good", "bad", "--exact").isStatus(.comparedWorse))
        _ = try place.stampede("run", "small.yml", "--clock", "wall", "--quiet", "--out", "wall")
        let refused = try place.stampede("compare", "good", "wall", "--exact")
        #expect(
            refused.isStatus(.invalidInput) && refused.errors.contains("none of its figures is exact"), "\(refused)")
    }

    @Test func compareRefusesASingleUserReport() throws {
        let place = try place()
        _ = try place.stampede("run", "small.yml", "--only-user", "3", "--quiet", "--out", "single")
        let refused = try place.stampede("compare", "good/latest", "single/latest")
        #expect(refused.isStatus(.invalidInput) && refused.errors.contains("judged only user 3"), "\(refused)")
    }

    @Test func compareRunsCommandLinesInTurn() throws {
        let place = try place()
        let tool = Workplace.tool.path
        let outcome = try place.stampede(
            "compare", "--run", "'\(tool)' run small.yml", "--run", "'\(tool)' run small.yml --client iap-manager",
            "--pairs", "2")
        #expect(outcome.isStatus(.comparedWorse) && outcome.out.contains("2 against 2 runs"), "\(outcome)")
        let broken = try place.stampede("compare", "--run", "true", "--run", "true", "--pairs", "1")
        #expect(broken.isStatus(.invalidInput) && broken.errors.contains("wrote no report"), "\(broken)")
    }

    // Both a command that the shell becomes, and one that it waits for.
    @Test(arguments: ["", "true && "], [SIGTERM, SIGHUP])
    func interruptedCompareLeavesNoProcessOrFolder(before: String, signal: Int32) throws {
        let place = try Workplace()
        let temporary = place.folder.appendingPathComponent("temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
        let command = "\(before)'\(Workplace.tool.path)' run \(try place.longScenario())"
        let outcome = try place.run(
            Workplace.tool, ["compare", "--run", command, "--run", command], environment: ["TMPDIR": temporary.path]
        ) { process in
            let deadline = ContinuousClock.now + .seconds(120)
            // The first run has made its folder.
            while try place.names("temporary").isEmpty, ContinuousClock.now < deadline { sched_yield() }
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.isStatus(.interrupted) && outcome.errors.contains("the end of pair 1 of 60"), "\(outcome)")
        #expect(outcome.out.isEmpty)
        #expect(try place.names("temporary").isEmpty)
    }

    @Test(arguments: [
        (["nowhere", "good/latest"], ExitStatus.baseMissing, "there is no report at nowhere"),
        (["good/latest", "nowhere"], .invalidInput, "there is no report at nowhere"),
        (["good/latest"], .invalidInput, "name a base and a candidate"),
        (["good", "good", "--noise", "x"], .invalidInput, "--noise x is not a share"),
        (["good", "good", "--pairs", "3"], .invalidInput, "`--pairs` can only be used with `--run`"),
        (["--run", "true", "--run", "true", "--pairs", "0"], .invalidInput, "--pairs 0"),
        (["good", "good", "--json", "--markdown"], .invalidInput, "not both"),
    ])
    func compareRefusesBadArguments(arguments: [String], status: ExitStatus, words: String) throws {
        let outcome = try place().stampede(["compare"] + arguments)
        #expect(outcome.isStatus(status) && outcome.errors.contains(words), "\(outcome)")
    }
}
