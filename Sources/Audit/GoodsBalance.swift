// Which goods came for which purchase: the history of one device, read record by record.

import Simulation

/// Goods against charges, product by product. `settle` and `close` say what is wrong.
struct GoodsBalance {
    var purchases: [PurchaseTrack] = []
    /// Of each purchase, where its latest handle stands; negative: there is none.
    var handles: [Int32] = []
    /// The books are sound: identifiers ascend.
    var isSorted = true
    /// Places of purchases that the app was told of and has to finish, ascending.
    var open: [Int] = []
    /// Places of those that it has finished with less than they should bring, ascending.
    var lacking: [Int] = []
    var held: [Int] = []
    var usedUp: [Int] = []
    /// Restored in this epoch: an entitlement that must be held at its end.
    var restored: [Instant?] = []
    /// Told by a restore that has not ended yet.
    private var restoring: [ProductIndex] = []
    /// Taken back while a restore was under way, which may tell of it all the same.
    private var takenBack: Set<ProductIndex> = []
    private var isEntitlement: [Bool] = []
    private var boughtElsewhere: Set<ProductIndex> = []
    /// Goods that nothing explains.
    var unexplained: [Int] = []
    /// Goods that came during a restore without a purchase to explain them.
    var overreach: [Int] = []
    /// Of those, goods that came although StoreKit had told no purchase that could bring them.
    var unpaid: [Int] = []
    /// What was told of each product since the app last wrote something, or if that was nothing, before it did.
    private var tellings: [Telling] = []
    private var hasWrittenSince = true
    /// Goods that came in place of another product's.
    var mixedUp: [Int] = []
    /// Whether goods of the product were noted since the latest write.
    private var isNoted: [Bool] = []
    private var perPurchase: [Int] = []
    var earlyFinishes: [(place: Int, violation: Violation)] = []
    var isRestoring = false
    /// The latest launch.
    private(set) var launchedAt = Instant.start
    /// What a restore brought back before its launch crashed: nobody was told, and nobody had the app go on with it.
    private(set) var unheard: Set<ProductIndex> = []
    /// The person signed in with another account: the receipt is that one's then, and shows nothing of the first's.
    var hasSwitchedAccounts = false

    mutating func begin(_ input: borrowing AuditInput) {
        let count = input.catalog.products.count
        purchases.removeAll(keepingCapacity: true)
        isSorted = true
        earlyFinishes.removeAll(keepingCapacity: true)
        hasSwitchedAccounts = false
        perPurchase = input.goodsPerPurchase
        boughtElsewhere = input.boughtElsewhere
        isEntitlement.removeAll(keepingCapacity: true)
        for product in input.catalog.products { isEntitlement.append(product.kind.isEntitlement) }
        resetEpoch(count)
        let end = input.history.last?.at ?? .start
        for transaction in input.statement.transactions {
            var track = PurchaseTrack(
                id: transaction.id, product: transaction.product, quantity: transaction.quantity,
                isCharged: transaction.isCharged, storeFinishedAt: transaction.finishedAt,
                isOver: transaction.isOver(at: end), isRevoked: transaction.revokedAt != nil,
                overAt: transaction.overAt(by: end), expiresAt: transaction.expiresAt,
                graceBeganAt: transaction.graceBeganAt)
            track.isClosed = transaction.isOfThePast
            if let last = purchases.last, last.id >= track.id { isSorted = false }
            purchases.append(track)
        }
    }

    mutating func resetEpoch(_ count: Int) {
        Self.clear(&held, count)
        Self.clear(&usedUp, count)
        Self.clear(&overreach, count)
        Self.clear(&mixedUp, count)
        Self.clear(&unexplained, count)
        Self.clear(&unpaid, count)
        tellings.removeAll(keepingCapacity: true)
        for _ in 0..<count { tellings.append([]) }
        restoreAbandoned()
        isNoted.removeAll(keepingCapacity: true)
        for _ in 0..<count { isNoted.append(false) }
        restored.removeAll(keepingCapacity: true)
        for _ in 0..<count { restored.append(nil) }
        unheard.removeAll(keepingCapacity: true)
        isRestoring = false
        open.removeAll(keepingCapacity: true)
        lacking.removeAll(keepingCapacity: true)
        for place in purchases.indices { settlePlace(place) }
    }

    private static func clear(_ counts: inout [Int], _ count: Int) {
        counts.removeAll(keepingCapacity: true)
        for _ in 0..<count { counts.append(0) }
    }

    func need(_ track: PurchaseTrack) -> Int { track.quantity * perPurchase[track.product] }

    // MARK: Reading the history

    mutating func processBegan(at instant: Instant) {
        launchedAt = instant
        isRestoring = false
        restoreAbandoned()
        for product in tellings.indices { tellings[product] = [] }
        hasWrittenSince = true
    }

    mutating func crashed() {
        for product in restored.indices {
            if let restoredAt = restored[product], restoredAt >= launchedAt { unheard.insert(product) }
        }
    }

