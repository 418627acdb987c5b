// The plain client: what most purchase code does when it is done right, and no more.
// Confined to the device's main queue.

package import ClientKit
import Foundation
import StoreKit

package final class PlainClient: StoreClient {
    package static let name = "plain"
    package static let summary =
        "Delivers each purchased transaction by its product, finishes it, keeps no record of it."

    private let shop: PlainShop

    package init(environment: AppEnvironment) { shop = PlainShop(environment: environment) }

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

private final class PlainShop: NSObject, SKPaymentTransactionObserver {
    let goods: Goods
    private let environment: AppEnvironment
    private let main: MainQueueHops
    private let queue = SKPaymentQueue.default()
    private let consumables: Set<String>
    private var waiting: [Waiting] = []
    private var restores: [(RestoreOutcome) -> Void] = []
    private var restored: Set<String> = []

    /// A purchase that the user waits for; StoreKit shows its transaction as purchasing first.
    private struct Waiting {
        let payment: SKPayment
        var transaction: SKPaymentTransaction?
        let completion: (PurchaseOutcome) -> Void
    }

    init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
        main = MainQueueHops(environment.main)
        consumables = Set(environment.products.filter { $0.kind == .consumable }.map(\.identifier))
    }

    func start() {
        queue.add(self)
        goods.followReceipt()
    }

    func stop() { queue.remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else {
            return completion(.refused(reason: "Payments are not allowed on this device."))
        }
        environment.withProduct(identifier) { [weak self] result in
            switch result {
            case .success(let product?): self?.pay(product, quantity, completion)
            case .success(nil): completion(.refused(reason: "The store does not sell \(identifier)."))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    private func pay(_ product: SKProduct, _ quantity: Int, _ completion: @escaping (PurchaseOutcome) -> Void) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        // Behind what StoreKit has reported so far: a payment of an earlier launch may look the same.
        main.inOrder { [self] in
            waiting.append(Waiting(payment: payment, transaction: nil, completion: completion))
            queue.add(payment)
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restores.append(completion)
        guard restores.count == 1 else { return }
        restored = []
        queue.restoreCompletedTransactions()
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // Read here: on the way to the main queue the same objects may move on to their next state.
        let reported = transactions.map { ($0, $0.transactionState, $0.payment) }
        main.inOrder { [self] in
            for (transaction, state, payment) in reported { handle(transaction, state, payment) }
        }
    }

    private func handle(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment
    ) {
        switch state {
        case .purchasing:
            return begin(transaction, payment)
        case .purchased, .restored:
            deliver(transaction, payment)
            queue.finishTransaction(transaction)
            if state == .restored { restored.insert(payment.productIdentifier) }
        case .failed:
            queue.finishTransaction(transaction)
        default: break
        }
        guard let outcome = PurchaseOutcome(transaction),
            let place = waiting.firstIndex(where: { $0.transaction === transaction })
        else { return }
        waiting.remove(at: place).completion(outcome)
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = waiting.firstIndex {
            $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                && $0.payment.quantity == payment.quantity
        }
        if let place { waiting[place].transaction = transaction }
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        if consumables.contains(payment.productIdentifier) {
            goods.add(payment.productIdentifier, count: payment.quantity)
        } else {
            goods.grant(transaction)
            // It may have been taken back before it was delivered.
            goods.giveUpWhatIsOver(of: payment.productIdentifier)
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        main.inOrder { [self] in waiting.append(Waiting(payment: payment, transaction: nil) { _ in }) }
        return true
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        main.inOrder { [goods] in goods.giveUpWhatIsOver() }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        main.inOrder { [self] in answerRestores(.restored(count: restored.count)) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        main.inOrder { [self] in answerRestores(RestoreOutcome(error)) }
    }

    private func answerRestores(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(outcome) }
    }
}
