// Code that uses a part of StoreKit 2 that is not simulated, found in its sources.
// Pure; any thread.

enum StoreKitGaps {
    /// A line that names such a part.
    struct Use: Equatable {
        let file: String
        let line: Int
        /// As `showManageSubscriptions`.
        let name: String
        /// Whether the line compiles, and what it calls throws.
        let compiles: Bool
    }

    /// Names that this module does not have.
    private static let missing = [
        "StoreView(", "ProductView(", "SubscriptionStoreView(", "AdvancedCommerceProduct",
        "billingPlanType", "advancedCommerceInfo",
    ]
    /// Names that throw.
    private static let unsimulated = [
        "showManageSubscriptions(", "compactJWS:", "ExternalPurchase",
    ]

    /// Of each line that names such parts, in the order of the lines.
    static func uses(in source: SwiftSource) -> [Use] {
        source.code.enumerated().flatMap { number, code in
            let found = missing.map { ($0, false) } + unsimulated.map { ($0, true) }
            return found.filter { code.contains($0.0) }.map { name, compiles in
                Use(
                    file: source.file, line: number + 1,
                    name: String(name.prefix { $0 != "(" }.drop { $0 == "." }), compiles: compiles)
            }
        }
    }
}
