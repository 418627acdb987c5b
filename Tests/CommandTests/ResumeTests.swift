// Runs that were killed, or that had no room left, are gone on with: their report is that of an unbroken run.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ResumeTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private static let name = "quickstart-iap-manager-1"
    private static let arguments = [
        "run", Workplace.shipped("quickstart"), "--client", "iap-manager", "--users", "1500", "--operations", "--quiet",
    ]
    private var arguments: [String] { Self.arguments }

    /// What the unbroken run leaves, against which all the others are held: run once.
    private static let whole = Result { () throws -> (report: String, operations: Data) in
        let place = try Workplace()
        let outcome = try place.stampede(arguments + ["--out", "whole"])
        #expect(outcome.isStatus(.violationsFound), "\(outcome.all)")
        return (
            try place.withoutHost("whole/\(name)/report.json"), try place.read("whole/\(name)/operations.ndjson")
        )
    }

    private func checkWhole(_ folder: String, _ what: String) throws {
        let whole = try Self.whole.get()
        let isEqual = try place.withoutHost("\(folder)/\(Self.name)/report.json") == whole.report
        #expect(isEqual, "\(what)")
        #expect(try place.read("\(folder)/\(Self.name)/operations.ndjson") == whole.operations, "\(what)")
        #expect(!place.exists("\(folder)/\(Self.name).partial"), "\(what)")
    }

    /// Waits until something was kept: what is run, and what was found.
    private func awaitBatch(_ partial: String, of process: Process) {
        let path = place.folder.appendingPathComponent("\(partial)/journal").path
        for _ in 0..<4_000 where process.isRunning {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            if size > 12_000 { return }
            usleep(5_000)
        }
    }

    /// Waits for that, and then for so long.
    private func kill(_ process: Process, in folder: String, after seconds: Double) throws {
        awaitBatch("\(folder)/\(Self.name).partial", of: process)
        usleep(UInt32(seconds * 1e6))
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    private func killed(_ arguments: [String], in folder: String, after seconds: Double) throws {
        // How it ended is checked by what it has left.
        withKnownIssue(isIntermittent: true) {
            _ = try place.run(Workplace.tool, arguments + ["--out", folder]) {
                try kill($0, in: folder, after: seconds)
            }
        }
    }

    /// Kills a run before its end; on a busy machine it may be over sooner, and another one is begun.
    private func killedOnItsWay(in folder: String, after seconds: Double) throws {
        for _ in 0..<10 {
            try killed(arguments, in: folder, after: seconds)
            if place.exists("\(folder)/\(Self.name).partial") { return }
            try? FileManager.default.removeItem(at: place.folder.appendingPathComponent(folder))
        }
    }

    @Test func resumeContinuesAKilledRun() throws {
        for (number, seconds) in [0.0, 0.13, 0.4].enumerated() {
            let folder = "killed-\(number)"
            try killed(arguments, in: folder, after: seconds)
            guard place.exists("\(folder)/\(Self.name).partial") else { continue }
            // Killed once more on the way.
            if number == 1 { try killed(arguments + ["--resume"], in: folder, after: 0.1) }
            let resumed = try place.stampede(arguments + ["--out", folder, "--resume"])
            #expect(resumed.status == ExitStatus.violationsFound.rawValue, "\(resumed.all)")
            try checkWhole(folder, "killed after \(seconds) s")
        }
    }

    @Test func resumeContinuesFromTheFolderAlone() throws {
        try killedOnItsWay(in: "killed", after: 0)
        let partial = "killed/\(Self.name).partial"
        try #require(place.exists(partial))
        let changed = try place.stampede("run", "--resume", partial, "--seed", "3")
        #expect(changed.status == ExitStatus.invalidInput.rawValue && changed.errors.contains("--seed would change it"))
        let other = try place.stampede(arguments + ["--out", "killed", "--resume", "--tag", "a=b"])
        #expect(other.status == ExitStatus.invalidInput.rawValue && other.errors.contains("another set of tags"))
        let build = try place.run(Workplace.faultyTool, ["run", "--resume", partial])
        #expect(build.status == ExitStatus.invalidInput.rawValue && build.errors.contains("another build"))
        #expect(place.exists(partial))
        let resumed = try place.stampede("run", "--resume", partial, "--quiet")
        #expect(
            resumed.status == ExitStatus.violationsFound.rawValue && resumed.errors.contains("resuming \(partial)")
        )
        try checkWhole("killed", "resumed by its folder")
        let nothing = try place.stampede("run", "--resume", partial)
        #expect(nothing.status == ExitStatus.invalidInput.rawValue)
    }

    // The last record may be torn, or all of them gone.
    @Test func resumeDropsTheTornEndOfAJournal() throws {
        try killedOnItsWay(in: "killed", after: 0.1)
        let partial = "killed/\(Self.name).partial"
        try #require(place.exists(partial))
        let (journal, operations) = (try place.read("\(partial)/journal"), try place.read("\(partial)/operations"))
        for (kept, asked) in [
            (journal.count - 1, operations.count), (journal.count, operations.count - 1), (journal.count, 0),
            (journal.count / 2, operations.count), (journal.count, operations.count / 2),
        ] {
            try? FileManager.default.removeItem(at: place.folder.appendingPathComponent("killed"))
            try FileManager.default.createDirectory(
                at: place.folder.appendingPathComponent(partial), withIntermediateDirectories: true)
            try place.write(journal.prefix(kept), to: "\(partial)/journal")
            try place.write(operations.prefix(asked), to: "\(partial)/operations")
            let resumed = try place.stampede(arguments + ["--out", "killed", "--resume"])
            #expect(resumed.status == ExitStatus.violationsFound.rawValue, "\(resumed.all)")
            try checkWhole("killed", "\(kept) of \(journal.count), \(asked) of \(operations.count)")
        }
    }

    // A limit on the size of files is what a full disk is: a part of what is to be written fits.
    @Test(arguments: [40, 300, 1_200])
    func resumeContinuesARunThatFilledTheDisk(blocks: Int) throws {
        let words = (arguments + ["--out", "full"]).map { "'\($0)'" }.joined(separator: " ")
        let full = try place.shell("trap '' XFSZ; ulimit -f \(blocks); stampede \(words)")
        guard full.status != ExitStatus.violationsFound.rawValue else { return }
        #expect(full.status == ExitStatus.reportNotWritten.rawValue, "\(full.all)")
        let hasKept = place.exists("full/\(Self.name).partial")
        #expect(full.errors.contains("--resume") == hasKept, "\(full.errors)")
        let resumed = try place.stampede(arguments + ["--out", "full", "--resume"])
        #expect(resumed.status == ExitStatus.violationsFound.rawValue, "\(resumed.all)")
        try checkWhole("full", "\(blocks) blocks")
    }

    @Test func stoppedRunPrintsItsResumeCommand() throws {
        let stopped = try place.run(Workplace.tool, arguments + ["--out", "stopped"]) { process in
            awaitBatch("stopped/\(Self.name).partial", of: process)
            Foundation.kill(process.processIdentifier, SIGTERM)
        }
        guard stopped.status == ExitStatus.interrupted.rawValue else { return }
        let partial = "stopped/\(Self.name).partial"
        #expect(stopped.errors.contains("run --resume \(partial)"))
        // What was judged by then is reported.
        #expect(place.exists("stopped/\(Self.name)/report.json"))
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent("stopped/\(Self.name)"))
        #expect(try place.stampede("run", "--resume", partial, "--quiet").status == ExitStatus.violationsFound.rawValue)
        try checkWhole("stopped", "stopped")
    }

    // Cells of two thousand users, so that some are always under way.
    @Test func resumeRunsAnUnfinishedCellAgain() throws {
        let name = "release-day-iap-manager-37"
        let partial = "stopped/\(name).partial"
        let arguments = [
            "run", Workplace.shipped("release-day"), "--client", "iap-manager", "--users", "8000", "--operations",
            "--quiet",
        ]
        #expect(try place.stampede(arguments + ["--out", "whole"]).status == ExitStatus.violationsFound.rawValue)
        let stopped = try place.run(Workplace.tool, arguments + ["--out", "stopped"]) { process in
            awaitBatch(partial, of: process)
            Foundation.kill(process.processIdentifier, SIGTERM)
        }
        try #require(stopped.status == ExitStatus.interrupted.rawValue)
        // What was judged of it is reported meanwhile.
        #expect(try place.report("stopped/\(name)/report.json").metrics.contains { $0.name == "launches" })
        let resumed = try place.stampede("run", "--resume", partial, "--quiet")
        #expect(resumed.status == ExitStatus.violationsFound.rawValue, "\(resumed.all)")
        let isEqual =
            try place.withoutHost("stopped/\(name)-2/report.json") == place.withoutHost("whole/\(name)/report.json")
        #expect(isEqual)
        #expect(try place.read("stopped/\(name)-2/operations.ndjson") == place.read("whole/\(name)/operations.ndjson"))
    }

    // Neither has kept anything when the other one begins.
    @Test func concurrentRunsKeepSeparatePartialFolders() throws {
        let both = ["", "-2"].map { "twice/\(Self.name)\($0).partial/journal" }
        var wereBothThere = false
        _ = try place.run(Workplace.tool, arguments + ["--out", "twice"]) { one in
            _ = try place.run(Workplace.tool, arguments + ["--out", "twice"]) { other in
                while one.isRunning, other.isRunning, !wereBothThere {
                    wereBothThere = both.allSatisfy(place.exists)
                    usleep(2_000)
                }
            }
        }
        #expect(wereBothThere)
        #expect(try place.names("twice").filter { $0.hasSuffix(".partial") || $0.hasPrefix(".") }.isEmpty)
    }

    @Test func runKeepsForeignFilesInItsPartialFolder() throws {
        let partial = "others/\(Self.name).partial"
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent(partial), withIntermediateDirectories: true)
        try place.write("mine", to: "\(partial)/notes")
        #expect(try place.stampede(arguments + ["--out", "others"]).status == ExitStatus.violationsFound.rawValue)
        #expect(try place.names(partial) == ["notes"])
    }

    @Test func resumePicksThePartialFolderOfTheSameRun() throws {
        try killed(arguments + ["--tag", "a=b"], in: "killed", after: 0)
        let partial = "killed/\(Self.name).partial"
        try #require(place.exists(partial))
        try FileManager.default.moveItem(
            at: place.folder.appendingPathComponent(partial),
            to: place.folder.appendingPathComponent("killed/\(Self.name)-2.partial"))
        try killed(arguments, in: "killed", after: 0)
        try #require(place.exists(partial))
        let resumed = try place.stampede(arguments + ["--tag", "a=b", "--out", "killed", "--resume"])
        #expect(resumed.status == ExitStatus.violationsFound.rawValue, "\(resumed.all)")
        #expect(resumed.errors.contains("resuming killed/\(Self.name)-2.partial"))
        #expect(place.exists(partial) && !place.exists("killed/\(Self.name)-2.partial"))
    }

    @Test func resumeOfAWallClockRunReportsWhatWasJudged() throws {
        let scenario = try place.longScenario()
        let partial = "Reports/long-reference-1.partial"
        withKnownIssue(isIntermittent: true) {
            _ = try place.run(Workplace.tool, ["run", scenario, "--ignore-saturation"]) { process in
                awaitBatch(partial, of: process)
                usleep(1_500_000)
                Foundation.kill(process.processIdentifier, SIGKILL)
            }
        }
        try #require(place.exists(partial))
        let told = try place.stampede("run", "--resume", partial)
        #expect(told.status == ExitStatus.interrupted.rawValue, "\(told.all)")
        #expect(told.errors.contains("a wall-clock run cannot continue"))
        let report = try place.report("Reports/long-reference-1/report.json")
        #expect(report.verdict.sentences.first?.contains("10 users") ?? false, "\(report.verdict.sentences)")
        #expect(!place.exists(partial))
    }

    @Test func resumeRefusesAPartialFolderInUse() throws {
        let outcome = try place.run(Workplace.tool, arguments + ["--out", "used"]) { process in
            let partial = "used/\(Self.name).partial"
            awaitBatch(partial, of: process)
            guard process.isRunning else { return }
            Foundation.kill(process.processIdentifier, SIGSTOP)
            let other = try place.stampede("run", "--resume", partial)
            #expect(
                other.status == ExitStatus.invalidInput.rawValue && other.errors.contains("is in use"), "\(other.all)")
            Foundation.kill(process.processIdentifier, SIGCONT)
        }
        #expect(outcome.status == ExitStatus.violationsFound.rawValue)
    }
}
