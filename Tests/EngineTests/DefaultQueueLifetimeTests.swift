// Clients that keep the default queue without owning it, and use it when they are freed.

import ClientKit
import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

/// What is left of the processes of all clients. Any thread.
private final class Remains: @unchecked Sendable {  // Guard: `lock`.
    static let shared = Remains()
    private let lock = NSLock()
    private var processes: [Weak] = []

    struct Weak { weak var process: AppProcess? }

    func note(_ process: AppProcess?) { lock.withLock { processes.append(Weak(process: process)) } }

    /// Notes again from the start, and returns what there was.
    func take() -> [Weak] {
        lock.withLock {
            defer { processes = [] }
            return processes
        }
    }
}

/// Like a wrapper of the kind that many apps have, with a part of its own that does the same.
private final class FaithfulClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "faithful"
    static let summary = "Takes itself off the queue when it is freed."

    private final class Part: NSObject, SKPaymentTransactionObserver {
        unowned let queue = SKPaymentQueue.default()
        override init() {
            super.init()
            queue.add(self)
        }
        deinit { queue.remove(self) }
        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
    }

    unowned let queue = SKPaymentQueue.default()
    private let environment: AppEnvironment
    private let part = Part()
    private var answers: [String: (PurchaseOutcome) -> Void] = [:]

    init(environment: AppEnvironment) {
        self.environment = environment
        super.init()
        Remains.shared.note(CurrentProcess.found)
        // What waits when the app ends is freed still later.
        environment.main.asyncAfter(seconds: 0.05) { [part] in withExtendedLifetime(part) {} }
    }

    deinit {
        queue.remove(self)
        queue.add(SKMutablePayment())
        queue.restoreCompletedTransactions()
        _ = queue.transactions.count + queue.transactionObservers.count
    }

    func launch() { queue.add(self) }
    func willTerminate() {}
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        completion(.fetched([]))
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func use(_ identifier: String) {}
    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answers[identifier] = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        queue.add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            let product = transaction.payment.productIdentifier
            let key = "told.\(transaction.transactionIdentifier ?? "")"
            if !environment.hasDurable(key) {
                environment.write([
                    (product, .integer(environment.durableInteger(product) + 1)), (key, .flag(true)),
                ])
            }
            queue.finishTransaction(transaction)
            answers.removeValue(forKey: product)?(.purchased)
        }
    }
}

@Suite(.serialized) struct DefaultQueueLifetimeTests {
    @Test(.timeLimit(.minutes(20)), arguments: [RunClock.virtual, .wall])
    func defaultQueueOutlivesEndedProcesses(clock: RunClock) throws {
        _ = Remains.shared.take()
        let users = clock == .virtual ? 1_000 : 80
        var scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "terminate", "launch", "buy: extra_lives", "crash", "buy: extra_lives"],
            users: users,
            sections: [
                "network: {latency: 1ms}", "app: {relaunch_after: 1ms}",
                "faults: {crash: {share: 5%, at: any_effect}}",
            ])
        scenario.clock = clock
        func processes() -> [Remains.Weak] {
            let result = run(scenario, FaithfulClient.self, workers: 2)
            #expect(result.collector.faultCount == 0 && result.unjudgedUsers == 0, "\(result.story)")
            #expect(result.violations[.lostPurchase] == nil && result.violations[.duplicateDelivery] == nil)
            return Remains.shared.take()
        }
        let first = processes()
        #expect(first.count > 3 * users)
        // They are looked through now and then only: most of them when others have followed.
        _ = processes()
        let alive = first.count { $0.process != nil }
        #expect(alive < first.count / 4, "\(alive) of \(first.count)")
    }
}
