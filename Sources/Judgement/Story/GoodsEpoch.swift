// Goods and purchases of one installation of the app.

import Simulation

/// Goods against the store's books, from one installation of the app to the next: a reinstall deletes what was held,
/// and what is unfinished then is delivered again.
struct GoodsEpoch: Sendable {
    /// Of the account's books, in their order.
    var purchases: [PurchaseTrack] = []
    /// Of each product, here and below.
    var held: [Int] = []
    var usedUp: [Int] = []
    /// Goods that nothing explains.
    var unexplained: [Int] = []
    /// Goods that came during a restore without a purchase to explain them.
    var overreach: [Int] = []
    /// Of those that nothing explains, goods that came although StoreKit had told no purchase that could bring them.
    var unpaid: [Int] = []
    /// Goods that came in place of another product's.
    var mixedUp: [Int] = []
    /// Goods of purchases that could not be verified, and that the store never made, by product. Hardly ever any.
    var forged: [ProductIndex: Int] = [:]
    /// The app was launched in it.
    var hasLaunched = false
    /// Goods that the app before it had left where they outlive it.
    var kept: [Int] = []
    /// Restored: an entitlement that must be held at the end.
    var restored: [Instant?] = []
    /// What a restore brought back before its launch crashed: it was neither reported nor resumed.
    var unheard: Set<ProductIndex> = []
    /// The latest launch.
    var launchedAt = Instant.start
    /// When it first read what StoreKit 2 entitles its user to.
    var entitlementsRead: Moment?
    /// When the store had last spoken of them.
    var entitlementsAsOf = Instant.start
    /// The person signed in with another account: the receipt is that one's then, and shows nothing of the first's.
    var hasSwitchedAccounts = false
    /// When StoreKit 2 last answered, it hid what the account owns, or some of it; and whether it ever did.
    var isRecordHidden: Bool { isRecordOutOfReach || isRecordUnverified }
    var wasRecordHidden = false
    /// S28: there was no network.
    var isRecordOutOfReach = false { didSet { wasRecordHidden = wasRecordHidden || isRecordOutOfReach } }
    /// S73, in this launch.
    var isRecordUnverified = false { didSet { wasRecordHidden = wasRecordHidden || isRecordUnverified } }
    var endedAt = Instant.start
    /// The run was over then; else the app was deleted.
    var isFinal = false
    /// Goods that one purchase of each product brings.
    var perPurchase: [Int] = []

    func countForged(_ product: ProductIndex) -> Int { forged.isEmpty ? 0 : forged[product] ?? 0 }

    func need(_ track: PurchaseTrack) -> Int { track.quantity * perPurchase[track.product] }
}
