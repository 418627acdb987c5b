// lost-purchase, duplicate-delivery, unpaid-delivery, wrong-product, restore-incomplete, restore-overreach,
// stale-entitlement, withheld-entitlement, unverified-delivery, finished-before-delivery, finished-unverified: goods against
// charges.
//
// Each installation of the app is balanced at its end; what is unfinished then belongs to the next.

import Simulation

extension UserStory {
    func judgeGoods(into violations: inout [Violation]) {
        // If a client crashes or hangs in `holdings()`, its goods are unknown.
        let isUnknown = launches.incidents.contains { incident in
            switch incident.kind {
            case .died(let note): note.call == .holdings
            case .hung(_, let call, _): call == .holdings
            default: false
            }
        }
        if isUnknown { return }
        for epoch in goods.past { GoodsRules.judge(epoch, self, into: &violations) }
        GoodsRules.judge(goods.now, self, into: &violations)
        judgeLateGrants(into: &violations)
        judgeWithdrawals(into: &violations)
        // A purchase that turned out lost is reported as lost only.
        for early in goods.early
        where goods.now.purchases[early.place].isDelivered && !goods.cameWithReceipt(early.place)
            && !goods.isReadAgain(early.place)
        {
            let track = goods.now.purchases[early.place]
            violations.append(
                Violation(.finishedBeforeDelivery, early.moment, product: track.product, transaction: track.id))
        }
        for act in goods.unverified.granted {
            violations.append(
                Violation(.unverifiedDelivery, act.moment, product: act.product, transaction: act.transaction))
        }
        for act in goods.unverified.finished {
            violations.append(
                Violation(.finishedUnverified, act.moment, product: act.product, transaction: act.transaction))
        }
    }
}

extension UserStory {
    /// What had run out, and was granted anew until the launch ended: the next launch may have taken it back.
    private func judgeLateGrants(into violations: inout [Violation]) {
        for grant in goods.grantedLate {
            let track = goods.now.purchases[grant.purchase]
            let isFound = violations.contains { $0.rule == .staleEntitlement && $0.product == track.product }
            if isFound { continue }
            violations.append(
                Violation(
                    .staleEntitlement, grant.moment, product: track.product, transaction: track.id,
                    .goods(expected: 0, held: grant.held)))
        }
    }

    /// What the app took away, and kept away until the launch ended: the next launch may have brought it back.
    private func judgeWithdrawals(into violations: inout [Violation]) {
        for withdrawal in goods.withheld {
            let track = goods.now.purchases[withdrawal.purchase]
            let isLost = violations.contains { $0.rule == .lostPurchase && $0.product == track.product }
            if isLost { continue }
            violations.append(
                Violation(.withheldEntitlement, withdrawal.moment, product: track.product, transaction: track.id))
        }
    }
}

/// The balance of one installation.
private struct GoodsRules {
    private let epoch: GoodsEpoch
    private let input: AuditInput
    private var violations: [Violation] = []

    static func judge(_ epoch: GoodsEpoch, _ story: UserStory, into violations: inout [Violation]) {
        var rules = GoodsRules(epoch: epoch, input: story.input)
        for product in epoch.held.indices {
            if story.input.catalog[product].kind.isEntitlement {
                rules.balanceEntitlement(product, story)
            } else {
                rules.balanceConsumable(product, story)
            }
        }
        rules.joinMixUps(story)
        violations += rules.violations
    }

    /// Goods bought once and held once are one violation: what is lost of one product, and was never paid for of another
    /// that came afterwards, was delivered as that.
    private mutating func joinMixUps(_ story: UserStory) {
        for place in violations.indices.reversed() where violations[place].rule == .unpaidDelivery {
            guard case .goods(0, let count) = violations[place].finding, let other = violations[place].product,
                let came = story.goods.changes.first(where: { $0.product == other && $0.after > $0.before })
            else { continue }
            let lost = violations.firstIndex { violation in
                guard violation.rule == .lostPurchase, violation.finding == .goods(expected: count, held: 0) else {
                    return false
                }
                let told = epoch.purchases.first { $0.id == violation.transaction }?.toldAt
                return told.map { $0 <= came.moment.at } ?? false
            }
            guard let lost else { continue }
            let product = violations[lost].product ?? other
            violations[lost] = Violation(
                rule: .wrongProduct, at: epoch.endedAt, process: violations[lost].process, product: product,
                transaction: violations[lost].transaction, finding: .mixedUp(with: other))
            violations.remove(at: place)
        }
    }

    private init(epoch: GoodsEpoch, input: AuditInput) {
        self.epoch = epoch
        self.input = input
    }

