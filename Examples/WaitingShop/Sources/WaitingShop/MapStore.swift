// The atlas's purchases: its workers wait for StoreKit, beside the main queue.

import Foundation
import StoreKit

/// Any thread. Completions come on the main queue.
public final class MapStore: NSObject {
    public static let shared = MapStore()

    public enum Outcome { case bought, needsApproval, failed(Error) }

    public let maps = MapFile()
    /// The map list used to come up without prices, and to fill in later.
    private let waitsForPrices: Bool
    private let workers = DispatchQueue(label: "com.example.atlas.store", attributes: .concurrent)
    /// Guards what follows.
    private let lock = NSLock()
    private var products: [String: SKProduct] = [:]
    private var loads: [Load] = []
    private var tickets: [Ticket] = []
    private var restores: [Restore] = []
    private var restored: Set<String> = []

    private final class Load {
        let request: SKProductsRequest
        let done = DispatchSemaphore(value: 0)
        var error: Error?

        init(_ identifiers: Set<String>) { request = SKProductsRequest(productIdentifiers: identifiers) }
    }

    /// A purchase that somebody waits for. Its transaction is known once StoreKit has shown it as purchasing.
    private final class Ticket {
        let payment: SKPayment
        var transaction: SKPaymentTransaction?
        var outcome = Outcome.needsApproval
        let done = DispatchSemaphore(value: 0)

        init(_ payment: SKPayment) { self.payment = payment }
    }

    private final class Restore {
        let done = DispatchGroup()
        var result: Result<Int, Error> = .success(0)

        init() { done.enter() }
    }

    /// - Parameter waitsForPrices: has them at hand as soon as `start` is done.
    public init(waitsForPrices: Bool = false) { self.waitsForPrices = waitsForPrices }

    /// When the atlas has launched.
    public func start() {
        SKPaymentQueue.default().add(self)
        if waitsForPrices {
            loadPrices()
        } else {
            workers.async { self.loadPrices() }
        }
    }

    public func stop() { SKPaymentQueue.default().remove(self) }

    private func loadPrices() {
        if let error = load(Products.all) { NSLog("Atlas: no prices: %@", error.localizedDescription) }
    }

    /// As the buy button has it: "$0.99". Nil while it is not known.
    public func priceText(of identifier: String) -> String? {
        guard let product = locked({ products[identifier] }) else { return nil }
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price)
    }

    public func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String], Error>) -> Void) {
        workers.async {
            let error = self.load(identifiers)
            let found = self.locked { identifiers.filter { self.products[$0] != nil } }
            // What is known from before can be shown all the same.
            DispatchQueue.main.async {
                if let error, found.isEmpty { return completion(.failure(error)) }
                completion(.success(found.sorted()))
            }
        }
    }

    public func buy(_ identifier: String, quantity: Int = 1, completion: @escaping (Outcome) -> Void) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.failed(StoreError.notAllowed)) }
        workers.async {
            let outcome = self.buyAndWait(identifier, quantity)
            DispatchQueue.main.async { completion(outcome) }
        }
    }

    /// Tells how many maps came back. Several at once share one answer: StoreKit turns a second restore away.
    public func restore(completion: @escaping (Result<Int, Error>) -> Void) {
        workers.async {
            let restore = Restore()
            let isFirst = self.locked {
                self.restores.append(restore)
                if self.restores.count == 1 { self.restored = [] }
                return self.restores.count == 1
            }
            if isFirst { SKPaymentQueue.default().restoreCompletedTransactions() }
            restore.done.wait()
            DispatchQueue.main.async { completion(restore.result) }
        }
    }

    // MARK: Waiting

    /// Returns when StoreKit has answered.
    private func load(_ identifiers: Set<String>) -> Error? {
        let load = Load(identifiers)
        locked { loads.append(load) }
        load.request.delegate = self
        load.request.start()
        load.done.wait()
        return load.error
    }

    /// Returns when the purchase is over.
    private func buyAndWait(_ identifier: String, _ quantity: Int) -> Outcome {
        if locked({ products[identifier] }) == nil, let error = load([identifier]) { return .failed(error) }
        guard let product = locked({ products[identifier] }) else { return .failed(StoreError.notForSale) }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        let ticket = Ticket(payment)
        locked { tickets.append(ticket) }
        SKPaymentQueue.default().add(payment)
        ticket.done.wait()
        return ticket.outcome
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

// On whichever queue StoreKit calls.
extension MapStore: SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: begin(transaction)
            case .deferred: end(transaction, .needsApproval)
            case .purchased, .restored:
                // Delivered first: what is finished does not come again.
                let isNew = maps.deliver(transaction)
                if transaction.transactionState == .restored {
                    _ = locked { restored.insert(transaction.payment.productIdentifier) }
                }
                queue.finishTransaction(transaction)
                end(transaction, isNew ? .bought : .failed(StoreError.deliveredBefore))
            case .failed:
                queue.finishTransaction(transaction)
                end(transaction, .failed(transaction.error ?? SKError(.unknown)))
            @unknown default: break
            }
        }
    }

    private func begin(_ transaction: SKPaymentTransaction) {
        let payment = transaction.payment
        locked {
            let ticket = tickets.first {
                $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                    && $0.payment.quantity == payment.quantity
            }
            ticket?.transaction = transaction
        }
    }

    private func end(_ transaction: SKPaymentTransaction, _ outcome: Outcome) {
        locked {
            guard let place = tickets.firstIndex(where: { $0.transaction === transaction }) else { return }
            let ticket = tickets.remove(at: place)
            ticket.outcome = outcome
            ticket.done.signal()
        }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        maps.remove(identifiers)
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { endRestores(nil) }

    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        endRestores(error)
    }

    private func endRestores(_ error: Error?) {
        locked {
            for restore in restores {
                restore.result = error.map { .failure($0) } ?? .success(restored.count)
                restore.done.leave()
            }
            restores = []
        }
    }
}

extension MapStore: SKProductsRequestDelegate {
    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        locked {
            for product in response.products { products[product.productIdentifier] = product }
        }
        end(request, nil)
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) { end(request, error) }

    private func end(_ request: SKRequest, _ error: Error?) {
        locked {
            guard let place = loads.firstIndex(where: { $0.request === request }) else { return }
            let load = loads.remove(at: place)
            load.error = error
            load.done.signal()
        }
    }
}
