// What the five shops of this folder decide, whoever calls: which purchase a transaction answers, and what is done about it.
// Confined to its shop.

import StoreKit

/// What the buyer is told.
enum ShopOutcome: Sendable {
    case bought, cancelled, deferred, notSold, notAllowed
    case failed(String)
}

final class ShopSales {
    let records: ShopRecords
    /// What is wrong with the broken ones: they finish what they have yet to deliver.
    private let isHasty: Bool
    private var products: [String: SKProduct] = [:]
    private var purchases: [Purchase] = []
    private var restores: [(Result<Int, any Error>) -> Void] = []
    private var restored: Set<String> = []

    /// Its transaction is known once StoreKit has shown it as purchasing.
    private struct Purchase {
        let product: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let completion: (ShopOutcome) -> Void
    }

    init(records: ShopRecords, isHasty: Bool) {
        self.records = records
        self.isHasty = isHasty
    }

    func product(_ identifier: String) -> SKProduct? { products[identifier] }

    func take(_ found: [SKProduct]) {
        for product in found { products[product.productIdentifier] = product }
    }

    func buy(_ product: SKProduct, _ quantity: Int, completion: @escaping (ShopOutcome) -> Void) {
        purchases.append(Purchase(product: product.productIdentifier, quantity: quantity, completion: completion))
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    /// A tap on a product in the store: its transaction takes a place among the app's own.
    func promote(_ product: String, _ quantity: Int) {
        purchases.append(Purchase(product: product, quantity: quantity) { _ in })
    }

    /// Concurrent restores share one answer: StoreKit turns a second one away.
    func restore(completion: @escaping (Result<Int, any Error>) -> Void) {
        restores.append(completion)
        guard restores.count == 1 else { return }
        restored = []
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    func restoreEnded(_ error: (any Error)?) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(error.map { .failure($0) } ?? .success(restored.count)) }
    }

    func handle(_ told: Delivery) {
        switch told.state {
        case .purchasing: begin(told)
        case .deferred: answer(told, .deferred)
        case .purchased:
            if isHasty { finish(told) }
            let isNew = records.deliver(told)
            if !isHasty { finish(told) }
            answer(told, isNew ? .bought : .failed("It had been delivered before, and nothing was charged."))
        case .restored:
            records.restore(told)
            restored.insert(told.product)
            finish(told)
            answer(told, .bought)
        case .failed:
            finish(told)
            let isCancelled = (told.error as? SKError)?.code == .paymentCancelled
            answer(told, isCancelled ? .cancelled : .failed(told.error?.localizedDescription ?? "It did not work."))
        default: break
        }
    }

    private func finish(_ told: Delivery) { SKPaymentQueue.default().finishTransaction(told.transaction) }

    private func begin(_ told: Delivery) {
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.product == told.product && $0.quantity == told.quantity
        }
        if let place { purchases[place].transaction = told.transaction }
    }

    private func answer(_ told: Delivery, _ outcome: ShopOutcome) {
        guard let place = purchases.firstIndex(where: { $0.transaction === told.transaction }) else { return }
        purchases.remove(at: place).completion(outcome)
    }
}

/// One request for products, alive until it has been answered.
final class ProductsFetch: NSObject, SKProductsRequestDelegate {
    private let request: SKProductsRequest
    private var completion: ((Result<[SKProduct], any Error>) -> Void)?
    private var itself: ProductsFetch?

    @discardableResult
    init(_ identifiers: Set<String>, completion: @escaping (Result<[SKProduct], any Error>) -> Void) {
        request = SKProductsRequest(productIdentifiers: identifiers)
        self.completion = completion
        super.init()
        itself = self
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        end(.success(response.products))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<[SKProduct], any Error>) {
        completion?(result)
        completion = nil
        itself = nil
    }
}
