// A shop that prints what StoreKit 2 signs, for a verifier outside.
// On the device's queues.

import ClientKit
import StoreKit

/// Buys, and prints a line for each JWS: what it is, and the text. Prints the app's own purchase at the launch.
final class SigningShop: AsyncStoreClient, @unchecked Sendable {  // Guard: `goods` has a lock; nothing else is kept.
    static let name = "signing-shop"

    private let goods = Goods()

    func launch() {
        Task {
            guard let app = try? await AppTransaction.shared else { return }
            print("app-transaction", app.jwsRepresentation)
        }
        Task { for await result in Transaction.updates { await deliver(result) } }
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "not for sale")
        }
        let result = try await product.purchase(options: [.quantity(quantity)])
        if case .success(let signed) = result { await deliver(signed) }
        for status in try await product.subscription?.status ?? [] {
            print("renewal-info", status.renewalInfo.jwsRepresentation)
        }
        return PurchaseOutcome(result)
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        print("transaction", result.jwsRepresentation)
        guard case .verified(let transaction) = result else { return }
        goods.grant(transaction)
        await transaction.finish()
    }

    func restore() async throws -> RestoreOutcome { .restored(count: 0) }
    func holdings() -> [String: Int] { goods.held }
    func use(_ productIdentifier: String) { goods.use(productIdentifier) }
}