    private mutating func report(
        _ rule: AuditRule, at instant: Instant? = nil, in process: Int32 = 0, _ product: ProductIndex,
        _ transaction: TransactionID? = nil, _ finding: Violation.Finding
    ) {
        violations.append(
            Violation(
                rule: rule, at: instant ?? epoch.endedAt, process: process == 0 ? nil : Int(process), product: product,
                transaction: transaction, finding: finding))
    }

    /// Less is held than a purchase should have brought.
    private mutating func blame(_ rule: AuditRule, _ track: PurchaseTrack, expected: Int, held: Int) {
        report(rule, in: track.finishProcess, track.product, track.id, .goods(expected: expected, held: held))
    }

    private mutating func reportMixUp(_ track: PurchaseTrack) {
        report(
            .wrongProduct, in: track.toldProcess, track.product, track.id,
            .mixedUp(with: track.mixedUpWith ?? track.product))
    }

    /// Whether the goods of a purchase have to be there.
    private func isDue(_ track: PurchaseTrack) -> Bool {
        track.isLeftOver ? track.isOwed : epoch.isFinal || track.finishCalledAt != nil
    }

    private mutating func balanceConsumable(_ product: ProductIndex, _ story: UserStory) {
        var least = 0
        var most = 0
        for track in epoch.purchases where track.product == product && !track.isClosed {
            // What the old installation finished is nothing new unless it comes again.
            if track.isLeftOver, track.toldAt == nil { continue }
            most += epoch.need(track)
            // What was refunded need not be held, and may be.
            if !track.isRevoked, isDue(track) { least += epoch.need(track) }
        }
        let have = epoch.held[product] + epoch.usedUp[product] - epoch.mixedUp[product] - epoch.countForged(product)
        // What the deleted app has left may be kept or cleared away.
        let own = have - epoch.kept[product]
        if have < least {
            reportShortfall(product, least - have)
        } else if own > most {
            reportSurplus(product, expected: most, have: own, story)
        } else {
            reportCancelledOut(product, have, story)
        }
    }

    /// The sum is right, and yet a purchase was finished without goods: they had come before it was paid, or twice for
    /// another. That is one violation, and nothing is lost.
    private mutating func reportCancelledOut(_ product: ProductIndex, _ have: Int, _ story: UserStory) {
        let unexplained = epoch.unexplained[product]
        let isMissing = epoch.purchases.contains {
            $0.product == product && !$0.isClosed && $0.finishCalledAt != nil && !$0.isDelivered
                && $0.mixedUpWith == nil && epoch.need($0) <= unexplained
        }
        if isMissing { reportSurplus(product, expected: have, have: have, story) }
    }

    /// Names the purchases whose goods are missing: first those finished without goods, then those delivered in part,
    /// then what is left.
    private mutating func reportShortfall(_ product: ProductIndex, _ shortfall: Int) {
        var missing = shortfall
        func candidates(_ isOne: (PurchaseTrack) -> Bool) -> [PurchaseTrack] {
            epoch.purchases.filter {
                $0.product == product && !$0.isClosed && isDue($0) && isOne($0)
            }
        }
        for track in candidates({ $0.mixedUpWith != nil && !$0.isDelivered }) where missing > 0 {
            reportMixUp(track)
            missing -= epoch.need(track)
        }
        for track in candidates({ $0.finishCalledAt != nil && !$0.isDelivered && $0.mixedUpWith == nil })
        where missing > 0 {
            blame(.lostPurchase, track, expected: epoch.need(track), held: 0)
            missing -= epoch.need(track)
        }
        for track in candidates({ $0.isDelivered && $0.delivered < epoch.need($0) }) where missing > 0 {
            blame(.wrongProduct, track, expected: epoch.need(track), held: track.delivered)
            missing -= epoch.need(track) - track.delivered
        }
        for track in candidates({ $0.finishCalledAt == nil && !$0.isDelivered && $0.mixedUpWith == nil })
        where missing > 0 {
            blame(.lostPurchase, track, expected: epoch.need(track), held: 0)
            missing -= epoch.need(track)
        }
        // Goods that were there once and are gone: the latest purchase is as good a witness as any.
        if missing > 0, let track = candidates({ $0.isDelivered }).last {
            blame(.lostPurchase, track, expected: epoch.need(track), held: max(0, epoch.need(track) - missing))
        }
    }

    private mutating func reportSurplus(
        _ product: ProductIndex, expected: Int, have: Int, _ story: UserStory
    ) {
        let witness =
            GoodsTrail(of: product, story, until: epoch.endedAt).witness(in: epoch)
            ?? epoch.purchases.last { $0.product == product && !$0.isClosed && $0.toldAt != nil }?.id
        let rule: AuditRule
        if epoch.overreach[product] > 0 {
            rule = .restoreOverreach
        } else {
            let isBought = epoch.purchases.contains { $0.product == product }
            rule = isBought && epoch.unpaid[product] == 0 ? .duplicateDelivery : .unpaidDelivery
        }
        report(rule, product, witness, .goods(expected: expected, held: have))
    }

