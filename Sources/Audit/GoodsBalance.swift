// Goods against charges, product by product: what is lost, doubled, unpaid or finished too early.
//
// Time is cut into epochs by reinstalls, which delete goods. Each epoch is balanced at its end; what is unfinished
// then is delivered again and belongs to the next.

import Simulation

/// A completed purchase and what became of its goods.
struct PurchaseTrack {
    let id: TransactionID
    let product: ProductIndex
    let quantity: Int
    let isCharged: Bool
    let storeFinishedAt: Instant?
    /// What it entitled to is over at the end of the run: expired, upgraded, refunded.
    let isOver: Bool
    let isRevoked: Bool
    var revocationToldAt: Instant?
    /// When an observer first heard of it as purchased.
    var toldAt: Instant?
    /// Told as purchased once more after its goods had come.
    var isToldAgain = false
    /// Goods seen to arrive for it.
    var delivered = 0
    var isDelivered = false
    /// Goods of this product came instead.
    var mixedUpWith: ProductIndex?
    var toldProcess: Int32 = 0
    var finishCalledAt: Instant?
    var finishProcess = 0
    /// Balanced in an earlier epoch.
    var isClosed = false
}

struct GoodsBalance {
    private var purchases: [PurchaseTrack] = []
    private var held: [Int] = []
    private var usedUp: [Int] = []
    /// Restored in this epoch: an entitlement that must be held at its end.
    private var restored: [Instant?] = []
    /// Told by a restore that has not ended yet.
    private var restoring: [ProductIndex] = []
    private var isEntitlement: [Bool] = []
    /// Goods that nothing explains.
    private var unexplained: [Int] = []
    /// Goods that came during a restore without a purchase to explain them.
    private var overreach: [Int] = []
    /// Goods that came in place of another product's.
    private var mixedUp: [Int] = []
    /// Whether goods of the product were noted since the latest write.
    private var isNoted: [Bool] = []
    private var perPurchase: [Int] = []
    private var earlyFinishes: [(place: Int, violation: Violation)] = []
    var isRestoring = false

    mutating func begin(_ input: borrowing AuditInput) {
        let count = input.catalog.products.count
        purchases.removeAll(keepingCapacity: true)
        earlyFinishes.removeAll(keepingCapacity: true)
        perPurchase = input.goodsPerPurchase
        isEntitlement.removeAll(keepingCapacity: true)
        for product in input.catalog.products { isEntitlement.append(product.kind.isEntitlement) }
        resetEpoch(count)
        let end = input.history.last?.at ?? .start
        for transaction in input.statement.transactions {
            var track = PurchaseTrack(
                id: transaction.id, product: transaction.product, quantity: transaction.quantity,
                isCharged: transaction.isCharged, storeFinishedAt: transaction.finishedAt,
                isOver: transaction.isOver(at: end), isRevoked: transaction.revokedAt != nil)
            track.isClosed = transaction.isOfThePast
            purchases.append(track)
        }
    }

    private mutating func resetEpoch(_ count: Int) {
        Self.clear(&held, count)
        Self.clear(&usedUp, count)
        Self.clear(&overreach, count)
        Self.clear(&mixedUp, count)
        Self.clear(&unexplained, count)
        restoring.removeAll(keepingCapacity: true)
        isNoted.removeAll(keepingCapacity: true)
        for _ in 0..<count { isNoted.append(false) }
        restored.removeAll(keepingCapacity: true)
        for _ in 0..<count { restored.append(nil) }
        isRestoring = false
    }

    private static func clear(_ counts: inout [Int], _ count: Int) {
        counts.removeAll(keepingCapacity: true)
        for _ in 0..<count { counts.append(0) }
    }

    private func need(_ track: PurchaseTrack) -> Int { track.quantity * perPurchase[track.product] }

    private func place(of id: Int64) -> Int? { purchases.lastIndex { $0.id.number == id } }

    // MARK: Reading the history

    mutating func toldPurchased(_ record: HistoryRecord) {
        guard let place = place(of: record.other) else { return }
        purchases[place].toldProcess = record.process
        if purchases[place].isDelivered { purchases[place].isToldAgain = true }
        if purchases[place].toldAt == nil { purchases[place].toldAt = record.at }
    }

    mutating func revocationTold(_ record: HistoryRecord) {
        // What a restore brought back may have been this.
        if let product = record.productIndex { restored[product] = nil }
        guard let place = place(of: record.number) else { return }
        purchases[place].revocationToldAt = record.at
    }

    mutating func toldRestored(_ record: HistoryRecord) {
        if let product = record.productIndex { restoring.append(product) }
    }

