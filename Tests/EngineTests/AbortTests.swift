// Thresholds that end a run: when, with what, and repeatably.

import ClientKit
import Engine
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct AbortTests {
    /// 640 users, 20 cells, ten seconds: a round is 625 ms of the run, and one cell or two.
    private func scenario(_ threshold: String, clock: String = "virtual", users: Int = 640) throws -> Scenario {
        try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 200ms..400ms"], users: users,
            load: "executor: constant-users, for: 10s",
            sections: ["clock: \(clock)", "network: {latency: 20ms..60ms}", "thresholds: {\(threshold)}"])
    }

    private func report(_ scenario: Scenario, workers: Int) throws -> (report: Report, result: RunResult) {
        let options = RunOptions(scenario: scenario, client: ReferenceClient.self, workers: workers)
        let result = Run(options).perform()
        var report = ReportBuilder(
            result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
        ).report()
        report.host = Report.Host(startedAt: "", durationSeconds: 0, workers: 0, cores: 0, system: "")
        return (report, result)
    }

    private static let tooQuick = "purchase_duration: {threshold: p(50) < 1ms, abort_on_fail: true"

    @Test(arguments: [("", 32), (", delay_abort_eval: 5s", 320)])
    func runEndsWhenAnAbortingThresholdFails(delay: String, judged: Int) throws {
        let scenario = try scenario(Self.tooQuick + delay + "}")
        let (report, result) = try report(scenario, workers: 1)
        #expect(result.collector.usersJudged == judged)
        let abort = try #require(result.abort)
        #expect(abort.threshold.key == "purchase_duration" && abort.actual > 1e6)
        #expect(abort.at >= .seconds(delay.isEmpty ? 0 : 5) && abort.at < .seconds(6))
        #expect(report.verdict.exitCode == 99)
        let sentence = try #require(report.verdict.sentences.first)
        #expect(report.verdict.sentences.count == 1)
        #expect(
            sentence.contains(#/^purchase_duration: p\(50\) < 1ms does not hold: it is .*m?s, and stopped the run$/#))
        for workers in [2, 5] {
            #expect(try self.report(scenario, workers: workers).report == report, "\(workers) workers")
        }
    }

    @Test(arguments: [
        "purchase_duration: {threshold: p(50) < 1ms, abort_on_fail: true, delay_abort_eval: 11s}",
        "purchase_duration: {threshold: p(50) < 1ms, abort_on_fail: false}",
        "purchase_duration: {threshold: p(50) < 1h, abort_on_fail: true}",
        "restore_duration: {threshold: p(50) < 1ms, abort_on_fail: true}",
    ])
    func runContinuesIfNoThresholdAborts(threshold: String) throws {
        let (_, result) = try report(try scenario(threshold, users: 128), workers: 2)
        #expect(result.abort == nil && result.collector.usersJudged == 128)
    }

    // Only violations of users judged so far count; 110 as at the end.
    @Test func thresholdOnViolationsEndsTheRun() throws {
        var scenario = try Scenario.shipped("launch-redelivery", users: 2_000)
        scenario.thresholds = try Scenario.journey(
            ["launch"], sections: ["thresholds: {violations: {threshold: count == 0, abort_on_fail: true}}"]
        ).thresholds
        let result = run(scenario, IAPManagerClient.self)
        #expect(result.abort?.threshold.metric == .violations && result.collector.usersJudged < 2_000)
        #expect(result.verdict(result.judge(scenario.thresholdsInForce(for: "iap-manager"))).status == .violationsFound)
    }

    // Everybody is judged, and nothing is lost by the early end.
    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "executor: constant-users, for: 10m", "executor: constant-arrival-rate, rate: 20/s, for: 10m",
            "executor: shared-iterations, iterations: 1_000_000, max_duration: 10m",
            "executor: constant-users, for: 10m, start_after: 10ms",
        ])
    func abortedWallClockRunJudgesEveryUser(load: String) throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 200ms"], users: 30, load: load,
            sections: ["clock: wall", "network: {latency: 20ms}", "thresholds: {\(Self.tooQuick)}}"])
        let (report, result) = try report(scenario, workers: 2)
        #expect(result.abort != nil && result.unjudgedUsers == 0 && !result.wasStopped)
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.purchases) > 0 && report.verdict.exitCode == 99)
        #expect(result.host.seconds < 40)
    }
}
