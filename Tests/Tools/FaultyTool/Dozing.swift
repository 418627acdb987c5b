// A correct client that is slow on its main queue.
// Runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

/// Sleeps after it has added a payment, until StoreKit has more than one thing to tell of it.
final class DozingClient: PlainClient, StoreClient {
    static let name = "dozing"
    static let summary = "Holds its main queue for seconds, and does not expect to be told a state twice."

    private var told: [ObjectIdentifier: SKPaymentTransactionState] = [:]

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        super.purchase(identifier, quantity: quantity, completion: completion)
        Thread.sleep(forTimeInterval: 10)
    }

    override func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let state = transaction.transactionState
            if told.updateValue(state, forKey: ObjectIdentifier(transaction)) == state { environment.assertionFailed() }
        }
        super.paymentQueue(queue, updatedTransactions: transactions)
    }
}
