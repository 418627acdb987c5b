// A client without the glue file leaves its device: the run says so. Every mention of Dispatch is spelled out, because
// this module has the file.

import ClientKit
import Engine
import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

/// Asks StoreKit from a thread that belongs to nobody.
private final class WanderingClient: StoreClient {
    static let name = "wandering"
    static let summary = "Leaves its device."
    private let environment: AppEnvironment
    init(environment: AppEnvironment) { self.environment = environment }
    func launch() { Self.elsewhere { _ = SKPaymentQueue.canMakePayments() } }
    func willTerminate() {}
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let environment = environment
        nonisolated(unsafe) let completion = completion
        Self.elsewhere {
            environment.write([(Shop.maps, .integer(1))])
            environment.defaults.set(.flag(true), forKey: "has fetched")
            environment.main.async { completion(.fetched([])) }
        }
    }
    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        nonisolated(unsafe) let completion = completion
        Self.elsewhere { completion(.refused(reason: "Not today.")) }
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) {}
    func use(_ productIdentifier: String) {}
    func holdings() -> [String: Int] { [Shop.maps: environment.durableInteger(Shop.maps)] }

    private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
        let done = Dispatch.DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        CurrentProcess.$bound.withValue(nil) { done.wait() }
    }
}

@Suite struct UnattributedCallTests {
    // Under the wall clock the runtime knows whose a thread of the client's own is.
    @Test(arguments: AppRuntime.isInForce ? ["virtual"] : ["virtual", "wall"])
    func reportNotesUnattributedCalls(clock: String) throws {
        let scenario = try Scenario.journey(["launch", "terminate"], users: 3, sections: ["clock: \(clock)"])
        let options = RunOptions(scenario: scenario, client: WanderingClient.self, clientOptions: [:], workers: 1)
        var result = Run(options).perform()
        func report() -> Report {
            ReportBuilder(result, options: options, usersOption: nil, startedAt: Date()).report()
        }
        func tellsOfThreads() -> Bool {
            report().host.notes.contains { $0.contains("The app itself started ") }
        }
        let isSimulated = clock == "virtual" && AppRuntime.isInForce
        // A run beside this one, in a test of this process, may have told of its threads.
        for _ in 0..<5 where isSimulated && !tellsOfThreads() { result = Run(options).perform() }
        // Each launches twice; other tests of this process may leave their devices meanwhile.
        #expect((result.unattributedCalls?.count ?? 0) >= 6)
        let report = report()
        // The threads themselves are told of too.
        let calls = "StoreKit calls came from a queue or thread that belongs to no device"
        let note = try #require(report.host.notes.first { $0.contains(calls) })
        #expect(tellsOfThreads() == isSimulated)
        let remedy = AppRuntime.isInForce ? "threads that the app creates" : "stampede glue"
        #expect(note.contains(remedy))
        let text = TerminalSummary.render(report, style: .plain, width: 1_000)
        #expect(text.contains("NOTES") && text.contains(remedy))
        #expect(try Report(json: report.json()).host.notes == report.host.notes)
    }

    // Wrong, but the device's own: what it stores and answers elsewhere is led back to the lane, and judged.
    @Test(arguments: ["virtual", "wall"])
    func answersFromForeignThreadsReachTheDevice(clock: String) throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "buy: unlock_maps", "expect: {owns: unlock_maps, answered: refused}"],
            users: 100, sections: ["clock: \(clock)"])
        let result = run(scenario, WanderingClient.self)
        #expect(result.unjudgedUsers == 0 && result.collector.faults.isEmpty)
        #expect(result.collector.tally.measurements[.expectations].reading(seconds: 1).isRate(of: 100, in: 100))
        #expect(result.violations[.unansweredRequest] == nil)
        #expect((result.violations[.leftItsQueue] ?? 0) >= 100)
        #expect(result.violations[.unpaidDelivery] == 100)
    }

    @Test func unattributedCallsAreCountedOnlyDuringAWatch() {
        _ = SKPaymentQueue.canMakePayments()
        let watch = UnattributedCalls.Watch()
        _ = perDevice { Log() }
        let found = watch.end()
        #expect((found?.count ?? 0) >= 1)
        _ = SKPaymentQueue.canMakePayments()
        #expect(watch.end() == found)
    }

    // A call that has its device is nobody's business.
    @Test func attributedCallsAreNotCountedAsUnattributed() {
        let bench = VirtualBench()
        let watch = UnattributedCalls.Watch()
        bench.run { for _ in 0..<100_000 { _ = SKPaymentQueue.canMakePayments() } }
        #expect((watch.end()?.count ?? 0) < 100_000)
    }
}

extension MetricReading? {
    fileprivate func isRate(of expected: Int, in all: Int) -> Bool {
        if case .rate(let passes, let total) = self { return passes == expected && total == all }
        return false
    }
}
