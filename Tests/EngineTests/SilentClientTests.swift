// Users of an app that never answers, in real time: they do not wait for minutes where nothing can answer any more.

import ClientKit
import Foundation
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import Engine

/// Says nothing of purchases that were cancelled.
final class MuteClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "mute"

    init(environment: AppEnvironment) {}

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [:] }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .failed {
            queue.finishTransaction(transaction)
        }
    }
}

@Suite struct SilentClientTests {
    // The verdict is the same under both clocks.
    @Test(arguments: [RunClock.virtual, .wall])
    func waitForAnAnswerEndsIfTheClientStaysSilent(clock: RunClock) throws {
        var scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "terminate"], users: 5, sections: ["buyers: {cancel: 100%}"])
        scenario.clock = clock
        let began = ContinuousClock.now
        let result = run(scenario, MuteClient.self)
        #expect(result.collector.violationCounts == [.unansweredRequest: 5])
        #expect(ContinuousClock.now - began < .seconds(120))
    }
}
