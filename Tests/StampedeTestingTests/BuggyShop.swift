// An app's purchase code as a singleton, with a bug to switch on, and the clients that wrap it.
// Everything belongs to the device's main queue.

import Foundation
import StampedeTesting
import StoreKit

/// Each simulated app has one, although it is a static: the program that runs it is started for it alone.
final class BuggyShop: NSObject, SKPaymentTransactionObserver {
    nonisolated(unsafe) static let shared = BuggyShop()

    let goods = Goods()
    /// Finishes before it delivers.
    var isHasty = false
    /// Ends the process at the first purchase.
    var isFragile = false
    private var waiting: [(SKPayment, (PurchaseOutcome) -> Void)] = []
    private var restores: [(RestoreOutcome) -> Void] = []

    func start() {
        SKPaymentQueue.default().add(self)
        goods.followReceipt()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func buy(_ identifier: String, _ answer: @escaping (PurchaseOutcome) -> Void) {
        AppEnvironment.current.withProduct(identifier) { [self] result in
            guard case .success(let product?) = result else {
                if case .failure(let error) = result { return answer(PurchaseOutcome(error)) }
                return answer(.refused(reason: "Not for sale."))
            }
            let payment = SKPayment(product: product)
            waiting.append((payment, answer))
            SKPaymentQueue.default().add(payment)
        }
    }

    func restore(_ answer: @escaping (RestoreOutcome) -> Void) {
        restores.append(answer)
        if restores.count == 1 { SKPaymentQueue.default().restoreCompletedTransactions() }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState != .purchasing { handle(transaction) }
    }

    private func handle(_ transaction: SKPaymentTransaction) {
        let state = transaction.transactionState
        if state == .purchased, isFragile { fatalError("The shop has broken down.") }
        if state != .deferred, isHasty { SKPaymentQueue.default().finishTransaction(transaction) }
        if state == .purchased || state == .restored { goods.grant(transaction) }
        if state != .deferred, !isHasty { SKPaymentQueue.default().finishTransaction(transaction) }
        guard let outcome = PurchaseOutcome(transaction),
            let place = waiting.firstIndex(where: { $0.0.productIdentifier == transaction.payment.productIdentifier })
        else { return }
        waiting.remove(at: place).1(outcome)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { endRestores(.restored(count: 0)) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        endRestores(RestoreOutcome(error))
    }

    private func endRestores(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for answer in waiting { answer(outcome) }
    }
}

class BuggyClient: StoreClient {
    /// Restores at every launch, which nobody asked for.
    private let isEager: Bool

    class var name: String { "buggy" }
    class var options: [ClientOption] {
        [ClientOption(name: "bug", values: ["none", "hasty", "fragile", "eager"], meaning: "What is wrong with it.")]
    }

    required init(environment: AppEnvironment) {
        BuggyShop.shared.isHasty = environment.options["bug"] == "hasty"
        BuggyShop.shared.isFragile = environment.options["bug"] == "fragile"
        isEager = environment.options["bug"] == "eager"
    }

    func launch() {
        BuggyShop.shared.start()
        if isEager { BuggyShop.shared.restore { _ in } }
    }
    func willTerminate() { BuggyShop.shared.stop() }
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        BuggyShop.shared.buy(productIdentifier, completion)
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { BuggyShop.shared.restore(completion) }
    func holdings() -> [String: Int] { BuggyShop.shared.goods.held }
}

/// Devices run at once under the wall clock: what they share must not be theirs.
final class WallBuggyClient: StoreClient {
    private let shop = BuggyShop()

    func launch() { shop.start() }
    func willTerminate() { shop.stop() }
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(productIdentifier, completion)
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { shop.restore(completion) }
    func holdings() -> [String: Int] { shop.goods.held }
}
