// The same protocol for code that is `async`.
// Each member runs in a task of the device's app.

internal import Foundation
import Simulation
internal import StoreKit

/// A `StoreClient` whose members are `async`. Two of them and `holdings()` are required.
///
/// What `purchase` and `restore` throw is what the user is told: a cancel where StoreKit's error is one, else a failure.
public protocol AsyncStoreClient: StoreClient {
    /// The user buys. Returns what the user is told.
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome
    /// The user asks for earlier purchases.
    func restore() async throws -> RestoreOutcome
    /// The user opens the shop: fetch these products, or all that the app sells where nil. The identifiers of those that
    /// are shown. By default a products request of Stampede's own asks the store.
    func fetchProducts(_ identifiers: [String]?) async throws -> [String]
}

extension AsyncStoreClient {
    public func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        try await AppEnvironment.current.fetchProducts(identifiers).map(\.productIdentifier)
    }

    public func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        let asked = Crossing((client: self, answer: completion))
        Task {
            do {
                asked.value.answer(try await asked.value.client.purchase(productIdentifier, quantity: quantity))
            } catch {
                asked.value.answer(PurchaseOutcome(error))
            }
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        let asked = Crossing((client: self, answer: completion))
        Task {
            do {
                asked.value.answer(try await asked.value.client.restore())
            } catch {
                asked.value.answer(RestoreOutcome(error))
            }
        }
    }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let asked = Crossing((client: self, answer: completion))
        Task {
            do {
                asked.value.answer(.fetched(try await asked.value.client.fetchProducts(identifiers)))
            } catch {
                asked.value.answer(.failed(message: error.localizedDescription))
            }
        }
    }
}
