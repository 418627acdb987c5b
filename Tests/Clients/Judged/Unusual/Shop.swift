// The correct shop that all unusual shops are made from: each changes one of its habits.
// Belongs to the main queue; StoreKit's callbacks may come on any.

import Foundation
import Stampede
import StoreKit

/// Delivers durably before it finishes, once for each transaction, and answers every question once.
open class UnusualShop: NSObject, StoreClient, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    open class var name: String { "unusual-plain" }
    open class var summary: String { "The shop that the other unusual ones are made from, without any unusual habit." }
    open class var options: [ClientOption] { [] }
    open class func goods(perPurchaseOf productIdentifier: String) -> Int { 1 }

    public let environment: AppEnvironment
    public let queue = SKPaymentQueue.default()
    public let hops: Hops
    public private(set) lazy var shelf: Shelf = makeShelf()
    public var products: [String: SKProduct] = [:]
    public var orders: [Order] = []
    public var restores: [(RestoreOutcome) -> Void] = []
    public var restored: Set<String> = []
    private var fetches: [(request: SKRequest, done: (Result<[SKProduct], any Error>) -> Void)] = []

    public required init(environment: AppEnvironment) {
        self.environment = environment
        hops = Hops(environment.main)
        super.init()
    }

    open func makeShelf() -> Shelf { Shelf(environment) }

    // MARK: The app's life

    open func launch() {
        queue.add(self)
        shelf.giveUpWhatIsOver()
    }

    open func willTerminate() { queue.remove(self) }
    open func didEnterBackground() {}
    open func willEnterForeground() { shelf.giveUpWhatIsOver() }

    /// To where this shop does its work, after a callback.
    open func onHome(_ body: @escaping () -> Void) { hops.run(body) }

    // MARK: Products

    open func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let wanted = identifiers ?? shelf.sold
        fetch(Set(wanted)) { result in
            switch result {
            case .success(let found): completion(.fetched(found.map(\.productIdentifier)))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    open func fetch(_ identifiers: Set<String>, _ done: @escaping (Result<[SKProduct], any Error>) -> Void) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        fetches.append((request, done))
        request.start()
    }

    open func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        onHome { [self] in
            for product in response.products { products[product.productIdentifier] = product }
            for identifier in response.invalidProductIdentifiers { products[identifier] = nil }
            end(request, .success(response.products))
        }
    }

    open func request(_ request: SKRequest, didFailWithError error: any Error) {
        onHome { [self] in end(request, .failure(error)) }
    }

    open func requestDidFinish(_ request: SKRequest) {}

    private func end(_ request: SKRequest, _ result: Result<[SKProduct], any Error>) {
        guard let place = fetches.firstIndex(where: { $0.request === request }) else { return }
        fetches.remove(at: place).done(result)
    }

    // MARK: Buying

    open func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard SKPaymentQueue.canMakePayments() else {
            return completion(.refused(reason: "Payments are not allowed on this device."))
        }
        begin(Order(productIdentifier, quantity, completion))
    }

    /// Finds the product and pays.
    open func begin(_ order: Order) {
        if let product = products[order.product] { return pay(product, order) }
        fetch([order.product]) { [weak self] result in
            guard let self else { return }
            if let product = products[order.product] { return pay(product, order) }
            switch result {
            case .success: order.answer(.refused(reason: "\(order.product) is not for sale."))
            case .failure(let error): order.answer(.failed(message: error.localizedDescription))
            }
        }
    }

    open func pay(_ product: SKProduct, _ order: Order) {
        order.began = environment.now
        orders.append(order)
        let payment = SKMutablePayment(product: product)
        payment.quantity = order.quantity
        prepare(payment, order)
        queue.add(payment)
    }

    open func prepare(_ payment: SKMutablePayment, _ order: Order) {}

    /// StoreKit has begun with a payment: ties its transaction to the order that it is for.
    open func bind(_ told: Delivery) {
        if orders.contains(where: { $0.transaction === told.transaction }) { return }
        orders.first { $0.transaction == nil && $0.fits(told.payment) }?.transaction = told.transaction
    }

    /// The order that a transaction is for, if anybody waits for it.
    open func order(for told: Delivery) -> Order? { orders.first { $0.transaction === told.transaction } }

    open func answer(_ told: Delivery, _ outcome: PurchaseOutcome) {
        guard let order = order(for: told) else { return }
        close(order, outcome)
    }

    open func close(_ order: Order, _ outcome: PurchaseOutcome) {
        orders.removeAll { $0 === order }
        order.answer(outcome)
    }

    // MARK: Transactions

    open func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let batch = transactions.map { Delivery($0) }
        onHome { [self] in updated(batch) }
    }

    open func updated(_ batch: [Delivery]) {
        for told in batch { handle(told) }
    }

    open func handle(_ told: Delivery) {
        switch told.state {
        case .purchasing: bind(told)
        case .deferred: answer(told, .deferred)
        case .purchased: purchased(told)
        case .restored: restoredEarlier(told)
        case .failed: failed(told)
        @unknown default: break
        }
    }

    open func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        finish(told.transaction)
        answer(told, isNew ? .purchased : repeated(told))
    }

    /// False if it was delivered before. It may have ended while it waited for that.
    open func deliver(_ told: Delivery) -> Bool {
        let isNew = shelf.deliver(told)
        if isNew { shelf.giveUpWhatIsOver(of: told.product) }
        return isNew
    }

    /// What to say when the store answers a purchase with one that was delivered already.
    open func repeated(_ told: Delivery) -> PurchaseOutcome {
        if !shelf.isConsumable(told.product), shelf.held(told.product) > 0 { return .purchased }
        return .failed(message: "This purchase was delivered before. Nothing was charged.")
    }

    open func restoredEarlier(_ told: Delivery) {
        shelf.grantRestored(told)
        restored.insert(told.product)
        finish(told.transaction)
        // A purchase of something owned may come as restored.
        answer(told, .purchased)
    }

    open func failed(_ told: Delivery) {
        finish(told.transaction)
        answer(told, told.failure)
    }

    open func finish(_ transaction: SKPaymentTransaction) { queue.finishTransaction(transaction) }

    open func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}

    // MARK: Restoring

    open func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restores.append(completion)
        // Whoever asks while a restore runs shares its answer.
        guard restores.count == 1 else { return }
        restored = []
        beginRestore()
    }

    open func beginRestore() { queue.restoreCompletedTransactions() }

    open func endRestore(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for completion in waiting { completion(outcome) }
    }

    open func restoreSucceeded() { endRestore(.restored(count: restored.count)) }

    open func restoreFailed(_ error: any Error) {
        let isCancel = (error as? SKError)?.code == .paymentCancelled
        endRestore(isCancel ? .cancelled : .failed(message: error.localizedDescription))
    }

    open func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onHome { [self] in restoreSucceeded() }
    }

    open func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        onHome { [self] in restoreFailed(error) }
    }

    // MARK: What comes from outside the app

    /// Whoever taps a product in the App Store wants to buy it. Its transaction looks like one of the app's own, and
    /// takes its place among those.
    open func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let order = Order(payment.productIdentifier, payment.quantity) { _ in }
        onHome { [self] in
            products[product.productIdentifier] = product
            order.began = environment.now
            orders.append(order)
        }
        return true
    }

    open func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        onHome { [self] in shelf.giveUpWhatIsOver() }
    }

    open func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        // Prices are of the old country: they are fetched again when they are needed.
        onHome { [self] in products = [:] }
    }

    // MARK: The goods

    open func use(_ productIdentifier: String) { shelf.use(productIdentifier) }
    open func holdings() -> [String: Int] { shelf.holdings() }
    open func holdings(of productIdentifier: String) -> Int { shelf.held(productIdentifier) }
}
