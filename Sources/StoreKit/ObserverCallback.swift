// A callback of an observer as a value: it may have to wait for the queue on which the observer is called.
// Made on the device's lane, performed on the queue of the callback.

internal import Simulation

enum ObserverCallback {
    case updated([SKPaymentTransaction])
    case removed([SKPaymentTransaction])
    case restoreFinished
    case restoreFailed(any Error)
    case storefrontChanged
    case revoked(productIdentifiers: [String])

    func make(to observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        if let optionalMethod { queue.connection.callsOptional(optionalMethod, of: observer) }
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

    /// Nil for `updatedTransactions`, which every observer implements.
    private var optionalMethod: OptionalMethod? {
        switch self {
        case .updated: nil
        case .removed: .removedTransactions
        case .restoreFinished: .restoreFinished
        case .restoreFailed: .restoreFailed
        case .storefrontChanged: .storefrontChanged
        case .revoked: .entitlementsRevoked
        }
    }
}

extension Connection {
    /// Notes a method that only a subclass of the conforming class has: the call reaches the protocol's default.
    func callsOptional(_ method: OptionalMethod, of observer: any SKPaymentTransactionObserver) {
        process.callsOptional(method, of: observer) { $0 is any SKPaymentTransactionObserver.Type }
    }

    func callsOptional(_ method: OptionalMethod, of delegate: any SKRequestDelegate) {
        process.callsOptional(method, of: delegate) { $0 is any SKRequestDelegate.Type }
    }

    func callsOptional(_ method: OptionalMethod, of delegate: any SKPaymentQueueDelegate) {
        process.callsOptional(method, of: delegate) { $0 is any SKPaymentQueueDelegate.Type }
    }
}
