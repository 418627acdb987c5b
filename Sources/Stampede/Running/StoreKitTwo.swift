// Code that calls StoreKit 2, which is not simulated: found in its sources, since it does not compile against this module.
// Pure; any thread.

enum StoreKitTwo {
    /// A line that names something of StoreKit 2.
    struct Use: Equatable {
        let file: String
        let line: Int
        /// As `Transaction.updates`.
        let name: String
    }

    /// What only StoreKit 2 has. `Product` and `Transaction` alone may be anybody's.
    private static let names = [
        "Product.products(for", "Product.SubscriptionInfo", "Product.PurchaseResult", "Product.PurchaseOption",
        "Transaction.updates", "Transaction.all", "Transaction.currentEntitlements", "Transaction.latest(for",
        "Transaction.unfinished", "AppStore.sync(", "AppTransaction.shared", "VerificationResult<", "StoreView(",
        "ProductView(", "SubscriptionStoreView(",
    ]

    /// Of each line that names something of it, in the order of the lines.
    static func uses(in source: SwiftSource) -> [Use] {
        source.code.enumerated().flatMap { number, code in
            names.filter { code.contains($0) }.map {
                Use(file: source.file, line: number + 1, name: String($0.prefix { $0 != "(" && $0 != "<" }))
            }
        }
    }
}
