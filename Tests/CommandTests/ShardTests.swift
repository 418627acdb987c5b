// Runs, sweeps, swarms and matrices in parts, as commands: merged they are the undivided ones, and what is no part of them is refused.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ShardTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    // MARK: Whole

    @Test func mergedPartsEqualTheWholeRun() throws {
        let scenario = Workplace.shipped("launch-redelivery")
        let arguments = ["run", scenario, "--client", "iap-manager", "--users", "300", "--operations", "--tag", "a=b"]
        let whole = try place.stampede(arguments + ["--out", "whole", "--quiet"])
        for part in 1...3 {
            let made = try place.stampede(arguments + ["--out", "parts", "--quiet", "--shard", "\(part)/3"])
            #expect(made.status == 0 && made.all.isEmpty, "\(made.all)")
        }
        let names = try place.names("parts")
        #expect(names.map { String($0.suffix(12)) } == (1...3).map { "-part-\($0)-of-3" }.map { String($0.suffix(12)) })
        let report = try place.report("parts/\(names[1])/report.json")
        #expect(report.verdict.outcome == .part && report.verdict.exitCode == 0)
        #expect(report.shard?.text == "2/3" && report.run.users == 300)
        #expect(report.thresholds.allSatisfy { $0.outcome != .passed })
        #expect(!place.exists("parts/\(names[1])/junit.xml"))
        let merged = try place.stampede(
            ["merge"] + names.shuffled().map { "parts/\($0)" } + ["--out", "merged", "--quiet"])
        #expect(merged.status == whole.status && whole.status == ExitStatus.violationsFound.rawValue)
        #expect(try place.withoutHost("merged/report.json") == place.withoutHost("whole/latest/report.json"))
        #expect(try place.read("merged/operations.ndjson") == place.read("whole/latest/operations.ndjson"))
        let host = try place.report("merged/report.json").host
        #expect(host.parts?.map(\.shard) == ["1/3", "2/3", "3/3"])
        #expect(host.parts?.compactMap(\.users).reduce(0, +) == 300)
        #expect(host.notes.contains { $0.contains("3 parts of the run ran separately") })
        // With nothing left behind.
        #expect(try place.names("parts") == names)
    }

    @Test func mergedPartsEqualTheWholeSweepSwarmAndMatrix() throws {
        let scenario = try place.scenario()
        let commands: [(name: String, arguments: [String])] = [
            (
                "sweep",
                [scenario, "--client", "iap-manager", "--depth", "2", "--interleavings", "60", "--window", "20ms"]
            ),
            ("swarm", ["--client", "iap-manager", "--runs", "12"]),
            (
                "matrix",
                ["--scenarios", scenario, "--clients", "iap-manager,reference,pay-api", "--fail-on-violations"]
            ),
        ]
        for (name, arguments) in commands {
            let out = name == "swarm" ? ["--out", "Reports"] : []
            let whole = try place.stampede([name] + arguments + out + ["--json", "--quiet"])
            // What was found before is tried again.
            try? FileManager.default.removeItem(at: place.folder.appendingPathComponent("Reports"))
            for part in 1...3 {
                let made = try place.stampede([name] + arguments + ["--out", name, "--shard", "\(part)/3"])
                #expect(made.status == 0, "\(made.all)")
                #expect(made.out.contains("merge \(name)/"))
            }
            let parts = try place.names(name).map { "\(name)/\($0)" }
            #expect(parts.count == 3)
            let merged = try place.stampede(["merge", "--json", "--quiet"] + out + parts)
            #expect(
                merged.status == whole.status && whole.status == ExitStatus.violationsFound.rawValue, "\(merged.all)")
            #expect(merged.out == whole.out, "\(name)")
        }
    }

    // Each part has noticed the same of the client's code.
    @Test func mergeReportsTheSameNoteOnce() throws {
        let (place, file) = try CrashTests.place(users: 100)
        let arguments = ["run", file, "--client", "hostile", "--client-option", "how=outside", "--quiet"]
        func stampede(_ more: String...) throws { _ = try place.run(Workplace.faultyTool, arguments + more) }
        try stampede("--out", "whole")
        for part in 1...3 { try stampede("--out", "parts", "--shard", "\(part)/3") }
        let parts = try place.names("parts").map { "parts/\($0)" }
        _ = try place.run(Workplace.faultyTool, ["merge", "--out", "merged", "--quiet"] + parts)
        let whole = try place.report("whole/latest/report.json").host.notes
        #expect(!whole.isEmpty)
        #expect(
            try place.report("merged/report.json").host.notes.filter { !$0.contains("ran separately") } == whole
        )
    }

    // MARK: Refused

    /// Two parts of three, and what they were made of.
    private func someParts() throws -> (scenario: String, folders: [String]) {
        let scenario = try place.scenario()
        for part in 1...3 {
            #expect(
                try place.stampede("run", scenario, "--users", "100", "--shard", "\(part)/3", "--operations", "--quiet")
                    .status == 0)
        }
        return (scenario, (1...3).map { "Reports/small-reference-1-part-\($0)-of-3" })
    }

    private func refused(_ folders: [String], _ words: [String], sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let outcome = try place.stampede(["merge"] + folders + ["--out", "merged"])
        #expect(outcome.status == ExitStatus.invalidInput.rawValue, "\(outcome.all)", sourceLocation: sourceLocation)
        for word in words {
            #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: sourceLocation)
        }
        #expect(outcome.out.isEmpty && !place.exists("merged"), sourceLocation: sourceLocation)
    }

    private func change(_ name: String, _ change: (inout Data) -> Void) throws {
        var data = try place.read(name)
        change(&data)
        try place.write(data, to: name)
    }

    @Test func mergeNamesMissingAndDoubledParts() throws {
        let (_, folders) = try someParts()
        try refused([folders[0], folders[2]], ["part 2/3 is missing"])
        try refused([folders[1]], ["parts are missing: 1/3, 3/3"])
        try refused(folders + [folders[1]], ["part 2/3 is given twice"])
        try refused(folders + ["nowhere"], ["nowhere has no part.stampede"])
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent(folders[1] + "/part.stampede"))
        try refused(folders, ["\(folders[1]) has no part.stampede", "copy the part's whole folder"])
    }

    @Test func mergeNamesPartsOfOtherRuns() throws {
        let (scenario, folders) = try someParts()
        for (arguments, words) in [
            (["--seed", "2", "--shard", "2/3", "--operations"], "the seed 2 instead of 1"),
            (["--shard", "2/4", "--operations"], "the number of parts 4 instead of 3"),
            (
                ["--client", "iap-manager", "--shard", "2/3", "--operations"],
                "the client iap-manager instead of reference"
            ),
            (["--users", "200", "--shard", "2/3", "--operations"], "the population 200 instead of 100"),
            (["--shard", "2/3"], "another option --operations"),
            (["--tag", "a=b", "--shard", "2/3", "--operations"], "another set of tags"),
        ] {
            #expect(
                try place.stampede(
                    ["run", scenario, "--out", "other", "--quiet"]
                        + (arguments[0] == "--users" ? [] : ["--users", "100"]) + arguments
                ).status == 0)
            let other = "other/\(try #require(try place.names("other").first))"
            try refused([folders[0], other, folders[2]], [other, words])
            try FileManager.default.removeItem(at: place.folder.appendingPathComponent("other"))
        }
        let changed = try place.scenario(extra: "description: Another text.")
        #expect(
            try place.stampede(
                "run", changed, "--users", "100", "--shard", "2/3", "--operations", "--out", "other", "--quiet"
            ).status == 0)
        try refused([folders[0], "other/small-reference-1-part-2-of-3", folders[2]], ["another text of the scenario"])
        #expect(try place.stampede("run", changed, "--out", "whole", "--quiet").status == 0)
        try refused(folders.dropLast() + ["whole/latest"], ["the report of a whole run"])
        #expect(try place.stampede("sweep", changed, "--shard", "1/3", "--out", "sweep").status == 0)
        try refused(
            folders.dropFirst() + ["sweep/small-reference-1-sweep-part-1-of-3"], ["the command sweep instead of run"])
    }

    @Test func mergeRefusesPartsOfAnotherBuild() throws {
        let (scenario, folders) = try someParts()
        let made = try place.run(
            Workplace.faultyTool,
            ["run", scenario, "--users", "100", "--shard", "2/3", "--operations", "--out", "other", "--quiet"])
        #expect(made.status == 0, "\(made.all)")
        let other = "other/small-reference-1-part-2-of-3"
        try refused([folders[0], other, folders[2]], ["another build of the program", other])
    }

    @Test func mergeNamesCutOrAlteredPartFiles() throws {
        let (_, folders) = try someParts()
        for name in ["part.stampede", "report.json", "operations.part"] {
            let file = "\(folders[1])/\(name)"
            let whole = try place.read(file)
            #expect(!whole.isEmpty)
            try change(file) { $0.removeLast() }
            try refused(folders, ["\(file) is cut off or was changed"])
            for byte in [0, whole.count / 3, whole.count / 2, whole.count - 1] {
                try place.write(whole, to: file)
                try change(file) { $0[byte] ^= 1 }
                try refused(folders, ["\(file) is cut off or was changed"])
            }
            try place.write(whole, to: file)
        }
        #expect(try place.stampede(["merge", "--out", "merged", "--quiet"] + folders).status == 0)
    }

    // A pipe is not waited for, and a file that is no part is named as it was given.
    @Test func mergeNamesFoldersThatHoldNoPart() throws {
        let (_, folders) = try someParts()
        try place.write("text", to: "notes.txt")
        try refused(folders + ["notes.txt"], ["notes.txt has no part.stampede"])
        let file = "\(folders[1])/part.stampede"
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent(file))
        #expect(mkfifo(place.folder.appendingPathComponent(file).path, 0o644) == 0)
        try refused(folders, ["\(file) cannot be read"])
    }

    @Test func existingPartOrMergeFolderIsNotOverwritten() throws {
        let (scenario, folders) = try someParts()
        let arguments = ["run", scenario, "--users", "100", "--shard", "2/3", "--operations"]
        let again = try place.stampede(arguments)
        #expect(again.status == ExitStatus.invalidInput.rawValue && again.errors.contains(folders[1]))
        let resumed = try place.stampede(arguments + ["--resume"])
        #expect(resumed.status == 0 && resumed.errors.contains("part 2/3 already exists"))
        let other = try place.stampede(arguments + ["--resume", "--tag", "a=b"])
        #expect(other.status == ExitStatus.invalidInput.rawValue)
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("merged"), withIntermediateDirectories: true)
        let merged = try place.stampede(["merge", "--out", "merged"] + folders)
        #expect(
            merged.status == ExitStatus.invalidInput.rawValue && merged.errors.contains("merged already exists"))
    }

    // Before its work, and not after it.
    @Test func partIsRefusedBeforeItsWorkIfItsFolderExists() throws {
        let scenario = try place.scenario()
        let commands = [
            ["sweep", scenario], ["swarm", "--client", "reference", "--runs", "4"],
            ["matrix", "--scenarios", scenario, "--clients", "reference"],
        ]
        for command in commands {
            let arguments = command + ["--shard", "1/2", "--out", command[0]]
            #expect(try place.stampede(arguments).status == 0)
            let again = try place.stampede(arguments)
            #expect(again.status == ExitStatus.invalidInput.rawValue, "\(again.all)")
            #expect(try again.errors.contains("\(command[0])/\(place.names(command[0])[0]) already exists"))
        }
    }

    // MARK: Numbers from schedulers

    @Test(arguments: [
        (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"], "3/4"),
        (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "4"], "1/4"),
        (
            [
                "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "3",
                "SLURM_ARRAY_TASK_STEP": "2",
            ], "3/4"
        ), (["SLURM_PROCID": "1", "SLURM_NTASKS": "2"], "2/2"),
        (["OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "5"], "1/5"),
        (["PMI_RANK": "4", "PMI_SIZE": "5"], "5/5"),
        (["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "3"], "3/3"),
        (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"], "1/3"),
    ])
    func shardAutoReadsThePartFromTheScheduler(environment: [String: String], part: String) throws {
        let scenario = try place.scenario()
        let outcome = try place.stampede("run", scenario, "--shard", "auto", "--quiet", environment: environment)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("part \(part), from "))
        let name = part.replacingOccurrences(of: "/", with: "-of-")
        #expect(place.exists("Reports/small-reference-1-part-\(name)"))
    }

    @Test func shardAutoNeedsOfForCompletionIndices() throws {
        let scenario = try place.scenario()
        let environment = ["JOB_COMPLETION_INDEX": "1"]
        let untold = try place.stampede("run", scenario, "--shard", "auto", environment: environment)
        #expect(untold.status == ExitStatus.invalidInput.rawValue && untold.errors.contains("--of"))
        let told = try place.stampede(
            "run", scenario, "--shard", "auto", "--of", "2", "--quiet", environment: environment)
        #expect(told.status == 0 && place.exists("Reports/small-reference-1-part-2-of-2"))
    }

    @Test(arguments: [
        (["--shard", "auto"], [:], "no scheduler has numbered this process"),
        (["--shard", "0/3"], [:], "--shard 0/3 is not a part"), (["--shard", "4/3"], [:], "--shard 4/3 is not a part"),
        (["--shard", "x"], [:], "--shard x is not a part"), (["--shard", "1/2/3"], [:], "is not a part"),
        (["--of", "3"], [:], "`--of` can only be used with `--shard auto`"),
        (
            ["--shard", "auto", "--of", "3"], ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"],
            "--of is 3, but CI_NODE_TOTAL is 4"
        ),
        (
            ["--shard", "auto"], ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"],
            "CI_NODE_INDEX is 5, which is not one of 4 parts"
        ),
        (
            ["--shard", "auto"], ["CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "4"],
            "CI_NODE_INDEX is 'one', which is not a number"
        ),
        (["--shard", "1/3", "--only-user", "2"], [:], "--only-user judges a single user"),
    ])
    func shardRefusesWrongNumbers(arguments: [String], environment: [String: String], words: String) throws {
        let scenario = try place.scenario()
        let outcome = try place.run(Workplace.tool, ["run", scenario] + arguments, environment: environment)
        #expect(outcome.status == ExitStatus.invalidInput.rawValue && outcome.errors.contains(words), "\(outcome.all)")
        #expect(!place.exists("Reports"))
    }

    @Test func mergeAcceptsPartsOfAWallClockRun() throws {
        let scenario = try place.scenario(extra: "clock: wall")
        for part in 1...2 {
            let made = try place.stampede(
                "run", scenario, "--shard", "\(part)/2", "--quiet", "--ignore-saturation", "--start-at",
                "2020-01-01T00:00:00Z")
            #expect(made.status == 0 && made.errors.contains("--start-at was"), "\(made.all)")
        }
        let merged = try place.stampede(
            "merge", "Reports/small-reference-1-part-1-of-2", "Reports/small-reference-1-part-2-of-2", "--out", "merged"
        )
        #expect(merged.status == 0, "\(merged.all)")
        #expect(try place.report("merged/report.json").metrics.first { $0.name == "purchases" }?.count == 30)
        let bad = try place.stampede("run", scenario, "--start-at", "soon")
        #expect(bad.status == ExitStatus.invalidInput.rawValue && bad.errors.contains("2027-03-01T12:00:00Z"))
    }
}
