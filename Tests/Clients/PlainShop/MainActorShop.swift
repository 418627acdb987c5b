// The shop on the main actor, with functions that wait: each purchase and each restore is a continuation.

import StoreKit

@MainActor
class MainActorShop: NSObject {
    static let shared = MainActorShop()
    static let hasty = MainActorShop(isHasty: true)

    let records = ShopRecords()
    private let sales: ShopSales

    init(isHasty: Bool = false) { sales = ShopSales(records: records, isHasty: isHasty) }

    func start() {
        SKPaymentQueue.default().add(self)
        refresh()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func refresh() { records.followReceipt() }

    func fetch(_ identifiers: Set<String>) async throws -> [String] {
        let found = try await withCheckedThrowingContinuation { continuation in
            // StoreKit may tell of products on any queue.
            _ = ProductsFetch(identifiers) { @Sendable in continuation.resume(with: $0) }
        }
        sales.take(found)
        return found.map(\.productIdentifier)
    }

    func buy(_ identifier: String, _ quantity: Int) async -> ShopOutcome {
        guard SKPaymentQueue.canMakePayments() else { return .notAllowed }
        if sales.product(identifier) == nil {
            do { _ = try await fetch([identifier]) } catch { return .failed(error.localizedDescription) }
        }
        guard let product = sales.product(identifier) else { return .notSold }
        return await withCheckedContinuation { continuation in
            sales.buy(product, quantity) { continuation.resume(returning: $0) }
        }
    }

    func restore() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            sales.restore { continuation.resume(with: $0) }
        }
    }

    private func handle(_ told: Delivery) async {
        // As if a picture had to be fetched first.
        if told.state == .purchased { try? await Task.sleep(for: .milliseconds(20)) }
        sales.handle(told)
    }

    nonisolated func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for told in transactions.map(Delivery.init) { Task { @MainActor in await handle(told) } }
    }
}

// StoreKit does not promise on which queue it calls: whatever it tells goes to the main actor in tasks, one behind the other.
extension MainActorShop: SKPaymentTransactionObserver {
    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        Task { @MainActor in refresh() }
    }

    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let (identifier, quantity) = (payment.productIdentifier, payment.quantity)
        Task { @MainActor in sales.promote(identifier, quantity) }
        return true
    }

    nonisolated func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        Task { @MainActor in sales.restoreEnded(nil) }
    }

    nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        Task { @MainActor in sales.restoreEnded(error) }
    }
}

/// One that counts on being called on the main queue, as StoreKit does in most apps.
final class TrustingShop: MainActorShop {
    static let trusting = TrustingShop()

    override nonisolated func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        MainActor.assumeIsolated { super.paymentQueue(queue, updatedTransactions: transactions) }
    }
}
