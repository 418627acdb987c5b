// A client of StoreKit 2 that hears less of its purchases than it should.
// On any thread; what is stored lies in the device's storage.

import ClientKit
import Foundation
import Stampede
import StoreKit

/// Delivers what its calls return, trusts it without a look, and tells a server of it.
final class CarelessClient: AsyncStoreClient, @unchecked Sendable {
    static let name = "careless"
    static let summary = "Uses StoreKit 2 and does not listen as it should."
    static let options = [
        ClientOption(
            name: "listens", values: ["late", "once"], meaning: "When it reads `Transaction.updates`. Default: never.")
    ]

    private let environment: AppEnvironment
    private let lock = NSLock()
    private var products: [String: Product] = [:]  // Guard: `lock`.

    init(environment: AppEnvironment) { self.environment = environment }

    func launch() { if environment.options["listens"] == "once" { listen() } }
    func willTerminate() {}
    func holdings() -> [String: Int] {
        let products = environment.products.map(\.identifier)
        return Dictionary(uniqueKeysWithValues: products.map { ($0, environment.durableInteger($0)) })
    }
    func holdings(of productIdentifier: String) -> Int { environment.durableInteger(productIdentifier) }
    func use(_ productIdentifier: String) { add(-1, productIdentifier) }

    func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        let found = try await Product.products(for: identifiers ?? environment.products.map(\.identifier))
        lock.withLock { for product in found { products[product.id] = product } }
        return found.map(\.id)
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        if environment.options["listens"] == "late" { listen() }
        _ = try await fetchProducts([productIdentifier])
        guard let product = lock.withLock({ products[productIdentifier] }) else { return .refused(reason: "Not sold.") }
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        if case .success(let purchase) = result { await deliver(purchase) }
        return PurchaseOutcome(result)
    }

    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: 0)
    }

    private func listen() {
        Task {
            for await purchase in Transaction.updates {
                await deliver(purchase)
                break
            }
        }
    }

    private func deliver(_ purchase: VerificationResult<Transaction>) async {
        environment.http.post("https://shop.example/deliver", Data(purchase.jwsRepresentation.utf8)) { _ in }
        let transaction = purchase.unsafePayloadValue
        add(transaction.purchasedQuantity, transaction.productID)
        await transaction.finish()
    }

    private func add(_ count: Int, _ product: String) {
        lock.withLock { environment.write([(product, .integer(environment.durableInteger(product) + count))]) }
    }
}