    mutating func told(_ transaction: DeviceEvent.TransactionNote, _ record: HistoryRecord) {
        if hasWrittenSince {
            for product in tellings.indices { tellings[product] = [] }
            hasWrittenSince = false
        }
        if let product = transaction.product { tellings[product].insert(Telling(transaction.state)) }
        // R23: a free re-purchase may arrive as restored.
        if transaction.state == .restored, let product = transaction.product { restoring.append(product) }
        if transaction.state == .purchased || transaction.state == .restored, let id = transaction.id {
            toldPurchased(id, record)
        }
    }

    private mutating func toldPurchased(_ id: TransactionID, _ record: HistoryRecord) {
        guard let place = place(of: id) else { return }
        if purchases[place].isClosed {
            // Its answer was under way to the app that was deleted, or to another payment for the same (R22): the goods
            // are gone, and come again.
            purchases[place].isClosed = false
            purchases[place].isLeftOver = true
            purchases[place].beginAnew()
        }
        purchases[place].toldProcess = record.process
        if purchases[place].isDelivered { purchases[place].isToldAgain = true }
        if purchases[place].finishCalledAt != nil { purchases[place].isToldSinceFinish = true }
        if purchases[place].toldAt == nil { purchases[place].toldAt = record.at }
        settlePlace(place)
    }

    mutating func revocationTold(_ id: TransactionID, _ product: ProductIndex, at instant: Instant) {
        // What a restore brought back may have been this.
        restored[product] = nil
        if isRestoring { takenBack.insert(product) }
        guard let place = place(of: id) else { return }
        purchases[place].revocationToldAt = instant
    }

    /// A restore ended well: what it told of must be held from here on.
    mutating func restoreFinished(at instant: Instant) {
        for product in restoring where !takenBack.contains(product) {
            restored[product] = instant
            unheard.remove(product)
        }
        restoreAbandoned()
    }

    /// A restore failed, or died with its process.
    mutating func restoreAbandoned() {
        restoring.removeAll(keepingCapacity: true)
        takenBack.removeAll(keepingCapacity: true)
    }

    mutating func used(_ product: ProductIndex, _ count: Int) {
        usedUp[product] += count
        // The write behind it may have been noted already.
        if !isNoted[product] { held[product] -= count }
        isNoted[product] = false
    }

    mutating func stored() {
        hasWrittenSince = true
        for product in isNoted.indices { isNoted[product] = false }
    }

    /// Goods were seen: an increase belongs to the oldest purchases of the product that were told and have none yet,
    /// then to the newest of those that it has finished without goods.
    mutating func observed(_ product: ProductIndex, _ count: Int, in process: Int32) {
        var gain = count - held[product]
        held[product] = count
        isNoted[product] = true
        if gain <= 0 { return }
        if assignWhole(gain, of: product) { return }
        assign(&gain, of: product, areOpen: true)
        assign(&gain, of: product, areOpen: false)
        // What a restore has told of needs no purchase to explain it.
        if gain <= 0 || restored[product] != nil || restoring.contains(product) || isOwnedLongSince(product) { return }
        // Nothing of this product was bought, but something else was, in this launch, and waits for its goods.
        if let other = purchases.firstIndex(where: { mayBeMixedUp($0, in: process) }) {
            purchases[other].mixedUpWith = product
            purchases[other].mixedUpGain = gain
            mixedUp[product] += gain
        } else if isRestoring, !isToldAgain(product, in: process) {
            overreach[product] += gain
        } else {
            unexplained[product] += gain
            if isUnpaid(product, in: process) { unpaid[product] += gain }
        }
    }

    /// An entitlement of an earlier time or from another device: an app may find it in the receipt whenever it looks, and
    /// hold it until it hears that it was taken back.
    private func isOwnedLongSince(_ product: ProductIndex) -> Bool {
        isEntitlement[product]
            && (boughtElsewhere.contains(product)
                || purchases.contains {
                    $0.product == product && ($0.isClosed || $0.isLeftOver)
                        && !($0.isRevoked && $0.revocationToldAt != nil)
                })
    }

    /// Whether goods of another product may have come in place of this purchase's. What was given again for free may
    /// need no goods, as long as the app holds them: then only until the app has finished it.
    private func mayBeMixedUp(_ track: PurchaseTrack, in process: Int32) -> Bool {
        track.toldAt != nil && !track.isDelivered && track.mixedUpWith == nil && track.toldProcess == process
            && (track.isCharged || track.finishCalledAt == nil)
            // A renewal brings nothing that is not there already.
            && !(isEntitlement[track.product] && track.isCharged && held[track.product] > 0)
    }

    /// Whether what was told of a product gives no reason to bring its goods even once: it failed or waits for approval,
    /// or is being bought and nothing of it was told as purchased in this launch.
    private func isUnpaid(_ product: ProductIndex, in process: Int32) -> Bool {
        let told = tellings[product]
        if told.isEmpty || told.contains(.delivery) { return false }
        return told.contains(.failure)
            || !purchases.contains { $0.product == product && $0.toldAt != nil && $0.toldProcess == process }
    }

