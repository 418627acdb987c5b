// An app of StoreKit 2 that reads what is unfinished at its launch, and hears of nothing else until its user buys.
// An actor of each device guards what it knows.

package import ClientKit
import StoreKit

package actor PollingShop: AsyncStoreClient {
    package static let name = "polling-shop"
    package static let summary = "Reads what is unfinished at the launch, and updates from the first purchase on."
    package static let options = [
        ClientOption(name: "listens", values: ["true", "false"], meaning: "Whether it reads updates before it buys.")
    ]

    private nonisolated let goods: Goods
    private let listens: Bool
    private var listener: Task<Void, Never>?

    package init(environment: AppEnvironment) {
        goods = Goods(environment)
        listens = environment.options["listens"] != "false"
    }

    package nonisolated func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    package nonisolated func holdings() -> [String: Int] { goods.held }

    package nonisolated func launch() { Task { for await result in Transaction.unfinished { await process(result) } } }

    package func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        if listens, listener == nil {
            listener = Task { for await result in Transaction.updates { await process(result) } }
        }
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        let result = try await product.purchase()
        if case .success(let signed) = result { await process(signed) }
        return PurchaseOutcome(result)
    }

    package func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: goods.held.count)
    }

    private func process(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        goods.grant(transaction)
        await transaction.finish()
    }
}