    /// A restore ended well: what it told of must be held from here on.
    mutating func restoreFinished(at instant: Instant) {
        for product in restoring { restored[product] = instant }
        restoring.removeAll(keepingCapacity: true)
    }

    /// A restore failed, or died with its process.
    mutating func restoreAbandoned() { restoring.removeAll(keepingCapacity: true) }

    mutating func used(_ record: HistoryRecord) {
        guard let product = record.productIndex else { return }
        usedUp[product] += Int(record.number)
        // The write behind it may have been noted already.
        if !isNoted[product] { held[product] -= Int(record.number) }
        isNoted[product] = false
    }

    mutating func stored() {
        for product in isNoted.indices { isNoted[product] = false }
    }

    /// Goods were seen: an increase belongs to the oldest purchases of the product that were told and have none yet,
    /// those that the app has finished without goods last.
    mutating func observed(_ record: HistoryRecord) {
        guard let product = record.productIndex else { return }
        var gain = Int(record.number) - held[product]
        held[product] = Int(record.number)
        isNoted[product] = true
        if gain <= 0 { return }
        if assignWhole(gain, of: product) { return }
        assign(&gain, of: product, areFinished: false)
        assign(&gain, of: product, areFinished: true)
        // What a restore has told of needs no purchase to explain it.
        if gain <= 0 || restored[product] != nil || restoring.contains(product) { return }
        // Nothing of this product was bought, but something else was, in this launch, and waits for its goods.
        let other = purchases.indices.first {
            purchases[$0].toldAt != nil && !purchases[$0].isDelivered && purchases[$0].mixedUpWith == nil
                && purchases[$0].toldProcess == record.process && purchases[$0].isCharged
        }
        if let other {
            purchases[other].mixedUpWith = product
            mixedUp[product] += gain
        } else if isRestoring, !isToldAgain(product, in: record.process) {
            overreach[product] += gain
        } else {
            unexplained[product] += gain
        }
    }

    /// Goods that come twice for a purchase told twice are not a restore's, even if one is under way.
    private func isToldAgain(_ product: ProductIndex, in process: Int32) -> Bool {
        purchases.contains { $0.product == product && $0.isToldAgain && $0.toldProcess == process }
    }

    /// One purchase that lacks exactly so much, the oldest of them: no sharing out is needed then.
    private mutating func assignWhole(_ gain: Int, of product: ProductIndex) -> Bool {
        let place = purchases.indices.first {
            purchases[$0].product == product && !purchases[$0].isDelivered && purchases[$0].toldAt != nil
                && purchases[$0].finishCalledAt == nil && need(purchases[$0]) == gain
        }
        guard let place else { return false }
        purchases[place].delivered = gain
        purchases[place].isDelivered = true
        return true
    }

    /// Goods of alike purchases cannot be told apart: those that an unfinished one was credited with are this one's,
    /// if the app delivers in another order than they were bought in.
    private mutating func takeOverGoods(_ place: Int) {
        let sibling = purchases.indices.last {
            $0 != place && purchases[$0].product == purchases[place].product && purchases[$0].isDelivered
                && purchases[$0].finishCalledAt == nil && purchases[$0].delivered == need(purchases[place])
        }
        guard let sibling else { return }
        purchases[place].delivered = purchases[sibling].delivered
        purchases[place].isDelivered = true
        purchases[sibling].delivered = 0
        purchases[sibling].isDelivered = false
    }

    private mutating func assign(_ gain: inout Int, of product: ProductIndex, areFinished: Bool) {
        for place in purchases.indices where gain > 0 {
            guard purchases[place].product == product, !purchases[place].isDelivered, purchases[place].toldAt != nil,
                (purchases[place].finishCalledAt != nil) == areFinished
            else { continue }
            let part = min(gain, need(purchases[place]) - purchases[place].delivered)
            purchases[place].delivered += part
            purchases[place].isDelivered = true
            gain -= part
        }
    }

    mutating func finishCalled(_ record: HistoryRecord, into findings: inout AuditFindings) {
        guard let place = place(of: record.other) else { return }
        let isFirst = purchases[place].finishCalledAt == nil
        if isFirst, !purchases[place].isDelivered { takeOverGoods(place) }
        purchases[place].finishCalledAt = record.at
        purchases[place].finishProcess = Int(record.process)
        let product = purchases[place].product
        // An entitlement that is held already needs no new goods.
        let isHeld = isEntitlement[product] && held[product] > 0
        guard isFirst, !purchases[place].isDelivered, !isHeld else { return }
        let violation = Violation(
            rule: .finishedBeforeDelivery, at: record.at, process: Int(record.process), product: product,
            transaction: purchases[place].id)
        earlyFinishes.append((place, violation))
    }

