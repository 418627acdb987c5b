// An observer for tests: it writes down what it is told.
// Confined to the test that made it.

import Foundation
import StoreKit

/// A transaction as it stood when it was told.
struct Delivery {
    let transaction: SKPaymentTransaction
    let state: SKPaymentTransactionState
    let identifier: String?
    let productIdentifier: String

    init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        identifier = transaction.transactionIdentifier
        productIdentifier = transaction.payment.productIdentifier
    }
}

/// An observer that writes down what it is told, and may finish it.
final class Shopper: NSObject, SKPaymentTransactionObserver {
    private(set) var batches: [[Delivery]] = []
    private(set) var removed: [SKPaymentTransaction] = []
    private(set) var restoreErrors: [any Error] = []
    private(set) var restoresFinished = 0
    /// Names of the callbacks in order.
    private(set) var callbacks: [String] = []
    var finishes = false
    /// Called with every batch, after it has been written down.
    var onUpdate: (([SKPaymentTransaction]) -> Void)?

    convenience init(finishes: Bool) {
        self.init()
        self.finishes = finishes
    }

    var told: [Delivery] { batches.flatMap { $0 } }
    var states: [SKPaymentTransactionState] { told.map(\.state) }

    func told(_ state: SKPaymentTransactionState) -> [SKPaymentTransaction] {
        told.filter { $0.state == state }.map(\.transaction)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        callbacks.append("updated")
        batches.append(transactions.map { Delivery($0) })
        if finishes {
            for transaction in transactions where transaction.transactionState != .purchasing {
                queue.finishTransaction(transaction)
            }
        }
        onUpdate?(transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        callbacks.append("removed")
        removed += transactions
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        callbacks.append("restoreFailed")
        restoreErrors.append(error)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        callbacks.append("restoreFinished")
        restoresFinished += 1
    }
}
