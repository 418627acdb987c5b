// The game's purchases: a singleton that tells its delegate how they ended.

import Foundation
import StoreKit

/// Called on the main queue.
public protocol ShopDelegate: AnyObject {
    func shop(_ shop: Shop, didBuy product: String)
    /// Somebody in the family has to say yes first.
    func shop(_ shop: Shop, didDefer product: String)
    func shop(_ shop: Shop, didFailToBuy product: String, with error: Error)
    func shop(_ shop: Shop, didLoad products: [SKProduct])
    func shop(_ shop: Shop, didFailToLoad error: Error)
}

extension ShopDelegate {
    public func shop(_ shop: Shop, didLoad products: [SKProduct]) {}
    public func shop(_ shop: Shop, didFailToLoad error: Error) {}
}

/// Belongs to the main queue.
public final class Shop: NSObject {
    public static let shared = Shop()

    /// Purchases of an earlier launch used to greet players with an alert about something they had not just bought.
    public static var skipsOldPurchases = false

    public weak var delegate: ShopDelegate?
    public let inventory = Inventory()
    private var products: [String: SKProduct] = [:]
    private var request: SKProductsRequest?
    /// What the player wants while prices are still on their way.
    private var wanted: [(product: String, quantity: Int)] = []
    /// What the player is buying. Its transaction is known once StoreKit has shown it as purchasing.
    private var purchases: [(payment: SKPayment, transaction: SKPaymentTransaction?)] = []
    private var restored: Set<String> = []
    private var restores: [(Int, Error?) -> Void] = []

    /// When the game has launched.
    public func start() { SKPaymentQueue.default().add(self) }
    /// When it is about to be closed.
    public func stop() { SKPaymentQueue.default().remove(self) }

    public func loadProducts() {
        guard request == nil else { return }
        request = SKProductsRequest(productIdentifiers: Products.all)
        request?.delegate = self
        request?.start()
    }

    public func buy(_ product: String, quantity: Int = 1) {
        guard let found = products[product] else {
            wanted.append((product, quantity))
            return loadProducts()
        }
        let payment = SKMutablePayment(product: found)
        payment.quantity = quantity
        purchases.append((payment, nil))
        SKPaymentQueue.default().add(payment)
    }

    /// Tells how many products came back.
    public func restore(completion: @escaping (Int, Error?) -> Void) {
        restores.append(completion)
        guard restores.count == 1 else { return }
        restored = []
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    // MARK: How it ends

    private func handle(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment
    ) {
        let product = payment.productIdentifier
        switch state {
        case .purchasing: begin(transaction, payment)
        case .deferred:
            if end(transaction) { delegate?.shop(self, didDefer: product) }
        case .purchased:
            // Of an earlier launch, or approved since then.
            let isOld = !end(transaction)
            let isNew = isOld && Self.skipsOldPurchases ? false : inventory.deliver(transaction)
            SKPaymentQueue.default().finishTransaction(transaction)
            if isOld { return }
            if isNew { delegate?.shop(self, didBuy: product) } else { fail(product, Inventory.deliveredBefore) }
        case .restored:
            restored.insert(product)
            inventory.deliver(transaction)
            SKPaymentQueue.default().finishTransaction(transaction)
            // A purchase of what the account has already may come like this.
            if end(transaction) { delegate?.shop(self, didBuy: product) }
        case .failed:
            SKPaymentQueue.default().finishTransaction(transaction)
            if end(transaction) { fail(product, transaction.error ?? SKError(.unknown)) }
        @unknown default: break
        }
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                && $0.payment.quantity == payment.quantity
        }
        if let place { purchases[place].transaction = transaction }
    }

    /// Whether the player is waiting for it.
    private func end(_ transaction: SKPaymentTransaction) -> Bool {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return false }
        purchases.remove(at: place)
        return true
    }

    private func fail(_ product: String, _ error: Error) {
        delegate?.shop(self, didFailToBuy: product, with: error)
    }

    private func endLoading(_ result: Result<[SKProduct], Error>) {
        request = nil
        let wanted = self.wanted
        self.wanted = []
        switch result {
        case .success(let found):
            for product in found { products[product.productIdentifier] = product }
            delegate?.shop(self, didLoad: found)
            for (product, quantity) in wanted {
                guard products[product] != nil else {
                    fail(product, SKError(.storeProductNotAvailable))
                    continue
                }
                buy(product, quantity: quantity)
            }
        case .failure(let error):
            delegate?.shop(self, didFailToLoad: error)
            for (product, _) in wanted { fail(product, error) }
        }
    }

    private func endRestore(_ error: Error?) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(restored.count, error) }
    }
}

// StoreKit does not promise on which queue it calls.
extension Shop: SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // With their states and payments: by the time that the main queue gets to them they may have gone on.
        let told = transactions.map { ($0, $0.transactionState, $0.payment) }
        DispatchQueue.main.async {
            for (transaction, state, payment) in told { self.handle(transaction, state, payment) }
        }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        DispatchQueue.main.async { self.inventory.remove(identifiers) }
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        DispatchQueue.main.async { self.endRestore(nil) }
    }

    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        DispatchQueue.main.async { self.endRestore(error) }
    }
}

extension Shop: SKProductsRequestDelegate {
    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        DispatchQueue.main.async { self.endLoading(.success(response.products)) }
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        DispatchQueue.main.async { self.endLoading(.failure(error)) }
    }
}
