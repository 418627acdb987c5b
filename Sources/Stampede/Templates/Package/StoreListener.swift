// StoreKit's delegates, as values and functions that wait.

import Foundation
import StoreKit

enum StoreEvent: @unchecked Sendable {
    /// With its state and its payment: both may have changed by the time the app handles the event.
    case updated(SKPaymentTransaction, SKPaymentTransactionState, SKPayment)
    case revoked([String])
    case restoreEnded((any Error)?)
}

/// Passes on StoreKit's callbacks, on whichever queue StoreKit makes them.
final class StoreListener: NSObject, SKPaymentTransactionObserver {
    private let tell: (StoreEvent) -> Void

    init(tell: @escaping (StoreEvent) -> Void) { self.tell = tell }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            tell(.updated(transaction, transaction.transactionState, transaction.payment))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        tell(.revoked(identifiers))
    }

    /// What people tap in the App Store is bought without asking again.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { tell(.restoreEnded(nil)) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        tell(.restoreEnded(error))
    }
}

/// One products request, kept alive until StoreKit has answered it.
final class ProductsFetch: NSObject, SKProductsRequestDelegate {
    private let continuation: CheckedContinuation<[SKProduct], any Error>
    private let request: SKProductsRequest
    private var itself: ProductsFetch?

    static func products(_ identifiers: [String]) async throws -> [SKProduct] {
        try await withCheckedThrowingContinuation { ProductsFetch(identifiers, $0).start() }
    }

    private init(_ identifiers: [String], _ continuation: CheckedContinuation<[SKProduct], any Error>) {
        self.continuation = continuation
        request = SKProductsRequest(productIdentifiers: Set(identifiers))
        super.init()
        request.delegate = self
    }

    private func start() {
        itself = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.resume(returning: response.products)
        itself = nil
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.resume(throwing: error)
        itself = nil
    }
}
