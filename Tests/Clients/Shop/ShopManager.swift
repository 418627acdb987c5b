// A shop as apps write it: a singleton with a serial queue of its own, results on the main queue, and what was bought
// in the user defaults. Nothing in it but the body of `shared` was written for Stampede, and under the virtual clock not
// even that is needed: `PLAIN` is the same without it, and without the file that `stampede glue` prints.

import StoreKit

final class ShopManager: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    #if PLAIN
        static let shared = ShopManager()
    #else
        static var shared: ShopManager { perDevice { ShopManager() } }
    #endif

    private let queue = DispatchQueue(label: "com.example.shop", qos: .userInitiated)
    private let defaults: UserDefaults = .standard
    private var request: SKProductsRequest?
    private var products: [String: SKProduct] = [:]
    private var fetches: [([String]) -> Void] = []
    private var purchases: [String: (Bool) -> Void] = [:]
    private var restores: [(Int?) -> Void] = []
    private var restored = 0

    func start() { SKPaymentQueue.default().add(self) }
    func stop() { SKPaymentQueue.default().remove(self) }

    func fetch(_ identifiers: Set<String>, completion: @escaping ([String]) -> Void) {
        queue.async {
            self.fetches.append(completion)
            let request = SKProductsRequest(productIdentifiers: identifiers)
            request.delegate = self
            self.request = request
            request.start()
        }
    }

    func buy(_ identifier: String, completion: @escaping (Bool) -> Void) {
        guard let product = queue.sync(execute: { products[identifier] }), SKPaymentQueue.canMakePayments() else {
            DispatchQueue.main.async { completion(false) }
            return
        }
        queue.async {
            self.purchases[identifier] = completion
            SKPaymentQueue.default().add(SKPayment(product: product))
        }
    }

    func restore(completion: @escaping (Int?) -> Void) {
        queue.async {
            self.restores.append(completion)
            self.restored = 0
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    // MARK: SKProductsRequestDelegate

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        dispatchPrecondition(condition: .onQueue(.main))
        answerFetches(response.products)
    }

    func request(_ request: SKRequest, didFailWithError error: Error) { answerFetches([]) }

    private func answerFetches(_ found: [SKProduct]) {
        queue.async {
            for product in found { self.products[product.productIdentifier] = product }
            let waiting = self.fetches
            self.fetches = []
            self.request = nil
            DispatchQueue.main.async {
                for completion in waiting { completion(found.map(\.productIdentifier)) }
            }
        }
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        dispatchPrecondition(condition: .onQueue(.main))
        self.queue.async {
            for transaction in transactions { self.handle(transaction) }
        }
    }

    private func handle(_ transaction: SKPaymentTransaction) {
        dispatchPrecondition(condition: .onQueue(queue))
        let identifier = transaction.payment.productIdentifier
        switch transaction.transactionState {
        case .purchased:
            defaults.set(defaults.integer(forKey: identifier) + transaction.payment.quantity, forKey: identifier)
            end(transaction, true)
        case .restored:
            UserDefaults.standard.set(1, forKey: identifier)
            restored += 1
            end(transaction, true)
        case .failed:
            end(transaction, false)
        default:
            break
        }
    }

    private func end(_ transaction: SKPaymentTransaction, _ isBought: Bool) {
        SKPaymentQueue.default().finishTransaction(transaction)
        guard let completion = purchases.removeValue(forKey: transaction.payment.productIdentifier) else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { completion(isBought) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { answerRestores(failed: false) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        answerRestores(failed: true)
    }

    private func answerRestores(failed: Bool) {
        queue.async {
            let waiting = self.restores
            self.restores = []
            let count = failed ? nil : self.restored
            DispatchQueue.main.async {
                for completion in waiting { completion(count) }
            }
        }
    }
}
