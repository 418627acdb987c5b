// A client of your own to start from: copy this file into a module that depends on Stampede, and replace `Shop` by your
// purchase class. `TemplateClient` then tells the harness how to drive it.
// Everything here belongs to the device's main queue.

import Foundation
import Stampede
import StoreKit

// MARK: 1. The purchase class of your app

/// The purchase class, as the app has it: it talks to StoreKit, and has somebody else keep the goods.
private final class Shop: NSObject {
    // The one line that Stampede needs changed. In the app it says: static let shared = Shop()
    // Thousands of simulated devices share one program, and each must have a shop of its own.
    static var shared: Shop { perDevice { Shop() } }

    /// Grants what a transaction brings. It must be durable when this returns: the transaction is finished next. False if
    /// it was granted before: StoreKit may answer a second payment with an earlier purchase.
    var deliver: ((SKPaymentTransaction) -> Bool)?
    /// To the main queue, from wherever StoreKit calls. A class that says `DispatchQueue.main.async` can go on doing so
    /// beside the file that `stampede glue` prints; this one is told how, and does without that file.
    var onMain: (@escaping () -> Void) -> Void = { $0() }

    private var products: [String: SKProduct] = [:]
    private var fetches: [(request: SKProductsRequest, completion: ((any Error)?) -> Void)] = []
    private var purchases: [Purchase] = []
    private var restores: [(Result<Int, any Error>) -> Void] = []
    private var restoredCount = 0
    /// Something was refunded, or its sharing ended.
    var takeBack: (() -> Void)?

    /// Each purchase has its own answer. Its transaction is known once StoreKit has shown it as purchasing.
    private struct Purchase {
        let payment: SKPayment
        var transaction: SKPaymentTransaction?
        let completion: (SKPaymentTransactionState, (any Error)?) -> Void
    }

    func start() { SKPaymentQueue.default().add(self) }
    func stop() { SKPaymentQueue.default().remove(self) }

    func product(_ identifier: String) -> SKProduct? { products[identifier] }

    func fetch(_ identifiers: Set<String>, completion: @escaping ((any Error)?) -> Void) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        // Retained until it has answered: StoreKit does not promise to retain it.
        fetches.append((request, completion))
        request.start()
    }

    func buy(
        _ product: SKProduct, quantity: Int, completion: @escaping (SKPaymentTransactionState, (any Error)?) -> Void
    ) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        purchases.append(Purchase(payment: payment, transaction: nil, completion: completion))
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        restores.append(completion)
        // StoreKit turns a second restore away while one runs: concurrent callers share its answer.
        guard restores.count == 1 else { return }
        restoredCount = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }
}

extension Shop: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        onMain { [self] in
            for product in response.products { products[product.productIdentifier] = product }
            // Sold once, perhaps, and no longer.
            for identifier in response.invalidProductIdentifiers { products[identifier] = nil }
            end(request, nil)
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        onMain { [self] in end(request, error) }
    }

    private func end(_ request: SKRequest, _ error: (any Error)?) {
        guard let place = fetches.firstIndex(where: { $0.request === request }) else { return }
        fetches.remove(at: place).completion(error)
    }
}

extension Shop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // Read here and now: on the way to the main queue the same objects may move on.
        let told = transactions.map { ($0, $0.payment, $0.transactionState) }
        onMain { [self] in
            for (transaction, payment, state) in told { handle(transaction, payment, state) }
        }
    }

    private func handle(_ transaction: SKPaymentTransaction, _ payment: SKPayment, _ state: SKPaymentTransactionState) {
        switch state {
        case .purchasing:
            let place = purchases.firstIndex {
                $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                    && $0.payment.quantity == payment.quantity
            }
            if let place { purchases[place].transaction = transaction }
        case .deferred:
            answer(transaction, state, nil)
        case .purchased:
            // Whether a purchase waits for it or not: it may be left over from an earlier launch.
            let isNew = deliver?(transaction) ?? true
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, isNew ? state : .failed, isNew ? nil : Self.deliveredBefore)
        case .restored:
            _ = deliver?(transaction)
            restoredCount += 1
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, state, nil)
        case .failed:
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, state, transaction.error)
        @unknown default:
            break
        }
    }

    private func answer(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ error: (any Error)?
    ) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        purchases.remove(at: place).completion(state, error)
    }

    private static let deliveredBefore = NSError(
        domain: "Shop", code: 1,
        userInfo: [NSLocalizedDescriptionKey: "You have this purchase already, and nothing was charged."])

    /// Whoever taps a product in the App Store wants to buy it. Nobody in the app waits for an answer.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        onMain { [self] in purchases.append(Purchase(payment: payment, transaction: nil) { _, _ in }) }
        return true
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        onMain { [self] in takeBack?() }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onMain { [self] in answerRestores(.success(restoredCount)) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        onMain { [self] in answerRestores(.failure(error)) }
    }

    private func answerRestores(_ result: Result<Int, any Error>) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(result) }
    }
}

// MARK: 2. What the harness drives

/// One launch of the app. Called on the device's main queue; whatever must outlive the launch goes through `goods`.
final class TemplateClient: StoreClient {
    static let name = "template"
    static let summary = "The file to copy for a client of your own: a small shop with a record of what it delivered."

    private let environment: AppEnvironment
    /// What the app's users hold, durable and delivered once. Your own, if the app keeps goods itself.
    private let goods: Goods
    private var shop: Shop { .shared }

    init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
    }

    /// What the app does first. Observe the queue here, or what is unfinished has to wait.
    func launch() {
        let main = environment.main
        shop.onMain = { main.async($0) }
        shop.deliver = { [goods] transaction in
            guard goods.grant(transaction) else { return false }
            // A renewal may come when its period is over already.
            goods.giveUpWhatIsOver(of: transaction.payment.productIdentifier)
            return true
        }
        shop.takeBack = { [goods] in goods.giveUpWhatIsOver() }
        shop.start()
        goods.followReceipt()
    }

    func willTerminate() { shop.stop() }
    func willEnterForeground() { goods.followReceipt() }

    // Answer every question exactly once, with what the user would see.

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let wanted = identifiers ?? environment.products.map(\.identifier)
        shop.fetch(Set(wanted)) { [weak self] error in
            if let error { return completion(.failed(message: error.localizedDescription)) }
            completion(.fetched(wanted.filter { self?.shop.product($0) != nil }))
        }
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else {
            return completion(.refused(reason: "Payments are not allowed on this device."))
        }
        if let product = shop.product(productIdentifier) { return buy(product, quantity, completion) }
        shop.fetch([productIdentifier]) { [weak self] error in
            if let error { return completion(.failed(message: error.localizedDescription)) }
            guard let product = self?.shop.product(productIdentifier) else {
                return completion(.refused(reason: "Not for sale."))
            }
            self?.buy(product, quantity, completion)
        }
    }

    private func buy(_ product: SKProduct, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(product, quantity: quantity) { state, error in
            switch state {
            case .deferred: completion(.deferred)
            case .failed: completion(error.map { PurchaseOutcome($0) } ?? .failed(message: "The purchase failed."))
            default: completion(.purchased)
            }
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { result in
            switch result {
            case .success(let count): completion(.restored(count: count))
            case .failure(let error): completion(RestoreOutcome(error))
            }
        }
    }

    func use(_ productIdentifier: String) { goods.use(productIdentifier) }

    // MARK: 3. What the harness counts

    // Read from where it would still be after a crash.

    func holdings() -> [String: Int] { goods.held }
    func holdings(of productIdentifier: String) -> Int { goods.count(of: productIdentifier) }
}
