// The actions of Stampede's simulated users, in the words of the app.

import PackageName
import Stampede

final class PackageNameClient: AsyncStoreClient {
    /// The code under test: one for each launch of each simulated app.
    private let manager = PurchaseManager(receipt: simulatedReceipt)

    func launch() { manager.start() }
    func willEnterForeground() { manager.comesForward() }
    func willTerminate() { manager.stop() }

    func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        try await manager.fetch(identifiers ?? Products.all)
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        switch try await manager.buy(productIdentifier, quantity: quantity) {
        case .bought: .purchased
        case .waitsForApproval: .deferred
        }
    }

    func restore() async throws -> RestoreOutcome { .restored(count: try await manager.restore()) }

    func use(_ productIdentifier: String) { manager.inventory.use(productIdentifier) }

    /// Reads storage, as a launch after a crash would.
    func holdings() -> [String: Int] { Inventory().held }
}
