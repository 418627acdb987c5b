// The plain client, which keeps no record of what it delivered, wherever nothing but a fault of ours doubles its goods.
// Main thread; runs have their own.

import ClientKit
import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import Simulation
import Specimens

/// Runs, sweeps and draws scenarios without what brings a delivered transaction again: no crash, no repeated delivery,
/// no finish that fails or is late, no second payment that is answered with an unfinished purchase, no order of events in
/// which a return to the foreground tells again (R5) what the app has begun to finish before.
struct PlainTrial {
    let users: Int
    /// Drawn scenarios.
    let swarm: Int
    private(set) var found: [String] = []
    private(set) var tried = 0

    private static let client = PlainClient.self
    private static let interleavings = 200
    private static let window = Span.milliseconds(20)

    init(users: Int, swarm: Int) {
        self.users = users
        self.swarm = swarm
    }

    mutating func perform() throws {
        let workers = ProcessInfo.processInfo.activeProcessorCount
        for name in PackageFolder.scenarios where !name.contains("/") {
            var scenario = Self.calm(try Scenario.shipped(name, users: users))
            scenario.clock = .virtual
            note(run(scenario, Self.client, workers: workers).violations.keys, "in \(name)")
            try sweep(scenario, name, workers)
        }
        try draw(workers)
    }

    private mutating func sweep(_ scenario: Scenario, _ name: String, _ workers: Int) throws {
        let options = RunOptions(scenario: scenario, client: Self.client, clientOptions: [:], workers: workers)
        let plan = SweepPlan(options: options, interleavings: Self.interleavings, window: Self.window)
        for journey in try Sweep(plan).perform() {
            note(journey.undisturbed.rules, "in a sweep of \(name), \(journey.journey), undisturbed")
            for single in journey.singles {
                if single.mishap.kind == .crash { continue }
                note(single.rules, "in a sweep of \(name), \(journey.journey), \(single.mishap.text)")
            }
            let isWrong = journey.interleavings.map { $0.failing > 0 } ?? false
            if isWrong {
                found.append("in other orders of events of \(name), \(journey.journey): \(journey.stories.map(\.rule))")
            }
        }
    }

    private mutating func draw(_ workers: Int) throws {
        let drawn = SwarmSample.plan(Self.client, runs: swarm, workers: workers)
        let plan = SwarmPlan(
            client: Self.client, clientOptions: [:], drawing: drawn.drawing, seed: drawn.seed, runs: swarm,
            workers: workers, shrinks: false
        ) { text in drawn.read(text).map(Self.calm) }
        let result = try Swarm(plan).perform()
        tried += result.scenarios
        for finding in result.findings {
            found.append(
                "in \(finding.scenarios) drawn scenarios: \(finding.conduct.identifier)\n\(finding.text)")
        }
        for fault in result.faults { found.append("a fault of the harness: \(fault.fault)\n\(fault.text)") }
    }

    private mutating func note(_ rules: some Sequence<AuditRule>, _ place: String) {
        tried += 1
        let broken = AuditRule.allCases.filter { $0.isViolation && rules.contains($0) }
        if !broken.isEmpty { found.append("\(place): \(broken.map(\.rawValue).joined(separator: ", "))") }
    }

    static func calm(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        scenario.crashes = []
        scenario.delivery.duplicate = .none
        scenario.delivery.finishFails = .none
        scenario.delivery.finishDelay = nil
        scenario.store.behaviour.unfinishedRepurchase = .silence
        // StoreKit tells again 100 ms after the return.
        if let window = scenario.exploration?.window { scenario.exploration?.window = min(window, .milliseconds(99)) }
        scenario.thresholds = []
        return scenario
    }
}
