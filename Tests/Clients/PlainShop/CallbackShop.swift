// The shop with callbacks: a serial queue of its own keeps everything, and answers on the main queue.

import StoreKit

final class CallbackShop: NSObject, @unchecked Sendable {
    static let shared = CallbackShop()
    static let hasty = CallbackShop(isHasty: true)

    let records = ShopRecords()
    private let work = DispatchQueue(label: "com.example.shop", qos: .userInitiated)
    private let desk: ShopDesk

    init(isHasty: Bool = false) { desk = ShopDesk(records: records, isHasty: isHasty) }

    func start() {
        SKPaymentQueue.default().add(self)
        refresh()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func refresh() { work.async { self.records.followReceipt() } }

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String], any Error>) -> Void) {
        ProductsFetch(identifiers) { result in
            self.work.async {
                if case .success(let found) = result { self.desk.take(found) }
                DispatchQueue.main.async { completion(result.map { $0.map(\.productIdentifier) }) }
            }
        }
    }

    func buy(_ identifier: String, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.notAllowed) }
        let answer: (ShopOutcome) -> Void = { outcome in DispatchQueue.main.async { completion(outcome) } }
        work.async {
            if let product = self.desk.product(identifier) {
                return self.desk.buy(product, quantity, completion: answer)
            }
            DispatchQueue.main.async { self.fetchAndBuy(identifier, quantity, completion: answer) }
        }
    }

    private func fetchAndBuy(_ identifier: String, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        fetch([identifier]) { result in
            if case .failure(let error) = result { return completion(.failed(error.localizedDescription)) }
            self.work.async {
                guard let product = self.desk.product(identifier) else { return completion(.notSold) }
                self.desk.buy(product, quantity, completion: completion)
            }
        }
    }

    func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        work.async { self.desk.restore { result in DispatchQueue.main.async { completion(result) } } }
    }
}

extension CallbackShop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let told = transactions.map(Told.init)
        work.async {
            for one in told { self.desk.handle(one) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        refresh()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let (identifier, quantity) = (payment.productIdentifier, payment.quantity)
        work.sync { desk.promote(identifier, quantity) }
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        work.async { self.desk.restoreEnded(nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        work.async { self.desk.restoreEnded(error) }
    }
}
