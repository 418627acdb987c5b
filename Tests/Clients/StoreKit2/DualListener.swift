// A shop that buys by StoreKit 2 and listens to both APIs, each listener by itself.
// Callbacks on the main queue and tasks share what is in storage.

package import ClientKit
package import Foundation
package import StoreKit

/// Broken: each listener keeps a list of its own of what it has granted, so that what both hear of is granted twice.
package final class DualListener: NSObject, AsyncStoreClient, SKPaymentTransactionObserver, @unchecked Sendable {
    package static let name = "dual-listener"
    package static let summary = "Broken: listens to both APIs, and each listener grants what it hears of."

    private let goods = Goods()
    // Guard: the main queue, on which both listeners run.
    private var granted: Set<String> = []

    package func launch() {
        granted = Set(UserDefaults.standard.stringArray(forKey: "granted") ?? [])
        SKPaymentQueue.default().add(self)
        Task { @MainActor in for await result in Transaction.updates { await deliver(result) } }
    }

    package func willTerminate() { SKPaymentQueue.default().remove(self) }
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

    @MainActor private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        grant("new \(transaction.id)", transaction.productID, transaction.purchasedQuantity)
        await transaction.finish()
    }

    package func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            grant(
                "old \(transaction.transactionIdentifier ?? "")", transaction.payment.productIdentifier,
                transaction.payment.quantity)
            queue.finishTransaction(transaction)
        }
    }

    private func grant(_ entry: String, _ product: String, _ count: Int) {
        guard granted.insert(entry).inserted else { return }
        goods.add(product, count: count)
        UserDefaults.standard.set(granted.sorted(), forKey: "granted")
    }
}
