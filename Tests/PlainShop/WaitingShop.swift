// A shop whose worker waits: for products by a group, for purchases by a semaphore, for restores by a condition; the
// main queue is asked by `sync`, and one client waits there for what only it could bring.

import Stampede
import StoreKit

final class WaitingShop: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    static let shared = WaitingShop()

    private let worker = DispatchQueue(label: "com.example.worker")
    private let fetched = DispatchGroup()
    private let restored = NSCondition()
    private var restoredCount = 0
    /// What came of the latest restore: how many, or nil if it failed; nothing as long as it goes on.
    private var restoreOutcome: Int??
    private var products: [String: SKProduct] = [:]
    private var outcomes: [String: (done: DispatchSemaphore, isBought: Bool)] = [:]
    private var request: SKProductsRequest?

    func products(_ identifiers: Set<String>, completion: @escaping ([String]) -> Void) {
        worker.async { [self] in
            fetched.enter()
            DispatchQueue.main.sync {
                let request = SKProductsRequest(productIdentifiers: identifiers)
                request.delegate = self
                self.request = request
                request.start()
            }
            fetched.wait()
            let found = DispatchQueue.main.sync { Array(products.keys) }
            DispatchQueue.main.async { completion(found) }
        }
    }

    func buy(_ identifier: String, completion: @escaping (Bool) -> Void) {
        guard let product = products[identifier] else { return completion(false) }
        let done = DispatchSemaphore(value: 0)
        outcomes[identifier] = (done, false)
        SKPaymentQueue.default().add(SKPayment(product: product))
        worker.async { [self] in
            let isInTime = done.wait(timeout: .now() + 600) == .success
            DispatchQueue.main.async { [self] in
                completion(isInTime && outcomes.removeValue(forKey: identifier)?.isBought == true)
            }
        }
    }

    func restore(completion: @escaping (Int?) -> Void) {
        restoreOutcome = nil
        restoredCount = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
        worker.async { [self] in
            restored.lock()
            while restoreOutcome == nil, restored.wait(until: Date() + 600) {}
            let outcome = restoreOutcome ?? nil
            restored.unlock()
            Thread.sleep(forTimeInterval: 0.2)
            DispatchQueue.main.async { completion(outcome) }
        }
    }

    // MARK: StoreKit

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        fetched.leave()
    }

    func request(_ request: SKRequest, didFailWithError error: Error) { fetched.leave() }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        precondition(Thread.isMainThread)
        for transaction in transactions {
            let identifier = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchased, .restored:
                let isNew = transaction.transactionState == .purchased
                if !isNew { restoredCount += 1 }
                let held = UserDefaults.standard.integer(forKey: identifier)
                let told = UserDefaults.standard.string(forKey: "latest \(identifier)")
                if told != transaction.transactionIdentifier {
                    let goods = isNew ? held + transaction.payment.quantity : max(1, held)
                    UserDefaults.standard.set(goods, forKey: identifier)
                    UserDefaults.standard.set(transaction.transactionIdentifier, forKey: "latest \(identifier)")
                }
                end(transaction, isBought: true)
            case .failed: end(transaction, isBought: false)
            default: break
            }
        }
    }

    private func end(_ transaction: SKPaymentTransaction, isBought: Bool) {
        SKPaymentQueue.default().finishTransaction(transaction)
        let identifier = transaction.payment.productIdentifier
        outcomes[identifier]?.isBought = isBought
        outcomes[identifier]?.done.signal()
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoreEnded(restoredCount)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        restoreEnded(nil)
    }

    private func restoreEnded(_ outcome: Int?) {
        restored.lock()
        restoreOutcome = .some(outcome)
        restored.signal()
        restored.unlock()
    }
}

public class WaitingShopClient: StoreClient {
    public class var name: String { "waiting-shop" }
    public class var summary: String { "A shop whose worker waits." }
    private let environment: AppEnvironment
    private let shop: WaitingShop

    /// The shop of a launch.
    class var shop: WaitingShop { WaitingShop.shared }

    public required init(environment: AppEnvironment) {
        self.environment = environment
        shop = Self.shop
    }

    public func launch() { SKPaymentQueue.default().add(shop) }
    public func willTerminate() { SKPaymentQueue.default().remove(shop) }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        shop.products(Set(identifiers ?? environment.products.map(\.identifier))) { completion(.fetched($0)) }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(identifier) { completion($0 ? .purchased : .failed(message: "It did not work.")) }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { completion($0.map { .restored(count: $0) } ?? .failed(message: "It did not work.")) }
    }

    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }
}

/// Waits on the main queue until its products are there, which are told on the main queue.
public final class StuckShopClient: WaitingShopClient {
    override public class var name: String { "stuck-shop" }

    override public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let done = DispatchSemaphore(value: 0)
        super.fetchProducts(identifiers) {
            completion($0)
            done.signal()
        }
        done.wait()
    }
}

/// The same where devices run at once, and statics are everybody's: under the wall clock.
public final class OwnWaitingShopClient: WaitingShopClient {
    override public class var name: String { "own-waiting-shop" }
    override class var shop: WaitingShop { perDevice { WaitingShop() } }
}
