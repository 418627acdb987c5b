// Crashes at their moments, the final settling, and what is left in memory.

import Engine
import Judgement
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct FaultTests {
    private static let conditions = [
        "network: {latency: 20ms}", "buyers: {decide_after: 200ms}", "app: {relaunch_after: 500ms, patience: 10s}",
    ]

    private func timeline(_ steps: [String], fault: String, sections: [String] = []) throws -> [String] {
        let scenario = try Scenario.journey(
            steps, sections: Self.conditions + sections + ["faults: {crash: {share: 100%, at: \(fault)}}"])
        let result = run(scenario, onlyUser: 0)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        return result.collector.onlyUserTimeline.map(\.text)
    }

    private func follows(_ text: String, _ before: String, in lines: [String]) -> Bool {
        guard let place = lines.firstIndex(where: { $0.contains(text) }) else { return false }
        return lines[..<place].last { !$0.hasPrefix("goods") && !$0.hasPrefix("App Store") }?.contains(before) ?? false
    }

    @Test func afterChargeCrashesBeforeTheAppIsNotified() throws {
        let lines = try timeline(["launch", "buy: extra_lives", "think: 1s"], fault: "after_charge")
        #expect(follows("the app crashes", ": purchasing", in: lines), "\(lines)")
        let crash = try #require(lines.firstIndex { $0.contains("the app crashes") })
        let charge = try #require(lines.firstIndex { $0.contains("charges 1 USD") })
        let told = try #require(lines.firstIndex { $0.contains(": purchased") })
        #expect(charge < crash && crash < told)
        #expect(lines.count { $0.contains("the app crashes") } == 1)
    }

    @Test func beforeFinishCrashesBetweenGoodsAndFinish() throws {
        let lines = try timeline(["launch", "buy: extra_lives", "think: 1s", "terminate"], fault: "before_finish")
        #expect(follows("the app crashes just before its effect", "the app writes", in: lines), "\(lines)")
        // The settling at the end is the only launch in which a finish gets through.
        let settling = try #require(lines.firstIndex { $0.hasPrefix("the run is over") })
        #expect(!lines[..<settling].contains { $0.contains("the app finishes") })
        #expect(lines[settling...].contains { $0.contains("the app finishes") })
    }

    @Test func duringRestoreCrashesBeforeTheRestoreEnds() throws {
        let lines = try timeline(
            ["launch", "restore", "think: 1s"], fault: "during_restore",
            sections: ["population: {users: 1, owns: {unlock_maps: 100%}}"])
        let call = try #require(lines.firstIndex { $0.contains("restores completed transactions") })
        let crash = try #require(lines.firstIndex { $0.contains("the app crashes") })
        #expect(call < crash && !lines[call..<crash].contains { $0.contains(": restored") })
    }

    @Test(arguments: 1...5)
    func effectFaultCrashesJustBeforeThatEffect(number: Int) throws {
        let lines = try timeline(
            ["launch", "buy: extra_lives", "think: 1s"], fault: "{effect: \(number)}")
        #expect(lines.contains { $0.hasPrefix("the app crashes just before its effect \(number), ") })
        #expect(!lines.contains { $0.hasPrefix("the app crashes") && !$0.contains("effect \(number), ") })
    }

    // An app that crashes at its very first effect whenever it is launched: the journey is given up, the run is not.
    @Test func appThatCrashesInEveryLaunchEndsItsJourney() throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products"],
            sections: Self.conditions + ["faults: {crash: {share: 100%, at: {effect: 1}}}"])
        let result = run(scenario)
        #expect(result.collector.usersJudged == 1)
        #expect(result.count(.crashes) >= 50)
        #expect(result.count(.faults, tag: "crash") == result.count(.crashes))
    }

    // MARK: Messages

    @Test(arguments: FaultKind.ofWire)
    func messageFaultIsCountedByItsTag(fault: FaultKind) throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "terminate"], users: 5,
            sections: ["network: {latency: 20ms, \(fault.keyName): 100%, request_timeout: 1s}", "app: {patience: 3s}"])
        let result = run(scenario)
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.faults, tag: fault.row.tag) == result.count(.faults))
        #expect(result.count(.faults) >= 5)
    }

    // MARK: Settling

    // Nothing gets through during the journey; after it everything does.
    @Test func settlingRestoresTheNetwork() throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "terminate"],
            sections: [
                "network: {latency: 20ms, lose_request: 100%, request_timeout: 1s}", "app: {patience: 3s}",
                "population: {users: 5, unfinished_at_start: {extra_lives: 100%}}",
            ])
        let result = run(scenario)
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.redeliveries) == 5)
    }

    @Test func settlingIsNotCountedInTheDuration() throws {
        let scenario = try Scenario.journey(["launch", "think: 90s", "terminate"])
        #expect(run(scenario).simulatedDuration == .seconds(90))
    }

    // MARK: Memory

    @Test(arguments: [RunClock.virtual, .wall])
    func runLeavesNoClientOrDeviceAlive(clock: RunClock) async throws {
        let notebook = Notebook()
        var scenario = try Scenario.journey(
            ["launch", "restore", "buy: extra_lives", "terminate", "launch", "crash", "launch"], users: 50,
            sections: ["app: {relaunch_after: 1ms}"])
        scenario.clock = clock
        let options = notebook.options.merging(["answers": "at_once"]) { $1 }
        let result = run(scenario, RecordingClient.self, options: options, workers: 2)
        #expect(result.collector.usersJudged == 50)
        #expect(notebook.devices > 0)
        // The last queues, and the threads of the last workers, may still be letting go when the run returns.
        let deadline = ContinuousClock.now + .seconds(120)
        while notebook.aliveClients + notebook.aliveDevices > 0, ContinuousClock.now < deadline { await Task.yield() }
        #expect(notebook.aliveClients == 0)
        #expect(notebook.aliveDevices == 0)
    }
}
