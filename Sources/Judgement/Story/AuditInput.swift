// The input of a story: events, books, and the goods held at the end.
// Values; any thread.

package import Simulation

/// Everything the audit reads of one user.
package struct AuditInput: Sendable {
    package let catalog: Catalog
    package let statement: AccountStatement
    package let events: [EventRecord]
    /// Goods held of each product after the final relaunch.
    package let held: [Int]
    /// Goods that one purchase of each product brings.
    package let goodsPerPurchase: [Int]
    /// Products of purchases which another of the account's devices answers for.
    package let boughtElsewhere: Set<ProductIndex>
    /// Products that the account still owns by purchases which another of its devices answers for.
    package let ownedElsewhere: Set<ProductIndex>
    /// Of what is held, entitlements that one of the device's accounts no longer shows at the very end.
    package var givenUp: Set<ProductIndex> = []
    /// How long a user waits for an answer.
    package var patience = AppConditions().patience
    /// Rules that the scenario leaves to the app.
    package var tolerated: Set<AuditRule> = []
    /// Optional methods of the app that StoreKit could not call: what rests on them is not judged.
    package var missedMethods: OptionalMethods = []
    /// How long an expired subscription may still be granted.
    package var staleness = Span.zero
    /// The app has used StoreKit 2, alone or beside the original API.
    package var usesStoreKit2 = false
    /// When the store stopped selling products that it had sold.
    package var withdrawn: [ProductIndex: Instant] = [:]
    /// Receipts come later than what they tell of, and their coming is an event.
    package var notesReceipts = false
    /// The last that the client has printed. No rule looks at it.
    package var log = ClientLog()
    /// What each `stored` and `writesLost` of the events is about, in their order; empty where that is not known. No rule looks at it.
    package var writtenPlaces: [WrittenPlace] = []
    /// What events refer to by number. No rule looks at it.
    package var names = EventNames()

    /// An empty input.
    static let nothing = AuditInput(ofEvents: [], .empty)

    /// Of what happened on a device alone: without the store's books, and without a look at what is held.
    package init(ofEvents events: [EventRecord], _ catalog: Catalog) {
        let nothing = catalog.products.map { _ in 0 }
        self.init(
            catalog: catalog, statement: AccountStatement(), events: events, held: nothing, goodsPerPurchase: nothing)
    }

    package init(
        catalog: Catalog, statement: AccountStatement, events: [EventRecord], held: [Int], goodsPerPurchase: [Int],
        boughtElsewhere: Set<ProductIndex> = [], ownedElsewhere: Set<ProductIndex> = []
    ) {
        self.boughtElsewhere = boughtElsewhere
        self.ownedElsewhere = ownedElsewhere
        precondition(held.count == catalog.products.count, "\(held.count) holdings, \(catalog.products.count) products")
        self.catalog = catalog
        self.statement = statement
        self.events = events
        self.held = held
        self.goodsPerPurchase = goodsPerPurchase
    }
}
