// One request for products, as a function that waits.

import Foundation
import StoreKit

/// Alive until it has been answered.
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
