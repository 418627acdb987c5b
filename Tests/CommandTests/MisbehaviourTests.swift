// Clients that print, or that end the process that they run in: what the command makes of them.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct MisbehaviourTests {
    @Test func reportNotesHoldingsThatThrow() throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", try place.scenario(), "--client", "throwing", "--quiet", "--no-record", "--workers", "2"])
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        let note = try #require(report.host.notes.first { $0.contains("`holdings` threw") }, "\(outcome)")
        #expect(note.contains("there is no record yet"))
    }

    // MARK: Printing

    // Every line of the standard output is the command's own.
    @Test(arguments: ["virtual", "wall"])
    func clientPrintsStayOutOfTheJSON(clock: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            [
                "run", try place.scenario(), "--client", "printing", "--clock", clock, "--json", "--ignore-saturation",
                "--client-output",
            ])
        // It never buys what its user asks for: nothing was tried.
        #expect(outcome.isStatus(.unknown), "\(outcome.errors)")
        #expect(try Report(json: Data(outcome.out.utf8)).run.client == "printing")
        for name in ["print", "puts", "NSLog", "FileHandle"] {
            #expect(outcome.errors.contains("a callback, says \(name)"))
        }
    }

    @Test func clientPrintsStayOutOfTheSummary() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "thresholds: {violations: count > 0}")
        let outcome = try place.run(Workplace.faultyTool, ["run", file, "--client", "printing"])
        #expect(outcome.out.contains("violations") && !outcome.out.contains("a callback"))
        let sweep = try place.run(
            Workplace.faultyTool, ["sweep", try place.scenario(), "--client", "printing", "--json"])
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(sweep.out.utf8)) }
        let matrix = try place.run(
            Workplace.faultyTool, ["matrix", "--scenarios", try place.scenario(), "--clients", "printing", "--json"])
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(matrix.out.utf8)) }
    }

    @Test func replayWritesHTMLToStandardOutput() throws {
        let place = try Workplace()
        _ = try place.stampede("run", Workplace.shipped("purchase-flow"), "--users", "50", "--client", "iap-manager")
        for name in ["-", "/dev/stdout"] {
            let outcome = try place.stampede("replay", "Reports/latest", "--quiet", "--html", name)
            #expect(outcome.out.hasPrefix("<!") && outcome.out.hasSuffix("</html>\n"), "\(outcome)")
        }
    }

    // MARK: Ending the process

    // Under the wall clock a thread of the app's own is the app's too.
    @Test(arguments: ["exit", "_exit", "quick_exit", "thread"])
    func clientThatEndsTheProcessFailsTheWallClockRun(how: String) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {relaunch_after: 20ms}")
        let outcome = try place.run(
            Workplace.faultyTool,
            [
                "run", file, "--client", "leaving", "--client-option", "how=\(how)", "--clock", "wall",
                "--ignore-saturation",
            ])
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let report = try place.report()
        let found = try #require(report.violations.evidence.first { $0.rule == "client-exit" })
        let call = how == "thread" ? "exit" : how
        #expect(found.sentence.contains("by a call of \(call)"), "\(found.sentence)")
        #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") }, "\(report.verdict)")
    }

    // Under the virtual clock it is its app's, and everybody is judged. One of another thread nobody can place.
    @Test(arguments: ["exit", "_exit", "quick_exit", "thread"])
    func clientThatEndsTheProcessIsReportedAsItsAppsExit(how: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", try place.scenario(), "--client", "leaving", "--client-option", "how=\(how)"])
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let report = try place.report()
        #expect(report.verdict.exitCode == 107)
        if how == "thread" {
            #expect(report.notes.contains { $0.contains("of cell 0 was ended by a call of exit") }, "\(report.notes)")
        } else {
            let found = try #require(report.violations.evidence.first { $0.rule == "client-exit" })
            #expect(found.sentence.contains("by a call of \(how)") && found.user == 0, "\(found.sentence)")
        }
    }

    @Test func noCommandExitsWithAClientsExitCode() throws {
        let place = try Workplace()
        let file = try place.scenario()
        for command in [
            ["sweep", file, "--client", "leaving"], ["matrix", "--scenarios", file, "--clients", "leaving"],
        ] {
            let outcome = try place.run(Workplace.faultyTool, command)
            #expect(outcome.isStatus(.clientCrashed), "\(command): \(outcome)")
        }
        let own = "'\(Workplace.faultyTool.path)' run \(file) --client leaving"
        // Two builds that crash alike are neither worse nor better than the other.
        let compared = try place.stampede("compare", "--run", own, "--run", own, "--pairs", "1")
        #expect(compared.isStatus(.passed), "\(compared)")
        // A report of a client that was well behaved then.
        _ = try place.run(
            Workplace.tool, ["run", Workplace.shipped("purchase-flow"), "--users", "50", "--client", "iap-manager"])
        let text = String(decoding: try place.read("Reports/latest/report.json"), as: UTF8.self)
        try place.write(text.replacingOccurrences(of: "\"iap-manager\"", with: "\"leaving\""), to: "left.json")
        let replay = try place.run(Workplace.faultyTool, ["replay", "left.json"])
        #expect(replay.isStatus(.clientCrashed), "\(replay)")
        // What is to be shrunk does not show.
        let shrink = try place.run(Workplace.faultyTool, ["shrink", "left.json"])
        #expect(shrink.isStatus(.unknown) && shrink.errors.contains("does not break"), "\(shrink)")
    }
}
