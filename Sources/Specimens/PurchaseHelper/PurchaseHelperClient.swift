// An app that sells one thing through the helper, driven by the harness.
// Confined to the device's main queue.

package import ClientKit
import StoreKit

package final class PurchaseHelperClient: StoreClient {
    package static let name = "purchase-helper"
    package static let summary = "A helper of 2012: one non-consumable, observed only from the first purchase on."
    package static let options = [
        ClientOption(
            name: "product_id", values: ["sold", "withdrawn"],
            meaning: "withdrawn asks for a product that the store does not know, on which the helper's assertion fails")
    ]

    private let environment: AppEnvironment
    /// What the app sells: the first product that is bought once. Nil where the catalog has none.
    private let product: String?
    private var purchaseCompletion: ((PurchaseOutcome) -> Void)?
    private var helper: PurchaseHelper { .shared }

    package init(environment: AppEnvironment) {
        self.environment = environment
        product = environment.products.first { $0.kind == .nonConsumable }?.identifier
    }

    /// There is no observer on the queue yet; later it stays there to the end.
    package func launch() {
        helper.environment = environment
        helper.delegate = self
        if let product {
            helper.productIdentifier = environment.options["product_id"] == "withdrawn" ? product + ".old" : product
        }
    }

    /// The screen has one button and its price is painted on it: nothing is asked of the store.
    package func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let offered = isPurchased ? [] : [product].compactMap { $0 }
        completion(.fetched(offered.filter { identifiers?.contains($0) ?? true }))
    }

    /// The quantity is ignored.
    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard productIdentifier == product else { return completion(.refused(reason: "Not for sale.")) }
        guard !environment.defaults.bool(forKey: PurchaseHelper.purchasedKey) else {
            return completion(.refused(reason: "You have it already."))
        }
        purchaseCompletion = completion
        helper.requestInAppPurchase()
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) { helper.restorePurchases() }

    // MARK: Goods

    private var isPurchased: Bool { environment.hasDurable(PurchaseHelper.purchasedKey) }

    package func holdings() -> [String: Int] {
        guard let product, isPurchased else { return [:] }
        return [product: 1]
    }

    package func holdings(of productIdentifier: String) -> Int {
        productIdentifier == product && isPurchased ? 1 : 0
    }
}

extension PurchaseHelperClient: PurchaseHelperDelegate {
    func purchaseCompletedSuccessfully() { answer(.purchased) }

    /// Everything that went wrong is an error to this app, a cancel too.
    func purchaseFailedWithError(_ message: String) { answer(.failed(message: message)) }

    /// Once: what comes later only changes the screen.
    private func answer(_ outcome: PurchaseOutcome) {
        let completion = purchaseCompletion.take()
        completion?(outcome)
    }
}
