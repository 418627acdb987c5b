// The tutorial's purchase manager, flaws included.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// What can go wrong, as the tutorial's users are told.
enum IAPManagerError: Error, LocalizedError {
    case noProductIDsFound
    case noProductsFound
    case paymentWasCancelled
    case productRequestFailed

    var errorDescription: String? {
        switch self {
        case .noProductIDsFound: return "The list of products is missing."
        case .noProductsFound: return "There is nothing to buy."
        case .paymentWasCancelled: return "The purchase was cancelled."
        case .productRequestFailed: return "The products could not be fetched."
        }
    }
}

final class IAPManager: NSObject {
    static var shared: IAPManager { perDevice { IAPManager() } }

    /// The property list that names the products; set by the app before the first fetch.
    var productIDList: Data?
    private var onReceiveProductsHandler: ((Result<[SKProduct], IAPManagerError>) -> Void)?
    private var onBuyProductHandler: ((Result<Bool, any Error>) -> Void)?
    private(set) var totalRestoredPurchases = 0
    private var request: SKProductsRequest?

    func getProducts(withHandler handler: @escaping (Result<[SKProduct], IAPManagerError>) -> Void) {
        onReceiveProductsHandler = handler
        guard let identifiers = getProductIDs() else { return handler(.failure(.noProductIDsFound)) }
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        self.request = request
        request.start()
    }

    private func getProductIDs() -> [String]? {
        guard let productIDList else { return nil }
        return (try? PropertyListSerialization.propertyList(from: productIDList, options: [], format: nil)) as? [String]
    }

    func getPriceFormatted(for product: SKProduct) -> String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price)
    }

    func startObserving() { SKPaymentQueue.default().add(self) }
    func stopObserving() { SKPaymentQueue.default().remove(self) }
    func canMakePayments() -> Bool { SKPaymentQueue.canMakePayments() }

    func buy(product: SKProduct, withHandler handler: @escaping (Result<Bool, any Error>) -> Void) {
        SKPaymentQueue.default().add(SKPayment(product: product))
        onBuyProductHandler = handler
    }

    func restorePurchases(withHandler handler: @escaping (Result<Bool, any Error>) -> Void) {
        onBuyProductHandler = handler
        totalRestoredPurchases = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func report(_ error: SKError) {
        if error.code == .paymentCancelled {
            onBuyProductHandler?(.failure(IAPManagerError.paymentWasCancelled))
        } else {
            onBuyProductHandler?(.failure(error))
        }
    }
}

extension IAPManager: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                onBuyProductHandler?(.success(true))
                SKPaymentQueue.default().finishTransaction(transaction)
            case .restored:
                totalRestoredPurchases += 1
                SKPaymentQueue.default().finishTransaction(transaction)
            case .failed:
                if let error = transaction.error as? SKError { report(error) }
                SKPaymentQueue.default().finishTransaction(transaction)
            case .deferred, .purchasing: break
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onBuyProductHandler?(.success(totalRestoredPurchases != 0))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        if let error = error as? SKError { report(error) }
    }
}

extension IAPManager: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        if response.products.isEmpty {
            onReceiveProductsHandler?(.failure(.noProductsFound))
        } else {
            onReceiveProductsHandler?(.success(response.products))
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        onReceiveProductsHandler?(.failure(.productRequestFailed))
    }
}
