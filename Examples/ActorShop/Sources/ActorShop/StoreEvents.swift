// StoreKit's callbacks as streams and functions that wait.

import Foundation
import StoreKit

enum StoreEvent: @unchecked Sendable {  // Transactions are only read.
    /// With its state and payment: by the time that somebody gets to it, it may have gone on.
    case updated(SKPaymentTransaction, SKPaymentTransactionState, SKPayment)
    case revoked([String])
    case restoreEnded((any Error)?)
    case used(String)
}

final class StoreObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    private let sink: AsyncStream<StoreEvent>.Continuation

    init(_ sink: AsyncStream<StoreEvent>.Continuation) { self.sink = sink }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            sink.yield(.updated(transaction, transaction.transactionState, transaction.payment))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
        sink.yield(.revoked(identifiers))
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { sink.yield(.restoreEnded(nil)) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        sink.yield(.restoreEnded(error))
    }
}

/// One request for products, alive until it has been answered.
final class ProductsRequest: NSObject, SKProductsRequestDelegate {
    private let request: SKProductsRequest
    private let continuation: CheckedContinuation<[SKProduct], any Error>
    private var itself: ProductsRequest?

    static func products(_ identifiers: [String]) async throws -> [SKProduct] {
        try await withCheckedThrowingContinuation { ProductsRequest(identifiers, $0).start() }
    }

    private init(_ identifiers: [String], _ continuation: CheckedContinuation<[SKProduct], any Error>) {
        request = SKProductsRequest(productIdentifiers: Set(identifiers))
        self.continuation = continuation
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
