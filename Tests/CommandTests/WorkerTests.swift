// Workers are processes: what they find is what threads find, and what happens to one of them is told.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct WorkerTests {
    // MARK: The same reports

    private static let cases = [
        ("crash-anywhere", "iap-manager"), ("subscriptions", "template"), ("many-devices", "in-app-purchase-lib"),
        ("store-outage", "store-observer"), ("validator-outage", "reference"), ("product-fetch-burst", "pay-api"),
    ]

    @Test(arguments: cases)
    func reportIsTheSameInAndOutOfWorkerProcesses(scenario: String, client: String) throws {
        let place = try Workplace()
        var seen: Set<[Data]> = []
        for words in [
            ["1", "--workers-in-process"], ["2", "--workers-in-process"], ["1"], ["2"], ["3"],
        ] {
            _ = try place.stampede(
                ["run", Workplace.shipped(scenario), "--client", client, "--users", "100", "--operations", "--quiet"]
                    + ["--no-record", "--workers"] + words)
            let report = try place.withoutHost(try place.read("Reports/latest/report.json"))
            seen.insert([report, try place.read("Reports/latest/operations.ndjson")])
        }
        #expect(seen.count == 1)
    }

    // What ends the run is looked at in rounds.
    @Test func abortedRunsReportIsTheSameInAndOutOfWorkers() throws {
        let place = try Workplace()
        let file = try place.manyUsers(extra: "thresholds: {purchases: {threshold: count < 200, abort_on_fail: true}}")
        var seen: Set<Data> = []
        for words in [["1", "--workers-in-process"], ["1"], ["2"], ["3"]] {
            let outcome = try place.stampede(["run", file, "--quiet", "--workers"] + words)
            #expect(outcome.isStatus(.thresholdFailed), "\(outcome.all)")
            seen.insert(try place.withoutHost(try place.read("Reports/latest/report.json")))
        }
        #expect(seen.count == 1)
    }

    @Test func replayPrintsTheSameTwice() throws {
        let place = try Workplace()
        _ = try place.stampede("run", Workplace.shipped("purchase-flow"), "--users", "100", "--client", "iap-manager")
        let first = try place.stampede("replay", "Reports/latest")
        let second = try place.stampede("replay", "Reports/latest")
        #expect(first.isStatus(.violationsFound) && first == second)
    }

    @Test(arguments: [
        ["sweep", Workplace.shipped("subscriptions"), "--client", "iap-manager", "--depth", "2", "--json"],
        [
            "sweep", Workplace.shipped("purchase-flow"), "--client", "iap-manager", "--interleavings", "600",
            "--window",
            "20ms", "--json",
        ],
        ["swarm", "--client", "iap-manager", "--runs", "8", "--json"],
        ["matrix", "--scenarios", Workplace.shipped("quickstart"), "--users", "60", "--json"],
    ])
    func commandsFindTheSameForAnyWorkerCount(command: [String]) throws {
        var seen: Set<String> = []
        for words in [["1", "--workers-in-process"], ["1"], ["3"]] {
            seen.insert(try Workplace().stampede(command + ["--workers"] + words).out)
        }
        #expect(seen.count == 1 && seen.first != "")
    }

    // How many attempts it takes depends on how many are made beside each other.
    @Test func shrunkScenarioIsTheSameForAnyWorkerCount() throws {
        let place = try Workplace()
        _ = try place.stampede("run", Workplace.shipped("purchase-flow"), "--users", "100", "--client", "iap-manager")
        var seen: Set<Data> = []
        for words in [["1", "--workers-in-process"], ["1"], ["3"]] {
            let outcome = try place.stampede(
                ["shrink", "Reports/latest", "--quiet", "--out", "small.yml", "--workers"] + words)
            #expect(outcome.isStatus(.passed), "\(outcome.all)")
            seen.insert(try place.read("small.yml"))
        }
        #expect(seen.count == 1)
    }

    @Test func sweepAndSwarmReportAClientThatEndsItsWorker() throws {
        let place = try Workplace()
        let file = try place.manyUsers()
        for command in [["sweep", file], ["swarm", "--runs", "5"]] {
            let outcome = try place.run(
                Workplace.faultyTool,
                command + ["--client", "leaving", "--client-option", "how=_exit"])
            #expect(outcome.isStatus(.clientCrashed), "\(command): \(outcome)")
            #expect(outcome.out.contains("client-exit"), "\(outcome)")
        }
    }

    // MARK: Death of a worker

    // It counts its calls over all devices of its process: in another process it crashes elsewhere.
    @Test(arguments: ["trap", "kill"])
    func runReportsACrashThatIsNotReproduced(how: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", try place.manyUsers(), "--client", "crashing", "--client-option", "how=\(how)", "--workers", "2"])
        // Killed once: the cell is done once more, and nothing is wrong with it.
        if how == "kill", outcome.isStatus(.passed) || outcome.isStatus(.unknown) { return }
        #expect(outcome.isStatus(.unknown), "\(outcome.all)")
        let report = try place.report()
        #expect(report.verdict.exitCode == 111 && report.verdict.outcome == .unknown)
        #expect(report.notes.contains { $0.contains("did not crash when the cell was run again") }, "\(report.notes)")
        let judged = try #require(report.metrics.first { $0.name == "purchases" }?.count)
        #expect((32..<1_000).contains(judged), "\(judged) purchases of finished cells")
    }

    // Somebody else's doing: the cell is done once more, and nothing of it shows.
    @Test(arguments: [SIGKILL, SIGSEGV, SIGTERM])
    func runReplacesAKilledWorkerAndKeepsItsReport(by signal: Int32) throws {
        let place = try Workplace()
        let arguments = ["run", try place.manyUsers(4_000), "--quiet", "--workers", "2", "--no-record"]
        let whole = try place.run(Workplace.tool, arguments)
        let expected = try place.withoutHost(try place.read("Reports/latest/report.json"))
        let outcome = try place.run(Workplace.tool, arguments) { process in
            let worker = try place.awaitWorkers(2, of: process.processIdentifier)[1]
            try place.awaitHandlers(in: worker)
            kill(worker, signal)
        }
        #expect(outcome.status == whole.status, "\(outcome.all)")
        #expect(try place.withoutHost(try place.read("Reports/latest/report.json")) == expected)
    }

    // Not in client code: whoever reads it is told that, and what to send.
    @Test(arguments: ["virtual", "wall"])
    func harnessFaultIsNotBlamedOnTheClient(clock: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            [
                "run", try place.manyUsers(), "--clock", clock, "--ignore-saturation", "--client", "printing",
                "--workers", "1",
            ],
            environment: ["BROKEN_WORKER": "1"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(.harnessFault), "\(outcome)")
        let report = try place.report()
        #expect(report.violations.byRule.allSatisfy { $0.rule != "client-crash" }, "\(report.violations.byRule)")
        let fault = try #require(report.harnessFaults.first)
        #expect(fault.contains("SIG") && fault.contains("BrokenWorker."), "\(fault)")
        #expect(outcome.out.contains("Please report it") && outcome.errors.contains("Stampede itself"), "\(outcome)")
    }

    // Its devices end there; those of the other go on, and are judged.
    @Test func killedWallClockWorkerEndsOnlyItsOwnDevices() throws {
        let place = try Workplace()
        _ = try place.scenario()
        try place.write(
            """
            name: Spread
            clock: wall
            store: {catalog: FakeGame.storekit}
            population: {users: 4100}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, {think: 1ms..4s}, {buy: extra_lives}, terminate]}

            """, to: "spread.yml")
        let arguments = ["run", "spread.yml", "--quiet", "--workers", "2", "--no-record", "--ignore-saturation"]
        let outcome = try place.run(Workplace.tool, arguments) { process in
            let workers = try place.awaitWorkers(2, of: process.processIdentifier)
            // Some are done by then, and some are not.
            usleep(1_500_000)
            kill(workers[1], SIGKILL)
        }
        #expect(outcome.isStatus(.unknown), "\(outcome.all)")
        let report = try place.report()
        #expect(report.notes.contains { $0.contains("SIGKILL") && $0.contains("devices of other workers continued") })
        let judged = try #require(report.metrics.first { $0.name == "iterations" }?.count)
        #expect((1..<4_100).contains(judged), "\(judged) iterations")
    }

    // MARK: Replacement of workers

    // A hundred thousand bytes for each callback: some ten cells fill a worker.
    @Test func replacingFullWorkersDoesNotChangeTheReport() throws {
        let place = try Workplace()
        var seen: Set<Data> = []
        for memory in ["8", "100", "1024"] {
            let outcome = try place.run(
                Workplace.faultyTool,
                [
                    "run", try place.manyUsers(), "--client", "crashing", "--client-option", "how=leak", "--workers",
                    "2", "--worker-memory", memory, "--quiet",
                ])
            #expect(outcome.isStatus(.unknown) || outcome.isStatus(.passed), "\(outcome.all)")
            seen.insert(try place.withoutHost(try place.read("Reports/latest/report.json")))
            let host = try place.report().host
            let left = try #require(host.metrics.first { $0.name == "memory_left_per_launch" }?.value)
            #expect(left > 50_000, "\(left) bytes")
        }
        #expect(seen.count == 1)
    }

    // MARK: Interrupts

    @Test(arguments: [SIGINT, SIGTERM])
    func interruptedRunLeavesNoWorkerProcess(signal: Int32) throws {
        let place = try Workplace()
        let file = try place.endlessRun()
        var workers: [Int32] = []
        let outcome = try place.run(Workplace.tool, ["run", file, "--workers", "2"]) { process in
            workers = try place.awaitWorkers(2, of: process.processIdentifier)
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.isStatus(.interrupted), "\(outcome.all)")
        #expect(try place.report().verdict.exitCode == 105)
        for worker in workers { #expect(kill(worker, 0) == -1 && errno == ESRCH, "\(worker) is still there") }
    }
}

