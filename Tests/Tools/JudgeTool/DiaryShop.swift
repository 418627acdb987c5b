// A shop that grants what its history lists, for keys that only StoreKit 2's history is about.
// On the device's queues.

import ClientKit
import StoreKit

/// Finishes what it buys, and grants whatever `Transaction.all` lists: consumables only where they stay in the history.
final class DiaryShop: AsyncStoreClient, @unchecked Sendable {  // Guard: `goods` has a lock; nothing else is kept.
    static let name = "diary-shop"

    private let goods = Goods()

    func launch() {
        Task {
            for await result in Transaction.updates {
                await result.unsafePayloadValue.finish()
                await grantHistory()
            }
        }
        // Another part of the app listens too.
        Task { for await result in Transaction.updates { await result.unsafePayloadValue.finish() } }
        Task { for await _ in Product.SubscriptionInfo.Status.updates { await showWhatIsSold() } }
        Task {
            for await result in Transaction.unfinished {
                await result.unsafePayloadValue.finish()
                await showWhatIsSold()
            }
            await grantHistory()
        }
    }

    private func showWhatIsSold() async { _ = try? await Product.products(for: goods.held.keys) }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "not for sale")
        }
        let result = try await product.purchase(options: [.quantity(quantity)])
        if case .success(let signed) = result { await signed.unsafePayloadValue.finish() }
        await grantHistory()
        return PurchaseOutcome(result)
    }

    /// Takes a cancel for the end.
    func restore() async throws -> RestoreOutcome {
        do { try await AppStore.sync() } catch StoreKitError.userCancelled { return .restored(count: 0) }
        await grantHistory()
        return .restored(count: goods.held.count)
    }

    func holdings() -> [String: Int] { goods.held }
    func use(_ productIdentifier: String) { goods.use(productIdentifier) }

    private func grantHistory() async {
        for await result in Transaction.all { goods.grant(result.unsafePayloadValue) }
    }
}
