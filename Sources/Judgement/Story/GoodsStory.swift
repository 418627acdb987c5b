// Which goods came for which purchase.
// A value; part of a story.

package import Simulation

package struct GoodsStory: Sendable {
    /// Installations that were deleted.
    private(set) var past: [GoodsEpoch] = []
    /// The installation that is there, or was at the end.
    var now = GoodsEpoch()
    /// What was seen of goods, step by step.
    package internal(set) var changes: [Change] = []
    package internal(set) var writes: [Write] = []
    /// What crashes took of the app's defaults before it was flushed.
    package private(set) var losses: [Write] = []
    /// Of written places, those that belong to the writes and losses so far.
    private var namesSeen = 0
    package private(set) var receipts: [Receipt] = []
    package private(set) var revocations: [Revocation] = []
    /// Goods of purchases, as the first of them came.
    package internal(set) var arrivals: [Arrival] = []
    /// Entitlements that the app granted after they had run out, and kept granting.
    var grantedLate: [LateGrant] = []
    /// Late grants of the running launch.
    var lateGrants: [LateGrant] = []
    /// Entitlements that the app took away although its user owns them, and kept away.
    var withheld: [Withdrawal] = []
    /// Withdrawals of the running launch.
    var withdrawals: [Withdrawal] = []
    /// Finishes before whose goods a crash would have lost them.
    var early: [(place: Int, moment: Moment)] = []
    /// What StoreKit 2 could not verify.
    package internal(set) var unverified = UnverifiedStory()
    var isRestoring = false
    /// By which API this launch restored last; nil: it has not.
    var restoresBy: RestoreAPI?
    /// When the latest synchronisation of StoreKit 2's record in this launch ended well: what the account owns was known from then on.
    var syncedAt: Instant?
    /// Of each purchase, where its latest handle stands; negative: there is none.
    var handles: [Int32] = []
    /// The books are sound: identifiers ascend.
    var isSorted = true
    /// Places of purchases that StoreKit has delivered and the app has to finish, ascending.
    var open: [Int] = []
    /// Places of purchases that the app has finished with fewer goods than they should bring, ascending.
    var lacking: [Int] = []
    /// Products delivered by a restore that has not ended yet.
    var restoring: [ProductIndex] = []
    /// Products taken back while a restore was under way, which may deliver them all the same.
    var takenBack: Set<ProductIndex> = []
    var isEntitlement: [Bool] = []
    var boughtElsewhere: Set<ProductIndex> = []
    /// StoreKit's deliveries of each product since the app's last write;
    /// if there were none since, the deliveries before it.
    var tellings: [ProductTelling] = []
    var hasWrittenSince = true
    var staleness = Span.zero
    /// How long an app may take to look at what entitles its user.
    var lookTime = Span.zero
    /// No receipt lags behind what it tells of.
    var knowsReceipts = true
    /// The app reads StoreKit 2's record.
    var readsRecord = false
    /// The app reads its entitlements: what it does not store of them, it reads again.
    var readsEntitlements = false
    /// Whether goods of the product were noted since the latest write.
    var isNoted: [Bool] = []

    /// Other goods than before.
    package struct Change: Sendable {
        package let moment: Moment
        package let product: ProductIndex
        package let before: Int
        package let after: Int
        /// The app wrote in the very instant; else the change was only noticed then.
        package let isExact: Bool
        /// The user had used so many in that write.
        package var used = 0
    }

    enum RestoreAPI: Sendable { case queue, storeKit2 }

    package struct Write: Sendable {
        package let moment: Moment
        /// How many keys or files.
        package let count: Int
        /// Where the names of some of them stand among all that are known.
        let names: Range<Int>
        /// What follows at once is about goods: they were noted or used, or something was finished.
        package internal(set) var isOfGoods = false
    }

    /// A receipt that came to the device.
    package struct Receipt: Sendable {
        package let moment: Moment
        /// When the store wrote it; nil: there was none.
        package let writtenAt: Instant?
    }

    package struct Revocation: Sendable {
        package let moment: Moment
        package let transaction: TransactionID
        package let product: ProductIndex
    }

    package struct Arrival: Sendable {
        package let moment: Moment
        /// Its place among the books' transactions.
        package internal(set) var purchase: Int
        /// The place of the request that waited for it; nil: none did.
        package internal(set) var request: Int?
    }

    mutating func begin(_ input: borrowing AuditInput) {
        past.empty()
        changes.removeAll(keepingCapacity: true)
        writes.removeAll(keepingCapacity: true)
        losses.empty()
        namesSeen = 0
        receipts.empty()
        revocations.empty()
        arrivals.removeAll(keepingCapacity: true)
        early.empty()
        grantedLate.empty()
        lateGrants.empty()
        unverified.begin()
        staleness = input.staleness
        withheld.empty()
        withdrawals.empty()
        readsRecord = input.usesStoreKit2
        readsEntitlements = false
        lookTime = readsRecord ? Self.recordTime : Self.receiptTime
        knowsReceipts = !input.notesReceipts
        now.purchases.removeAll(keepingCapacity: true)
        now.hasSwitchedAccounts = false
        now.launchedAt = .start
        now.perPurchase = input.goodsPerPurchase
        now.isFinal = false
        isSorted = true
        boughtElsewhere = input.boughtElsewhere
        isEntitlement.removeAll(keepingCapacity: true)
        for product in input.catalog.products { isEntitlement.append(product.kind.isEntitlement) }
        handles.removeAll(keepingCapacity: true)
        let end = input.events.last?.at ?? .start
        for transaction in input.statement.transactions {
            var track = PurchaseTrack(
                id: transaction.id, product: transaction.product, quantity: transaction.quantity,
                boughtAt: transaction.at, isCharged: transaction.isCharged, storeFinishedAt: transaction.finishedAt,
                isOver: transaction.isOver(at: end), isRevoked: transaction.revokedAt != nil,
                overAt: transaction.overAt(by: end), expiresAt: transaction.expiresAt,
                graceBeganAt: transaction.graceBeganAt)
            track.isClosed = transaction.isOfThePast
            if let last = now.purchases.last, last.id >= track.id { isSorted = false }
            now.purchases.append(track)
            handles.append(-1)
        }
        beginEpoch()
    }

    private mutating func beginEpoch() {
        let count = isEntitlement.count
        now.hasLaunched = false
        (now.isRecordOutOfReach, now.isRecordUnverified, now.wasRecordHidden) = (false, false, false)
        (now.entitlementsRead, now.entitlementsAsOf) = (nil, .start)
        Self.fill(&now.held, count, with: 0)
        Self.fill(&now.usedUp, count, with: 0)
        Self.fill(&now.overreach, count, with: 0)
        Self.fill(&now.mixedUp, count, with: 0)
        if !now.forged.isEmpty { now.forged = [:] }
        Self.fill(&now.kept, count, with: 0)
        Self.fill(&now.unexplained, count, with: 0)
        Self.fill(&now.unpaid, count, with: 0)
        Self.fill(&tellings, count, with: [])
        restoreAbandoned()
        Self.fill(&isNoted, count, with: false)
        Self.fill(&now.restored, count, with: nil)
        now.unheard.removeAll(keepingCapacity: true)
        isRestoring = false
        open.removeAll(keepingCapacity: true)
        lacking.removeAll(keepingCapacity: true)
        for place in now.purchases.indices { settlePlace(place) }
    }

    /// In the memory that it has.
    private static func fill<Value>(_ list: inout [Value], _ count: Int, with value: Value) {
        list.removeAll(keepingCapacity: true)
        for _ in 0..<count { list.append(value) }
    }

    private mutating func forgetTellings() { for product in tellings.indices { tellings[product] = [] } }

    // MARK: Installations

    /// The app is deleted. Its goods were noted just before.
    mutating func reinstalled(_ moment: Moment) {
        now.endedAt = moment.at
        past.append(now)
        for place in now.purchases.indices where !now.purchases[place].isClosed {
            // Books are the ledger's: a finish that is still under way closes nothing. One of the very same instant may
            // be.
            if let finished = now.purchases[place].storeFinishedAt, finished < moment.at {
                now.purchases[place].isClosed = true
                continue
            }
            // What the store has no finish of is owed anew when it comes again: its goods went with the app. Another of
            // the account's devices may have finished it, or will.
            if now.purchases[place].finishCalledAt != nil || now.purchases[place].storeFinishedAt != nil {
                now.purchases[place].isLeftOver = true
            }
            now.purchases[place].beginAnew()
        }
        forgetHandles()
        beginEpoch()
    }

    /// The end of the run.
    mutating func end(_ held: [Int], at instant: Instant) {
        for product in now.held.indices { now.held[product] = held[product] }
        now.endedAt = instant
        now.isFinal = true
    }

    // MARK: Launches and restores

    mutating func processBegan(_ moment: Moment) {
        now.launchedAt = moment.at
        now.hasLaunched = true
        (now.isRecordUnverified, now.entitlementsRead) = (false, nil)
        isRestoring = false
        (restoresBy, syncedAt) = (nil, nil)
        unverified.processBegan()
        restoreAbandoned()
        forgetTellings()
        hasWrittenSince = true
    }

    /// What the deleted app held is no more than it had been judged for; more than that has no explanation.
    mutating func kept(_ product: ProductIndex, _ count: Int, _ moment: Moment) {
        guard !isEntitlement[product], let last = past.last(where: \.hasLaunched) else { return }
        now.kept[product] = min(count, last.held[product])
        now.held[product] = now.kept[product]
        observed(product, count, moment)
    }

    mutating func crashed() {
        for product in now.restored.indices {
            if let restoredAt = now.restored[product], restoredAt >= now.launchedAt { now.unheard.insert(product) }
        }
    }

    mutating func receiptCame(_ moment: Moment, writtenAt: Instant?) {
        receipts.append(Receipt(moment: moment, writtenAt: writtenAt))
    }

    // MARK: Tellings

    /// - Parameter request: the user's, whose payment it answers for the first time.
    mutating func delivered(_ transaction: DeviceEvent.TransactionNote, _ moment: Moment, request: Int?) {
        if hasWrittenSince {
            forgetTellings()
            hasWrittenSince = false
        }
        if let product = transaction.product { tellings[product].insert(ProductTelling(transaction.state)) }
        // R23: a free re-purchase may arrive as restored.
        if transaction.state == .restored, let product = transaction.product { restoring.append(product) }
        if transaction.state.bringsGoods, let id = transaction.id {
            if unverified.hasPending { unverified.verified(id) }
            toldPurchased(id, moment, request: request)
        }
    }

    private mutating func toldPurchased(_ id: TransactionID, _ moment: Moment, request: Int?) {
        guard let place = place(of: id) else { return }
        if now.purchases[place].isClosed {
            // Its answer was under way to the app that was deleted, or to another payment for the same (R22): the goods
            // are gone, and come again.
            now.purchases[place].isClosed = false
            now.purchases[place].isLeftOver = true
            now.purchases[place].beginAnew()
        }
        now.purchases[place].toldProcess = moment.process
        if now.purchases[place].isDelivered { now.purchases[place].isToldAgain = true }
        if now.purchases[place].finishCalledAt != nil { now.purchases[place].isToldSinceFinish = true }
        if now.purchases[place].toldAt == nil { now.purchases[place].toldAt = moment.at }
        if let request { now.purchases[place].awaitedBy = request }
        settlePlace(place)
    }

    mutating func revocationTold(_ id: TransactionID, _ product: ProductIndex, _ moment: Moment) {
        revocations.append(Revocation(moment: moment, transaction: id, product: product))
        // What a restore brought back may have been this.
        now.restored[product] = nil
        if isRestoring { takenBack.insert(product) }
        guard let place = place(of: id) else { return }
        now.purchases[place].revocationToldAt = moment.at
        noteHeld(afterRevocationOf: place, moment)
    }

    /// A restore ended well: what it told of must be held from here on.
    mutating func restoreFinished(_ moment: Moment) {
        if restoresBy == .storeKit2 { syncedAt = moment.at }
        for product in restoring where !takenBack.contains(product) {
            now.restored[product] = moment.at
            now.unheard.remove(product)
        }
        restoreAbandoned()
    }

    /// A restore failed, or died with its process.
    mutating func restoreAbandoned() {
        restoring.empty()
        if !takenBack.isEmpty { takenBack.removeAll(keepingCapacity: true) }
    }

    mutating func used(_ product: ProductIndex, _ count: Int, _ moment: Moment) {
        follow(moment)
        now.usedUp[product] += count
        // The write behind it may have been noted already.
        if isNoted[product] {
            let last = changes.lastIndex { $0.product == product }
            if let last, writes.last.map({ $0.moment < changes[last].moment }) ?? true { changes[last].used = count }
        } else {
            var change = Change(
                moment: moment, product: product, before: now.held[product], after: now.held[product] - count,
                isExact: false)
            change.used = count
            changes.append(change)
            now.held[product] -= count
        }
        isNoted[product] = false
    }

    /// What comes just after a write is what it was for.
    mutating func follow(_ moment: Moment) {
        if let last = writes.indices.last, writes[last].moment.place == moment.place - 1 {
            writes[last].isOfGoods = true
        }
    }

    mutating func stored(_ moment: Moment, count: Int) {
        writes.append(Write(moment: moment, count: count, names: Self.names(of: count, after: &namesSeen)))
        hasWrittenSince = true
        for product in isNoted.indices { isNoted[product] = false }
    }

    mutating func lost(_ moment: Moment, count: Int) {
        losses.append(Write(moment: moment, count: count, names: Self.names(of: count, after: &namesSeen)))
    }

    /// Names follow each other as the events do that they are of.
    private static func names(of count: Int, after seen: inout Int) -> Range<Int> {
        let first = seen
        seen += min(max(0, count), WrittenPlace.namesMax)
        return first..<seen
    }
}

/// What StoreKit delivered of a product.
struct ProductTelling: OptionSet, Sendable {
    let rawValue: UInt8

    /// Something to deliver.
    static let delivery = ProductTelling(rawValue: 1)
    /// Nothing to deliver, for now at least.
    static let failure = ProductTelling(rawValue: 2)
    static let beginning = ProductTelling(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ state: TransactionState) {
        switch state {
        case .purchased, .restored: self = .delivery
        case .failed, .deferred: self = .failure
        case .purchasing: self = .beginning
        }
    }
}
