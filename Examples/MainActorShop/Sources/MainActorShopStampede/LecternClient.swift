// What Stampede's simulated users do, in words of the app.

import MainActorShop
import Stampede

final class LecternClient: AsyncStoreClient {
    static let options = [ClientOption(name: "bug", values: ["none", "gives-up"], meaning: "What is wrong with it.")]
    private let purchases: Purchases

    init(environment: AppEnvironment) {
        let givesUp = environment.options["bug"] == "gives-up"
        purchases = MainActor.assumeIsolated { Purchases(attempts: givesUp ? 3 : nil) }
    }

    func launch() { MainActor.assumeIsolated { purchases.start() } }
    func willTerminate() { MainActor.assumeIsolated { purchases.stop() } }

    func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        try await purchases.fetch(identifiers ?? Products.all).map(\.productIdentifier)
    }

    func purchase(_ product: String, quantity: Int) async throws -> PurchaseOutcome {
        switch try await purchases.buy(product, quantity: quantity) {
        case .bought: .purchased
        case .waitsForApproval: .deferred
        }
    }

    func restore() async throws -> RestoreOutcome { .restored(count: try await purchases.restore()) }

    func use(_ product: String) { MainActor.assumeIsolated { purchases.library.use(product) } }

    func holdings() -> [String: Int] { Library.savedCounts() }
}
