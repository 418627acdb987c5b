// The app's purchases, with completion handlers.

import Foundation
import StoreKit

/// Call it on the main queue; it calls completions there.
public final class PurchaseManager: NSObject {
    public static let shared = PurchaseManager()

    public let inventory: Inventory
    private var products: [String: SKProduct] = [:]
    private var fetches: [(request: SKProductsRequest, completion: (Result<[String], any Error>) -> Void)] = []
    private var purchases: [Purchase] = []
    private var restores: [(Result<Int, any Error>) -> Void] = []
    private var restored: Set<String> = []

    public enum Outcome { case bought, waitsForApproval }

    public struct NotForSale: Error {}

    /// Its transaction is nil until StoreKit has shown the transaction as purchasing.
    private struct Purchase {
        let product: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let completion: (Result<Outcome, any Error>) -> Void
    }

    public init(receipt: ReceiptReader? = nil) { inventory = Inventory(receipt: receipt) }

    /// Call it when the app has launched.
    /// StoreKit delivers unfinished transactions once an observer is added.
    public func start() {
        SKPaymentQueue.default().add(self)
        comesForward()
    }
    /// Call it in `willEnterForeground`: a subscription may have ended meanwhile.
    public func comesForward() { inventory.followReceipt() }
    public func stop() { SKPaymentQueue.default().remove(self) }

    public func fetch(_ identifiers: [String], completion: @escaping (Result<[String], any Error>) -> Void) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        fetches.append((request, completion))
        request.delegate = self
        request.start()
    }

    public func buy(
        _ identifier: String, quantity: Int = 1, completion: @escaping (Result<Outcome, any Error>) -> Void
    ) {
        if let product = products[identifier] { return add(product, quantity, completion) }
        fetch([identifier]) { result in
            if case .failure(let error) = result { return completion(.failure(error)) }
            guard let product = self.products[identifier] else { return completion(.failure(NotForSale())) }
            self.add(product, quantity, completion)
        }
    }

    private func add(
        _ product: SKProduct, _ quantity: Int, _ completion: @escaping (Result<Outcome, any Error>) -> Void
    ) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        purchases.append(
            Purchase(product: product.productIdentifier, quantity: quantity, completion: completion))
        SKPaymentQueue.default().add(payment)
    }

    /// Restores, and passes on how many products were restored.
    /// Calls at the same time share one answer: StoreKit rejects a second restore.
    public func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        restores.append(completion)
        guard restores.count == 1 else { return }
        restored = []
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func endRestores(_ error: (any Error)?) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(error.map { .failure($0) } ?? .success(restored.count)) }
    }

    // MARK: Transactions

    private func handle(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment
    ) {
        switch state {
        case .purchasing: begin(transaction, payment)
        case .deferred: answer(transaction, .success(.waitsForApproval))
        case .purchased, .restored:
            if state == .restored { restored.insert(transaction.payment.productIdentifier) }
            // Deliver first: StoreKit does not deliver a finished transaction again.
            let isNew = inventory.deliver(transaction)
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, isNew ? .success(.bought) : .failure(Inventory.deliveredBefore))
        case .failed:
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, .failure(transaction.error ?? SKError(.unknown)))
        @unknown default: break
        }
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.product == payment.productIdentifier && $0.quantity == payment.quantity
        }
        if let place { purchases[place].transaction = transaction }
    }

    private func answer(_ transaction: SKPaymentTransaction, _ result: Result<Outcome, any Error>) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        purchases.remove(at: place).completion(result)
    }
}

// StoreKit does not promise a queue for its callbacks.
extension PurchaseManager: SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // With state and payment: both may have changed by the time the main queue handles the transactions.
        let told = transactions.map { ($0, $0.transactionState, $0.payment) }
        DispatchQueue.main.async {
            for (transaction, state, payment) in told { self.handle(transaction, state, payment) }
        }
    }

    /// What people tap in the App Store is bought without asking again.
    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        true
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        DispatchQueue.main.async { self.endRestores(nil) }
    }

    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        DispatchQueue.main.async { self.endRestores(error) }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        DispatchQueue.main.async { self.inventory.revoke(identifiers) }
    }
}

extension PurchaseManager: SKProductsRequestDelegate {
    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        DispatchQueue.main.async {
            for product in response.products { self.products[product.productIdentifier] = product }
            self.end(request, .success(response.products.map(\.productIdentifier)))
        }
    }

    public func request(_ request: SKRequest, didFailWithError error: any Error) {
        DispatchQueue.main.async { self.end(request, .failure(error)) }
    }

    private func end(_ request: SKRequest, _ result: Result<[String], any Error>) {
        guard let place = fetches.firstIndex(where: { $0.request === request }) else { return }
        fetches.remove(at: place).completion(result)
    }
}
