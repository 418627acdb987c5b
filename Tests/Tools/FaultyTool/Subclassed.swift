// Clients of which only a subclass has an optional method of StoreKit's, or a member of `StoreClient` with a default.
// Each runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

/// Grants and finishes what StoreKit delivers; it conforms to the protocol, and leaves the optional methods out.
class CentralObserver: NSObject, SKPaymentTransactionObserver {
    let environment: AppEnvironment
    var purchases: [String: (PurchaseOutcome) -> Void] = [:]
    var restoring: ((RestoreOutcome) -> Void)?
    var restored = 0

    init(_ environment: AppEnvironment) { self.environment = environment }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchased, .restored:
                let count = transaction.transactionState == .restored ? 0 : environment.durableInteger(product)
                environment.write([(product, .integer(count + transaction.payment.quantity))])
                restored += transaction.transactionState == .restored ? 1 : 0
                purchases.removeValue(forKey: product)?(.purchased)
            case .failed: purchases.removeValue(forKey: product)?(.cancelled)
            default: continue
            }
            queue.finishTransaction(transaction)
        }
    }
}

class RestoringObserver: CentralObserver {
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoring?(.restored(count: restored))
        restoring = nil
    }
}

/// An optimised build keeps nothing of its method.
final class FinalObserver: CentralObserver {
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        restoring?(.failed(message: String(describing: error)))
        restoring = nil
    }
}

final class SubclassedClient: StoreClient {
    static let name = "subclassed"
    static let summary = "Its observer's superclass conforms, and lacks what the subclass has."
    static let options = [
        ClientOption(name: "which", values: ["restoring", "final"], meaning: "Which subclass.")
    ]

    private let environment: AppEnvironment
    private let observer: CentralObserver

    init(environment: AppEnvironment) {
        self.environment = environment
        observer = environment.options["which"] == "final" ? FinalObserver(environment) : RestoringObserver(environment)
    }

    func launch() { SKPaymentQueue.default().add(observer) }
    func willTerminate() { SKPaymentQueue.default().remove(observer) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        observer.purchases[identifier] = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        observer.restoring = completion
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }
}

/// It leaves `launch` to the protocol's default.
class CommonClient: StoreClient {
    class var name: String { "common" }
    static var summary: String { "A superclass of clients." }

    required init() {}

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.cancelled)
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [:] }
}

class LaunchingClient: CommonClient {
    override class var name: String { "launching" }

    func launch() {}
}
