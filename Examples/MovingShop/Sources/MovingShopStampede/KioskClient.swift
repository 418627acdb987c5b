// What Stampede's simulated users do, in words of the app.

import MovingShop
import Stampede

final class KioskClient: AsyncStoreClient {
    static let options = [
        ClientOption(name: "bug", values: ["none", "two-lists"], meaning: "What is wrong with it.")
    ]
    private let kiosk: Kiosk

    init(environment: AppEnvironment) {
        kiosk = Kiosk(listsApart: environment.options["bug"] == "two-lists")
    }

    func launch() { kiosk.open() }
    func willTerminate() { kiosk.close() }
    func willEnterForeground() { kiosk.comesForward() }

    func purchase(_ product: String, quantity: Int) async throws -> PurchaseOutcome {
        switch try await kiosk.buy(product, quantity: quantity) {
        case .bought: .purchased
        case .waitsForApproval: .deferred
        }
    }

    func restore() async throws -> RestoreOutcome { .restored(count: try await kiosk.restore()) }

    func use(_ product: String) { if product == Ware.issues { kiosk.shelf.read() } }

    func holdings() -> [String: Int] { kiosk.shelf.holdings }
    static func goods(perPurchaseOf product: String) -> Int { product == Ware.issues ? Ware.issuesPerPurchase : 1 }
}
