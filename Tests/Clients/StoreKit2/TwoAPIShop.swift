// A shop in the middle of its move: consumables by the original API, everything else by StoreKit 2, and listeners of both.
// Callbacks on the main queue and tasks share what a lock guards.

package import ClientKit
package import Foundation
package import StoreKit

/// Correct: goods and the transaction's number are one write whichever listener comes first, and entitlements are read again.
package final class TwoAPIShop: NSObject, AsyncStoreClient, SKPaymentTransactionObserver, @unchecked Sendable {
    package static let name = "two-apis"
    package static let summary = "Both APIs at once: consumables by the payment queue, everything else by StoreKit 2."

    private let goods = Goods()
    private let consumables = Set(
        AppEnvironment.current.products.filter { $0.kind == .consumable }.map(\.identifier))
    private let lock = NSLock()
    // Guard: `lock`.
    private var waiting: [Waiting] = []
    private var granted: [String] = []
    private var answered: Set<String> = []
    private var reading: Task<Bool, Never>?
    private var readings = 0

    /// A payment on the queue, with as many grants as there were before it.
    private struct Waiting {
        let payment: SKPayment
        let before: Int
        let continuation: CheckedContinuation<PurchaseOutcome, Never>
        var transaction: SKPaymentTransaction?
    }

    package func launch() {
        SKPaymentQueue.default().add(self)
        Task { for await result in Transaction.updates { await process(result) } }
        Task {
            for await result in Transaction.unfinished { await process(result) }
            readEntitlements()
        }
    }

    package func willTerminate() { SKPaymentQueue.default().remove(self) }
    package func willEnterForeground() { readEntitlements() }
    package func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    package func holdings() -> [String: Int] { goods.held }

    package func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        _ = await readEntitlements().value
        return .restored(count: goods.held.keys.count { !consumables.contains($0) })
    }

    package func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        // The old screen sells ten at most.
        if product.type == .consumable, quantity <= 10 { return await pay(productIdentifier, quantity) }
        let before = lock.withLock { granted.count }
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        await process(signed)
        guard case .verified(let transaction) = signed else { return .failed(message: "It is not verified.") }
        return product.type == .consumable ? answer("\(transaction.id)", before) : .purchased
    }

    /// One charge is one answer, whichever listener has granted it.
    private func answer(_ identifier: String, _ before: Int) -> PurchaseOutcome {
        lock.withLock {
            granted[before...].contains(identifier) && answered.insert(identifier).inserted
                ? .purchased : .failed(message: "You have this purchase already, and nothing was charged.")
        }
    }

    // MARK: The original API

    private func pay(_ productIdentifier: String, _ quantity: Int) async -> PurchaseOutcome {
        guard SKPaymentQueue.canMakePayments() else { return .refused(reason: "Payments are not allowed.") }
        let payment = SKMutablePayment()
        payment.productIdentifier = productIdentifier
        payment.quantity = quantity
        return await withCheckedContinuation { continuation in
            lock.withLock {
                waiting.append(Waiting(payment: payment, before: granted.count, continuation: continuation))
            }
            SKPaymentQueue.default().add(payment)
        }
    }

    package func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { update(queue, transaction) }
    }

    package func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { true }

    private func update(_ queue: SKPaymentQueue, _ transaction: SKPaymentTransaction) {
        let identifier = transaction.transactionIdentifier ?? ""
        switch transaction.transactionState {
        case .purchasing:
            return lock.withLock {
                let place = waiting.firstIndex { $0.transaction == nil && $0.payment == transaction.payment }
                if let place { waiting[place].transaction = transaction }
            }
        case .purchased, .restored:
            if consumables.contains(transaction.payment.productIdentifier) {
                if goods.grant(transaction) { lock.withLock { granted.append(identifier) } }
                queue.finishTransaction(transaction)
            } else {
                goods.add(transaction.payment.productIdentifier)
                // Whether it still entitles is StoreKit 2's to say.
                let reading = readEntitlements()
                let transfer = UncheckedTransaction(transaction)
                Task {
                    let isKnown = await reading.value
                    // Otherwise it comes again.
                    guard isKnown || goods.count(of: transfer.transaction.payment.productIdentifier) > 0 else { return }
                    SKPaymentQueue.default().finishTransaction(transfer.transaction)
                }
            }
        case .failed: queue.finishTransaction(transaction)
        case .deferred: break
        @unknown default: return
        }
        let waited = lock.withLock {
            waiting.firstIndex { $0.transaction === transaction }.map { waiting.remove(at: $0) }
        }
        guard let waited, let outcome = PurchaseOutcome(transaction) else { return }
        waited.continuation.resume(returning: outcome == .purchased ? answer(identifier, waited.before) : outcome)
    }

    private struct UncheckedTransaction: @unchecked Sendable {  // Guard: it is only passed on.
        let transaction: SKPaymentTransaction
        init(_ transaction: SKPaymentTransaction) { self.transaction = transaction }
    }

    // MARK: StoreKit 2

    private func process(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if goods.grant(transaction), transaction.productType == .consumable {
            lock.withLock { granted.append("\(transaction.id)") }
        }
        if transaction.productType != .consumable {
            let reading = readEntitlements()
            if goods.count(of: transaction.productID) == 0 { _ = await reading.value }
        }
        await transaction.finish()
    }

    /// A reading that is under way begins anew: it does not know of what has come since. True if all could be verified.
    @discardableResult
    private func readEntitlements() -> Task<Bool, Never> {
        lock.withLock {
            readings += 1
            if let reading { return reading }
            let task = Task {
                while true {
                    let before = lock.withLock { readings }
                    var (entitled, isKnown): (Set<String>, Bool) = ([], true)
                    for await result in Transaction.currentEntitlements {
                        switch result {
                        case .verified(let transaction): entitled.insert(transaction.productID)
                        case .unverified: isKnown = false
                        }
                    }
                    let held = entitled
                    let isCurrent = lock.withLock {
                        guard before == readings else { return false }
                        goods.hold(held)
                        reading = nil
                        return true
                    }
                    if isCurrent { return isKnown }
                }
            }
            reading = task
            return task
        }
    }
}
