// The shop whose workers wait: for products by a group, for purchases by a semaphore, for restores by a condition.

import StoreKit

final class WaitingShop: NSObject, @unchecked Sendable {
    static let shared = WaitingShop()
    static let hasty = WaitingShop(isHasty: true)

    let records = ShopRecords()
    private let sales: ShopSales
    /// Guards `sales`.
    private let turn = DispatchSemaphore(value: 1)
    private let workers = DispatchQueue(label: "com.example.workers", attributes: .concurrent)
    private let restored = NSCondition()

    init(isHasty: Bool = false) { sales = ShopSales(records: records, isHasty: isHasty) }

    private func withSales<Value>(_ body: (ShopSales) -> Value) -> Value {
        turn.wait()
        defer { turn.signal() }
        return body(sales)
    }

    func start() {
        SKPaymentQueue.default().add(self)
        refresh()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func refresh() { workers.async { [self] in withSales { $0.records.followReceipt() } } }

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String], any Error>) -> Void) {
        workers.async { [self] in
            let result = products(identifiers)
            DispatchQueue.main.async { completion(result.map { $0.map(\.productIdentifier) }) }
        }
    }

    /// Waits for StoreKit, beside the main queue.
    private func products(_ identifiers: Set<String>) -> Result<[SKProduct], any Error> {
        let fetched = DispatchGroup()
        var result: Result<[SKProduct], any Error> = .success([])
        fetched.enter()
        // Formed here: StoreKit may tell of products on any queue.
        let end: (Result<[SKProduct], any Error>) -> Void = {
            result = $0
            fetched.leave()
        }
        DispatchQueue.main.sync { _ = ProductsFetch(identifiers, completion: end) }
        fetched.wait()
        if case .success(let found) = result { withSales { $0.take(found) } }
        return result
    }

    func buy(_ identifier: String, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.notAllowed) }
        workers.async { [self] in
            let outcome = purchase(identifier, quantity)
            DispatchQueue.main.async { completion(outcome) }
        }
    }

    /// Waits for the buyer, beside the main queue.
    private func purchase(_ identifier: String, _ quantity: Int) -> ShopOutcome {
        if withSales({ $0.product(identifier) }) == nil, case .failure(let error) = products([identifier]) {
            return .failed(error.localizedDescription)
        }
        let done = DispatchSemaphore(value: 0)
        var outcome = ShopOutcome.notSold
        let isOnItsWay = withSales { sales in
            guard let product = sales.product(identifier) else { return false }
            sales.buy(product, quantity) {
                outcome = $0
                done.signal()
            }
            return true
        }
        if isOnItsWay { done.wait() }
        return outcome
    }

    func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        workers.async { [self] in
            var result: Result<Int, any Error>?
            withSales {
                $0.restore { ended in
                    self.restored.lock()
                    result = ended
                    self.restored.broadcast()
                    self.restored.unlock()
                }
            }
            restored.lock()
            while result == nil { restored.wait() }
            restored.unlock()
            guard let result else { return }
            DispatchQueue.main.async { completion(result) }
        }
    }
}

extension WaitingShop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let told = transactions.map(Delivery.init)
        withSales { sales in
            for one in told { sales.handle(one) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        refresh()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let (identifier, quantity) = (payment.productIdentifier, payment.quantity)
        withSales { $0.promote(identifier, quantity) }
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        withSales { $0.restoreEnded(nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        withSales { $0.restoreEnded(error) }
    }
}
