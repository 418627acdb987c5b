// The app's purchases, as an actor that reads a stream of StoreKit's callbacks.

import Foundation
import StoreKit

public actor PurchaseManager {
    public static let shared = PurchaseManager()

    public nonisolated let inventory: Inventory
    private nonisolated let events: AsyncStream<StoreEvent>
    private nonisolated let listener: StoreListener
    private var products: [String: SKProduct] = [:]
    private var purchases: [Purchase] = []
    private var restores: [CheckedContinuation<Int, any Error>] = []
    private var restored: Set<String> = []

    public enum Outcome: Sendable { case bought, waitsForApproval }

    public struct NotForSale: Error {}

    /// Its transaction is nil until StoreKit has shown the transaction as purchasing.
    private struct Purchase {
        let product: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    public init(receipt: ReceiptReader? = nil) {
        inventory = Inventory(receipt: receipt)
        let (events, sink) = AsyncStream.makeStream(of: StoreEvent.self)
        self.events = events
        listener = StoreListener { sink.yield($0) }
    }

    /// Call it when the app has launched.
    /// StoreKit delivers unfinished transactions once an observer is added.
    public nonisolated func start() {
        SKPaymentQueue.default().add(listener)
        Task { for await event in events { await handle(event) } }
        comesForward()
    }
    /// Call it in `willEnterForeground`: a subscription may have ended meanwhile.
    public nonisolated func comesForward() { inventory.followReceipt() }

    public nonisolated func stop() { SKPaymentQueue.default().remove(listener) }

    public func fetch(_ identifiers: [String]) async throws -> [String] {
        let found = try await ProductsFetch.products(identifiers)
        for product in found { products[product.productIdentifier] = product }
        return found.map(\.productIdentifier)
    }

    public func buy(_ identifier: String, quantity: Int = 1) async throws -> Outcome {
        if products[identifier] == nil { _ = try await fetch([identifier]) }
        guard let product = products[identifier] else { throw NotForSale() }
        return try await withCheckedThrowingContinuation { continuation in
            purchases.append(Purchase(product: identifier, quantity: quantity, continuation: continuation))
            let payment = SKMutablePayment(product: product)
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
        }
    }

    /// Restores, and returns how many products were restored.
    /// Calls at the same time share one answer: StoreKit rejects a second restore.
    public func restore() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            restores.append(continuation)
            guard restores.count == 1 else { return }
            restored = []
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    // MARK: StoreKit's callbacks

    private func handle(_ event: StoreEvent) {
        switch event {
        case .updated(let transaction, let state, let payment): handle(transaction, state, payment)
        case .revoked(let products): inventory.revoke(products)
        case .restoreEnded(let error):
            let waiting = restores
            restores = []
            for continuation in waiting {
                continuation.resume(with: error.map { .failure($0) } ?? .success(restored.count))
            }
        }
    }

    private func handle(
        _ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment
    ) {
        switch state {
        case .purchasing: begin(transaction, payment)
        case .deferred: answer(transaction, .success(.waitsForApproval))
        case .purchased, .restored:
            if state == .restored { restored.insert(transaction.payment.productIdentifier) }
            // Deliver first: StoreKit does not deliver a finished transaction again.
            let isNew = inventory.deliver(transaction)
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, isNew ? .success(.bought) : .failure(Inventory.deliveredBefore))
        case .failed:
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, .failure(transaction.error ?? SKError(.unknown)))
        @unknown default: break
        }
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.product == payment.productIdentifier && $0.quantity == payment.quantity
        }
        if let place { purchases[place].transaction = transaction }
    }

    private func answer(_ transaction: SKPaymentTransaction, _ result: Result<Outcome, any Error>) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        purchases.remove(at: place).continuation.resume(with: result)
    }
}
