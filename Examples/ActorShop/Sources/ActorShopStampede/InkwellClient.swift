// What Stampede's simulated users do, in words of the app.

import ActorShop
import Stampede

final class InkwellClient: AsyncStoreClient {
    static let options = [ClientOption(name: "bug", values: ["none", "overlaps"], meaning: "What is wrong with it.")]
    private let shop: Shop

    init(environment: AppEnvironment) {
        shop = Shop(overlapsEvents: environment.options["bug"] == "overlaps")
    }

    func launch() { shop.start() }
    func willTerminate() { shop.stop() }

    func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        try await shop.offers(identifiers ?? Offer.all).map(\.id)
    }

    func purchase(_ product: String, quantity: Int) async throws -> PurchaseOutcome {
        switch try await shop.buy(product, quantity: quantity) {
        case .bought: .purchased
        case .waitsForApproval: .deferred
        }
    }

    func restore() async throws -> RestoreOutcome { .restored(count: try await shop.restore()) }

    func use(_ product: String) { shop.use(product) }

    func holdings() throws -> [String: Int] { try Drawer().open().owned }
    static func goods(perPurchaseOf product: String) -> Int { Offer.amount(of: product) ?? 1 }
}
