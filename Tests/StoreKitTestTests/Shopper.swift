// An app's side of a test: it observes the queue, asks for products, and remembers what it was told.

import Foundation
import StoreKit
import StoreKitTest
import Testing

enum Goods {
    static let coins = "test.shop.coins"
    static let hat = "test.shop.hat"
    static let season = "test.shop.season"
    static let pro = "test.shop.pro"
}

/// Runs a test in the shop as its file describes it, without dialogs, with a history that is empty before and after.
func inShop(
    _ body: (SKTestSession, Shopper) async throws -> Void
) async throws {
    let session = try SKTestSession(configurationFileNamed: "Shop")
    session.resetToDefaultState()
    session.clearTransactions()
    session.disableDialogs = true
    // What others left behind is told before this one listens.
    try await Shopper().settle()
    let shopper = Shopper()
    SKPaymentQueue.default().delegate = shopper
    SKPaymentQueue.default().add(shopper)
    defer {
        SKPaymentQueue.default().remove(shopper)
        session.resetToDefaultState()
        session.clearTransactions()
    }
    try await body(session, shopper)
}

/// Told on the main queue, asked anywhere.
final class Shopper: NSObject, @unchecked Sendable {  // Guard: `lock`.
    struct Delivery: Equatable {
        let product: String
        let state: SKPaymentTransactionState
        let identifier: String?
        let code: Int?
        let domain: String?
    }

    private let lock = NSLock()
    private var events: [Delivery] = []
    private var latest: [String: SKPaymentTransaction] = [:]
    private var removals: [String] = []
    private var takenBack: [String] = []
    private var moves = 0
    private var questions = 0
    private var restoreEnds: [NSError?] = []
    private var responses: [SKProductsResponse] = []
    private var failures: [NSError] = []
    private var requests: [SKRequest] = []
    private var finished = 0

    var told: [Delivery] { lock.withLock { events } }
    var states: [SKPaymentTransactionState] { told.map(\.state) }
    /// Products of transactions that left the queue.
    var removed: [String] { lock.withLock { removals } }
    var revoked: [String] { lock.withLock { takenBack } }
    var storefrontChanges: Int { lock.withLock { moves } }
    var consentQuestions: Int { lock.withLock { questions } }
    /// Nil: it went well.
    var endedRestores: [NSError?] { lock.withLock { restoreEnds } }
    var productResponses: [SKProductsResponse] { lock.withLock { responses } }
    var requestFailures: [NSError] { lock.withLock { failures } }
    var requestsFinished: Int { lock.withLock { finished } }

    /// The object that stood for the latest transaction of a product.
    func transaction(_ product: String) throws -> SKPaymentTransaction {
        try #require(lock.withLock { latest[product] })
    }

    // MARK: What the app does

    func buy(_ product: String, quantity: Int = 1, asksToBuy: Bool = false) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.quantity = quantity
        payment.simulatesAskToBuyInSandbox = asksToBuy
        SKPaymentQueue.default().add(payment)
    }

    /// Buys, and finishes.
    @discardableResult
    func own(_ product: String) async throws -> SKPaymentTransaction {
        let before = count(of: product, .purchased)
        buy(product)
        try await until("\(product) is bought") { $0.count(of: product, .purchased) > before }
        return try await finish(product)
    }

    @discardableResult
    func finish(_ product: String) async throws -> SKPaymentTransaction {
        let before = removed.count { $0 == product }
        let transaction = try transaction(product)
        SKPaymentQueue.default().finishTransaction(transaction)
        try await until("\(product) leaves the queue") { $0.removed.count { $0 == product } > before }
        return transaction
    }

    func load(_ products: Set<String>) async throws -> [SKProduct] {
        let before = productResponses.count
        send(SKProductsRequest(productIdentifiers: products))
        try await until("products are told") { $0.productResponses.count > before }
        return productResponses[before].products
    }

    func send(_ request: SKRequest) {
        lock.withLock { requests.append(request) }
        request._requestDelegate = self
        request.start()
    }

    func count(of product: String, _ state: SKPaymentTransactionState) -> Int {
        told.count { $0.product == product && $0.state == state }
    }

    /// Waits until it holds. The deadline is only for a test that fails.
    func until(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ holds: @Sendable (Shopper) -> Bool
    ) async throws {
        let deadline = Date().addingTimeInterval(60)
        while !holds(self) {
            guard Date() < deadline else {
                Issue.record("it never happens that \(what)", sourceLocation: sourceLocation)
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Lets everything that is under way arrive: two whole ways from the app to the store and back.
    func settle() async throws {
        for _ in 0..<2 { _ = try await load(["nobody.sells.this"]) }
    }
}

extension Shopper: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        lock.withLock {
            for transaction in transactions where transaction.payment.productIdentifier.hasPrefix("test.") {
                let error = transaction.error.map { $0 as NSError }
                latest[transaction.payment.productIdentifier] = transaction
                events.append(
                    Delivery(
                        product: transaction.payment.productIdentifier, state: transaction.transactionState,
                        identifier: transaction.transactionIdentifier, code: error?.code, domain: error?.domain))
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        lock.withLock { removals += transactions.map(\.payment.productIdentifier) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        lock.withLock { takenBack += productIdentifiers }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { lock.withLock { moves += 1 } }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        lock.withLock { restoreEnds.append(nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        lock.withLock { restoreEnds.append(error as NSError) }
    }
}

extension Shopper: SKPaymentQueueDelegate {
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        lock.withLock { questions += 1 }
        return true
    }
}

extension Shopper: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        lock.withLock { responses.append(response) }
    }

    func requestDidFinish(_ request: SKRequest) { lock.withLock { finished += 1 } }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        lock.withLock { failures.append(error as NSError) }
    }
}

extension SKTestSession {
    /// The only transaction of a product.
    func transaction(_ product: String) throws -> SKTestTransaction {
        let found = allTransactions().filter { $0.productIdentifier == product }
        try #require(found.count == 1, "\(found.count) transactions of \(product)")
        return found[0]
    }
}
