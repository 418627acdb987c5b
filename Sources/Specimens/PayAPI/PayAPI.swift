// The one object that the app's screens know: it passes everything on to its handler.
// Confined to the device's main queue.

import ClientKit
import StoreKit

final class PayApi {
    static var shared: PayApi { perDevice { PayApi() } }

    /// On the payment queue from here on.
    let handler = IAPHandler()

    var products: [String: SKProduct] { handler.products }

    func fetchProducts(_ identifiers: [String], completion: @escaping ([SKProduct]) -> Void) {
        handler.fetchProducts(identifiers, completion: completion)
    }

    func purchase(product: SKProduct?, completion: @escaping IAPHandler.PurchaseCompletion) {
        handler.purchase(product: product, completion: completion)
    }

    func restorePurchase(_ completion: @escaping (SKPaymentTransaction) -> Void) {
        handler.restorePurchase(completion)
    }
}
