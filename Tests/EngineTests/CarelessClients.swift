// Small clients with one fault each, as apps have them, for what reports say of them.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// What they share: products, purchases that are answered as soon as StoreKit reports an end, goods by number.
class CarelessClient: NSObject, StoreClient {
    class var name: String { "careless" }
    static let summary = "Makes one mistake."
    static let options: [ClientOption] = []

    let environment: AppEnvironment
    private var answers: [String: (PurchaseOutcome) -> Void] = [:]
    private var restore: ((RestoreOutcome) -> Void)?
    private var restored = 0

    required init(environment: AppEnvironment) { self.environment = environment }

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        environment.withProduct(identifier) { [self] result in
            guard case .success(let product?) = result else { return completion(.failed(message: "no such product")) }
            answers[identifier] = completion
            let payment = SKMutablePayment(product: product)
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restore = completion
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    func use(_ identifier: String) { grant(identifier, -1) }

    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }

    func grant(_ identifier: String, _ count: Int) {
        environment.write([(identifier, .integer(environment.durableInteger(identifier) + count))])
    }

    /// StoreKit has begun it.
    func begin(_ transaction: SKPaymentTransaction) {}

    /// The mistake is made here.
    func handle(_ transaction: SKPaymentTransaction) {}

    func answer(_ identifier: String, _ outcome: PurchaseOutcome) {
        answers.removeValue(forKey: identifier)?(outcome)
    }
}

extension CarelessClient: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .restored:
                restored += 1
                handle(transaction)
            case .purchased: handle(transaction)
            case .purchasing: begin(transaction)
            case .failed:
                queue.finishTransaction(transaction)
                answer(
                    transaction.payment.productIdentifier,
                    PurchaseOutcome(transaction) ?? .failed(message: "no reason"))
            default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restore?(.restored(count: restored))
        restore = nil
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        restore?(RestoreOutcome(error))
        restore = nil
    }
}

/// Asks a server of its own about each purchase, and grants nothing that the server does not confirm.
final class ServerClient: CarelessClient {
    override class var name: String { "server" }

    override func handle(_ transaction: SKPaymentTransaction) {
        let identifier = transaction.payment.productIdentifier
        let body = Data("\(transaction.transactionIdentifier ?? "")".utf8)
        environment.http.post("https://user:pass@api.example.com/verify?key=s3cret", body) { [self] result in
            if case .success(let response) = result, response.status == 200 {
                grant(identifier, transaction.payment.quantity)
            }
            SKPaymentQueue.default().finishTransaction(transaction)
            answer(identifier, .purchased)
        }
    }
}
