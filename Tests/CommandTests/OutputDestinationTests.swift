// Where files and texts go, and what is told when they cannot go there.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct OutputDestinationTests {
    /// A place with a run that has found violations, and a link to a device that is always full.
    private func failed() throws -> Workplace {
        let place = try Workplace()
        let run = try place.stampede("run", try place.scenario(), "--client", "iap-manager", "--quiet")
        #expect(run.isStatus(.violationsFound), "\(run)")
        try place.link("/dev/full", as: "full.html")
        return place
    }

    // MARK: Files

    @Test(arguments: [
        ["report", "Reports/latest", "--html"], ["report", "Reports/latest", "--markdown"],
        ["report", "Reports/latest", "--junit"], ["report", "Reports/latest", "--csv"],
        ["replay", "Reports/latest", "--quiet", "--html"], ["history", "violations", "--html"],
        ["shrink", "Reports/latest", "--quiet", "--out"],
    ])
    func filesCanBeWrittenToDevicesAndThroughLinks(command: [String]) throws {
        let place = try failed()
        let full = try place.stampede(command + ["full.html"])
        #expect(full.isStatus(.reportNotWritten), "\(full)")
        #expect(full.errors.contains("full.html could not be written: No space left on device\nhint: "), "\(full)")
        let link = place.folder.path + "/full.html"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
    }

    @Test func reportCommandWritesToAPipeAndKeepsIt() throws {
        let place = try failed()
        let outcome = try place.shell(
            "mkfifo pipe; cat pipe > got.html & stampede report Reports/latest --html pipe && wait && test -p pipe")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(try place.read("got.html") == place.read("Reports/latest/report.html"))
    }

    @Test(arguments: [
        (["report", "Reports/latest", "--html", "no/page.html"], "no/page.html could not be written: No such file or"),
        (["report", "Reports/latest", "--csv", "Reports"], "Reports could not be written: Is a directory\nhint: name"),
        (["report", "Reports/latest", "--html", ""], "'' could not be written: the name is empty\nhint: name a file"),
        (["shrink", "Reports/latest", "--quiet", "--out", "no/s.yml"], "no/s.yml could not be written: No such file"),
        (["init", "small.yml/in/scenario.yml"], "small.yml could not be created: Not a directory\nhint: name"),
        (["run", "small.yml", "--out", ""], "'': the name is empty; name a folder with --out"),
        (["report", "Reports/latest", "--out", ""], "'': the name is empty; name a folder with --out"),
    ])
    func writeErrorsNameCauseAndRemedy(arguments: [String], words: String) throws {
        let outcome = try failed().stampede(arguments)
        #expect(outcome.isStatus(.reportNotWritten) && outcome.errors.contains(words), "\(outcome)")
    }

    // MARK: The standard output

    @Test(arguments: [
        "schema", "glue", "certificates",
        "list", "--help", "history", "report Reports/latest --html -", "run small.yml --json --quiet",
        "merge Reports/latest other/latest --out both", "check small.yml", "--generate-completion-script bash",
    ])
    func fullStandardOutputIsReportedAtTheEnd(command: String) throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--quiet")
        _ = try place.stampede("run", file, "--quiet", "--seed", "2", "--out", "other")
        let outcome = try place.shell("stampede \(command) > /dev/full")
        let words = "error: the standard output could not be written: No space left on device\nhint: "
        #expect(
            outcome.isStatus(.reportNotWritten)
                && outcome.errors.hasSuffix(words + "free some space, or write to another place\n"), "\(outcome)")
        #expect(outcome.errors.components(separatedBy: words).count == 2, "once: \(outcome)")
    }

    @Test func htmlNamedDashIsPrintedAlone() throws {
        let place = try failed()
        _ = try place.stampede("replay", "Reports/latest", "--html", "story.html")
        let page = try place.stampede("replay", "Reports/latest", "--html", "-")
        #expect(page.isStatus(.violationsFound), "\(page.errors)")
        #expect(try Data(page.out.utf8) == place.read("story.html"))
        #expect(!place.exists("-"))
    }

    @Test(arguments: [["--html", "-", "--csv", "-"], ["--markdown", "-", "--junit", "-", "--csv", "a.csv"]])
    func reportRefusesTwoDocumentsOnStandardOutput(options: [String]) throws {
        let place = try failed()
        let outcome = try place.stampede(["report", "Reports/latest"] + options)
        #expect(
            outcome.isStatus(.invalidInput) && outcome.errors.contains("only one file can be the standard output"),
            "\(outcome)")
        #expect(outcome.out.isEmpty && !place.exists("a.csv"))
    }

    @Test func violationsOutweighAFullStandardOutput() throws {
        let place = try Workplace()
        let outcome = try place.shell("stampede run \(try place.scenario()) --client iap-manager > /dev/full")
        #expect(outcome.isStatus(.violationsFound) && outcome.errors.contains("the standard output"), "\(outcome)")
        #expect(place.exists("Reports/latest/report.json"))
    }

    // The shell's own status is that of the command, after its reader has ended.
    @Test func closedOutputPipeDoesNotFailTheCommand() throws {
        let place = try Workplace()
        _ = try place.scenario()
        for command in ["list", "run small.yml"] {
            let outcome = try place.shell(
                "mkfifo pipe; true < pipe & exec 3> pipe; wait; stampede \(command) >&3; echo $?; rm pipe")
            #expect(outcome.out == "0\n" && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    // MARK: The folder of a run

    @Test(arguments: [
        (["--out", "long.yml"], "long.yml: Not a directory"), (["--out", "/proc/nope"], "/proc/nope: No such file"),
        (["--out", "taken"], "taken/latest: is not a symbolic link; move it away"),
        (["--out", "/proc/self"], "error: /proc/self: "), (["--out", ""], "'': the name is empty"),
    ])
    func unusableOutputFolderIsReportedBeforeTheRun(options: [String], words: String) throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("taken/latest"), withIntermediateDirectories: true)
        let file = try place.longScenario()
        for more in [[], ["--operations"], ["--json"]] {
            let outcome = try place.stampede(["run", file] + options + more)
            #expect(outcome.isStatus(.reportNotWritten) && outcome.errors.contains(words), "\(outcome)")
            #expect(outcome.out.isEmpty)
            #expect(try place.names("taken") == ["latest"])
        }
    }

    // What nobody looks at before: that every name is taken.
    @Test(arguments: [[], ["--json"]])
    func reportThatCannotBeSavedIsStillPrinted(options: [String]) throws {
        let place = try Workplace()
        let file = try place.scenario()
        let taken = try place.shell(
            "mkdir Reports && cd Reports && touch small-reference-1 "
                + "&& seq 2 10000 | sed s/^/small-reference-1-/ | xargs touch")
        #expect(taken.isStatus(.passed), "\(taken)")
        let outcome = try place.stampede(["run", file] + options)
        #expect(outcome.isStatus(.reportNotWritten) && outcome.errors.contains("holds 10,000 reports"), "\(outcome)")
        if options.isEmpty {
            #expect(outcome.out.contains("purchases"), "the summary is printed all the same")
        } else {
            #expect(try Report(json: Data(outcome.out.utf8)).run.users == 30)
        }
        #expect(try place.names("Reports").count == 10_000)
    }
}
