// A client that finds out whether its statics are those of a process of its own.
// Each runs on its device's main queue.

import Foundation
import Stampede
import StaticsTally
import StoreKit

public final class StaticsClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    public static let name = "statics"
    public static let summary = "Buys, and looks at its statics at every call."

    private let environment: AppEnvironment
    private let probes = Probe.all()
    /// This launch's own.
    private let stamp = Int.random(in: 1_000...60_000)
    private var answers: [String: (PurchaseOutcome) -> Void] = [:]

    public init(environment: AppEnvironment) { self.environment = environment }

    public func launch() {
        for probe in probes where !probe.isFresh() { Tally.complain("not fresh: \(probe.name)") }
        for probe in probes { probe.stamp(stamp) }
        Tally.launches += 1
        look()
        SKPaymentQueue.default().add(self)
    }

    private func look(_ place: String = #function) {
        for probe in probes where !probe.isStamped(stamp) { Tally.complain("another's in \(place): \(probe.name)") }
        Tally.checks += probes.count
    }

    public func willTerminate() {
        look()
        SKPaymentQueue.default().remove(self)
    }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        look()
        completion(.fetched([]))
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        look()
        return Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        look()
        answers[identifier] = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        look()
        for transaction in transactions where transaction.transactionState == .purchased {
            let product = transaction.payment.productIdentifier
            let delivered = "delivered." + (transaction.transactionIdentifier ?? "")
            if !environment.hasDurable(delivered) {
                environment.write([
                    (product, .integer(environment.durableInteger(product) + transaction.payment.quantity)),
                    (delivered, .flag(true)),
                ])
            }
            queue.finishTransaction(transaction)
            // In a worker process nobody else hears of complaints.
            let outcome: PurchaseOutcome = Tally.isClean ? .purchased : .failed(message: "A static is another's.")
            answers.removeValue(forKey: product)?(outcome)
        }
    }

    deinit { look("deinit") }
}