    /// Goods that come twice for a purchase told twice are not a restore's, even if one is under way.
    private func isToldAgain(_ product: ProductIndex, in process: Int32) -> Bool {
        purchases.contains { $0.product == product && $0.isToldAgain && $0.toldProcess == process }
    }

    /// One purchase that lacks exactly so much, the oldest of them: no sharing out is needed then.
    private mutating func assignWhole(_ gain: Int, of product: ProductIndex) -> Bool {
        let place = open.first {
            purchases[$0].product == product && !purchases[$0].isDelivered && need(purchases[$0]) == gain
        }
        guard let place else { return false }
        purchases[place].delivered = gain
        hasCome(place)
        return true
    }

    /// Goods came for a purchase: what came before them, and seemed to come in their place, has no explanation then.
    private mutating func hasCome(_ place: Int) {
        purchases[place].isDelivered = true
        settlePlace(place)
        guard let other = purchases[place].mixedUpWith.take() else { return }
        mixedUp[other] -= purchases[place].mixedUpGain
        unexplained[other] += purchases[place].mixedUpGain
    }

    /// Goods of alike purchases cannot be told apart: those that an unfinished one was credited with are this one's,
    /// if the app delivers in another order than they were bought in.
    private mutating func takeOverGoods(_ place: Int) {
        let sibling = open.last {
            $0 != place && purchases[$0].product == purchases[place].product && purchases[$0].isDelivered
                && purchases[$0].finishCalledAt == nil && purchases[$0].delivered == need(purchases[place])
        }
        guard let sibling else { return }
        purchases[place].delivered = purchases[sibling].delivered
        purchases[place].isDelivered = true
        purchases[sibling].delivered = 0
        purchases[sibling].isDelivered = false
        settlePlace(sibling)
    }

    /// The oldest of those that the app has not finished; of the others the newest: goods that come too late come just
    /// after the finish.
    private mutating func assign(_ gain: inout Int, of product: ProductIndex, areOpen: Bool) {
        for place in areOpen ? open : lacking.reversed() where gain > 0 {
            // Goods may come in several writes.
            guard purchases[place].product == product, purchases[place].delivered < need(purchases[place]) else {
                continue
            }
            let part = min(gain, need(purchases[place]) - purchases[place].delivered)
            purchases[place].delivered += part
            hasCome(place)
            gain -= part
        }
    }

    /// - Parameter needsGoods: whether its goods have to be there by now.
    mutating func finishCalled(
        _ transaction: DeviceEvent.TransactionNote, _ record: HistoryRecord, needsGoods: Bool,
        into findings: inout AuditFindings
    ) {
        guard let place = transaction.id.flatMap({ place(of: $0) }) else { return }
        let isFirst = purchases[place].finishCalledAt == nil
        if isFirst, !purchases[place].isDelivered { takeOverGoods(place) }
        purchases[place].finishCalledAt = record.at
        purchases[place].isToldSinceFinish = false
        purchases[place].finishProcess = Int(record.process)
        settlePlace(place)
        let product = purchases[place].product
        // An entitlement that is held already needs no new goods.
        let isHeld = isEntitlement[product] && held[product] > 0
        guard isFirst, needsGoods, !purchases[place].isDelivered, !isHeld else { return }
        // Nor does one that is over: a crash could lose nothing. What is left over may have been delivered once.
        if isEntitlement[product], let over = purchases[place].overAt, over <= record.at { return }
        if purchases[place].isRevoked, purchases[place].overAt ?? .never <= record.at { return }
        let violation = Violation(
            rule: .finishedBeforeDelivery, at: record.at, process: Int(record.process), product: product,
            transaction: purchases[place].id)
        earlyFinishes.append((place, violation))
    }

    /// Whether the user has so much of a product, or of something that goes with it, that an app may leave it at that.
    func mayBeEnough(of product: ProductIndex, _ catalog: Catalog) -> Bool {
        if held[product] > 0 { return true }
        guard isEntitlement[product] else { return false }
        if boughtElsewhere.contains(product) || purchases.contains(where: { $0.product == product && !$0.isOver }) {
            return true
        }
        guard let group = catalog[product].subscription?.groupIdentifier else { return false }
        return held.indices.contains { held[$0] > 0 && catalog[$0].subscription?.groupIdentifier == group }
    }

    /// The store may not name a purchase as unfinished that it has been told is finished.
    mutating func checkAdmission(_ admission: DeviceEvent.AdmissionNote, into findings: inout AuditFindings) {
        guard let place = place(of: admission.transaction), let finished = purchases[place].storeFinishedAt else {
            return
        }
        if finished < admission.asOf { findings.faults.append(.finishedAndRedelivered(purchases[place].id)) }
    }
}

/// What an app was told of a product.
private struct Telling: OptionSet {
    let rawValue: UInt8

    /// Something to deliver.
    static let delivery = Telling(rawValue: 1)
    /// Nothing to deliver, for now at least.
    static let failure = Telling(rawValue: 2)
    static let beginning = Telling(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ state: TransactionState) {
        switch state {
        case .purchased, .restored: self = .delivery
        case .failed, .deferred: self = .failure
        case .purchasing: self = .beginning
        }
    }
}
