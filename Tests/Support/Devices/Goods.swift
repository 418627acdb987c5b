// The shop of the tests.
// Pure; any thread.

import Foundation
package import Simulation

/// What the shop sells. The suites give the products names: their places in the catalog, or their identifiers.
package enum Goods {
    private static let kinds: [(name: String, kind: ProductKind)] = [
        ("coins", .consumable), ("hat", .nonConsumable), ("pass", .nonRenewingSubscription),
        ("pro", .autoRenewableSubscription), ("gems", .consumable), ("boots", .nonConsumable),
    ]

    package static func identifier(_ product: ProductIndex) -> String { "com.example.\(kinds[product].name)" }

    /// Prices are 0.99, 1.99 and so on; the hat alone has a name, and may be shared in the family if nothing else is named.
    package static func catalog(
        _ storefront: StorefrontValue = .unitedStates, locale: String = "en_US", shareable: Set<String> = ["hat"]
    ) -> Catalog {
        let products = kinds.enumerated().map { place, entry in
            CatalogProduct(
                index: place, identifier: identifier(place), kind: entry.kind, referenceName: entry.name,
                price: Decimal(string: "0.99")! + Decimal(place),  // A literal.
                isFamilyShareable: shareable.contains(entry.name),
                localizations: entry.name == "hat"
                    ? [.init(locale: "en_US", displayName: "Hat", description: "A hat.")] : [],
                subscription: entry.kind == .autoRenewableSubscription
                    ? .init(groupIdentifier: "group", level: 1, period: .init(count: 1, unit: .month)) : nil)
        }
        return Catalog(products: products, storefront: storefront, locale: locale)
    }
}
