// All parts of a run are the run: the same report, byte for byte, however many there are.

import ClientKit
import Files
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Specimens
import Statics
import Testing

@testable import Engine
@testable import ReportModel
@testable import Reporting

@Suite struct RunPartTests {
    private func options(_ scenario: Scenario, _ client: any StoreClient.Type, shard: Shard? = nil) -> RunOptions {
        var options = RunOptions(scenario: scenario, client: client, workers: 2)
        options.shard = shard
        return options
    }

    private func text(_ result: RunResult, _ options: RunOptions, machines: [Report.Host] = []) throws -> String {
        var report = ReportBuilder(
            result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0), machines: machines
        ).report()
        report.host = Self.host
        return String(decoding: try report.json(), as: UTF8.self)
    }

    private static let host = Report.Host(startedAt: "", durationSeconds: 0, workers: 0, cores: 0, system: "")

    /// In an order that is none.
    private func merged(_ scenario: Scenario, _ client: any StoreClient.Type, parts count: Int) throws -> String {
        let whole = options(scenario, client)
        var sum = RunPart(whole.measures)
        for index in (1...count).sorted(by: { ($0 * 7) % (count + 1) < ($1 * 7) % (count + 1) }) {
            let shard = try #require(Shard(index: index, of: count))
            let part = options(scenario, client, shard: shard)
            let packed = Run(part).performPart().packed(part.measures)
            var unpacker = Unpacker(packed[...])
            try sum.add(&unpacker, scenario.store.catalog)
            #expect(unpacker.isAtEnd)
        }
        return try text(sum.result(whole), whole, machines: [Self.host])
    }

    private func undivided(_ scenario: Scenario, _ client: any StoreClient.Type) throws -> String {
        let options = options(scenario, client)
        return try text(Run(options).perform(), options)
    }

    // MARK: Scenarios

    /// With a finite capacity, with an open load that drops arrivals, with one entry after another, with warm-up and windows.
    static let scenarios = ["capacity", "dropped", "after", "windows", "release-day"]

    private func scenario(_ name: String) throws -> Scenario {
        let shop = "name: Shared\nnetwork: {latency: {median: 40ms, p99: 300ms}}\nbuyers: {decide_after: 200ms..1s}\n"
        switch name {
        case "capacity":
            return try .text(
                shop + """
                    store: {catalog: shop.storekit, capacity: {workers: 40, service_time: {median: 20ms, p99: 120ms}, queue: 300}}
                    population: {users: 1_500}
                    load: [{name: crowd, journey: j, executor: at-once}]
                    journeys: {j: [launch, fetch_products, {buy: extra_lives}, terminate]}

                    """)
        case "dropped":
            return try .text(
                shop + """
                    store: {catalog: shop.storekit}
                    population: {users: 1_100}
                    load: [{name: stream, journey: j, executor: constant-arrival-rate, rate: 1_070/s, for: 3s}]
                    journeys: {j: [launch, fetch_products, {buy: extra_lives}, terminate]}

                    """)
        case "after":
            return try .text(
                shop + """
                    store: {catalog: shop.storekit}
                    population: {users: 700}
                    load:
                      - {name: first, journey: j, executor: at-once, users: 300}
                      - {name: second, journey: j, executor: at-once, after: first}
                    journeys: {j: [launch, fetch_products, {buy: extra_lives}, terminate]}

                    """)
        case "windows":
            return try .text(
                shop + """
                    store: {catalog: shop.storekit}
                    population: {users: 500}
                    warm_up: 1s
                    thresholds: {"purchase_duration{device:1}": p(95) < 5s}
                    load:
                      - {name: first, journey: j, executor: constant-users, for: 5s, users: 300}
                      - {name: second, journey: j, executor: at-once, start_after: 3s}
                    journeys: {j: [launch, fetch_products, {buy: extra_lives}, {think: 100ms..2s}, terminate]}

                    """)
        default: return try .shipped(name, users: 1_000)
        }
    }

    @Test(arguments: scenarios)
    func mergedPartsOfARunEqualTheWholeRun(name: String) throws {
        let scenario = try scenario(name)
        let client = IAPManagerForTests.type
        let whole = try undivided(scenario, client)
        if name == "dropped" { #expect(whole.contains(#""name" : "dropped_iterations""#)) }
        for count in [1, 3, 16] {
            let isEqual = try merged(scenario, client, parts: count) == whole
            #expect(isEqual, "\(count) parts")
        }
    }

    // Whatever chance draws: every executor, every fault, every key.
    @Test func mergedPartsOfDrawnScenariosEqualTheWholeRun() throws {
        let plan = SwarmSample.plan(IAPManagerForTests.type, runs: 0)
        for number in 0..<20 {
            let text = plan.drawing.outline(seed: 11, number: number).text
            let scenario = try plan.read(text).get().scaled(toUsers: 200)
            let whole = try undivided(scenario, IAPManagerForTests.type)
            for count in [2, 5] {
                let isEqual = try merged(scenario, IAPManagerForTests.type, parts: count) == whole
                #expect(isEqual, "scenario \(number), \(count) parts")
            }
        }
    }

    // More parts than cells: those without any are parts all the same.
    @Test func mergeAcceptsPartsWithoutUsers() throws {
        let scenario = try Scenario.shipped("quickstart", users: 40)
        #expect(CellPlan(scenario).cellCount == 2)
        #expect(try merged(scenario, IAPManagerForTests.type, parts: 5) == undivided(scenario, IAPManagerForTests.type))
        let shard = try #require(Shard(index: 1, of: 5))
        #expect(Run(options(scenario, IAPManagerForTests.type, shard: shard)).perform().collector.usersJudged == 0)
    }

    @Test func thresholdDoesNotAbortAPart() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 200ms..400ms"], users: 640,
            load: "executor: constant-users, for: 10s",
            sections: [
                "network: {latency: 20ms..60ms}",
                "thresholds: {purchase_duration: {threshold: p(50) < 1ms, abort_on_fail: true}}",
            ])
        let text = try merged(scenario, ReferenceClient.self, parts: 3)
        let report = try Report(json: Data(text.utf8))
        #expect(report.notes.contains { $0.contains("can stop a run early. Parts of a run always finish") })
        #expect(report.verdict.exitCode == 99)
        #expect(report.metrics.first { $0.name == "iterations" }?.count ?? 0 > 640)
    }

    @Test func partsBoardCountsOnlyItsOwnUsers() throws {
        let scenario = try scenario("after")
        let shard = try #require(Shard(index: 2, of: 3))
        let board = Run(options(scenario, ReferenceClient.self, shard: shard)).board
        let cells = shard.share(of: CellPlan(scenario).cellCount)
        #expect(board.usersTotal == CellPlan(scenario).users(of: cells).count && board.usersTotal < 300)
        #expect(board.entries.map(\.users).reduce(0, +) == board.usersTotal)
    }

    // Which machine was slow is seen where users took longer, whatever number of them it had.
    @Test func mergeNamesSlowParts() {
        let machines = [(100, 10.0), (100, 11), (50, 5.5), (10, 4), (100, 10)].enumerated().map { place, part in
            var host = Report.Host(
                startedAt: "2027-01-01T00:00:0\(place)Z", durationSeconds: part.1, workers: 1, cores: 1, system: "")
            (host.shard, host.users, host.machine) = ("\(place + 1)/5", part.0, "node\(place + 1)")
            return host
        }
        #expect(Report.Host.slowParts(machines).map(\.shard) == ["4/5"])
        let whole = Report.Host(ofParts: machines)
        #expect(
            whole.notes.contains {
                $0.contains("5 parts of the run ran separately: the last part started 4s after the first")
            })
        #expect(whole.notes.contains { $0.contains("Part 4/5 was slow: on node4 a user took 3.6 times as long") })
        // Of two nobody knows which is the usual one.
        #expect(Report.Host.slowParts(Array(machines[2...3])).isEmpty)
    }

    // MARK: Shares

    @Test func shardsShareAllCellsEvenly() {
        for count in [1, 2, 3, 7, 16, 100_000] {
            for pieces in [0, 1, 5, 31, 100, 31_250, 1_000_000_007] {
                var next = 0
                var sizes: Set<Int> = []
                for index in 1...count {
                    guard let share = Shard(index: index, of: count)?.share(of: pieces) else { continue }
                    if share.lowerBound != next { Issue.record("a gap before part \(index) of \(count)") }
                    next = share.upperBound
                    sizes.insert(share.count)
                }
                #expect(next == pieces && (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1, "\(pieces) in \(count)")
            }
        }
        for (index, count) in [(0, 3), (4, 3), (1, 0), (-1, 3), (1, 100_001)] {
            #expect(Shard(index: index, of: count) == nil)
        }
    }

    @Test func cellSetEqualsTheListOfItsCells() {
        var done = IndexSet(integersIn: 3..<9)
        done.insert(20)
        let set = CellSet(0..<30).subtracting(done)
        let list = (0..<30).filter { !done.contains($0) }
        #expect(Array(set) == list && set.count == list.count)
        #expect(Array(set[4..<17]) == Array(list[4..<17]))
        #expect(Array(CellSet(5..<5)) == [])
    }

    @Test func cellPlanFindsTheCellOfEveryUser() throws {
        let plan = CellPlan(try Scenario.shipped("release-day", users: 100_003))
        for cell in [0, 1, plan.cellCount / 2, plan.cellCount - 1] {
            for user in [plan.users(of: cell).lowerBound, plan.users(of: cell).upperBound - 1] {
                #expect(plan.cell(of: user) == cell)
            }
        }
        #expect(plan.cell(of: plan.userCount) == nil && plan.cell(of: -1) == nil)
    }

    // The code of another process lies elsewhere.
    @Test func codePlacesAreTranslatedBetweenProcesses() throws {
        let here = CodeMap.here
        #expect(here.place(0, in: here) == 0)
        let place = UInt(bitPattern: unsafeBitCast(RunPartTests.marker as @convention(c) () -> Void, to: Int.self))
        #expect(here.place(place, in: here) == place)
        let encoder = JSONEncoder()
        var images = try #require(try JSONSerialization.jsonObject(with: encoder.encode(here)) as? [String: Any])
        let moved = try #require(images["images"] as? [[String: Any]]).map { image -> [String: Any] in
            var image = image
            image["base"] = ((image["base"] as? NSNumber)?.uint64Value ?? 0) + 4_096
            return image
        }
        images["images"] = moved
        let there = try JSONDecoder().decode(CodeMap.self, from: JSONSerialization.data(withJSONObject: images))
        #expect(here.place(place, in: there) == place + 4_096)
    }

    private static let marker: @convention(c) () -> Void = {}
}
