// A shop with everything that a swarm can draw.
// Constants; any thread.

package import Clients
package import Engine
import Foundation
import Scenario
package import Simulation

package enum SwarmSample {
    package static let catalog: Catalog = {
        let code = CatalogOffer(
            referenceName: "poster", paymentMode: .freeTrial, price: 0, period: CalendarPeriod(count: 1, unit: .month),
            eligibility: [.new, .expired])
        func product(_ index: Int, _ name: String, _ kind: ProductKind, level: Int? = nil) -> CatalogProduct {
            CatalogProduct(
                index: index, identifier: "shop.\(name)", kind: kind, referenceName: name, price: 1,
                isFamilyShareable: name == "maps" || name == "gold", localizations: [],
                subscription: level.map {
                    .init(
                        groupIdentifier: "club", level: $0, period: CalendarPeriod(count: 1, unit: .month),
                        codeOffers: $0 == 2 ? [code] : [])
                })
        }
        return Catalog(
            products: [
                product(0, "coins", .consumable), product(1, "gems", .consumable),
                product(2, "no_ads", .nonConsumable), product(3, "maps", .nonConsumable),
                product(4, "season", .nonRenewingSubscription),
                product(5, "gold", .autoRenewableSubscription, level: 1),
                product(6, "silver", .autoRenewableSubscription, level: 2),
            ], storefront: .unitedStates, locale: "en_US")
    }()
}

extension SwarmSample {
    /// A swarm over that shop.
    package static func plan(
        _ client: any StoreClient.Type, options: [String: String] = [:], runs: Int, seed: UInt64 = 1, workers: Int = 1,
        kept: [SwarmPlan.Kept] = [], shrinks: Bool = false
    ) -> SwarmPlan {
        SwarmPlan(
            client: client, clientOptions: options,
            drawing: ScenarioDrawing(catalog: catalog, catalogPath: "shop.storekit"), seed: seed, runs: runs,
            workers: workers, kept: kept, shrinks: shrinks
        ) { text in
            do {
                return .success(try Scenario.text(text, catalog: catalog, naming: client))
            } catch {
                return .failure(SwarmPlan.Unreadable(message: "\(error)"))
            }
        }
    }
}
