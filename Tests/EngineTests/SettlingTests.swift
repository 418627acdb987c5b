// How a run brings devices to rest: launches until one changes nothing any more, and not for ever.

import ClientKit
import Engine
import Foundation
import Judgement
import Metrics
import ReportModel
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import Reporting

@Suite struct SettlingTests {
    private static func result(_ client: any StoreClient.Type) throws -> RunResult {
        run(
            try .journey(
                ["launch", "buy: {product: extra_lives, wait: false}", "think: 1s", "terminate"], users: 10), client)
    }

    // Notes a purchase in one launch, delivers it in the next, finishes it in the one after.
    @Test func settlingAcceptsAnAppThatTakesOneStepPerLaunch() throws {
        let result = try Self.result(StepByStepClient.self)
        #expect(result.violations.subtracting([.unansweredRequest]).isEmpty, "\(result.story)")
        #expect(result.count(.deliveries) > 0)
    }

    // One that writes something at every launch is judged in the end, and the story says that it went on.
    @Test func appThatNeverRestsIsJudgedAfterSixLaunches() throws {
        let scenario = try Scenario.journey(["launch", "terminate"])
        let result = run(scenario, RestlessClient.self, onlyUser: 0)
        #expect(result.collector.onlyUserTimeline.contains { $0.text.contains("launch 5 of the settling") })
        #expect(
            result.collector.onlyUserTimeline.count { $0.text.hasPrefix("launch") && $0.text.hasSuffix("begins") } == 6)
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    // One that looks at something each second is at rest when nothing comes of it for long: not after a day.
    @Test(arguments: [PollingClient.self, SleepingClient.self])
    fileprivate func pollingAppCountsAsAtRest(_ client: PollingClient.Type) throws {
        guard AppRuntime.isInForce else { return }
        let result = try Self.result(client)
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.deliveries) == 10)
        let events = try #require(result.eventCount)
        #expect((10_000..<60_000).contains(events), "\(events)")
    }

    // What it does at last is waited for, however often it has looked before.
    @Test func settlingWaitsForAPollingAppThatDelivers() throws {
        guard AppRuntime.isInForce else { return }
        let result = try Self.result(PatientClient.self)
        #expect(result.violations.isEmpty, "\(result.story)")
        // Told in two launches, of which only the second lasts.
        #expect(result.count(.deliveries) == 20)
    }
}

extension [AuditRule: Int] {
    fileprivate func subtracting(_ rules: Set<AuditRule>) -> Self { filter { !rules.contains($0.key) } }
}

private class SilentClient: NSObject {
    let environment: AppEnvironment
    let queue = SKPaymentQueue.default()
    required init(environment: AppEnvironment) { self.environment = environment }
    func willTerminate() {}
    func use(_ productIdentifier: String) {}
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        completion(.failed(message: "none"))
    }
    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }
}

private final class RestlessClient: SilentClient, StoreClient, SKPaymentTransactionObserver {
    static let name = "restless"
    static let summary = "Writes at every launch."

    func launch() {
        queue.add(self)
        environment.write([("launches", .integer(environment.durableInteger("launches") + 1))])
    }

    override func willTerminate() { queue.remove(self) }
    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {}
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}

private final class StepByStepClient: SilentClient, StoreClient, SKPaymentTransactionObserver {
    static let name = "step-by-step"
    static let summary = "Takes one step of a purchase in each launch."
    private var hasStepped = false

    func launch() { queue.add(self) }
    override func willTerminate() { queue.remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        queue.add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased && !hasStepped {
            hasStepped = true
            let mark = "step." + (transaction.transactionIdentifier ?? "")
            let product = transaction.payment.productIdentifier
            switch environment.durableInteger(mark) {
            case 0: environment.write([(mark, .integer(1))])
            case 1:
                environment.write([(mark, .integer(2)), (product, .integer(environment.durableInteger(product) + 1))])
            default: queue.finishTransaction(transaction)
            }
        }
    }
}

/// Delivers at once, and looks at something each second with a timer.
private class PollingClient: SilentClient, StoreClient, SKPaymentTransactionObserver, @unchecked Sendable {
    class var name: String { "polling" }
    class var summary: String { "Looks at something each second." }

    private var completion: ((PurchaseOutcome) -> Void)?
    fileprivate var looks = 0

    func launch() {
        queue.add(self)
        poll()
    }

    func poll() { _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [self] _ in looks += 1 } }

    override func willTerminate() { queue.remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        self.completion = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        queue.add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased { told(transaction) }
    }

    func told(_ transaction: SKPaymentTransaction) { deliver(transaction) }

    final func deliver(_ transaction: SKPaymentTransaction) {
        let product = transaction.payment.productIdentifier
        environment.write([(product, .integer(environment.durableInteger(product) + 1))])
        queue.finishTransaction(transaction)
        completion?(.purchased)
        completion = nil
    }
}

/// The same with a task.
private final class SleepingClient: PollingClient, @unchecked Sendable {
    override class var name: String { "sleeping" }

    override func poll() {
        Task { @MainActor [self] in
            while true {
                try await Task.sleep(for: .seconds(1))
                looks += 1
            }
        }
    }
}

/// Delivers when it has looked so often.
private final class PatientClient: PollingClient, @unchecked Sendable {
    override class var name: String { "patient" }

    private var waiting: [SKPaymentTransaction] = []

    override func poll() {
        _ = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { [self] _ in
            looks += 1
            guard looks == 1_100, !waiting.isEmpty else { return }
            for transaction in waiting { deliver(transaction) }
            waiting = []
        }
    }

    override func told(_ transaction: SKPaymentTransaction) { waiting.append(transaction) }
}
