// stampede replay: the violation comes back from its report alone.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ReplayCommandTests {
    /// A place whose report has violations.
    private func failed(_ arguments: String...) throws -> Workplace {
        let place = try Workplace()
        let scenario = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let run = try place.stampede(["run", scenario, "--client", "iap-manager", "--quiet"] + arguments)
        #expect(run.isStatus(.violationsFound), "\(run)")
        return place
    }

    @Test func replayReproducesEveryViolationFromTheReportAlone() throws {
        let place = try failed("--users", "60")
        // Neither the scenario nor its catalog is needed any more.
        for name in ["small.yml", "FakeGame.storekit"] {
            try FileManager.default.removeItem(at: place.folder.appendingPathComponent(name))
        }
        let evidence = try place.report().violations.evidence
        #expect(evidence.count > 2)
        for shown in evidence {
            let outcome = try place.stampede("replay", "Reports/latest", "--violation", "\(shown.number)")
            #expect(outcome.isStatus(.violationsFound) && outcome.errors.isEmpty, "\(outcome)")
            #expect(outcome.out.contains("came back in the same way"), "\(outcome)")
            #expect(outcome.out.contains("person   app      StoreKit App Store"))
            #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    // By one that tests can be sure of on Linux.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb")))
    func debuggerStopsBeforeTheGuiltyCall() throws {
        let place = try failed()
        let shown = try #require(try place.report().violations.evidence.first { $0.rule == "lost-purchase" })
        let entry = try #require(shown.guiltyEntry)
        let arguments = ["replay", "Reports/latest", "--violation", "\(shown.number)", "--in-process"]
        // Tests run with signals blocked that a debugger waits for.
        let unblocked = "use POSIX; sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV"
        let outcome = try place.run(
            URL(fileURLWithPath: "/usr/bin/perl"),
            ["-e", unblocked, "gdb", "-batch", "-nx", "-ex", "run", "-ex", "continue", "--args", Workplace.tool.path]
                + arguments)
        #expect(outcome.all.contains("SIGTRAP"), "\(outcome.all.suffix(3_000))")
        #expect(outcome.all.contains("Stopped before a callback of its transaction observer in launch"))
        #expect(outcome.all.contains(entry.text))
        #expect(outcome.all.contains("came back in the same way"))
        let without = try place.stampede(arguments)
        #expect(without.isStatus(.violationsFound) && without.errors.contains("no debugger is attached"), "\(without)")
        #expect(without.out.contains("came back in the same way"))
    }

    @Test func replayInProcessRefusesAWallClockReport() throws {
        let place = try failed()
        let report = String(decoding: try place.read("Reports/latest/report.json"), as: UTF8.self)
        try place.write(
            report.replacing(#""clock" : "virtual""#, with: #""clock" : "wall""#), to: "Reports/latest/report.json")
        let outcome = try place.stampede("replay", "Reports/latest", "--in-process")
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("--clock virtual"), "\(outcome)")
    }

    @Test func replayWritesOneSelfContainedPage() throws {
        let place = try failed()
        let outcome = try place.stampede("replay", "Reports/latest/report.json", "--html", "story.html", "--quiet")
        #expect(outcome.isStatus(.violationsFound) && outcome.errors.isEmpty, "\(outcome)")
        #expect(
            outcome.out.contains(" came back in the same way: user ") && !outcome.out.contains("StoreKit App Store"))
        #expect(outcome.out.hasSuffix("  next: stampede shrink Reports/latest/report.json --violation 1\n"))
        let page = String(decoding: try place.read("story.html"), as: UTF8.self)
        #expect(
            page.contains("<svg class=\"sequence\"") && page.contains("role=\"img\"") && page.hasSuffix("</html>\n"))
        #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("@import"))
    }

    // As if the report had been written by a build whose client had the mistake.
    @Test func replaySaysIfTheViolationDidNotComeBack() throws {
        let place = try failed()
        var report = try place.report()
        report.run.client = "reference"
        try place.write(try report.json(), to: "mended.json")
        let outcome = try place.stampede("replay", "mended.json")
        #expect(outcome.isStatus(.passed) && outcome.out.contains("did not come back"), "\(outcome)")
        #expect(outcome.out.contains("has changed since"))
    }

    @Test(arguments: [
        (["nowhere"], "there is no report at nowhere"), (["small.yml"], "small.yml:1:1:"),
        (["Reports/latest", "--violation", "99"], "there is no violation 99"),
        (["Reports/latest", "--html", "no/such/folder.html"], "could not be written"),
    ])
    func replayRefusesUnreadableReportsAndPaths(arguments: [String], words: String) throws {
        let place = try failed()
        let outcome = try place.stampede(["replay", "--quiet"] + arguments)
        let status: ExitStatus = words.contains("written") ? .reportNotWritten : .invalidInput
        #expect(outcome.isStatus(status) && outcome.errors.contains(words), "\(outcome)")
    }
}
