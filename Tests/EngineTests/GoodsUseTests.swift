// What users use up of an app that takes it away in another turn of its main queue.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@Suite struct GoodsUseTests {
    // What was used is nobody's loss, however soon the app ends, and whatever else it writes until then.
    @Test(arguments: [
        ["use: all", "terminate", "launch"],
        ["use: all", "terminate"],
        ["use: all", "think: 10ms", "terminate", "launch"],
        ["use: all", "think: 10ms", "crash", "launch"],
        ["use: extra_lives", "use: extra_lives", "terminate"],
        ["use: all", "buy: extra_lives", "terminate"],
        ["use: all", "think: 2s", "use: all", "terminate"],
    ])
    func goodsUsedShortlyBeforeTheEndAreNotLost(_ steps: [String]) throws {
        let buying = ["launch", "buy: {product: extra_lives, quantity: 3}"]
        let result = run(try .journey(buying + steps, users: 20), LaterClient.self)
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    // What goes later than that was not used.
    @Test func goodsRemovedLongAfterTheUseAreLost() throws {
        let result = run(
            try .journey(["launch", "buy: extra_lives", "use: all", "think: 5s", "terminate"], users: 5),
            MuchLaterClient.self)
        #expect(result.violations[.lostPurchase] == 5, "\(result.story)")
    }
}

private class LaterClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    class var name: String { "later" }
    class var delay: Double { 0.005 }
    private let environment: AppEnvironment
    private let goods: Goods
    private var answers: [(PurchaseOutcome) -> Void] = []

    required init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
    }

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answers.append(completion)
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }

    func use(_ productIdentifier: String) {
        environment.main.asyncAfter(seconds: Self.delay) { [goods] in goods.use(productIdentifier) }
    }

    func holdings() -> [String: Int] { goods.held }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            guard let outcome = PurchaseOutcome(transaction) else { continue }
            if transaction.transactionState == .purchased { goods.grant(transaction) }
            queue.finishTransaction(transaction)
            if !answers.isEmpty { answers.removeFirst()(outcome) }
        }
    }
}

private final class MuchLaterClient: LaterClient {
    override class var name: String { "much-later" }
    override class var delay: Double { 3 }
}
