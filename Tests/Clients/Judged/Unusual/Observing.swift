// Clients that observe the payment queue in an unusual way.
// Belongs to the main queue, but for the shop with a queue of its own, which says so.

import Foundation
import Stampede
import StoreKit

// MARK: A second observer that only looks

/// Has two observers, of which one acts.
///
/// Habit: an analytics module listens on the queue beside the shop, and keeps its hands off.
final class SpectatorShop: UnusualShop {
    override class var name: String { "unusual-spectator" }
    override class var summary: String { "Has a second observer that counts what it sees and does nothing." }

    private let spectator = Spectator()

    override func launch() {
        queue.add(spectator)
        super.launch()
    }

    override func willTerminate() {
        queue.remove(spectator)
        super.willTerminate()
    }
}

/// Counts transactions for a statistic.
final class Spectator: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var seen = 0

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        lock.withLock { seen += transactions.count }
    }
}

// MARK: Two observers that share the work

/// Has an observer for purchases and one for restores.
///
/// Habit: two modules of one app; each leaves the other's transactions alone. The second is there from launch on.
final class SplitObserverShop: UnusualShop {
    override class var name: String { "unusual-split-observers" }
    override class var summary: String { "Has one observer for purchases and one for what was bought earlier." }

    private lazy var restorer = RestoreObserver(self)

    override func launch() {
        queue.add(restorer)
        super.launch()
    }

    override func willTerminate() {
        queue.remove(restorer)
        super.willTerminate()
    }

    override func handle(_ told: Delivery) {
        if told.state != .restored { super.handle(told) }
    }

    override func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    override func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}
}

/// The module for what was bought earlier.
final class RestoreObserver: NSObject, SKPaymentTransactionObserver {
    private unowned let shop: UnusualShop

    init(_ shop: UnusualShop) { self.shop = shop }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let batch = transactions.map { Delivery($0) }.filter { $0.state == .restored }
        shop.onHome { [shop] in
            for told in batch { shop.restoredEarlier(told) }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        shop.onHome { [shop] in shop.restoreSucceeded() }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        shop.onHome { [shop] in shop.restoreFailed(error) }
    }
}

// MARK: Not in the background

/// Takes its observer off the queue in the background.
///
/// Habit: nothing may happen behind the user's back. Back in the foreground it observes again and looks at what has
/// changed meanwhile. As long as an answer is owed it stays.
final class ForegroundShop: UnusualShop {
    override class var name: String { "unusual-foreground-only" }
    override class var summary: String { "Observes in the foreground, and while an answer is owed." }

    private var isObserving = false

    override func launch() {
        super.launch()
        isObserving = true
    }

    override func didEnterBackground() {
        if !restores.isEmpty || !orders.isEmpty { return }
        queue.remove(self)
        isObserving = false
    }

    override func willEnterForeground() {
        super.willEnterForeground()
        if isObserving { return }
        isObserving = true
        queue.add(self)
        updated(queue.transactions.map { Delivery($0) })
    }

    override func willTerminate() {
        if isObserving { super.willTerminate() }
    }
}

// MARK: A coordinator made late

/// Observes at launch with a small object, and makes the shop proper when it is first needed.
///
/// Habit: a lazy coordinator. What StoreKit tells first wakes it, and so does the first wish of the user.
final class LazyShop: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "unusual-lazy-coordinator"
    static let summary = "Observes at launch with a doorkeeper, and makes the shop when it is first needed."

    private let environment: AppEnvironment
    private let hops: Hops
    private lazy var shop = Coordinator(environment: environment)

    init(environment: AppEnvironment) {
        self.environment = environment
        hops = Hops(environment.main)
    }

    /// The shop, which is not on the queue itself.
    final class Coordinator: UnusualShop {}

    func launch() {
        SKPaymentQueue.default().add(self)
        Shelf(environment).giveUpWhatIsOver()
    }

    func willTerminate() { SKPaymentQueue.default().remove(self) }
    func willEnterForeground() { shop.willEnterForeground() }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        shop.fetchProducts(identifiers, completion: completion)
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.purchase(productIdentifier, quantity: quantity, completion: completion)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) { shop.restore(completion: completion) }
    func use(_ productIdentifier: String) { shop.use(productIdentifier) }

    func holdings() -> [String: Int] { Shelf(environment).holdings() }
    func holdings(of productIdentifier: String) -> Int { Shelf(environment).held(productIdentifier) }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        onMain(transactions.map { Delivery($0) }) { $0.updated($1) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let order = Order(payment.productIdentifier, payment.quantity) { _ in }
        onMain(product) { shop, product in
            shop.products[product.productIdentifier] = product
            shop.orders.append(order)
        }
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onMain(()) { shop, _ in shop.restoreSucceeded() }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        onMain(error) { $0.restoreFailed($1) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        onMain(()) { shop, _ in shop.shelf.giveUpWhatIsOver() }
    }

    private func onMain<Value>(_ value: Value, _ body: @escaping (UnusualShop, Value) -> Void) {
        hops.run { [self] in body(shop, value) }
    }
}

// MARK: A queue of its own

/// Does everything on a serial queue of its own.
///
/// Habit: the main queue only asks and hears the answer. All state belongs to the queue `work`.
final class OwnQueueShop: UnusualShop {
    override class var name: String { "unusual-own-queue" }
    override class var summary: String { "Does all its work on a serial queue of its own." }

    private let work = DispatchQueue(label: "shop.work")

    override func onHome(_ body: @escaping () -> Void) {
        let carried = Carried(body)
        work.async { carried.body() }
    }

    override func launch() {
        queue.add(self)
        onHome { [self] in shelf.giveUpWhatIsOver() }
    }

    override func willEnterForeground() { onHome { [self] in shelf.giveUpWhatIsOver() } }

    override func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let main = environment.main
        onHome { super.fetchProducts(identifiers) { outcome in main.async { completion(outcome) } } }
    }

    override func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        let main = environment.main
        onHome {
            super.purchase(productIdentifier, quantity: quantity) { outcome in main.async { completion(outcome) } }
        }
    }

    override func restore(completion: @escaping (RestoreOutcome) -> Void) {
        let main = environment.main
        onHome { super.restore { outcome in main.async { completion(outcome) } } }
    }

    /// The user waits for it: there and back at once.
    override func use(_ productIdentifier: String) { work.sync { super.use(productIdentifier) } }

    /// Storage may be read from anywhere.
    override func holdings() -> [String: Int] { Shelf(environment).holdings() }
    override func holdings(of productIdentifier: String) -> Int { Shelf(environment).held(productIdentifier) }
}

/// Carries a block to another queue.
private struct Carried: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}
