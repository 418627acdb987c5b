// The parts of StoreKit 2 by which an app hears of purchases.
// A value; any thread.

/// No more than `ClientRemarks` keeps of a kind.
package enum StoreKit2Use: String, Sendable, CaseIterable {
    case purchase = "Product.purchase"
    case updates = "Transaction.updates"
    case unfinished = "Transaction.unfinished"
    /// And the statuses of subscriptions.
    case entitlements = "current entitlements"
    /// All or the latest, finished and expired ones too.
    case history = "Transaction.all"
}
