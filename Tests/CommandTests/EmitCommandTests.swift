// stampede emit: the files are what they were, letter by letter, and what no scheduler could do is refused.
//
// With STAMPEDE_RECORD=1 in the environment, Emitted is written anew.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct EmitCommandTests {
    /// One of those that are kept.
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        var path = "small.yml"
        let options: [String]
        var description: String { name }
    }

    /// All that a shell, YAML or a scheduler may take for something else.
    static let oddPath = "it's \"a\" $HOME $(WORKERS) ${{ b }} {{c}} {} 100%: é #1 `d` \\e *.yml"

    static let schedulers = ["slurm", "kubernetes", "github", "gitlab", "mpi", "parallel"]

    private static let cases = [
        Case(name: "plain", options: ["--shards", "16"]),
        Case(
            name: "odd", path: oddPath,
            options: [
                "--client", "reference", "--client-option", "validation=server", "--seed", "18446744073709551615",
                "--users", "20", "--shards", "56", "--command", "shop.stampede",
            ]),
        Case(name: "wall", options: ["--clock", "wall", "--shards", "1"]),
    ]

    private static let folder = Workplace.package.appendingPathComponent("Tests/CommandTests/Emitted")

    private func compare(_ text: String, _ name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["STAMPEDE_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try text == String(contentsOf: file, encoding: .utf8), "\(name)")
    }

    // MARK: Files

    @Test(arguments: schedulers, cases)
    func emitPrintsTheKeptSchedulerFiles(scheduler: String, kept: Case) throws {
        let place = try Workplace()
        _ = try place.scenario(kept.path)
        let outcome = try place.stampede(["emit", scheduler, kept.path] + kept.options)
        #expect(outcome.isStatus(.passed), "\(outcome)")
        try compare(outcome.out, "\(kept.name)-\(scheduler).txt")
    }

    @Test(arguments: cases)
    func emitPrintsTheKeptContainerFiles(kept: Case) throws {
        let place = try Workplace()
        _ = try place.scenario(kept.path)
        let outcome = try place.stampede(["emit", "kubernetes", kept.path, "--containerfile"] + kept.options)
        #expect(outcome.isStatus(.passed), "\(outcome)")
        try compare(outcome.out, "\(kept.name)-containerfile.txt")
    }

    @Test func emitWritesAFileAndNamesItInItsHead() throws {
        let place = try Workplace()
        let scenario = try place.scenario()
        let printed = try place.stampede("emit", "mpi", scenario, "--shards", "3", "--to", "-")
        let outcome = try place.stampede("emit", "mpi", scenario, "--shards", "3", "--to", "my job.sh")
        #expect(outcome.out == "Wrote my job.sh. Start it: bash 'my job.sh'\n" && outcome.isStatus(.passed))
        let text = String(decoding: try place.read("my job.sh"), as: UTF8.self)
        #expect(text == printed.out.replacing("bash job.sh", with: "bash 'my job.sh'"))
        let full = try place.stampede("emit", "mpi", scenario, "--shards", "3", "--to", "/dev/full")
        #expect(full.isStatus(.reportNotWritten))
    }

    // A program with clients of its own is not called 'stampede' there.
    @Test func emittedScriptNamesTheInvokedProgram() throws {
        let place = try Workplace()
        let scenario = try place.scenario()
        let tool = Workplace.built("ShopTool")
        let own = try place.run(tool, ["emit", "gitlab", scenario, "--shards", "3"], environment: [:])
        #expect(own.out.contains("\n      ShopTool run small.yml --shard ") && own.isStatus(.passed), "\(own)")
        let named = try place.stampede(
            "emit", "slurm", scenario, "--shards", "3", "--command", "/opt/it's/stampede")
        #expect(named.out.contains("\nSTAMPEDE=${STAMPEDE:-'/opt/it'\\''s/stampede'}\n"))
    }

    @Test func emitFindsAScenarioByNameAsRunDoes() throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
        _ = try place.scenario("-x.yml")
        try FileManager.default.moveItem(
            at: place.folder.appendingPathComponent("FakeGame.storekit"),
            to: place.folder.appendingPathComponent("Scenarios/FakeGame.storekit"))
        _ = try place.scenario("Scenarios/shop.yml")
        let found = try place.stampede("emit", "kubernetes", "shop", "--shards", "2", "--image", "r.example/shop:1")
        #expect(found.out.contains("\n            - \"Scenarios/shop.yml\"\n"), "\(found)")
        #expect(found.out.matches(of: /image: "r.example\/shop:1"/).count == 3)
    }

    // MARK: What is refused, and what is told

    @Test func emitReportsEveryMistakeAtOnce() throws {
        let place = try Workplace()
        let scenario = try place.scenario(extra: "seeds: 1\nclok: wall")
        let outcome = try place.stampede(
            "emit", "github", scenario, "--shards", "257", "--command", "./tool", "--client", "nobody")
        #expect(outcome.isStatus(.invalidInput) && outcome.out.isEmpty)
        for text in ["'seeds'", "'clok'", "--shards 257: GitHub Actions", "'./tool'", "'nobody'"] {
            #expect(outcome.errors.contains(text), "\(text) in \(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("slurm", "0"), ("slurm", "-1"), ("mpi", "100001"), ("github", "257"), ("gitlab", "201"),
        ("parallel", "100000"),
    ])
    func emitRefusesMoreShardsThanTheSchedulerTakes(scheduler: String, shards: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede("emit", scheduler, try place.scenario(), "--shards", shards)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("--shards \(shards)"), "\(outcome)")
    }

    // As many as the refusal says fit: the kernel takes the names of all of them in one command line.
    @Test func emitAcceptsTheShardCountOfItsHint() throws {
        let place = try Workplace()
        let scenario = try place.scenario()
        let refused = try place.stampede("emit", "mpi", scenario, "--shards", "100000")
        let most = try #require(refused.errors.firstMatch(of: /: ([0-9,]+) at most/)).1.replacing(",", with: "")
        let outcome = try place.stampede("emit", "mpi", scenario, "--shards", String(most))
        #expect(outcome.isStatus(.passed), "\(outcome.errors)")
        let name = "Reports/small-reference-1-of-\(most)/parts/small-reference-1-part-\(most)-of-\(most)"
        let merge = try place.run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "set -f; printf -v names '\(name) %.0s' {1..\(most)}; /bin/true $names"], environment: [:])
        #expect(merge.status == 0, "\(merge.errors.prefix(200))")
    }

    @Test func emitRefusesInvisibleCharactersInPaths() throws {
        let place = try Workplace()
        for name in ["a\nb.yml", "a\u{202E}b.yml", "a\u{2028}b.yml"] {
            let outcome = try place.stampede("emit", "slurm", try place.scenario(name), "--shards", "2")
            #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("invisible characters"), "\(outcome)")
        }
    }

    // A machine of a pipeline has the repository, and nothing of this one.
    @Test func emitRefusesAbsolutePathsForPipelines() throws {
        let place = try Workplace()
        let scenario = try place.scenario()
        let absolute = place.folder.path + "/" + scenario
        for scheduler in ["kubernetes", "github", "gitlab"] {
            let outcome = try place.stampede("emit", scheduler, absolute, "--shards", "2")
            #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("in the repository"), "\(outcome)")
        }
        #expect(try place.stampede("emit", "slurm", absolute, "--shards", "2").isStatus(.passed))
    }

    @Test func emitRefusesKubernetesOptionsForOtherSchedulers() throws {
        let place = try Workplace()
        for option in [["--containerfile"], ["--image", "a"]] {
            let outcome = try place.stampede(["emit", "slurm", try place.scenario(), "--shards", "2"] + option)
            #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains("for kubernetes"), "\(outcome)")
        }
    }

    @Test func emitWarnsAboutIdlePartsArrayLimitsAndWallClockParts() throws {
        let place = try Workplace()
        // Thirty users who share nothing are one cell.
        let scenario = try place.scenario()
        let idle = try place.stampede("emit", "parallel", scenario, "--shards", "4")
        #expect(idle.isStatus(.passed) && idle.errors.contains("warning: 3 parts of 4 will have nothing to do"))
        let users = ["--users", "100000"]
        for (scheduler, shards, words) in [
            ("slurm", "1001", "MaxArraySize"), ("slurm", "1000", nil), ("github", "2", nil), ("mpi", "2", nil),
        ] {
            let outcome = try place.stampede(["emit", scheduler, scenario, "--shards", shards] + users)
            #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty == (words == nil), "\(outcome.errors)")
            if let words { #expect(outcome.errors.contains(words)) }
        }
        for scheduler in Self.schedulers {
            let outcome = try place.stampede(
                ["emit", scheduler, scenario, "--shards", "2", "--clock", "wall", "--users", "100000"])
            let isTold = outcome.errors.contains("start all its parts at the same time")
            #expect(isTold == ["kubernetes", "github", "gitlab"].contains(scheduler), "\(outcome.errors)")
        }
    }
}
