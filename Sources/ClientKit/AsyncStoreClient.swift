// The same protocol for code that is `async`.
// Each member runs in a task of the device's app.

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
        answer(completion, failing: PurchaseOutcome.init) {
            try await $0.purchase(productIdentifier, quantity: quantity)
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        answer(completion, failing: RestoreOutcome.init) { try await $0.restore() }
    }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        answer(completion, failing: FetchOutcome.init) { .fetched(try await $0.fetchProducts(identifiers)) }
    }

    /// Runs a member in a task, and answers with what it returns or throws.
    private func answer<Outcome>(
        _ completion: @escaping (Outcome) -> Void, failing: @escaping (any Error) -> Outcome,
        _ member: @escaping (Self) async throws -> Outcome
    ) {
        let asked = UnsafeTransfer((client: self, completion: completion, failing: failing, member: member))
        Task {
            let asked = asked.value
            do {
                asked.completion(try await asked.member(asked.client))
            } catch {
                asked.completion(asked.failing(error))
            }
        }
    }
}
