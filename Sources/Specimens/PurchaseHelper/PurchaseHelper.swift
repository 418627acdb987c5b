// The helper of 2012: buys one thing, for good.
// Called wherever StoreKit calls.

import ClientKit
import Foundation
import StoreKit

protocol PurchaseHelperDelegate: AnyObject {
    func purchaseCompletedSuccessfully()
    func purchaseFailedWithError(_ message: String)
}

final class PurchaseHelper: NSObject {
    static var shared: PurchaseHelper { perDevice { PurchaseHelper() } }

    weak var delegate: (any PurchaseHelperDelegate)?
    /// Both set by the app before the first purchase.
    var environment: AppEnvironment?
    var productIdentifier = ""
    private var request: SKProductsRequest?

    static let purchasedKey = "isPurchased"

    func requestInAppPurchase() {
        guard SKPaymentQueue.canMakePayments() else {
            delegate?.purchaseFailedWithError("IAP not supported!")
            return
        }
        let request = SKProductsRequest(productIdentifiers: [productIdentifier])
        request.delegate = self
        self.request = request
        request.start()
    }

    /// "Not implemented": whatever this brings is finished and forgotten, and its end is not heard of.
    func restorePurchases() { SKPaymentQueue.default().restoreCompletedTransactions() }
}

extension PurchaseHelper: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        guard response.products.count == 1 else {
            environment?.assertionFailed()
            return
        }
        SKPaymentQueue.default().add(self)
        SKPaymentQueue.default().add(SKPayment(product: response.products[0]))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        delegate?.purchaseFailedWithError(error.localizedDescription)
    }
}

extension PurchaseHelper: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased: complete(transaction)
            case .failed: fail(transaction)
            case .restored: SKPaymentQueue.default().finishTransaction(transaction)
            case .deferred, .purchasing: break
            @unknown default: break
            }
        }
    }

    /// There is one product only: nobody asks which one was bought.
    private func complete(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
        environment?.defaults.set(.flag(true), forKey: Self.purchasedKey)
        environment?.defaults.synchronize()
        delegate?.purchaseCompletedSuccessfully()
    }

    private func fail(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
        delegate?.purchaseFailedWithError(transaction.error?.localizedDescription ?? "")
        request?.cancel()
    }
}
