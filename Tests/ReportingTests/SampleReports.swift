// Reports of small runs, for the tests of what reports look like: no sentence, reason or timeline that a run could not
// have led to.

import ClientKit
import Engine
import Foundation
import Metrics
import RunSupport
import Scenario
import Simulation
import Specimens

@testable import ReportModel
@testable import Reporting

/// The samples by name, as arguments of tests.
enum SampleReport: String, CaseIterable {
    case passed, failed, unknown, broken

    var report: Report {
        switch self {
        case .passed: SampleReports.passed
        case .failed: SampleReports.failed
        case .unknown: SampleReports.unknown
        case .broken: SampleReports.broken
        }
    }
}

enum SampleReports {
    /// Outages of both kinds, and quiet between them.
    static let passed = report {
        try options("two-outages", twoOutages, ReferenceClient.self, ["validation": "server"])
    }

    /// Violations of two rules, each with a story that is too long for the terminal, and thresholds that broke.
    static let failed = runFailed()

    /// Nobody restores.
    static let unknown = report(users: 10) {
        try shipped(
            "purchase-flow", ReferenceClient.self,
            thresholds: ["violations{rule:lost-purchase}: count == 0", "restore_duration: p(99.9) < 30s"])
    }

    /// A store that is broken, and short stories of a client that is broken too.
    static let broken = report {
        var broken = try options("one-purchase", onePurchase, PurchaseHelperClient.self)
        broken.storeDefects = [.chargesTwice]
        return broken
    }

    // MARK: Runs

    /// Runs once more, and reports that.
    static func runFailed() -> Report {
        report(users: 10) {
            try shipped("launch-redelivery", IAPManagerClient.self, thresholds: ["purchase_duration: p(95) < 1s"])
        }
    }

    private static let twoOutages = """
        name: Two outages
        description: First the store fails, and much later the app's own server is slow.
        seed: 42
        client: {name: reference, options: {validation: server}}
        store:
          catalog: catalogs/FakeGame.storekit
          outages: [{at: 2s, for: 3s, answer: error}]
        validator:
          latency: 100ms
          outages: [{at: 1m, for: 30s, answer: slow, by: 2500ms}]
        network: {latency: {median: 60ms, p99: 600ms}, lose_answer: 2%, request_timeout: 2s}
        buyers: {decide_after: 200ms..1500ms, cancel: 5%}
        population: {users: 60, owns: {unlock_maps: 50%}}
        app: {patience: 8s, relaunch_after: 300ms..1s}
        warm_up: 1s
        load:
          - {journey: early, executor: constant-arrival-rate, rate: 4/s, for: 10s, max_users: 12}
          - {journey: late, executor: constant-arrival-rate, rate: 1/s, for: 20s, start_after: 1m, max_users: 20}
        journeys:
          early:
            - launch
            - fetch_products
            - buy: {choose: {extra_lives: 70%, superpowers: 30%}}
            - think: 100ms..1s
            - use: all
            - terminate
          late:
            - launch
            - buy: extra_lives
            - restore
            - terminate
        faults:
          crash: {share: 5%, at: any_effect}
        thresholds:
          violations: count == 0
          purchase_duration: p(95) < 6s
          purchase_success{phase:late}: rate > 50%
          observer_callback_time: p(95) < 1s

        """

    private static let onePurchase = """
        name: One purchase
        store: {catalog: catalogs/FakeGame.storekit}
        network: {latency: {median: 40ms, p99: 250ms}}
        buyers: {decide_after: 500ms..1500ms}
        population: {users: 3}
        load: [{journey: buyer, executor: at-once}]
        journeys: {buyer: [launch, {buy: unlock_maps}]}
        thresholds:
          violations: count == 0
          purchase_duration: p(95) < 5s

        """

    /// A shipped scenario as somebody has changed it who tries it with few users.
    ///
    /// - Parameter thresholds: lines that are added to its last section.
    private static func shipped(
        _ name: String, _ client: any StoreClient.Type, thresholds: [String]
    ) throws -> RunOptions {
        let source = try Scenario.shipped(name, users: 1).source
        return try options(name, source + thresholds.map { "  \($0)\n" }.joined(), client)
    }

