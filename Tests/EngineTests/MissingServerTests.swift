// An app that asks again and again for a server that does not exist: the run does not wait for it.

import ClientKit
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import Engine

/// Posts each purchase to a server, and every few seconds once more until that answers; delivers and finishes then.
final class PostingClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "posting"
    static let options = [
        ClientOption(name: "pause", values: ["5", "1", "0.01"], meaning: "Seconds between two tries."),
        ClientOption(name: "tries", values: ["always", "4"], meaning: "After which it delivers without an answer."),
    ]

    private static let lock = NSLock()
    nonisolated(unsafe) private static var counts: [String: Int] = [:]  // Guard: `lock`.

    /// The requests of one run, by the name that travels in the client's options.
    static func requests(of run: String) -> Int { lock.withLock { counts[run, default: 0] } }

    private let device: AppEnvironment
    private var answer: ((PurchaseOutcome) -> Void)?

    init(environment: AppEnvironment) { device = environment }

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answer = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [Shop.lives: device.durableInteger("lives")] }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased { post(transaction, 1) }
    }

    private func post(_ transaction: SKPaymentTransaction, _ number: Int) {
        Self.lock.withLock { Self.counts[device.options["run"] ?? "", default: 0] += 1 }
        device.http.post("https://nowhere.example.com/verify", Data()) { [self] result in
            let isGivenUp = device.options["tries"] == String(number)
            if case .failure = result, !isGivenUp {
                let pause = device.options["pause"].flatMap(Double.init) ?? 5
                return device.main.asyncAfter(seconds: pause) { [self] in post(transaction, number + 1) }
            }
            device.write([("lives", .integer(device.durableInteger("lives") + 1))])
            SKPaymentQueue.default().finishTransaction(transaction)
            answer.take()?(.purchased)
        }
    }
}

@Suite struct MissingServerTests {
    private func result(
        pause: String, tries: String = "always", users: Int = 3
    ) throws -> (result: RunResult, requests: Int) {
        let name = UUID().uuidString
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "terminate"], users: users, sections: ["network: {latency: 20ms}"])
        let result = run(scenario, PostingClient.self, options: ["pause": pause, "tries": tries, "run": name])
        return (result, PostingClient.requests(of: name))
    }

    // Five minutes of a user's patience, and ten of the settling: not a day.
    @Test(arguments: [("5", 200), ("1", 1_000), ("0.01", 10_000)])
    func runDoesNotWaitForeverForAMissingServer(pause: String, requestsMax: Int) throws {
        let users = pause == "0.01" ? 1 : 3
        let (result, requests) = try result(pause: pause, users: users)
        #expect(requests > 20 * users && requests <= requestsMax * users, "\(requests)")
        #expect(result.collector.usersJudged == users)
    }

    // Each of the app's launches has its own time of trying.
    @Test func crashesDoNotProlongTheWaitForAMissingServer() throws {
        let name = UUID().uuidString
        var scenario = try Scenario.shipped("crash-anywhere", users: 200)
        scenario.thresholds = []
        let result = run(scenario, PostingClient.self, options: ["pause": "5", "tries": "always", "run": name])
        let requests = PostingClient.requests(of: name)
        #expect(result.collector.usersJudged == 200)
        #expect(requests > 200 && requests <= 200 * 2_000, "\(requests)")
    }

    // What an app does once it has given the server up is still waited for.
    @Test func runWaitsForAnAppThatGivesUpOnItsServer() throws {
        let (result, requests) = try result(pause: "5", tries: "4")
        #expect(requests == 12)
        #expect(result.collector.violationCounts.isEmpty, "\(result.collector.violationCounts)")
        #expect(result.collector.tally.measurements[.deliveries].count == 3)
    }
}
