// What observers are told, as a value: it may have to wait for the queue that it is told on.
// Made on the device's lane, carried out where callbacks are made.

enum ObserverCallback {
    case updated([SKPaymentTransaction])
    case removed([SKPaymentTransaction])
    case restoreFinished
    case restoreFailed(any Error)
    case storefrontChanged
    case revoked(productIdentifiers: [String])

    func make(to observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        switch self {
        case .updated(let transactions): observer.paymentQueue(queue, updatedTransactions: transactions)
        case .removed(let transactions): observer.paymentQueue(queue, removedTransactions: transactions)
        case .restoreFinished: observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        case .restoreFailed(let error):
            observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
        case .storefrontChanged: observer.paymentQueueDidChangeStorefront(queue)
        case .revoked(let identifiers):
            observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: identifiers)
        }
    }
}