    private static func options(
        _ name: String, _ text: String, _ client: any StoreClient.Type, _ clientOptions: [String: String] = [:]
    ) throws -> RunOptions {
        var scenario = try Scenario.text(text, catalog: Scenario.shipped("quickstart", users: 1).store.catalog)
        // Where somebody would have it who is in the folder of the package.
        scenario.path = "Scenarios/\(name).yml"
        return RunOptions(scenario: scenario, client: client, clientOptions: clientOptions, workers: 1)
    }

    /// - Parameter users: how many are asked for, where that is not as many as the scenario has.
    private static func report(users: Int? = nil, _ options: () throws -> RunOptions) -> Report {
        do {
            var options = try options()
            if let users { options.scenario = try options.scenario.scaled(toUsers: users) }
            options.scenario.clock = .virtual
            var report = ReportBuilder(
                Run(options).perform(), options: options, usersOption: users, startedAt: Date(timeIntervalSince1970: 0)
            ).report()
            fixMachine(&report)
            return report
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// What the machine did is another thing each time, and so is what it is: that alone is made up. Its thresholds stay,
    /// with another value.
    private static func fixMachine(_ report: inout Report) {
        report.tool.version = "0.1.0"
        var host = Report.Host(
            startedAt: "2024-01-02T03:04:05Z", durationSeconds: 12.34, workers: 2, cores: 2, system: "Linux x86_64",
            memoryPeakBytes: 126_000_000, purchasesPerSecond: report.host.purchasesPerSecond.map { _ in 31_000 })
        host.dependencies = report.host.dependencies.filter { $0.key != "jemalloc" }
        host.thresholds = report.host.thresholds
        for place in host.thresholds.indices { host.thresholds[place].actual = 29_500 }
        var machine = report
        machine.tell(machineTally().measurements)
        host.metrics = machine.host.metrics
        report.host = host
    }

    private static func machineTally() -> Tally {
        let tally = Tally()
        for sample in 1...1_000 as ClosedRange<Int64> { tally.record(.observerCallbackTime, nanoseconds: sample * 31) }
        tally.gauge(.allocationsPerPurchase, value: 250)
        tally.gauge(.memoryPerUser, value: 4_300)
        tally.gauge(.memoryResident, value: 120 * 1_048_576)
        tally.gauge(.memoryResident, value: 100 * 1_048_576)
        return tally
    }

    // MARK: Figures

    /// Figures that tests can reckon with; no run led to them.
    static func tally() -> Tally {
        let tally = machineTally()
        for sample in 1...1_000 as ClosedRange<Int64> {
            tally.record(purchase: sample * 5_300_000, sample % 20 == 0 ? .failure : .success)
            if sample % 20 == 0 {
                tally.count(
                    failed: ["paymentCancelled", "unknown", "none", "paymentCancelled"][Int(sample / 20 % 4)],
                    at: sample % 60 == 0 ? .processing : .deciding)
            }
            tally.instant(.purchaseDuration)
            tally.recordService(.purchaseDuration, nanoseconds: sample * 5_000_000)
            tally.record(.finishDuration, nanoseconds: sample * 12_345)
            tally.rate(.purchaseSuccess, passed: sample % 113 != 0)
            tally.place(purchaseDuration: sample * 5_300_000, at: sample * 90_000_000)
            tally.place(.purchases, at: sample * 90_000_000)
            tally.place(activeFrom: sample * 50_000_000, to: sample * 90_000_000)
        }
        tally.count(.purchases, by: 12_345)
        tally.count(.faults, tag: "crash", by: 31)
        tally.count(.faults, tag: "answer_lost", by: 1_200)
        tally.declare(.violations)
        return tally
    }
}

extension Report.Reason {
    /// That nobody was judged, in other words.
    static func nobodyJudged(_ sentence: String) -> Self {
        var reason = Self(kind: .nobodyJudged)
        reason.sentence = sentence
        return reason
    }
}
