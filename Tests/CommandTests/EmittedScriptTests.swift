// The scripts that stampede emit writes, run with schedulers that only play at it: what reaches the program, what is
// started again, and which exit code comes out.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct EmittedScriptTests {
    private static let schedulers = ["slurm", "mpi", "parallel"]

    /// A place with a script of four parts, and programs that stand in for others.
    private func emitted(
        _ scheduler: String, scenario: String = "small.yml", options: [String] = []
    ) throws -> Workplace {
        let place = try Workplace()
        _ = try place.scenario(scenario)
        let outcome = try place.stampede(
            ["emit", scheduler, scenario, "--shards", "4", "--to", "job.sh"] + options)
        #expect(outcome.isStatus(.passed), "\(outcome)")
        let bin = place.folder.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        for (name, text) in FakePrograms.all {
            try place.write("#!/bin/bash\n" + text, to: "bin/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: bin.appendingPathComponent(name).path)
        }
        return place
    }

    private func run(
        _ place: Workplace, _ environment: [String: String] = [:], script: String = "job.sh"
    ) throws -> Outcome {
        let path = place.folder.path + "/bin:/usr/bin:/bin"
        return try place.run(
            URL(fileURLWithPath: "/bin/bash"), [script], environment: ["PATH": path].merging(environment) { $1 })
    }

    /// What the program was called with, in the order of parts.
    private func calls(_ place: Workplace) throws -> [String] {
        guard place.exists("calls.txt") else { return [] }
        let calls = String(decoding: try place.read("calls.txt"), as: UTF8.self).split(separator: "\n").map(String.init)
        return calls.filter { $0.hasPrefix("run") }.sorted() + calls.filter { !$0.hasPrefix("run") }
    }

    private static let folder = "Reports/small-reference-1-of-4"

    private func part(_ number: Int, workers: String) -> String {
        "run|small.yml|--shard|\(number)/4|--resume|--workers|\(workers)|--out|\(Self.folder)/parts"
    }

    private static let merge =
        "merge|" + (1...4).map { "\(folder)/parts/small-reference-1-part-\($0)-of-4" }.joined(separator: "|")
        + "|--out|\(folder)/whole"

    // MARK: Tests

    @Test(arguments: schedulers, [0, 99, 110])
    func emittedScriptExitsWithTheMergesVerdict(scheduler: String, verdict: Int32) throws {
        let place = try emitted(scheduler)
        let outcome = try run(place, ["VERDICT": "\(verdict)"])
        #expect(outcome.status == verdict && outcome.out.contains("the summary"), "\(outcome)")
        let workers = scheduler == "slurm" ? "4" : "1"
        #expect(try calls(place) == (1...4).map { part($0, workers: workers) } + [Self.merge])
    }

    // A part that is broken off leaves the merge to name it; started again, only what is missing is run.
    @Test(arguments: schedulers)
    func emittedScriptRunsOnlyMissingPartsWhenRestarted(scheduler: String) throws {
        let place = try emitted(scheduler)
        let broken = try run(place, ["BROKEN": "3"])
        #expect(broken.isStatus(.invalidInput) && broken.all.contains("there are 3 parts"), "\(broken)")
        #expect(try calls(place).count { $0.hasPrefix("run") } == 4)
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent("calls.txt"))
        let whole = try run(place)
        #expect(whole.isStatus(.passed), "\(whole)")
        #expect(try calls(place) == [part(3, workers: scheduler == "slurm" ? "4" : "1"), Self.merge])
        // What is done is not done again, nor written over.
        let again = try run(place)
        #expect(again.isStatus(.invalidInput) && again.errors.contains("already contains a run"), "\(again)")
        #expect(try run(place, ["STAMPEDE_OUT": "Reports/other one"]).isStatus(.passed))
        #expect(place.exists("Reports/other one/whole"))
    }

    @Test(arguments: schedulers)
    func emittedScriptPassesOptionsUnchanged(scheduler: String) throws {
        let place = try emitted(
            scheduler, scenario: EmitCommandTests.oddPath,
            options: ["--seed", "7", "--users", "20", "--client-option", "validation=server"])
        // Called by another name than the usual one, from a folder whose name is odd as well.
        let bin = place.folder.appendingPathComponent("bin")
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("it's"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: bin.appendingPathComponent("stampede"), to: place.folder.appendingPathComponent("it's/the tool"))
        let outcome = try run(place, ["STAMPEDE": "./it's/the tool"])
        #expect(outcome.isStatus(.passed), "\(outcome)")
        let words = [
            "run", EmitCommandTests.oddPath, "--client-option", "validation=server", "--seed", "7", "--users", "20",
            "--shard", "",
        ].joined(separator: "|")
        let calls = try calls(place).filter { $0.hasPrefix("run") }
        #expect(calls.count == 4 && calls.allSatisfy { $0.hasPrefix(words) }, "\(calls)")
    }

    // In real time parts begin together: one step of Slurm, all jobs at once, and nothing that begins later.
    @Test(arguments: schedulers)
    func emittedScriptStartsWallClockPartsTogether(scheduler: String) throws {
        let place = try emitted(scheduler, options: ["--clock", "wall"])
        let outcome = try run(place, ["VERDICT": "110"])
        #expect(outcome.isStatus(.violationsFound), "\(outcome)")
        let calls = try calls(place)
        #expect(calls.count == 5 && calls.allSatisfy { !$0.contains("--resume") }, "\(calls)")
        if scheduler == "slurm" { #expect(calls[0].contains("|--shard|auto|"), "\(calls)") }
        let asked = String(decoding: try place.read("asked.txt"), as: UTF8.self)
        switch scheduler {
        case "slurm": #expect(asked.contains("--ntasks=4") && asked.contains("--no-requeue"), "\(asked)")
        case "parallel": #expect(asked.contains("--jobs 4 "), "\(asked)")
        default: #expect(asked.contains("-n 4 "), "\(asked)")
        }
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent(Self.folder + "/whole"))
        #expect(try run(place).errors.contains("already contains a run"))
    }

    @Test func emittedSlurmScriptSubmitsAnArrayAndADependentMerge() throws {
        let place = try emitted("slurm")
        let outcome = try run(place, ["STAMPEDE_TIME": "00:10:00", "STAMPEDE_CPUS": "2"])
        #expect(outcome.isStatus(.passed), "\(outcome)")
        let asked = String(decoding: try place.read("asked.txt"), as: UTF8.self).split(separator: "\n")
        #expect(asked.count == 2 && asked.allSatisfy { $0.contains("--time=00:10:00") })
        for option in ["--array=1-4", "--requeue", "--signal=B:TERM@60", "--cpus-per-task=2", "--open-mode=append"] {
            #expect(asked[0].contains(option), "\(option)")
        }
        // The number alone, without the cluster behind it.
        #expect(asked[1].contains("--dependency=afterany:4321 ") && asked[1].contains("--wait"), "\(asked)")
        #expect(try calls(place)[0] == part(1, workers: "2"))
        #expect(try place.names(Self.folder + "/logs") == ["merge.txt"] + (1...4).map { "part-\($0).txt" })
    }

    @Test func emittedMPIScriptRefusesUnknownRankVariables() throws {
        let place = try emitted("mpi")
        let outcome = try run(place, ["STAMPEDE_MPIRUN": "mpirun --without-numbers"])
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("neither OMPI_COMM_WORLD_RANK"))
        // MPICH's name for it, and options before its own.
        #expect(try run(place, ["STAMPEDE_MPIRUN": "mpirun --as PMI_RANK"]).isStatus(.passed))
    }

    // The commands in the head of the manifests, as somebody would paste them.
    @Test func emittedKubernetesCommandsEndWithTheVerdict() throws {
        let place = try emitted("mpi")
        let manifests = try place.stampede("emit", "kubernetes", "small.yml", "--shards", "4").out
        let lines = manifests.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("#   kubectl apply") }.prefix { $0.hasPrefix("#   ") }
        try place.write(lines.map { $0.dropFirst(4) }.joined(separator: "\n") + "\n", to: "pasted.sh")
        let outcome = try run(place, ["VERDICT": "110"], script: "pasted.sh")
        #expect(outcome.isStatus(.violationsFound) && outcome.out == "the summary\n", "\(outcome)")
        let asked = String(decoding: try place.read("asked.txt"), as: UTF8.self).split(separator: "\n")
        #expect(asked.count == 6 && asked[0] == "apply -f job.yaml", "\(asked)")
        let job = "stampede-small-reference-1-merge"
        #expect(asked.dropFirst().allSatisfy { $0.contains(job) } && manifests.contains("  name: \(job)\n"), "\(asked)")
    }

    @Test(arguments: schedulers)
    func emittedScriptRefusesOtherArguments(scheduler: String) throws {
        let place = try emitted(scheduler)
        let outcome = try place.run(
            URL(fileURLWithPath: "/bin/bash"), ["job.sh", "all"], environment: [:])
        #expect(outcome.isStatus(.invalidInput) && outcome.errors == "usage: bash job.sh\n")
    }
}
