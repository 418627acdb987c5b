// The client that must survive everything.
// Confined to the device's main queue.

package import ClientKit
import Foundation
import StoreKit

package final class ReferenceClient: StoreClient {
    package static let name = "reference"
    package static let summary = "What a careful team would ship: delivers durably before it finishes, loses nothing."
    package static let options = [
        ClientOption(
            name: "validation", values: ["none", "server"],
            meaning: "server has the receipt validator confirm each purchase before it is delivered")
    ]

    private let shop: ReferenceShop

    package init(environment: AppEnvironment) { shop = ReferenceShop(environment: environment) }

    package func launch() { shop.start() }
    package func willTerminate() { shop.stop() }
    package func willEnterForeground() { shop.goods.followReceipt() }

    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        shop.purchase(productIdentifier, quantity: quantity, completion: completion)
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) { shop.restore(completion: completion) }
    package func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    package func holdings() -> [String: Int] { shop.goods.held }
    package func holdings(of productIdentifier: String) -> Int { shop.goods.count(of: productIdentifier) }
}

/// Talks to StoreKit: one observer for the life of the process.
final class ReferenceShop: NSObject, SKPaymentTransactionObserver {
    let goods: Goods
    private let environment: AppEnvironment
    private let main: MainQueueHops
    private let queue = SKPaymentQueue.default()
    private var purchases: [Purchase] = []
    private var restores: [(RestoreOutcome) -> Void] = []
    private var restoredProducts: Set<String> = []
    /// Nil: what StoreKit tells is believed.
    private let validation: ReferenceValidation?

    /// One purchase with a waiter. `transaction` is known once StoreKit has shown it as purchasing.
    private struct Purchase {
        let productIdentifier: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let completion: (PurchaseOutcome) -> Void
    }

    init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
        main = MainQueueHops(environment.main)
        validation = environment.options["validation"] == "server" ? ReferenceValidation(environment: environment) : nil
        super.init()
        validation?.onConfirmed = { [unowned self] in deliver($0) }
        // Paid, and on its way: nothing else is known for certain.
        validation?.onPostponed = { [unowned self] in answer($0, .deferred) }
    }

    func start() {
        queue.add(self)
        goods.followReceipt()
    }

    func stop() {
        for transaction in validation?.waiting ?? [] { answer(transaction, .deferred) }
        queue.remove(self)
    }

    // MARK: Buying

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else {
            return completion(.refused(reason: "Payments are not allowed on this device."))
        }
        if let product = environment.product(identifier) { return pay(product, quantity, completion) }
        environment.withProduct(identifier) { [weak self] result in
            switch result {
            case .success(let product?): self?.pay(product, quantity, completion)
            case .success(nil): completion(.refused(reason: "The store does not sell \(identifier)."))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    /// After what StoreKit has told so far: a payment of an earlier launch that is shown as purchasing is not this one.
    private func pay(_ product: SKProduct, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        if main.isFree { return add(product, quantity, completion) }
        main.inOrder { [self] in add(product, quantity, completion) }
    }

    private func add(_ product: SKProduct, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        purchases.append(
            Purchase(
                productIdentifier: product.productIdentifier, quantity: quantity, transaction: nil,
                completion: completion))
        if quantity == 1 { return queue.add(SKPayment(product: product)) }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        queue.add(payment)
    }

    /// Ties the transaction to the first purchase that waits for one like it.
    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        guard
            let place = purchases.firstIndex(where: {
                $0.transaction == nil && $0.productIdentifier == payment.productIdentifier
                    && $0.quantity == payment.quantity
            })
        else { return }  // Left over from an earlier launch: it has no waiter any more.
        purchases[place].transaction = transaction
    }

    private func answer(_ transaction: SKPaymentTransaction, _ outcome: PurchaseOutcome) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        purchases.remove(at: place).completion(outcome)
    }

    // MARK: Restoring

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restores.append(completion)
        // Concurrent restores share one answer: StoreKit turns a second one away.
        guard restores.count == 1 else { return }
        restoredProducts = []
        queue.restoreCompletedTransactions()
    }

    private func answerRestores(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(outcome) }
    }

    // MARK: SKPaymentTransactionObserver

    // StoreKit does not promise on which queue it calls; everything here belongs to the main queue.

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        if main.isFree {
            for transaction in transactions {
                handle(transaction, transaction.transactionState, transaction.payment)
            }
            return
        }
        // Read here and now: on the way to the main queue the same objects may move on to their next state, and take on
        // the payment of an earlier purchase.
        let told = transactions.map { ($0, $0.transactionState, $0.payment) }
        main.inOrder { [self] in
            for (transaction, state, payment) in told { handle(transaction, state, payment) }
        }
    }

    private func handle(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment
    ) {
        switch state {
        case .purchasing:
            begin(transaction, payment)
        case .deferred:
            answer(transaction, .deferred)
        case .purchased:
            guard let validation, !goods.hasGranted(transaction) else { return deliver(transaction) }
            validation.confirm(transaction)
        case .restored:
            // Paid for and confirmed when it was bought.
            goods.grant(transaction)
            restoredProducts.insert(transaction.payment.productIdentifier)
            queue.finishTransaction(transaction)
            // A purchase of something owned may arrive as restored.
            answer(transaction, .purchased)
        case .failed:
            queue.finishTransaction(transaction)
            answer(transaction, PurchaseOutcome(transaction) ?? .failed(message: "The purchase failed."))
        @unknown default:
            break
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction) {
        let isNew = goods.grant(transaction)
        queue.finishTransaction(transaction)
        // It may have been taken back while it waited to be delivered, and StoreKit tells that once only.
        if isNew { goods.giveUpWhatIsOver(of: transaction.payment.productIdentifier) }
        let repeated = PurchaseOutcome.failed(
            message: "This purchase had been delivered before, and nothing was charged.")
        answer(transaction, isNew ? .purchased : repeated)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        main.inOrder { [goods] in goods.giveUpWhatIsOver() }
    }

    /// A tap on a product in the store is a wish to buy it.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        // Its transaction looks like one of the app's own: it takes a place among those, in the order they are added.
        let promoted = Purchase(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity, transaction: nil
        ) { _ in }
        main.inOrder { [self] in purchases.append(promoted) }
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        main.inOrder { [self] in answerRestores(.restored(count: restoredProducts.count)) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        main.inOrder { [self] in answerRestores(RestoreOutcome(error)) }
    }
}