    /// The store may not name a purchase as unfinished that it has been told is finished.
    mutating func checkAdmission(_ record: HistoryRecord, into findings: inout AuditFindings) {
        guard let place = place(of: record.number), let finished = purchases[place].storeFinishedAt else { return }
        if finished.nanoseconds < record.other {
            findings.faults.append(.finishedAndRedelivered(purchases[place].id))
        }
    }

    // MARK: Balancing

    /// The end of an epoch: the app is deleted. Its goods were noted just before.
    mutating func close(at instant: Instant, _ input: borrowing AuditInput, into findings: inout AuditFindings) {
        balance(isFinal: false, at: instant, input, into: &findings)
        // Whatever is unfinished is owed anew: its goods went with the app.
        for place in purchases.indices where !purchases[place].isClosed {
            purchases[place].toldAt = nil
            purchases[place].delivered = 0
            purchases[place].isDelivered = false
            purchases[place].mixedUpWith = nil
        }
        resetEpoch(input.catalog.products.count)
    }

    /// The end of the run.
    mutating func settle(_ input: borrowing AuditInput, at instant: Instant, into findings: inout AuditFindings) {
        for product in held.indices { held[product] = input.held[product] }
        balance(isFinal: true, at: instant, input, into: &findings)
        for track in purchases where !track.isClosed && track.finishCalledAt == nil && track.storeFinishedAt == nil {
            findings.violations.append(
                Violation(
                    rule: .stuckTransaction, at: instant, product: track.product, transaction: track.id,
                    finding: .state(.purchased)))
        }
        // A purchase that turned out lost is told as lost only.
        for early in earlyFinishes where purchases[early.place].isDelivered {
            findings.violations.append(early.violation)
        }
    }

    private mutating func balance(
        isFinal: Bool, at instant: Instant, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        for product in held.indices {
            if input.catalog[product].kind.isEntitlement {
                balanceEntitlement(product, isFinal: isFinal, at: instant, input, into: &findings)
            } else {
                balanceConsumable(product, isFinal: isFinal, at: instant, into: &findings)
            }
        }
        for place in purchases.indices where isFinal || purchases[place].finishCalledAt != nil {
            if purchases[place].finishCalledAt != nil { purchases[place].isClosed = true }
        }
    }

    private mutating func balanceConsumable(
        _ product: ProductIndex, isFinal: Bool, at instant: Instant, into findings: inout AuditFindings
    ) {
        var least = 0
        var most = 0
        for track in purchases where track.product == product && !track.isClosed {
            most += need(track)
            // What was refunded need not be held, and may be.
            if !track.isRevoked, isFinal || track.finishCalledAt != nil { least += need(track) }
        }
        let have = held[product] + usedUp[product] - mixedUp[product]
        if have < least {
            reportShortfall(product, least - have, isFinal: isFinal, at: instant, into: &findings)
        } else if have > most {
            reportSurplus(product, expected: most, have: have, at: instant, into: &findings)
        } else {
            reportCancelledOut(product, expected: most, have: have, at: instant, into: &findings)
        }
    }

    /// The sum is right, and yet one purchase was finished without goods while another was delivered twice.
    private mutating func reportCancelledOut(
        _ product: ProductIndex, expected: Int, have: Int, at instant: Instant, into findings: inout AuditFindings
    ) {
        let doubled = unexplained[product]
        if doubled <= 0 { return }
        var missing = 0
        for track in purchases
        where track.product == product && !track.isClosed && track.finishCalledAt != nil && !track.isDelivered
            && track.mixedUpWith == nil && missing + need(track) <= doubled
        {
            missing += need(track)
            findings.violations.append(
                Violation(
                    rule: .lostPurchase, at: instant, process: track.finishProcess, product: product,
                    transaction: track.id, finding: .goods(expected: need(track), held: 0)))
        }
        if missing > 0 {
            reportSurplus(product, expected: expected - missing, have: have, at: instant, into: &findings)
        }
    }

