// A shop that takes what cannot be verified for a purchase.
// On the device's queues.

package import ClientKit
import StoreKit

/// Broken: delivers whatever StoreKit 2 hands over, verified or not. Guard: `goods` has a lock; nothing else is kept.
package final class TrustingShop: AsyncStoreClient, @unchecked Sendable {
    package static let name = "trusting-shop"
    package static let summary = "Broken: delivers what cannot be verified."

    private let goods = Goods()

    package init() {}

    package func launch() { Task { for await result in Transaction.updates { await deliver(result) } } }
    package func holdings() -> [String: Int] { goods.held }
    package func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    package func restore() async throws -> RestoreOutcome { .restored(count: 0) }

    package func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        let result = try await product.purchase(options: [.quantity(quantity)])
        if case .success(let signed) = result { await deliver(signed) }
        return PurchaseOutcome(result)
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        let transaction = result.unsafePayloadValue
        goods.grant(transaction)
        await transaction.finish()
    }
}
