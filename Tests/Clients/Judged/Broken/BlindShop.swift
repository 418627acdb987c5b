// The correct shop from which every blind client differs by one thing: StoreKit's side of it.
// Confined to the device's main queue, but for the callbacks that StoreKit may make elsewhere.

import Foundation
import Stampede
import StoreKit

/// What a callback said of a transaction when it was made: the object itself moves on meanwhile.
public struct Delivery {
    let transaction: SKPaymentTransaction
    let state: SKPaymentTransactionState
    let payment: SKPayment
    let identifier: String?
    let date: Date?
    let originalIdentifier: String?
    let originalDate: Date?
    let error: (any Error)?

    var product: String { payment.productIdentifier }

    init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        payment = transaction.payment
        identifier = transaction.transactionIdentifier
        date = transaction.transactionDate
        originalIdentifier = transaction.original?.transactionIdentifier
        originalDate = transaction.original?.transactionDate
        error = transaction.error
    }
}

/// Somebody who waits for the answer to a purchase. The transaction is known once StoreKit has shown it.
public struct Wait {
    let product: String
    let quantity: Int
    var transaction: SKPaymentTransaction?
    let answer: (PurchaseOutcome) -> Void
}

/// A request for products that has not been answered.
public struct Fetch {
    let request: SKProductsRequest
    let answer: (Result<[String], any Error>) -> Void
}

