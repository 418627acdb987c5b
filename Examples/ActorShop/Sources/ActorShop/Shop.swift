// The drawing app's purchases, as an actor that reads a stream of what StoreKit tells.

import Foundation
import StoreKit

public actor Shop {
    public static let shared = Shop()

    public enum Outcome: Sendable { case bought, waitsForApproval }

    /// Whatever changes what is owned comes through here.
    private nonisolated let events: AsyncStream<StoreEvent>
    private nonisolated let sink: AsyncStream<StoreEvent>.Continuation
    private nonisolated let observer: StoreObserver
    private nonisolated let overlapsEvents: Bool
    private let drawer = Drawer()
    private var belongings: Belongings?
    private var products: [String: SKProduct] = [:]
    private var purchases: [Purchase] = []
    private var restores: [CheckedContinuation<Int, any Error>] = []
    private var restored: Set<String> = []

    /// Its transaction is known once StoreKit has shown it as purchasing.
    private struct Purchase {
        let product: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    /// - Parameter overlapsEvents: does not let one purchase wait while another is written to the disk.
    public init(overlapsEvents: Bool = false) {
        self.overlapsEvents = overlapsEvents
        (events, sink) = AsyncStream.makeStream()
        observer = StoreObserver(sink)
    }

    /// When the app has launched.
    public nonisolated func start() {
        SKPaymentQueue.default().add(observer)
        Task {
            for await event in events {
                if overlapsEvents {
                    Task { await handle(event) }
                } else {
                    await handle(event)
                }
            }
        }
    }

    public nonisolated func stop() { SKPaymentQueue.default().remove(observer) }

    public func offers(_ identifiers: [String] = Offer.all) async throws -> [Offer] {
        let found = try await ProductsRequest.products(identifiers)
        for product in found { products[product.productIdentifier] = product }
        return found.map { Offer($0) }
    }

    public func buy(_ identifier: String, quantity: Int = 1) async throws -> Outcome {
        guard SKPaymentQueue.canMakePayments() else { throw ShopError.notAllowed }
        if products[identifier] == nil { _ = try await offers([identifier]) }
        guard let product = products[identifier] else { throw ShopError.notForSale }
        return try await withCheckedThrowingContinuation { continuation in
            purchases.append(Purchase(product: identifier, quantity: quantity, continuation: continuation))
            let payment = SKMutablePayment(product: product)
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
        }
    }

    /// How many products came back. Several at once share one answer: StoreKit turns a second restore away.
    public func restore() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            restores.append(continuation)
            guard restores.count == 1 else { return }
            restored = []
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    /// A stroke has emptied a pot, a sheet is full.
    public nonisolated func use(_ product: String) { sink.yield(.used(product)) }

    // MARK: What StoreKit tells

    private func handle(_ event: StoreEvent) async {
        switch event {
        case .updated(let transaction, let state, let payment): await handle(transaction, state, payment)
        case .revoked(let products): try? await change { $0.remove(products) }
        case .used(let product): try? await change { $0.use(product) }
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
    ) async {
        switch state {
        case .purchasing: begin(transaction, payment)
        case .deferred: answer(transaction, .success(.waitsForApproval))
        case .purchased, .restored:
            if state == .restored { restored.insert(transaction.payment.productIdentifier) }
            do {
                let isNew = try await change { $0.add(transaction) }
                SKPaymentQueue.default().finishTransaction(transaction)
                answer(transaction, isNew ? .success(.bought) : .failure(ShopError.deliveredBefore))
            } catch {
                // The disk is full, say: not finished, so that StoreKit tells of it again in the next launch.
                answer(transaction, .failure(error))
            }
        case .failed:
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(transaction, .failure(transaction.error ?? SKError(.unknown)))
        @unknown default: break
        }
    }

    private func change<Result>(_ body: (inout Belongings) -> Result) async throws -> Result {
        var changed = try belongings ?? drawer.open()
        let result = body(&changed)
        try await drawer.put(changed)
        belongings = changed
        return result
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