    /// Names the purchases whose goods are missing: first those finished without goods, then those delivered in part,
    /// then what is left.
    private mutating func reportShortfall(
        _ product: ProductIndex, _ shortfall: Int, isFinal: Bool, at instant: Instant,
        into findings: inout AuditFindings
    ) {
        var missing = shortfall
        func blame(_ track: PurchaseTrack, _ rule: AuditRule, expected: Int, held: Int) {
            findings.violations.append(
                Violation(
                    rule: rule, at: instant, process: track.finishProcess == 0 ? nil : track.finishProcess,
                    product: product, transaction: track.id, finding: .goods(expected: expected, held: held)))
        }
        func candidates(_ isOne: (PurchaseTrack) -> Bool) -> [PurchaseTrack] {
            purchases.filter {
                $0.product == product && !$0.isClosed && (isFinal || $0.finishCalledAt != nil) && isOne($0)
            }
        }
        for track in candidates({ $0.mixedUpWith != nil && !$0.isDelivered }) where missing > 0 {
            findings.violations.append(mixUp(track, at: instant))
            missing -= need(track)
        }
        for track in candidates({ $0.finishCalledAt != nil && !$0.isDelivered && $0.mixedUpWith == nil })
        where missing > 0 {
            blame(track, .lostPurchase, expected: need(track), held: 0)
            missing -= need(track)
        }
        for track in candidates({ $0.isDelivered && $0.delivered < self.need($0) }) where missing > 0 {
            blame(track, .wrongProduct, expected: need(track), held: track.delivered)
            missing -= need(track) - track.delivered
        }
        for track in candidates({ $0.finishCalledAt == nil && !$0.isDelivered && $0.mixedUpWith == nil })
        where missing > 0 {
            blame(track, .lostPurchase, expected: need(track), held: 0)
            missing -= need(track)
        }
        // Goods that were there once and are gone: the latest purchase is as good a witness as any.
        if missing > 0, let track = candidates({ $0.isDelivered }).last {
            blame(track, .lostPurchase, expected: need(track), held: max(0, need(track) - missing))
        }
    }

    private func reportSurplus(
        _ product: ProductIndex, expected: Int, have: Int, at instant: Instant, into findings: inout AuditFindings
    ) {
        let witness = purchases.last { $0.product == product && !$0.isClosed && $0.toldAt != nil }
        let rule: AuditRule
        if overreach[product] > 0 {
            rule = .restoreOverreach
        } else {
            rule = purchases.contains { $0.product == product } ? .duplicateDelivery : .unpaidDelivery
        }
        findings.violations.append(
            Violation(
                rule: rule, at: instant, product: product, transaction: witness?.id,
                finding: .goods(expected: expected, held: have)))
    }

    private mutating func balanceEntitlement(
        _ product: ProductIndex, isFinal: Bool, at instant: Instant, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        let isOwned = purchases.contains { $0.product == product } || input.boughtElsewhere.contains(product)
        if held[product] > 0 {
            if isFinal, !input.ownedElsewhere.contains(product), let stale = staleEntitlement(product) {
                findings.violations.append(
                    Violation(
                        rule: .staleEntitlement, at: stale.revocationToldAt ?? instant, product: product,
                        transaction: stale.id, finding: .goods(expected: 0, held: held[product])))
            }
            guard !isOwned, mixedUp[product] == 0 else { return }
            let rule: AuditRule = overreach[product] > 0 ? .restoreOverreach : .unpaidDelivery
            findings.violations.append(
                Violation(
                    rule: rule, at: instant, product: product, finding: .goods(expected: 0, held: held[product])))
            return
        }
        let bought = purchases.first {
            $0.product == product && !$0.isClosed && !$0.isOver && (isFinal || $0.finishCalledAt != nil)
        }
        // Taken back from one account, bought on another: whose it is depends on who is signed in.
        if input.statement.isOfTwoAccounts,
            input.boughtElsewhere.contains(product)
                || purchases.contains(where: { $0.product == product && $0.isRevoked })
        {
            return
        }
        if let bought, bought.mixedUpWith != nil {
            findings.violations.append(mixUp(bought, at: instant))
        } else if let bought {
            findings.violations.append(
                Violation(
                    rule: .lostPurchase, at: instant, process: bought.finishProcess == 0 ? nil : bought.finishProcess,
                    product: product, transaction: bought.id, finding: .goods(expected: 1, held: 0)))
        } else if restored[product] != nil, !isOver(product) {
            findings.violations.append(
                Violation(
                    rule: .restoreIncomplete, at: instant, product: product, finding: .goods(expected: 1, held: 0)))
        }
    }

    /// What was taken back, with the app's knowledge, and is still granted although nothing else entitles to it.
    private func staleEntitlement(_ product: ProductIndex) -> PurchaseTrack? {
        let all = purchases.filter { $0.product == product }
        guard all.allSatisfy(\.isRevoked) else { return nil }
        return all.last { $0.revocationToldAt != nil }
    }

    /// Nothing entitles to it any more.
    private func isOver(_ product: ProductIndex) -> Bool {
        purchases.allSatisfy { $0.product != product || $0.isOver }
    }

    private func mixUp(_ track: PurchaseTrack, at instant: Instant) -> Violation {
        Violation(
            rule: .wrongProduct, at: instant, process: Int(track.toldProcess), product: track.product,
            transaction: track.id, finding: .mixedUp(with: track.mixedUpWith ?? track.product))
    }
}
