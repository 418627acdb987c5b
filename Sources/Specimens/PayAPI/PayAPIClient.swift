// An app on top of PayApi, driven by the harness.
// Confined to the device's main queue.

package import ClientKit
import StoreKit

package final class PayAPIClient: StoreClient {
    package static let name = "pay-api"
    package static let summary =
        "PayApi with an IAPHandler: one slot for each answer, delivers what was asked for last."

    private let environment: AppEnvironment
    private let goods: Goods
    private var api: PayApi { .shared }

    package init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
    }

    package func launch() {
        // Asking for it puts its handler on the payment queue.
        api.handler.main = environment.main
    }

    // The handler leaves the queue when it is freed, which a singleton never is: nothing happens at the end.

    // MARK: Shop

    package func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        api.fetchProducts(identifiers ?? environment.products.map(\.identifier)) { products in
            completion(.fetched(products.map(\.productIdentifier)))
        }
    }

    /// The quantity is ignored: the handler's payments are for one.
    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        if !api.products.isEmpty { return buy(productIdentifier, completion) }
        fetchProducts(nil) { [weak self] _ in self?.buy(productIdentifier, completion) }
    }

    private func buy(_ identifier: String, _ completion: @escaping (PurchaseOutcome) -> Void) {
        api.handler.showMessage = { message in completion(.failed(message: message)) }
        api.purchase(product: api.products[identifier]) { [weak self] outcome, product, transaction in
            switch outcome {
            case .purchased, .restored:
                if let product { self?.deliver(product.productIdentifier) }
                completion(.purchased)
            case .failed:
                // Of everything else the message tells.
                if (transaction?.error as? SKError)?.code == .paymentCancelled { completion(.cancelled) }
            case .disabled: completion(.refused(reason: "Payments are not allowed on this device."))
            case .invalidProduct: completion(.refused(reason: "Not for sale."))
            }
        }
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) {
        api.restorePurchase { [weak self] transaction in
            self?.deliver(transaction.payment.productIdentifier)
            completion(.restored(count: 1))
        }
    }

    // MARK: Goods

    /// Whatever transaction it came from.
    private func deliver(_ identifier: String) { goods.add(identifier) }

    package func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    package func holdings() -> [String: Int] { goods.held }
    package func holdings(of productIdentifier: String) -> Int { goods.count(of: productIdentifier) }
}
