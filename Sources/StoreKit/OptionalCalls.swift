// Optional methods in the syntax of Apple's systems: `delegate?.requestDidFinish?(request)`,
// `observer.paymentQueue?(queue, removedTransactions: transactions)`. Called as the methods are.
// A Swift protocol has no optional methods. Properties with the methods' names stand in for them; they are never nil,
// because a method that a class leaves out has a default.

import Foundation

// MARK: - Requests

extension SKRequestDelegate {
    /// `requestDidFinish(_:)`, for calls with a question mark. Never nil.
    public var requestDidFinish: ((SKRequest) -> Void)? {
        { request in self.requestDidFinish(request) }
    }
    /// `request(_:didFailWithError:)`, for calls with a question mark. Never nil.
    public var request: _SKRequestDelegateCalls? { _SKRequestDelegateCalls(delegate: self) }
}

/// Stands for `SKRequestDelegate.request` until its argument labels are known.
public struct _SKRequestDelegateCalls {
    let delegate: any SKRequestDelegate

    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        delegate.request(request, didFailWithError: error)
    }
}

// MARK: - Observers

extension SKPaymentTransactionObserver {
    /// `paymentQueueRestoreCompletedTransactionsFinished(_:)`, for calls with a question mark. Never nil.
    public var paymentQueueRestoreCompletedTransactionsFinished: ((SKPaymentQueue) -> Void)? {
        { queue in self.paymentQueueRestoreCompletedTransactionsFinished(queue) }
    }
    /// `paymentQueueDidChangeStorefront(_:)`, for calls with a question mark. Never nil.
    public var paymentQueueDidChangeStorefront: ((SKPaymentQueue) -> Void)? {
        { queue in self.paymentQueueDidChangeStorefront(queue) }
    }
    /// The optional methods named `paymentQueue`, for calls with a question mark. Never nil.
    public var paymentQueue: _SKPaymentTransactionObserverCalls? { _SKPaymentTransactionObserverCalls(observer: self) }
}

/// Stands for `SKPaymentTransactionObserver.paymentQueue` until its argument labels are known.
public struct _SKPaymentTransactionObserverCalls {
    let observer: any SKPaymentTransactionObserver

    public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        observer.paymentQueue(queue, removedTransactions: transactions)
    }
    public func callAsFunction(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }
    public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        observer.paymentQueue(queue, updatedDownloads: downloads)
    }
    public func callAsFunction(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }
    public func callAsFunction(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}

// MARK: - The queue's delegate

extension SKPaymentQueueDelegate {
    /// `paymentQueueShouldShowPriceConsent(_:)`, for calls with a question mark. Never nil.
    public var paymentQueueShouldShowPriceConsent: ((SKPaymentQueue) -> Bool)? {
        { queue in self.paymentQueueShouldShowPriceConsent(queue) }
    }
    /// `paymentQueue(_:shouldContinue:in:)`, for calls with a question mark. Never nil.
    public var paymentQueue: _SKPaymentQueueDelegateCalls? { _SKPaymentQueueDelegateCalls(delegate: self) }
}

/// Stands for `SKPaymentQueueDelegate.paymentQueue` until its argument labels are known.
public struct _SKPaymentQueueDelegateCalls {
    let delegate: any SKPaymentQueueDelegate

    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        delegate.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}
