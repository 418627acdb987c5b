// The plain client keeps no record of what it delivered: what is delivered to it twice without a reason, it shows.

import ClientKit
import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import Specimens

@Suite struct PlainClientTests {
    // What is charged while the app is in the background waits for it, and comes once.
    @Test(arguments: [RunClock.virtual, .wall])
    func plainClientDeliversABackgroundPurchaseOnce(clock: RunClock) throws {
        let pauses =
            clock == .virtual ? ("500ms..600ms", "300ms", "8s", "2s") : ("100ms..120ms", "50ms", "300ms", "300ms")
        let result = try journey(
            PlainClient.self,
            [
                "launch", "fetch_products", "buy: {product: extra_lives, wait: false}", "think: \(pauses.1)",
                "background: \(pauses.2)", "think: \(pauses.3)", "terminate",
            ],
            sections: ["network: {latency: 10ms..20ms}", "buyers: {decide_after: \(pauses.0)}"]
        ) { $0.clock = clock }
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.deliveries) == 20)
    }

    @Test(arguments: [
        "ask_to_buy: {share: 100%, approve: 100%, answer_after: 5s}", "interrupted: {share: 100%, resolve_after: 5s}",
    ])
    func plainClientDeliversABackgroundCompletionOnce(habit: String) throws {
        let result = try journey(
            PlainClient.self,
            [
                "launch", "fetch_products", "buy: {product: extra_lives, wait: false}", "think: 2s", "background: 8s",
                "think: 5s", "terminate",
            ], sections: ["buyers: {decide_after: 200ms..600ms, \(habit)}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.count(.deliveries) == 20)
    }

    // The finish of the deferred transaction, late, is not that of the purchase it has become.
    @Test func lateFinishOfADeferredTransactionLosesNothing() throws {
        let result = try journey(
            HastyPlainClient.self, ["launch", "fetch_products", "buy: extra_lives", "think: 6s", "terminate"],
            sections: [
                "buyers: {decide_after: 500ms..600ms, ask_to_buy: {share: 100%, approve: 100%, answer_after: 1s..2s}}",
                "faults: {delivery: {finish_delay: 3s..4s}, crash: {share: 100%, at: after_charge}}",
            ])
        #expect(Set(result.violations.keys) == [.illegalFinish], "\(result.story)")
    }

    // A second payment takes its way over link and sheet: the store has mostly heard of the first one's finish by then.
    @Test func secondPaymentIsMostlyItsOwnPurchase() throws {
        let result = try journey(
            PlainClient.self,
            ["launch", "fetch_products", "buy: extra_lives", "buy: extra_lives", "think: 1s", "terminate"], users: 100,
            sections: ["network: {latency: {median: 100ms, p99: 250ms}}", "buyers: {decide_after: 500ms..600ms}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.collector.chargesToDeliver == 200)
        let shortest = try #require(
            result.collector.tally.measurements[.purchaseDuration].response?.minimum)
        #expect(shortest >= 500_000)
    }

    // Goods that the app gave for nothing, and used, are none of the restore's that comes later.
    @Test func freeGoodsBeforeARestoreAreNotTheRestores() throws {
        let result = try journey(
            GenerousClient.self, ["launch", "fetch_products", "use: extra_lives", "think: 1s", "restore", "terminate"])
        #expect(result.violations == [.unpaidDelivery: 20], "\(result.story)")
    }
}

/// Gives three lives when the shop is opened.
private final class GenerousClient: StoreClient {
    static let name = "generous"
    static let summary = "The plain client, with lives for everybody who opens the shop."
    private let client: PlainClient
    private let goods: Goods

    init(environment: AppEnvironment) {
        client = PlainClient(environment: environment)
        goods = Goods(environment)
    }

    func launch() { client.launch() }
    func willTerminate() { client.willTerminate() }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        goods.add(Shop.lives, count: 3)
        client.fetchProducts(identifiers, completion: completion)
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        client.purchase(productIdentifier, quantity: quantity, completion: completion)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { client.restore(completion: completion) }
    func use(_ productIdentifier: String) { client.use(productIdentifier) }
    func holdings() -> [String: Int] { client.holdings() }
}

/// Finishes what waits for approval, as no app should.
private final class HastyPlainClient: StoreClient {
    static let name = "hasty-plain"
    static let summary = "The plain client, and a second observer that finishes deferred transactions."
    private let client: PlainClient
    private let hasty = Hasty()

    init(environment: AppEnvironment) { client = PlainClient(environment: environment) }

    func launch() {
        SKPaymentQueue.default().add(hasty)
        client.launch()
    }

    func willTerminate() {
        SKPaymentQueue.default().remove(hasty)
        client.willTerminate()
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        client.purchase(productIdentifier, quantity: quantity, completion: completion)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { client.restore(completion: completion) }
    func holdings() -> [String: Int] { client.holdings() }

    private final class Hasty: NSObject, SKPaymentTransactionObserver {
        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .deferred {
                queue.finishTransaction(transaction)
            }
        }
    }
}
