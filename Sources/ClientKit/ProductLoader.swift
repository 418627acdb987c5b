// Fetches products from the store on a client's behalf.
// Answers arrive on the device's main queue, where the products are kept.

import Foundation
import Simulation
public import StoreKit

extension AppEnvironment {
    /// Asks the store for products by identifier or, if nil, for the whole catalog.
    /// Calls `completion` once, on the main queue, with the products that the store sells, in the order asked for.
    public func fetchProducts(
        _ identifiers: [String]? = nil, completion: @escaping (Result<[SKProduct], any Error>) -> Void
    ) {
        let wanted = identifiers ?? products.map(\.identifier)
        productLoader.fetch(Set(wanted)) { result in
            // In the order asked for.
            completion(result.map { found in wanted.compactMap { found[$0] } })
        }
    }

    /// Returns products that the store sells, by identifier or, if nil, of the whole catalog. Throws StoreKit's error.
    public func fetchProducts(_ identifiers: [String]? = nil) async throws -> [SKProduct] {
        try await withCheckedThrowingContinuation { continuation in
            fetchProducts(identifiers) { result in continuation.resume(with: result.map { UnsafeTransfer($0) }) }
        }.value
    }

    /// A product that this launch has fetched; nil if it has not.
    public func product(_ identifier: String) -> SKProduct? { productLoader.products[identifier] }

    /// Passes on a product, fetched if necessary; nil if the store does not sell it.
    public func withProduct(_ identifier: String, completion: @escaping (Result<SKProduct?, any Error>) -> Void) {
        if let product = product(identifier) { return completion(.success(product)) }
        fetchProducts([identifier]) { [self] result in
            // Another fetch may have found it meanwhile.
            completion(product(identifier).map { .success($0) } ?? result.map { _ in nil })
        }
    }
}

/// The requests under way and the products that earlier requests found.
final class ProductLoader {
    private let main: MainQueueHops
    private(set) var products: [String: SKProduct] = [:]
    /// Retained until they have answered: StoreKit does not promise to retain them.
    private var fetches: [ProductFetch] = []

    init(main: AppMainQueue) { self.main = MainQueueHops(main) }

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String: SKProduct], any Error>) -> Void) {
        let fetch = ProductFetch(identifiers) { [weak self] fetch, result in
            self?.main.inOrder { self?.end(fetch, result, completion) }
        }
        fetches.append(fetch)
        fetch.start()
    }

    private func end(
        _ fetch: ProductFetch, _ result: Result<[SKProduct], any Error>,
        _ completion: (Result<[String: SKProduct], any Error>) -> Void
    ) {
        fetches.removeAll { $0 === fetch }
        guard case .success(let found) = result else { return completion(result.map { _ in [:] }) }
        // The store may have stopped selling them.
        for identifier in fetch.identifiers { products[identifier] = nil }
        for product in found { products[product.productIdentifier] = product }
        completion(.success(products))
    }
}

private final class ProductFetch: NSObject, SKProductsRequestDelegate {
    let identifiers: Set<String>
    private let request: SKProductsRequest
    private let completion: (ProductFetch, Result<[SKProduct], any Error>) -> Void

    init(_ identifiers: Set<String>, completion: @escaping (ProductFetch, Result<[SKProduct], any Error>) -> Void) {
        self.identifiers = identifiers
        request = SKProductsRequest(productIdentifiers: identifiers)
        self.completion = completion
        super.init()
        request.delegate = self
    }

    func start() { request.start() }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        completion(self, .success(response.products))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) { completion(self, .failure(error)) }
}
