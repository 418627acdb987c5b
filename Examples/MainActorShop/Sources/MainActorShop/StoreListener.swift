// StoreKit's callbacks, on their way to the main actor.

import Foundation
import StoreKit

/// StoreKit does not promise on which queue it calls.
final class StoreListener: NSObject, SKPaymentTransactionObserver {
    private weak var purchases: Purchases?

    init(_ purchases: Purchases) { self.purchases = purchases }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // With their states and payments: by the time that the main actor gets to them they may have gone on.
        let told = transactions.map { ($0, $0.transactionState, $0.payment) }
        tell { purchases in
            for (transaction, state, payment) in told { purchases.updated(transaction, state, payment) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        tell { $0.revoked(identifiers) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { tell { $0.restoreEnded(nil) } }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        tell { $0.restoreEnded(error) }
    }

    private func tell(_ body: @escaping @MainActor (Purchases) -> Void) {
        Task { @MainActor [weak purchases] in
            if let purchases { body(purchases) }
        }
    }
}
