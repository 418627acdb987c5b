// Broken clients that hold what they are not entitled to, or give up what they are.
// On any thread, as their base.

import ClientKit
import Foundation
import StoreKit

/// Defect: the app gives up subscriptions whose time is over and nothing else. It never looks at `revocationDate`, so
/// that a refunded product stays unlocked.
final class IgnoresRevocation: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-ignores-revocation" }

    override func entitlements() async -> Set<String> {
        var entitled = await super.entitlements()
        for product in goods.held.keys where !entitled.contains(product) {
            guard let result = await Transaction.latest(for: product), let latest = verified(result),
                latest.productType != .consumable, !latest.isUpgraded
            else { continue }
            // Bought for ever, or not over yet.
            if latest.expirationDate ?? .distantFuture > environment.now { entitled.insert(product) }
        }
        return entitled
    }
}

/// Defect: the app asks the store for its products before it looks which of them the user has. If the store cannot be
/// reached, the app takes the empty answer for the truth and locks everything.
final class OfflineMeansNothing: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-offline-means-nothing-owned" }

    override func entitlements() async -> Set<String> {
        var entitled: Set<String> = []
        for product in (try? await Product.products(for: sold)) ?? [] where product.type != .consumable {
            if await isPurchased(product) { entitled.insert(product.id) }
        }
        return entitled
    }

    private func isPurchased(_ product: Product) async -> Bool {
        for await result in product.currentEntitlements where verified(result) != nil { return true }
        return false
    }
}

/// Defect: the app compares `expirationDate` with the clock and takes the subscription away at that moment. During a
/// grace period the date has passed, and the user is entitled all the same.
final class EndsGraceByDate: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-grace-by-date" }

    override func entitlements() async -> Set<String> {
        var active: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = verified(result) else { continue }
            if let expiration = transaction.expirationDate, expiration < environment.now { continue }
            active.insert(transaction.productID)
        }
        return active
    }
}

/// Defect: the app adds what belongs to a subscription or an unlocked product at each successful purchase. A user who
/// buys again what they have receives the running transaction, pays nothing, and is given everything once more.
final class GrantsRepeats: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-grants-repeat-of-active-subscription" }

    private let benefits: Ledger

    required init(environment: AppEnvironment) {
        benefits = Ledger(environment, "benefits.json")
        super.init(environment: environment)
    }

    override func answer(_ result: Product.PurchaseResult, since before: Int) async -> PurchaseOutcome {
        let outcome = await super.answer(result, since: before)
        if case .success(.verified(let transaction)) = result,
            [.autoRenewable, .nonConsumable].contains(transaction.productType)
        {
            benefits.add(transaction.productID, count: 1)
        }
        return outcome
    }

    override func hold(_ entitled: Set<String>) {
        super.hold(entitled)
        benefits.removeAll(but: entitled)
    }

    /// Somebody who bought elsewhere has the benefits once.
    override func holdings() -> [String: Int] {
        let counts = benefits.counts
        return goods.held.reduce(into: [:]) { held, entry in
            held[entry.key] = max(entry.value, counts[entry.key] ?? 0)
        }
    }
}