/// A careful shop: it observes from launch on, delivers each transaction once, and answers everybody.
open class BlindShop: NSObject, StoreClient, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    open class var name: String { "blind-base" }
    open class var summary: String { "The correct shop that the blind clients are derived from." }

    public let environment: AppEnvironment
    let queue = SKPaymentQueue.default()
    var products: [String: SKProduct] = [:]
    var fetches: [Fetch] = []
    var waits: [Wait] = []
    var restores: [(RestoreOutcome) -> Void] = []
    var restored: Set<String> = []

    public required init(environment: AppEnvironment) {
        self.environment = environment
        super.init()
    }

    /// In the order of the calls, wherever StoreKit makes them.
    func onMain(_ body: @escaping () -> Void) { environment.main.async(body) }

    // MARK: The life of the app

    open func launch() {
        queue.add(self)
        reviewEntitlements()
    }

    open func willTerminate() { queue.remove(self) }
    open func didEnterBackground() {}
    open func willEnterForeground() { reviewEntitlements() }

    // MARK: Products

    open func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        load(identifiers ?? environment.products.map(\.identifier)) { result in
            switch result {
            case .success(let found): completion(.fetched(found))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    func load(_ identifiers: [String], _ answer: @escaping (Result<[String], any Error>) -> Void) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        hold(Fetch(request: request, answer: answer))
        request.start()
    }

    func hold(_ fetch: Fetch) { fetches.append(fetch) }

    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let found = response.products
        let unknown = response.invalidProductIdentifiers
        onMain { [self] in
            for product in found { products[product.productIdentifier] = product }
            for identifier in unknown { products[identifier] = nil }
            loaded(request, .success(found.map(\.productIdentifier)))
        }
    }

    public func request(_ request: SKRequest, didFailWithError error: any Error) {
        onMain { [self] in loaded(request, .failure(error)) }
    }

    func loaded(_ request: SKRequest, _ result: Result<[String], any Error>) {
        guard let place = fetches.firstIndex(where: { $0.request === request }) else { return }
        fetches.remove(at: place).answer(result)
    }

    // MARK: Buying

    open func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else {
            return completion(.refused(reason: "Payments are switched off on this device."))
        }
        if let product = products[identifier] { return pay(product, quantity, completion) }
        load([identifier]) { [self] result in
            if let product = products[identifier] { return pay(product, quantity, completion) }
            switch result {
            case .success: completion(.refused(reason: "\(identifier) is not for sale."))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    func pay(_ product: SKProduct, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        expect(Wait(product: product.productIdentifier, quantity: quantity, transaction: nil, answer: answer))
        queue.add(payment(for: product, quantity))
    }

    func payment(for product: SKProduct, _ quantity: Int) -> SKPayment {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        return payment
    }

    func expect(_ wait: Wait) { waits.append(wait) }

    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        promoted(payment, product)
    }

    /// Whoever taps a product in the App Store wants it. Its transaction looks like one of the app's own.
    func promoted(_ payment: SKPayment, _ product: SKProduct) -> Bool {
        let wait = Wait(product: payment.productIdentifier, quantity: payment.quantity, transaction: nil) { _ in }
        onMain { [self] in expect(wait) }
        return true
    }

    // MARK: Transactions

    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        updated(transactions.map { Delivery($0) })
    }

    func updated(_ batch: [Delivery]) {
        onMain { [self] in
            for told in batch { handle(told) }
        }
    }

    func handle(_ told: Delivery) {
        switch told.state {
        case .purchasing: began(told)
        case .deferred: deferred(told)
        case .purchased: purchased(told)
        case .restored: restored(told)
        case .failed: failed(told)
        @unknown default: break
        }
    }

    func began(_ told: Delivery) {
        if waits.contains(where: { $0.transaction === told.transaction }) { return }
        let place = waits.firstIndex {
            $0.transaction == nil && $0.product == told.product && $0.quantity == told.payment.quantity
        }
        if let place { waits[place].transaction = told.transaction }
    }

    func deferred(_ told: Delivery) { settle(told, .deferred) }

    func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        finish(told)
        if isNew { reviewEntitlements(of: told.product) }
        settle(told, isNew ? .purchased : .failed(message: "You had this before, and were not charged."))
    }

    func restored(_ told: Delivery) {
        deliverRestored(told)
        restored.insert(told.product)
        finish(told)
        // What is owned already may come back like this when it is bought again.
        settle(told, .purchased)
    }

    func failed(_ told: Delivery) {
        finish(told)
        settle(told, Self.outcome(of: told.error))
    }

    func finish(_ told: Delivery) { queue.finishTransaction(told.transaction) }

    func settle(_ told: Delivery, _ outcome: PurchaseOutcome) {
        guard let place = waits.firstIndex(where: { $0.transaction === told.transaction }) else { return }
        waits.remove(at: place).answer(outcome)
    }

    static func outcome(of error: (any Error)?) -> PurchaseOutcome {
        guard let error else { return .failed(message: "The purchase failed.") }
        return isCancel(error) ? .cancelled : .failed(message: error.localizedDescription)
    }

    static func isCancel(_ error: any Error) -> Bool { (error as? SKError)?.code == .paymentCancelled }

    // MARK: Restoring

    open func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restores.append(completion)
        // StoreKit turns a second restore away while one runs.
        if restores.count > 1 { return }
        beginRestore()
    }

    func beginRestore() {
        restored = []
        queue.restoreCompletedTransactions()
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        onMain { [self] in restoreFinished() }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        onMain { [self] in restoreFailed(error) }
    }

    func restoreFinished() { answerRestores(.restored(count: restored.count)) }

    func restoreFailed(_ error: any Error) {
        answerRestores(Self.isCancel(error) ? .cancelled : .failed(message: error.localizedDescription))
    }

    func answerRestores(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for answer in waiting { answer(outcome) }
    }

    // MARK: Goods

    open func holdings() -> [String: Int] {
        var held: [String: Int] = [:]
        for product in environment.products { held[product.identifier] = holdings(of: product.identifier) }
        return held
    }

    open func holdings(of productIdentifier: String) -> Int {
        environment.durableInteger(Keys.balance(productIdentifier))
    }

    open func use(_ productIdentifier: String) {
        let held = balance(of: productIdentifier)
        guard held > 0, isConsumable(productIdentifier) else { return }
        store([(Keys.balance(productIdentifier), .integer(held - 1))])
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        onMain { [self] in revoked(productIdentifiers) }
    }

    func revoked(_ productIdentifiers: [String]) { reviewEntitlements() }

    // The rest of the goods is in BlindShop+Goods.swift; these can be overridden.

    func deliver(_ told: Delivery) -> Bool { recordPurchase(told) }
    func deliverRestored(_ told: Delivery) { recordRestored(told) }
    func reviewEntitlements(of product: String? = nil) { giveUpWhatIsOver(product) }
    func store(_ changes: [(key: String, value: AppValue?)]) { environment.write(changes) }
    func balance(of product: String) -> Int { environment.durableInteger(Keys.balance(product)) }
    func units(_ told: Delivery) -> Int { told.payment.quantity }
    func recordKey(_ told: Delivery) -> String? { told.identifier.map { Keys.done($0) } }
    func isRecorded(_ key: String) -> Bool { environment.hasDurable(key) }
    func isValid(_ purchase: AppReceipt.Purchase) -> Bool { purchase.isValid(at: environment.now) }

    /// Whether the receipt shows that a product is paid for no longer. One that does not know of the purchase which the
    /// product goes back to says nothing.
    func isOver(_ product: String, source: String, _ receipt: AppReceipt) -> Bool {
        let purchases = receipt.inApp.filter { $0.productIdentifier == product }
        guard knows(receipt, purchases, source) else { return false }
        return !purchases.contains { isValid($0) }
    }
}
