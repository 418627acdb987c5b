// The player's purchases, on the main actor: each is confirmed by the server before it is delivered.

import Foundation
import StoreKit

@MainActor
public final class Purchases {
    public static let shared = Purchases()

    public enum Outcome: Sendable { case bought, waitsForApproval }

    public let library = Library()
    /// How often the server is asked about one purchase in a launch. Nil: until it answers.
    private let attempts: Int?
    private let check = ReceiptCheck()
    private lazy var listener = StoreListener(self)
    private var products: [String: SKProduct] = [:]
    private var waiting: [Waiting] = []
    private var restores: [CheckedContinuation<Int, any Error>] = []
    private var restored: Set<String> = []
    /// Paid, and not confirmed yet.
    private var unconfirmed: [Unconfirmed] = []
    private var retry: Timer?

    /// Its transaction is known once StoreKit has shown it as purchasing.
    private struct Waiting {
        let product: String
        let quantity: Int
        var transaction: SKPaymentTransaction?
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    private struct Unconfirmed {
        let transaction: SKPaymentTransaction
        var isBeingAsked = false
        var attempts = 0
    }

    public init(attempts: Int? = nil) { self.attempts = attempts }

    /// When the player has launched.
    public func start() { SKPaymentQueue.default().add(listener) }

    public func stop() {
        retry?.invalidate()
        SKPaymentQueue.default().remove(listener)
    }

    public func fetch(_ identifiers: [String] = Products.all) async throws -> [SKProduct] {
        let found = try await ProductsRequest.products(identifiers)
        for product in found { products[product.productIdentifier] = product }
        return found
    }

    public func buy(_ identifier: String, quantity: Int = 1) async throws -> Outcome {
        guard SKPaymentQueue.canMakePayments() else { throw PurchaseError.notAllowed }
        if products[identifier] == nil { _ = try await fetch([identifier]) }
        guard let product = products[identifier] else { throw PurchaseError.notForSale }
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(product: identifier, quantity: quantity, continuation: continuation))
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

    // MARK: What StoreKit tells

    func updated(_ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState, _ payment: SKPayment) {
        switch state {
        case .purchasing: begin(transaction, payment)
        case .deferred: answer(transaction, .success(.waitsForApproval))
        case .purchased:
            guard !unconfirmed.contains(where: { $0.transaction === transaction }) else { return }
            unconfirmed.append(Unconfirmed(transaction: transaction))
            confirm()
        case .restored:
            restored.insert(transaction.payment.productIdentifier)
            library.deliver(transaction)
            finish(transaction, .success(.bought))
        case .failed: finish(transaction, .failure(transaction.error ?? SKError(.unknown)))
        @unknown default: break
        }
    }

    func revoked(_ products: [String]) { library.remove(products) }

    func restoreEnded(_ error: (any Error)?) {
        let waiting = restores
        restores = []
        for continuation in waiting {
            continuation.resume(with: error.map { .failure($0) } ?? .success(restored.count))
        }
    }

    private func begin(_ transaction: SKPaymentTransaction, _ payment: SKPayment) {
        let place = waiting.firstIndex {
            $0.transaction == nil && $0.product == payment.productIdentifier && $0.quantity == payment.quantity
        }
        if let place { waiting[place].transaction = transaction }
    }

    private func finish(_ transaction: SKPaymentTransaction, _ result: Result<Outcome, any Error>) {
        SKPaymentQueue.default().finishTransaction(transaction)
        answer(transaction, result)
    }

    private func answer(_ transaction: SKPaymentTransaction, _ result: Result<Outcome, any Error>) {
        guard let place = waiting.firstIndex(where: { $0.transaction === transaction }) else { return }
        waiting.remove(at: place).continuation.resume(with: result)
    }

    // MARK: What the server says

    /// Asks about whatever it is not being asked about already.
    private func confirm() {
        for place in unconfirmed.indices where !unconfirmed[place].isBeingAsked {
            unconfirmed[place].isBeingAsked = true
            unconfirmed[place].attempts += 1
            let transaction = unconfirmed[place].transaction
            Task { confirmed(transaction, try? await check.verdict(on: transaction)) }
        }
    }

    private func confirmed(_ transaction: SKPaymentTransaction, _ verdict: ReceiptCheck.Verdict?) {
        guard let place = unconfirmed.firstIndex(where: { $0.transaction === transaction }) else { return }
        switch verdict {
        case .genuine:
            unconfirmed.remove(at: place)
            // Delivered first: what is finished does not come again.
            let isNew = library.deliver(transaction)
            finish(transaction, isNew ? .success(.bought) : .failure(PurchaseError.deliveredBefore))
        case .forged:
            unconfirmed.remove(at: place)
            finish(transaction, .failure(PurchaseError.notGenuine))
        case nil where attempts.map({ unconfirmed[place].attempts >= $0 }) ?? false:
            unconfirmed.remove(at: place)
            finish(transaction, .failure(PurchaseError.notConfirmed))
        case nil:
            unconfirmed[place].isBeingAsked = false
            askAgainLater()
        }
        if unconfirmed.isEmpty { retry?.invalidate() }
    }

    private func askAgainLater() {
        guard retry?.isValid != true else { return }
        retry = Timer.scheduledTimer(withTimeInterval: 5, repeats: true) { [weak self] _ in
            Task { @MainActor in self?.confirm() }
        }
    }
}
