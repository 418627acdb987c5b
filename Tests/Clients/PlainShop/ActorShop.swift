// The shop as an actor, which reads a stream of what StoreKit tells.

import StoreKit

/// Hands on what StoreKit tells.
final class TransactionStream: NSObject, SKPaymentTransactionObserver {
    enum Event: Sendable {
        case told(Delivery), promoted(product: String, quantity: Int), revoked
        case restoreEnded((any Error)?)
    }

    let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation

    override init() { (events, sink) = AsyncStream.makeStream() }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { sink.yield(.told(Delivery(transaction))) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        sink.yield(.revoked)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        sink.yield(.promoted(product: payment.productIdentifier, quantity: payment.quantity))
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { sink.yield(.restoreEnded(nil)) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        sink.yield(.restoreEnded(error))
    }
}

actor ActorShop {
    static let shared = ActorShop()
    static let hasty = ActorShop(isHasty: true)

    nonisolated let records: ShopRecords
    private nonisolated let stream = TransactionStream()
    private let sales: ShopSales

    init(isHasty: Bool = false) {
        records = ShopRecords()
        sales = ShopSales(records: records, isHasty: isHasty)
    }

    nonisolated func start() {
        SKPaymentQueue.default().add(stream)
        refresh()
        Task.detached { [self] in
            for await event in stream.events { await handle(event) }
        }
    }

    nonisolated func stop() { SKPaymentQueue.default().remove(stream) }

    nonisolated func refresh() { Task { await followReceipt() } }

    private func followReceipt() { records.followReceipt() }

    func fetch(_ identifiers: Set<String>) async throws -> [String] {
        let found = try await withCheckedThrowingContinuation { continuation in
            _ = ProductsFetch(identifiers) { continuation.resume(with: $0) }
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

    private func handle(_ event: TransactionStream.Event) {
        switch event {
        case .told(let told): sales.handle(told)
        case .promoted(let product, let quantity): sales.promote(product, quantity)
        case .revoked: records.followReceipt()
        case .restoreEnded(let error): sales.restoreEnded(error)
        }
    }
}
