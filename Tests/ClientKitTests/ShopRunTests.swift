// Thousands of devices in one process, with a client that has queues of its own: everything comes back to the device
// that it came from.

import Engine
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import ShopClient
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ShopRunTests {
    private func scenario(users: Int, clock: String) throws -> Scenario {
        try Scenario.journey(
            ["launch", "fetch_products", "buy: extra_lives", "buy: unlock_maps", "restore", "terminate"],
            sections: [
                "clock: \(clock)", "population: {users: \(users), owns: {unlock_maps: 50%}}",
                "network: {latency: 1ms..5ms}", "buyers: {decide_after: 1ms..5ms}",
            ])
    }

    private func expectComplete(_ result: RunResult, _ answers: ShopAnswers, users: Int) {
        #expect(result.unjudgedUsers == 0)
        #expect(result.violations.filter { $0.key.isViolation }.isEmpty, "\(result.story)")
        #expect(answers.count(.fetch) == users)
        #expect(answers.count(.purchase) == 2 * users)
        #expect(answers.count(.restore) == users)
        #expect(answers.strayCount == 0)
    }

    @Test func thousandsOfDevicesDoNotMixAnswers() throws {
        let users = 3_000
        let answers = ShopAnswers()
        let result = run(
            try scenario(users: users, clock: "wall"), ShopStoreClient.self, options: ["answers": answers.number],
            workers: 2)
        expectComplete(result, answers, users: users)
    }

    // The client's queues are part of the simulation: the same run gives the same report, on one thread or on many.
    @Test func virtualRunsGiveEqualReportsForAnyWorkerCount() throws {
        let users = 300
        let scenario = try scenario(users: users, clock: "virtual")
        func report(workers: Int) throws -> String {
            let answers = ShopAnswers()
            let options = RunOptions(
                scenario: scenario, client: ShopStoreClient.self, clientOptions: ["answers": answers.number],
                workers: workers)
            let result = Run(options).perform()
            expectComplete(result, answers, users: users)
            // All of it happened on the lane.
            #expect(result.violations[.leftItsQueue] == nil)
            var report = ReportBuilder(
                result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
            ).report()
            report.host = Report.Host(startedAt: "", durationSeconds: 0, workers: 0, cores: 0, system: "")
            report.run.clientOptions = [:]
            return String(decoding: try report.json(), as: UTF8.self)
        }
        let first = try report(workers: 1)
        #expect(try report(workers: 2) == first)
        #expect(try report(workers: 1) == first)
    }
}
