// The app on top of the library: a purse of silver, and things that are owned or subscribed to.
// Confined to the device's main queue.

package import ClientKit
import Foundation
import StoreKit

/// The shop, driven by the harness.
package final class SilverShop: StoreClient, IAPPurchaseDelegate {
    package static let name = "in-app-purchase-lib"
    package static let summary = "A library with a receipt validator: announces products, finishes all of a product."

    private let environment: AppEnvironment
    private let records: IAPRecords
    private let goods: Goods
    private let sold: [IAPProduct]

    package init(environment: AppEnvironment) {
        self.environment = environment
        records = IAPRecords(environment: environment)
        goods = Goods(environment) { Self.goods(perPurchaseOf: $0) }
        sold = environment.products.map(IAPProduct.init)
    }

    package func launch() {
        IAPLibrary.shared.environment = environment
        InAppPurchase.initialize(
            iapProducts: sold, validatorUrlString: environment.validatorURL, iapPurchaseDelegate: self)
    }

    package func willTerminate() { InAppPurchase.stop() }

    // MARK: Shop

    package func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        InAppPurchase.refresh { result in
            switch result.state {
            case .succeeded, .skipped: completion(.fetched(InAppPurchase.getProducts().map(\.productIdentifier)))
            case .failed: completion(.failed(message: Self.message(result.iapError)))
            }
        }
    }

    /// A user who opens the shop before the products are there waits for them.
    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        if InAppPurchase.getProductBy(identifier: productIdentifier) != nil {
            return buy(productIdentifier, quantity, completion)
        }
        InAppPurchase.refresh { [weak self] _ in self?.buy(productIdentifier, quantity, completion) }
    }

    private func buy(_ identifier: String, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        InAppPurchase.purchase(productIdentifier: identifier, quantity: quantity) { result in
            switch (result.state, result.iapError) {
            case (.purchased, _): completion(.purchased)
            case (.cancelled, _): completion(.cancelled)
            case (.deferred, _): completion(.deferred)
            case (.failed, .productNotFound), (.failed, .cannotMakePurchase), (.failed, .alreadyPurchasing),
                (.failed, .libraryNotInitialized):
                completion(.refused(reason: Self.message(result.iapError)))
            case (.failed, _): completion(.failed(message: Self.message(result.iapError)))
            }
        }
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) {
        InAppPurchase.restorePurchases { [weak self] result in
            guard let self else { return }
            switch result.state {
            case .succeeded, .skipped:
                let active = sold.filter { InAppPurchase.hasActivePurchase(for: $0.productIdentifier) }
                completion(.restored(count: active.count))
            case .failed: completion(.failed(message: Self.message(result.iapError)))
            }
        }
    }

    private static func message(_ error: IAPError?) -> String { error?.localizedDescription ?? "" }

    // MARK: Goods

    // What is owned or subscribed to, the library knows. The rest is counted here, by the product that brought it: the
    // purse is the sum.

    func productPurchased(productIdentifier: String) {
        guard let product = product(productIdentifier) else { return }
        switch product.productType {
        case .consumable, .nonRenewingSubscription: goods.add(productIdentifier)
        case .nonConsumable, .autoRenewableSubscription: break
        }
        InAppPurchase.finishTransactions(for: productIdentifier)
    }

    package func use(_ productIdentifier: String) { goods.use(productIdentifier) }

    package func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: sold.map { ($0.productIdentifier, held(of: $0)) }).filter { $0.value != 0 }
    }

    package func holdings(of productIdentifier: String) -> Int { product(productIdentifier).map(held(of:)) ?? 0 }

    private func held(of product: IAPProduct) -> Int {
        switch product.productType {
        case .consumable, .nonRenewingSubscription: return goods.count(of: product.productIdentifier)
        case .nonConsumable, .autoRenewableSubscription: return records.isDurablyActive(product) ? 1 : 0
        }
    }

    private func product(_ identifier: String) -> IAPProduct? { sold.first { $0.productIdentifier == identifier } }

    package static func goods(perPurchaseOf productIdentifier: String) -> Int {
        switch productIdentifier.split(separator: ".").last {
        case "10_silver": return 10
        case "100_silver": return 100
        default: return 1
        }
    }
}

extension IAPProduct {
    fileprivate init(_ product: AppEnvironment.Product) {
        productIdentifier = product.identifier
        switch product.kind {
        case .consumable: productType = .consumable
        case .nonConsumable: productType = .nonConsumable
        case .autoRenewableSubscription: productType = .autoRenewableSubscription
        case .nonRenewingSubscription: productType = .nonRenewingSubscription
        }
    }
}
