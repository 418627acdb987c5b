// The vendor sample's screens, driven by the harness.
// Confined to the device's main queue.

package import ClientKit
import Foundation
import StoreKit

package final class StoreObserverClient: StoreClient {
    package static let name = "store-observer"
    package static let summary =
        "A vendor sample's StoreManager and StoreObserver: delivers from transactions, keeps no record of them."

    private let environment: AppEnvironment
    private let content: Goods
    private var manager: StoreManager { .shared }
    private var observer: StoreObserver { .shared }

    /// What the user was shown, in order.
    private(set) var messages: [String] = []
    private(set) var sections: [Section] = []
    private var fetches: [(FetchOutcome) -> Void] = []
    private var purchases: [OpenPurchase] = []
    private var restores: [(RestoreOutcome) -> Void] = []

    /// A row of the shop that spins. `transaction` is known once it is on the queue.
    private struct OpenPurchase {
        let productIdentifier: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let completion: (PurchaseOutcome) -> Void
    }

    package init(environment: AppEnvironment) {
        self.environment = environment
        content = Goods(environment)
    }

    package func launch() {
        manager.main = environment.main
        manager.delegate = self
        observer.main = environment.main
        observer.content = content
        observer.delegate = self
        SKPaymentQueue.default().add(observer)
    }

    package func willTerminate() { SKPaymentQueue.default().remove(observer) }

    // MARK: Shop

    package func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        // The table shows whatever comes next; every waiter sees the same.
        fetches.append(completion)
        manager.startProductRequest(with: identifiers ?? environment.products.map(\.identifier))
    }

    /// A purchase from another screen takes what the table is about to show.
    private func whenShown(_ completion: @escaping (FetchOutcome) -> Void) {
        if fetches.isEmpty { return fetchProducts(nil, completion: completion) }
        fetches.append(completion)
    }

    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard observer.isAuthorizedForPayments else {
            return completion(.refused(reason: "Payments are not allowed on this device."))
        }
        if let product = available(productIdentifier) { return buy(product, quantity, completion) }
        whenShown { [weak self] outcome in
            guard let self else { return }
            if let product = available(productIdentifier) { return buy(product, quantity, completion) }
            switch outcome {
            case .fetched: completion(.refused(reason: "Not for sale."))
            case .failed(let message): completion(.failed(message: message))
            }
        }
    }

    private func available(_ identifier: String) -> SKProduct? {
        manager.availableProducts.first { $0.productIdentifier == identifier }
    }

    private func buy(_ product: SKProduct, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        purchases.append(
            OpenPurchase(
                productIdentifier: product.productIdentifier, quantity: quantity, transaction: nil,
                completion: completion))
        observer.buy(product, quantity: quantity)
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restores.append(completion)
        // The button is out of use while a restore runs.
        if restores.count == 1 { observer.restore() }
    }

    // MARK: Content

    package func use(_ productIdentifier: String) { content.use(productIdentifier) }
    package func holdings() -> [String: Int] { content.held }
    package func holdings(of productIdentifier: String) -> Int { content.count(of: productIdentifier) }
}

extension StoreObserverClient: StoreManagerDelegate {
    func storeManagerDidReceiveResponse(_ response: [Section]) {
        sections = response
        answerFetches(.fetched(response.first { $0.kind == .availableProducts }?.elements ?? []))
    }

    func storeManagerDidReceiveMessage(_ message: String) {
        messages.append(message)
        answerFetches(.failed(message: message))
    }

    private func answerFetches(_ outcome: FetchOutcome) {
        let waiting = fetches
        fetches = []
        for completion in waiting { completion(outcome) }
    }
}

extension StoreObserverClient: StoreObserverDelegate {
    func storeObserverDidReceiveMessage(_ message: String) { messages.append(message) }

    func storeObserverDidUpdate(_ updates: [StoreObserver.Update]) {
        for update in updates {
            let transaction = update.transaction
            switch update.state {
            case .purchasing: begin(transaction, update.payment)
            case .deferred: end(transaction, .deferred)
            // What is owned already may come as restored.
            case .purchased, .restored: end(transaction, .purchased)
            case .failed: end(transaction, transaction.error.map { PurchaseOutcome($0) } ?? .failed(message: "failed"))
            @unknown default: break
            }
        }
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.productIdentifier == payment.productIdentifier
                && $0.quantity == payment.quantity
        }
        if let place { purchases[place].transaction = transaction }
    }

    private func end(_ transaction: SKPaymentTransaction, _ outcome: PurchaseOutcome) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        purchases.remove(at: place).completion(outcome)
    }

    func storeObserverRestoreDidEnd(with error: (any Error)?) {
        let outcome = error.map { RestoreOutcome($0) } ?? .restored(count: observer.restored.count)
        let waiting = restores
        restores = []
        for completion in waiting { completion(outcome) }
    }
}