    private mutating func balanceEntitlement(_ product: ProductIndex, _ story: UserStory) {
        let isOwned = epoch.purchases.contains { $0.product == product } || input.boughtElsewhere.contains(product)
        if epoch.held[product] > 0 {
            if epoch.isFinal, !input.ownedElsewhere.contains(product), !input.givenUp.contains(product),
                let stale = staleEntitlement(product)
            {
                report(
                    .staleEntitlement, at: stale.revocationToldAt ?? stale.overAt, product, stale.id,
                    .goods(expected: 0, held: epoch.held[product]))
            }
            // What should have brought it may have brought another product's goods all the same.
            for track in epoch.purchases
            where track.product == product && !track.isClosed && track.mixedUpWith != nil
                && (epoch.isFinal || track.finishCalledAt != nil)
            {
                reportMixUp(track)
            }
            guard !isOwned, epoch.mixedUp[product] == 0, epoch.countForged(product) == 0 else { return }
            let rule: AuditRule = epoch.overreach[product] > 0 ? .restoreOverreach : .unpaidDelivery
            report(rule, product, nil, .goods(expected: 0, held: epoch.held[product]))
            return
        }
        let bought = epoch.purchases.first {
            $0.product == product && !$0.isClosed && !$0.isOver && isDue($0)
        }
        // Deleted while another account was signed in: what an app reads from that one's receipt is not the first's.
        if !epoch.isFinal, epoch.hasSwitchedAccounts { return }
        // The app took away what StoreKit said that the account does not own, and was deleted before it could act on a
        // better answer.
        if !epoch.isFinal, epoch.wasRecordHidden { return }
        // It was deleted before it had read again what it does not store.
        if !epoch.isFinal, story.goods.readsEntitlements { return }
        // The last time that the app looked, the grace period was just about to begin, or the device had yet to hear of it.
        let isAheadOfTheApp = epoch.purchases.contains { track in
            guard track.product == product, let began = track.graceBeganAt else { return false }
            return began == epoch.launchedAt || story.goods.readsEntitlements && epoch.entitlementsAsOf < began
        }
        if isAheadOfTheApp { return }
        // Over for one account, bought on another: whose it is depends on who is signed in.
        if input.statement.isOfTwoAccounts,
            input.boughtElsewhere.contains(product)
                || epoch.purchases.contains(where: { $0.product == product && ($0.isRevoked || $0.isOver) })
        {
            return
        }
        if let bought, bought.mixedUpWith != nil {
            reportMixUp(bought)
        } else if let bought {
            blame(.lostPurchase, bought, expected: 1, held: 0)
        } else if let restoredAt = epoch.restored[product], lasts(product, from: restoredAt),
            // Deleted in the instant in which the restore was over, an app had no time to act on it.
            epoch.isFinal || restoredAt < epoch.endedAt && !epoch.unheard.contains(product)
        {
            let told = story.lastRestored(product, until: epoch.endedAt)
            report(.restoreIncomplete, product, told?.note.id, .goods(expected: 1, held: 0))
        }
    }

    /// What was taken back, with the app's knowledge, or ran out before the latest launch, and is still granted although
    /// nothing else entitles to it. The last of them to end.
    private func staleEntitlement(_ product: ProductIndex) -> PurchaseTrack? {
        var last: PurchaseTrack?
        for track in epoch.purchases where track.product == product {
            let isRunOut =
                !epoch.hasSwitchedAccounts && track.expiresAt.map { $0 + input.staleness < epoch.launchedAt } ?? false
            guard track.isRevoked || isRunOut else { return nil }
            if last == nil || track.endedAt > last?.endedAt ?? .start { last = track }
        }
        guard let last else { return nil }
        if !last.isRevoked { return last }
        return epoch.purchases.last { $0.product == product && $0.revocationToldAt != nil }
    }

    /// Whether something that a restore could bring back at one moment still entitles to the product at another.
    private func lasts(_ product: ProductIndex, from restoredAt: Instant) -> Bool {
        if input.catalog[product].kind == .nonConsumable, input.ownedElsewhere.contains(product) { return true }
        return epoch.purchases.contains {
            // R26: a restore brings what was finished by then; within one instant the order is unknown.
            $0.product == product && ($0.storeFinishedAt ?? .never) < restoredAt
                && ($0.overAt ?? .never) > epoch.endedAt
        }
    }
}
