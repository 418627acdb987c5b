// The shop with callbacks: a serial queue of its own keeps everything, and answers on the main queue.

import StoreKit

final class CallbackShop: NSObject, @unchecked Sendable {
    static let shared = CallbackShop()
    static let hasty = CallbackShop(isHasty: true)

    let records = ShopRecords()
    private let work = DispatchQueue(label: "com.example.shop", qos: .userInitiated)
    private let sales: ShopSales

    init(isHasty: Bool = false) { sales = ShopSales(records: records, isHasty: isHasty) }

    func start() {
        SKPaymentQueue.default().add(self)
        refresh()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func refresh() { work.async { self.records.followReceipt() } }

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String], any Error>) -> Void) {
        ProductsFetch(identifiers) { result in
            self.work.async {
                if case .success(let found) = result { self.sales.take(found) }
                DispatchQueue.main.async { completion(result.map { $0.map(\.productIdentifier) }) }
            }
        }
    }

    func buy(_ identifier: String, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.notAllowed) }
        let answer: (ShopOutcome) -> Void = { outcome in DispatchQueue.main.async { completion(outcome) } }
        work.async {
            if let product = self.sales.product(identifier) {
                return self.sales.buy(product, quantity, completion: answer)
            }
            DispatchQueue.main.async { self.fetchAndBuy(identifier, quantity, completion: answer) }
        }
    }

    private func fetchAndBuy(_ identifier: String, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        fetch([identifier]) { result in
            if case .failure(let error) = result { return completion(.failed(error.localizedDescription)) }
            self.work.async {
                guard let product = self.sales.product(identifier) else { return completion(.notSold) }
                self.sales.buy(product, quantity, completion: completion)
            }
        }
    }

    func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        work.async { self.sales.restore { result in DispatchQueue.main.async { completion(result) } } }
    }
}

extension CallbackShop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let told = transactions.map(Delivery.init)
        work.async {
            for one in told { self.sales.handle(one) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        refresh()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let (identifier, quantity) = (payment.productIdentifier, payment.quantity)
        work.sync { sales.promote(identifier, quantity) }
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        work.async { self.sales.restoreEnded(nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        work.async { self.sales.restoreEnded(error) }
    }
}
