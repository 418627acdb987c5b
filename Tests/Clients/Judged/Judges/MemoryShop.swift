// An app of StoreKit 2 that stores its consumables, and keeps what lasts in memory only.
// An actor of each device guards what it knows; a lock guards what the person sees.

import ClientKit
import Foundation
import StoreKit

actor MemoryShop: AsyncStoreClient {
    static let name = "memory-shop"
    static let summary = "Reads its entitlements at each launch and stores none."

    private nonisolated let goods: Goods
    private nonisolated let lock = NSLock()
    nonisolated(unsafe) private var entitled: Set<String> = []  // Guard: `lock`.
    private var granted: [UInt64] = []
    private var answered: Set<UInt64> = []

    init(environment: AppEnvironment) { goods = Goods(environment) }

    nonisolated func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    nonisolated func holdings() -> [String: Int] {
        lock.withLock { entitled }.reduce(into: goods.held) { $0[$1] = 1 }
    }
    nonisolated func willEnterForeground() { Task { await readEntitlements() } }

    nonisolated func launch() {
        Task { for await result in Transaction.updates { await process(result) } }
        Task {
            for await result in Transaction.unfinished { await process(result) }
            await readEntitlements()
        }
        Task {
            for await intent in PurchaseIntent.intents { Task { try? await self.buy(intent.product, 1) } }
        }
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        return try await buy(product, quantity)
    }

    @discardableResult
    private func buy(_ product: Product, _ quantity: Int) async throws -> PurchaseOutcome {
        let before = granted.count
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        guard case .success(let signed) = result, case .verified(let transaction) = signed else {
            return PurchaseOutcome(result)
        }
        let isNew = await process(signed)
        if transaction.productType != .consumable { return .purchased }
        return (isNew || granted[before...].contains(transaction.id)) && answered.insert(transaction.id).inserted
            ? .purchased : .failed(message: "You have it already.")
    }

    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        await readEntitlements()
        return .restored(count: lock.withLock { entitled.count })
    }

    @discardableResult
    private func process(_ result: VerificationResult<Transaction>) async -> Bool {
        guard case .verified(let transaction) = result else { return false }
        let isNew: Bool
        if transaction.productType == .consumable {
            isNew = goods.grant(transaction)
            if isNew { granted.append(transaction.id) }
        } else {
            await readEntitlements()
            isNew = true
        }
        await transaction.finish()
        return isNew
    }

    private func readEntitlements() async {
        var found: Set<String> = []
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result { found.insert(transaction.productID) }
        }
        lock.withLock { entitled = found }
    }
}