extension Outcome: Equatable {
    static func == (left: Outcome, right: Outcome) -> Bool {
        left.status == right.status && left.out == right.out && left.errors == right.errors
    }
}

extension Workplace {
    /// A report without what differs from machine to machine.
    func withoutHost(_ report: Data) throws -> Data {
        var object = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
        object["host"] = nil
        return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Many cells.
    fileprivate func manyUsers(_ count: Int = 1_000, extra: String = "") throws -> String {
        try write(
            """
            name: Many
            store: {catalog: FakeGame.storekit}
            population: {users: \(count)}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, {buy: extra_lives}, terminate]}
            \(extra)

            """, to: "many.yml")
        return "many.yml"
    }

    /// Nobody waits for its end.
    fileprivate func endlessRun() throws -> String {
        try manyUsers(1_000_000)
    }

    /// The workers of a command, once there are so many.
    fileprivate func awaitWorkers(_ count: Int, of process: Int32) throws -> [Int32] {
        try awaitRun(process)
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
            let found = text.split(separator: " ").compactMap { Int32($0) }
            if found.count == count { return found }
            Thread.sleep(forTimeInterval: 0.001)
        }
        throw Overtime()
    }

    /// Until then a signal ends a worker as any other process, and is not noted. That the one by which client code is interrupted
    /// is caught shows it: the command catches some of the others too.
    fileprivate func awaitHandlers(in process: Int32) throws {
        let interruption = UInt64(62)
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                let caught = status.firstMatch(of: /SigCgt:\s+([0-9a-f]+)/).flatMap({ UInt64($0.1, radix: 16) })
            else { return }
            if caught & 1 << (interruption - 1) != 0 { return }
            Thread.sleep(forTimeInterval: 0.001)
        }
        throw Overtime()
    }
}
