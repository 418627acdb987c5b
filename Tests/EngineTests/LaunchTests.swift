// When a launch counts as over: what the app has put on its queues by then belongs to it.

import ClientKit
import Dispatch
import Engine
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@Suite struct LaunchTests {
    private static let quiet = ["launch", "think: 1s", "terminate"]
    // The person is quicker than the app's queues.
    private static let hasty = ["launch", "buy: extra_lives", "think: 1s", "terminate"]

    private func violations(
        _ client: any StoreClient.Type, _ steps: [String], clock: RunClock = .virtual
    ) throws -> [AuditRule: Int] {
        var scenario = try Scenario.journey(steps, users: 10, sections: ["network: {latency: 20ms..60ms}"])
        scenario.clock = clock
        return run(scenario, client).violations
    }

    @Test(arguments: [quiet, hasty])
    func observerAddedByAHopOfTheLaunchObservesTheLaunch(steps: [String]) throws {
        for client in [HoppingClient.self, TaskClient.self, TwiceHoppingClient.self] as [LateClient.Type] {
            #expect(try violations(client, steps)[.unobservedLaunch] == nil, "\(client.name)")
        }
    }

    @Test func observerAddedByAHopObservesALaunchUnderTheWallClock() throws {
        for client in [HoppingClient.self, TaskClient.self] as [LateClient.Type] {
            #expect(
                try violations(client, ["launch", "think: 100ms", "terminate"], clock: .wall)[.unobservedLaunch] == nil)
        }
    }

    // A moment later, once products have come, or when the person buys: what is unfinished has to wait.
    @Test(arguments: [quiet, hasty])
    func observerAddedLaterDoesNotObserveTheLaunch(steps: [String]) throws {
        #expect(try violations(TimerClient.self, steps)[.unobservedLaunch] ?? 0 >= 10)
        #expect(try violations(ProductsClient.self, steps)[.unobservedLaunch] ?? 0 >= 10)
    }

    @Test func observerAddedByAPurchaseDoesNotObserveTheLaunch() throws {
        // The final launch, in which nothing is bought, too.
        #expect(try violations(BuyingClient.self, Self.hasty)[.unobservedLaunch] == 20)
    }
}

/// Observes when a subclass says so.
private class LateClient: NSObject, StoreClient, SKPaymentTransactionObserver, @unchecked Sendable {
    class var name: String { "late" }
    class var summary: String { "Observes late." }
    private var isObserving = false

    required init(environment: AppEnvironment) {}

    func launch() {}

    final func observe() {
        if isObserving { return }
        isObserving = true
        SKPaymentQueue.default().add(self)
    }

    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.refused(reason: "Not now."))
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [:] }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}

private final class HoppingClient: LateClient, @unchecked Sendable {
    override class var name: String { "hopping" }
    override func launch() { DispatchQueue.main.async { [self] in observe() } }
}

private final class TwiceHoppingClient: LateClient, @unchecked Sendable {
    override class var name: String { "twice-hopping" }
    override func launch() {
        DispatchQueue.main.async { DispatchQueue.main.async { [self] in observe() } }
    }
}

private final class TaskClient: LateClient, @unchecked Sendable {
    override class var name: String { "task" }
    override func launch() { Task { @MainActor in observe() } }
}

private final class TimerClient: LateClient, @unchecked Sendable {
    override class var name: String { "timer" }
    override func launch() { DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { [self] in observe() } }
}

private final class ProductsClient: LateClient, SKProductsRequestDelegate, @unchecked Sendable {
    override class var name: String { "products" }
    private var request: SKProductsRequest?

    override func launch() {
        let request = SKProductsRequest(productIdentifiers: [Shop.lives])
        request.delegate = self
        request.start()
        self.request = request
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { observe() }
}

private final class BuyingClient: LateClient, @unchecked Sendable {
    override class var name: String { "buying" }
    override func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        observe()
        super.purchase(productIdentifier, quantity: quantity, completion: completion)
    }
}
