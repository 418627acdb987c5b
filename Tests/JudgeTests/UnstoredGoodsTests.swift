// What an app of StoreKit 2 holds in memory only is seen at the end of a run too, with no write to show it (S25).

import ClientKit
import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import StoreKit
import Testing

/// Reads what its user owns when it hears of a purchase, and is then busy with the store for a while.
private class MemoryKeeper: AsyncStoreClient, @unchecked Sendable {
    class var name: String { "memory-keeper" }
    class var summary: String { "Keeps its entitlements in memory." }
    class var holds: Bool { true }

    private let lock = NSLock()
    private var entitled: Set<String> = []  // Guard: `lock`.

    required init(environment: AppEnvironment) {}

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        .refused(reason: "It sells nothing.")
    }
    func restore() async throws -> RestoreOutcome { .restored(count: 0) }
    func holdings() -> [String: Int] { lock.withLock { entitled }.reduce(into: [:]) { $0[$1] = 1 } }

    func launch() {
        let isFirst = !UserDefaults.standard.bool(forKey: "launched")
        UserDefaults.standard.set(true, forKey: "launched")
        let holds = Self.holds || isFirst
        Task {
            for await case .verified in Transaction.unfinished {
                var owned: Set<String> = []
                for await case .verified(let entitlement) in Transaction.currentEntitlements {
                    owned.insert(entitlement.productID)
                }
                if holds { lock.withLock { entitled = owned } }
                _ = try? await Product.products(for: [Shop.maps])
            }
        }
    }
}

/// The same, but from its second launch on it holds nothing.
private final class Forgetter: MemoryKeeper, @unchecked Sendable {
    override class var name: String { "forgetter" }
    override class var holds: Bool { false }
}

@Suite struct UnstoredGoodsTests {
    @Test(arguments: [true, false])
    func goodsInMemoryAreSeenAtTheEndOfTheRun(holds: Bool) throws {
        let scenario = try Scenario.journey(
            ["launch", "think: 1m"],
            sections: ["network: {latency: 4s}", "population: {users: 1, unfinished_at_start: {\(Shop.maps): 100%}}"])
        let result = run(scenario, holds ? MemoryKeeper.self : Forgetter.self)
        let isAccused = [.withheldEntitlement, .lostPurchase].contains { result.violations[$0] != nil }
        #expect(isAccused != holds, "\(result.story)")
    }
}
