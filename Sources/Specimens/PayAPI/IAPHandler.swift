// The handler behind PayApi: one slot for each kind of answer, flaws included.
// Called wherever StoreKit calls; messages are shown on the device's main queue.

import ClientKit
import Foundation
import StoreKit

final class IAPHandler: NSObject {
    enum Outcome { case purchased, failed, restored, disabled, invalidProduct }

    typealias PurchaseCompletion = (Outcome, SKProduct?, SKPaymentTransaction?) -> Void

    private(set) var products: [String: SKProduct] = [:]
    private var productToPurchase: SKProduct?
    private var request: SKProductsRequest?

    // None is emptied once it has been called: the next one takes its place, and until then it is called again.
    private var fetchCompletion: (([SKProduct]) -> Void)?
    private var purchaseCompletion: PurchaseCompletion?
    private var restoreCompletion: ((SKPaymentTransaction) -> Void)?

    /// Both set by the app before the first purchase.
    var main: AppMainQueue?
    var showMessage: ((String) -> Void)?

    /// Kept for `deinit`, which may run where no device is current any more.
    private let queue = SKPaymentQueue.default()

    override init() {
        super.init()
        queue.add(self)
    }

    deinit { queue.remove(self) }

    func fetchProducts(_ identifiers: [String], completion: @escaping ([SKProduct]) -> Void) {
        fetchCompletion = completion
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        self.request = request
        request.start()
    }

    func purchase(product: SKProduct?, completion: @escaping PurchaseCompletion) {
        purchaseCompletion = completion
        productToPurchase = product
        guard let product else { return completion(.invalidProduct, nil, nil) }
        guard SKPaymentQueue.canMakePayments() else { return completion(.disabled, product, nil) }
        queue.add(SKPayment(product: product))
    }

    func restorePurchase(_ completion: @escaping (SKPaymentTransaction) -> Void) {
        restoreCompletion = completion
        queue.add(self)
        queue.restoreCompletedTransactions()
    }
}

extension IAPHandler: SKProductsRequestDelegate {
    /// The only answer: a request that fails is not heard of.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        fetchCompletion?(response.products)
    }
}

extension IAPHandler: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                purchaseCompletion?(.purchased, productToPurchase, transaction)
                queue.finishTransaction(transaction)
            case .failed:
                fail(transaction)
                queue.finishTransaction(transaction)
            case .restored:
                restoreCompletion?(transaction)
                queue.finishTransaction(transaction)
            case .deferred, .purchasing: break
            @unknown default: break
            }
        }
    }

    private func fail(_ transaction: SKPaymentTransaction) {
        purchaseCompletion?(.failed, productToPurchase, transaction)
        if (transaction.error as? SKError)?.code == .paymentCancelled { return }
        let message = transaction.error?.localizedDescription ?? "The purchase failed."
        main?.async { [showMessage] in showMessage?(message) }
    }
}
