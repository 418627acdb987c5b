// The commonest app: one shared object that observes the queue, asks for products and hands results to closures.
// It runs on the default device, which sells nothing and answers at once, on the main queue. Every payment here is
// for a product of its own name: other tests share that device.

import Foundation
import StandaloneUse
import StoreKit
import Testing

enum StoreError: Error, Equatable {
    case cancelled
    case notSold
    case other(Int)
}

class Store: NSObject {
    static let shared = Store()

    var onRestore: ((Int) -> Void)?
    private var purchases: [String: (Result<String, Error>) -> Void] = [:]
    private var lookups: [SKRequest: (SKProductsResponse) -> Void] = [:]
    private var restored = 0

    private override init() {
        super.init()
        SKPaymentQueue.default().add(self)
    }

    deinit { SKPaymentQueue.default().remove(self) }

    func buy(_ identifier: String, completion: @escaping (Result<String, Error>) -> Void) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.failure(StoreError.notSold)) }
        purchases[identifier] = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = 1
        SKPaymentQueue.default().add(payment)
    }

    func lookUp(_ identifiers: Set<String>, completion: @escaping (SKProductsResponse) -> Void) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        lookups[request] = completion
        request.start()
    }

    func restore() {
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }
}

extension Store: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased: complete(transaction)
            case .failed: fail(transaction)
            case .restored: restored += 1
            case .deferred, .purchasing: break
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { onRestore?(restored) }

    private func complete(_ transaction: SKPaymentTransaction) {
        guard let completion = purchases.removeValue(forKey: transaction.payment.productIdentifier) else { return }
        completion(.success(transaction.transactionIdentifier ?? ""))
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func fail(_ transaction: SKPaymentTransaction) {
        guard let completion = purchases.removeValue(forKey: transaction.payment.productIdentifier) else { return }
        if let error = transaction.error as? SKError {
            switch error.code {
            case .paymentCancelled: completion(.failure(StoreError.cancelled))
            case .paymentInvalid, .storeProductNotAvailable: completion(.failure(StoreError.notSold))
            case .unknown, .clientInvalid, .paymentNotAllowed: completion(.failure(error))
            default: completion(.failure(StoreError.other((error as NSError).code)))
            }
        }
        SKPaymentQueue.default().finishTransaction(transaction)
    }
}

extension Store: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        lookups.removeValue(forKey: request)?(response)
    }

    func request(_ request: SKRequest, didFailWithError error: Error) { lookups.removeValue(forKey: request) }
}

@MainActor @Suite(.aloneOnTheDevice) struct SingletonStoreTests {
    @Test func purchaseOfAnUnsoldProductCallsItsClosure() async {
        let result = await withCheckedContinuation { continuation in
            Store.shared.buy("shape.singleton") { continuation.resume(returning: $0) }
        }
        #expect(throws: StoreError.notSold) { try result.get() }
    }

    @Test func lookUpReportsUnsoldProductsAsInvalid() async {
        let response = await withCheckedContinuation { continuation in
            Store.shared.lookUp(["shape.a", "shape.b"]) { continuation.resume(returning: $0) }
        }
        #expect(response.products.isEmpty)
        #expect(Set(response.invalidProductIdentifiers) == ["shape.a", "shape.b"])
    }

    @Test func restoreOfNothingFinishes() async {
        let restored = await withCheckedContinuation { continuation in
            Store.shared.onRestore = {
                Store.shared.onRestore = nil
                continuation.resume(returning: $0)
            }
            Store.shared.restore()
        }
        #expect(restored == 0)
    }

    @Test func singletonStoreObservesTheQueue() {
        #expect(SKPaymentQueue.default().transactionObservers.contains { $0.isEqual(Store.shared) })
    }
}
