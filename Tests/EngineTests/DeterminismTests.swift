// The same scenario and seed give the same report, byte for byte, on any number of workers.

import ClientKit
import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct DeterminismTests {
    private func report(
        _ scenario: Scenario, _ client: any StoreClient.Type, workers: Int, onlyUser: Int? = nil
    ) throws -> String {
        let options = RunOptions(scenario: scenario, client: client, workers: workers, onlyUser: onlyUser)
        let result = Run(options).perform()
        var report = ReportBuilder(
            result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
        ).report()
        report.host = Report.Host(startedAt: "", durationSeconds: 0, workers: 0, cores: 0, system: "")
        return String(decoding: try report.json(), as: UTF8.self)
    }

    static let scenarios = [
        ("quickstart", "iap-manager"), ("crash-anywhere", "iap-manager"), ("crash-anywhere", "reference"),
        ("flaky-network", "reference"), ("product-fetch-burst", "iap-manager"), ("restore-storm", "reference"),
        ("launch-redelivery", "iap-manager"), ("purchase-flow", "iap-manager"),
    ]

    @Test(arguments: scenarios)
    func reportDoesNotDependOnTheWorkerCount(name: String, client: String) throws {
        let type = try #require(ClientRegistry()[client])
        // Eight cells: more than there are workers.
        let scenario = try Scenario.shipped(name, users: 240)
        let first = try report(scenario, type, workers: 1)
        #expect(try report(scenario, type, workers: 2) == first)
        #expect(try report(scenario, type, workers: 1) == first)
        #expect(try report(scenario, type, workers: 7) == first)
    }

    @Test(arguments: scenarios)
    func anotherSeedGivesAnotherReport(name: String, client: String) throws {
        let type = try #require(ClientRegistry()[client])
        var scenario = try Scenario.shipped(name, users: 100)
        let first = try report(scenario, type, workers: 1)
        scenario.seed += 1
        let second = try report(scenario, type, workers: 1)
        #expect(second != first)
        // Not only the number of the seed differs.
        #expect(
            second.replacingOccurrences(of: "\(scenario.seed)", with: "")
                != first.replacingOccurrences(
                    of: "\(scenario.seed - 1)", with: ""))
    }

    // A store with a finite capacity and the pool of an open load, cut into several cells.
    @Test func sharedStoreInSeveralCellsIsRepeatable() throws {
        let scenario = try Scenario.text(
            """
            name: Shared
            store: {catalog: shop.storekit, capacity: {workers: 40, service_time: {median: 20ms, p99: 120ms}, queue: 900}}
            network: {latency: {median: 40ms, p99: 300ms}}
            population: {users: 4_500}
            load:
              - {name: crowd, journey: j, executor: at-once, users: 3_000}
              - {name: stream, journey: j, executor: constant-arrival-rate, rate: 300/s, for: 2s}
            journeys: {j: [launch, fetch_products, terminate]}

            """)
        #expect(CellPlan(scenario).cellCount > 1)
        let first = try report(scenario, IAPManagerForTests.type, workers: 1)
        #expect(try report(scenario, IAPManagerForTests.type, workers: 2) == first)
    }

    // A replay must show what happened in the full run, not something like it.
    @Test(arguments: ["crash-anywhere", "launch-redelivery", "quickstart"])
    func onlyUserRunRepeatsThatUsersTimeline(name: String) throws {
        let scenario = try Scenario.shipped(name, users: 400)
        let full = run(scenario, IAPManagerForTests.type)
        let shown = full.collector.evidence.values.joined()
        #expect(!shown.isEmpty)
        for found in shown {
            let alone = run(scenario, IAPManagerForTests.type, onlyUser: found.user)
            #expect(alone.collector.onlyUserTimeline == found.evidence.timeline.lines, "user \(found.user)")
            #expect(alone.collector.usersJudged == 1 && alone.unjudgedUsers == 0)
            #expect(alone.violations[found.evidence.violation.rule] != nil)
        }
    }

    // One user more is one user more: nobody else's chances change.
    @Test func userTimelineDoesNotDependOnTheUserCount() throws {
        func timeline(_ users: Int) throws -> [String] {
            let scenario = try Scenario.shipped("crash-anywhere", users: users)
            return run(scenario, onlyUser: 3).collector.onlyUserTimeline.map { "\($0.atNs) \($0.text)" }
                // Transactions are numbered as they come to the store, and the app names keys by them.
                .map { $0.replacing(#/[0-9]{10,}/#, with: "…") }
        }
        #expect(try timeline(20) == timeline(21))
    }
}

/// The flawed client, which leaves evidence.
enum IAPManagerForTests {
    static var type: any StoreClient.Type { IAPManagerClient.self }
}
