// `StoreClient` for purchase code that is `async`.
// Each member runs in a task of the device's app.

import Simulation
internal import StoreKit

/// A `StoreClient` whose members are `async`: `purchase`, `restore` and `holdings()` are required.
///
/// An error that `purchase` or `restore` throws is shown to the user:
/// as a cancel if it is StoreKit's cancel, else as a failure.
public protocol AsyncStoreClient: StoreClient {
    /// The user buys. Returns the outcome that the app shows the user.
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome
    /// The user asks for earlier purchases. Returns the outcome that the app shows the user.
    func restore() async throws -> RestoreOutcome
    /// The user opens the shop: fetch these products; nil means every product.
    /// Returns the identifiers of the products that the app shows. By default Stampede sends its own products request.
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

    /// Runs a member in a task and answers with its result or its error.
    private func answer<Outcome>(
        _ completion: @escaping (Outcome) -> Void, failing: @escaping (any Error) -> Outcome,
        _ member: @escaping (Self) async throws -> Outcome
    ) {
        let asked = UnsafeTransfer((client: self, completion: completion, failing: failing, member: member))
        // No client code runs before the task does: nothing of it can be left in the middle.
        let request = CurrentProcess.found?.requestInCall.map(TaskRequest.init)
        TaskRequest.$current.withValue(request) {
            _ = Task {
                let asked = asked.value
                defer { request?.answer() }
                do {
                    asked.completion(try await asked.member(asked.client))
                } catch {
                    asked.completion(asked.failing(error))
                }
            }
        }
    }
}
