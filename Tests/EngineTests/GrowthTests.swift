// A client that keeps something for every user is found by the slope of memory.

import ClientKit
import Dispatch
import Engine
import Foundation
import Host
import Judgement
import Metrics
import RunSupport
import Scenario
import Specimens
import Synchronization
import Testing

/// Keeps 64 bytes for every launch, for ever.
final class LeakyClient: StoreClient {
    static let name = "leaky"
    static let summary = "Keeps something for every launch."
    private static let kept = Mutex<[Int]>([])

    init(environment: AppEnvironment) {}

    func launch() {
        let address = Int(bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16))
        Self.kept.withLock { $0.append(address) }
    }

    func willTerminate() {}
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        completion(.fetched([]))
    }
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.refused(reason: "nothing is sold"))
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func use(_ productIdentifier: String) {}
    func holdings() -> [String: Int] { [:] }
}

/// Waits, in each launch, for an answer that never comes: Swift's library warns of that.
final class ForgetfulClient: AsyncStoreClient {
    static let name = "forgetful"
    static let summary = "Drops a continuation in every launch."

    init(environment: AppEnvironment) {}

    func launch() { Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        .refused(reason: "nothing is sold")
    }
    func restore() async throws -> RestoreOutcome { .restored(count: 0) }
    func use(_ productIdentifier: String) {}
    func holdings() -> [String: Int] { [:] }
}

@Suite struct GrowthTests {
    private func growth(_ client: any StoreClient.Type, users: Int = 5_000, workers: Int = 2) throws -> Double? {
        Self.growth(run(try Scenario.journey(["launch"], users: users), client, workers: workers))
    }

    private static func growth(_ result: RunResult, _ metric: MetricName = .memoryGrowthPerUser) -> Double? {
        guard case .gauge(let value, _, _) = result.collector.tally.measurements[metric].reading(seconds: 1) else {
            return nil
        }
        return value
    }

    // Swift's library would put a copy of all earlier warnings to each: hundreds of kilobytes a launch.
    @Test(.enabled(if: MemoryStatistics.isActive))
    func warningsOfSwiftDoNotPileUp() throws {
        let bytes = try #require(try growth(ForgetfulClient.self))
        #expect(bytes < 50_000, "\(bytes)")
    }

    // Two launches a user: one by the journey, one to settle. The list of what is kept grows along.
    @Test(.enabled(if: MemoryStatistics.isActive))
    func leakIsMeasuredPerUser() throws {
        let bytes = try #require(try growth(LeakyClient.self))
        #expect(bytes > 100 && bytes < 400, "\(bytes)")
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func leakIsMeasuredPerLaunch() throws {
        let result = run(try Scenario.journey(["launch"], users: 5_000), LeakyClient.self)
        let bytes = try #require(Self.growth(result, .memoryLeftPerLaunch))
        let perUser = try #require(Self.growth(result))
        #expect(bytes > 50 && abs(perUser / bytes - 2) < 0.1, "\(bytes), \(perUser)")
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func cleanClientHasNoMemoryGrowth() throws {
        let bytes = try #require(try growth(ReferenceClient.self, workers: 1))
        #expect(abs(bytes) < 16, "\(bytes)")
    }

    // Its tasks wait in StoreKit when launches end: for updates, for answers that are lost, in the middle of a purchase.
    @Test(.enabled(if: MemoryStatistics.isActive))
    func waitingTasksAreFreedWithTheirLaunch() throws {
        let scenario = try Scenario.journey(
            [
                "launch", "fetch_products", "buy: extra_lives", "background: 1m", "terminate", "launch", "restore",
                "terminate",
            ],
            users: 3_000, sections: ["network: {lose_answer: 10%}", "faults: {crash: {share: 10%, at: any_effect}}"])
        let bytes = try #require(Self.growth(run(scenario, StoreKit2Client.self, workers: 1)))
        #expect(abs(bytes) < 1_000, "\(bytes)")
    }

    // Requests for approval are dropped after a day, when nobody has been there for hours: events are left over.
    @Test(.enabled(if: MemoryStatistics.isActive), arguments: ["", "explore: interleavings"])
    func runFreesEventsStillPlannedAtItsEnd(exploration: String) throws {
        let scenario = try Scenario.journey(
            ["buy: extra_lives"], users: exploration.isEmpty ? 4_000 : 1_000,
            sections: ["buyers: {ask_to_buy: {share: 100%, approve: 0%, decline: 0%, answer_after: 1s}}", exploration])
        let bytes = try #require(Self.growth(run(scenario)))
        #expect(abs(bytes) < 64, "\(bytes)")
    }

    // Whoever looks at a run must not change what is measured.
    @Test(.enabled(if: MemoryStatistics.isActive))
    func watchingARunAddsNoMemoryGrowth() throws {
        let options = RunOptions(
            scenario: try Scenario.journey(["buy: extra_lives"], users: 4_000), client: ReferenceClient.self,
            workers: 1)
        let watched = Run(options)
        let isOver = Atomic<Bool>(false)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            while !isOver.load(ordering: .relaxed) { _ = watched.board.snapshot() }
            ended.signal()
        }.start()
        let result = watched.perform()
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        let bytes = try #require(Self.growth(result))
        #expect(abs(bytes) < 64, "\(bytes)")
    }

    @Test func fewUsersGiveNoMemoryGrowth() throws { #expect(try growth(ReferenceClient.self, users: 30) == nil) }
}
