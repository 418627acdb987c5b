// The balance of goods and charges: what is lost, doubled, unpaid or finished too early.
//
// Time is cut into epochs by reinstalls, which delete goods. Each epoch is balanced at its end; what is unfinished
// then is delivered again and belongs to the next.

import Simulation

extension GoodsBalance {
    /// The end of an epoch: the app is deleted. Its goods were noted just before.
    mutating func close(at instant: Instant, _ input: borrowing AuditInput, into findings: inout AuditFindings) {
        balance(isFinal: false, at: instant, input, into: &findings)
        // Whatever the store has no finish of is owed anew when it comes again: its goods went with the app.
        for place in purchases.indices where !purchases[place].isClosed {
            // Another of the account's devices may have finished it, or will.
            if purchases[place].finishCalledAt != nil || purchases[place].storeFinishedAt != nil {
                purchases[place].isLeftOver = true
            }
            purchases[place].beginAnew()
        }
        resetEpoch(input.catalog.products.count)
    }

    /// The end of the run.
    mutating func settle(_ input: borrowing AuditInput, at instant: Instant, into findings: inout AuditFindings) {
        for product in held.indices { held[product] = input.held[product] }
        balance(isFinal: true, at: instant, input, into: &findings)
        for track in purchases where track.isStuck {
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

    /// Whether a purchase is told as unfinished with the ledger.
    func isStuck(_ transaction: TransactionID?) -> Bool {
        purchases.contains { $0.id == transaction && $0.isStuck }
    }

    private mutating func balance(
        isFinal: Bool, at instant: Instant, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        for product in held.indices {
            if input.catalog[product].kind.isEntitlement {
                balanceEntitlement(product, isFinal: isFinal, at: instant, input, into: &findings)
            } else {
                balanceConsumable(product, isFinal: isFinal, at: instant, input, into: &findings)
            }
        }
        // Books are the ledger's: a finish that is still under way closes nothing. One of the very same instant may be.
        for place in purchases.indices {
            if let finished = purchases[place].storeFinishedAt, finished < instant { purchases[place].isClosed = true }
        }
    }

    /// Whether the goods of a purchase have to be there.
    private func isDue(_ track: PurchaseTrack, isFinal: Bool) -> Bool {
        track.isLeftOver ? track.isOwed : isFinal || track.finishCalledAt != nil
    }

    private mutating func balanceConsumable(
        _ product: ProductIndex, isFinal: Bool, at instant: Instant, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        var least = 0
        var most = 0
        for track in purchases where track.product == product && !track.isClosed {
            // What the old installation finished is nothing new unless it comes again.
            if track.isLeftOver, track.toldAt == nil { continue }
            most += need(track)
            // What was refunded need not be held, and may be.
            if !track.isRevoked, isDue(track, isFinal: isFinal) { least += need(track) }
        }
        let have = held[product] + usedUp[product] - mixedUp[product]
        if have < least {
            reportShortfall(product, least - have, isFinal: isFinal, at: instant, into: &findings)
        } else if have > most {
            reportSurplus(product, expected: most, have: have, at: instant, input, into: &findings)
        } else {
            reportCancelledOut(product, expected: most, have: have, at: instant, input, into: &findings)
        }
    }

    /// The sum is right, and yet one purchase was finished without goods while another was delivered twice.
    private mutating func reportCancelledOut(
        _ product: ProductIndex, expected: Int, have: Int, at instant: Instant, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
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
            reportSurplus(product, expected: expected - missing, have: have, at: instant, input, into: &findings)
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
                $0.product == product && !$0.isClosed && isDue($0, isFinal: isFinal) && isOne($0)
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
        _ product: ProductIndex, expected: Int, have: Int, at instant: Instant, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        let trail = GoodsTrail(of: product, input.history, until: instant)
        let witness =
            trail.witness(among: purchases, need: need)
            ?? purchases.last { $0.product == product && !$0.isClosed && $0.toldAt != nil }?.id
        let rule: AuditRule
        if overreach[product] > 0 {
            rule = .restoreOverreach
        } else {
            let isBought = purchases.contains { $0.product == product }
            rule = isBought && unpaid[product] == 0 ? .duplicateDelivery : .unpaidDelivery
        }
        findings.violations.append(
            Violation(
                rule: rule, at: instant, product: product, transaction: witness,
                finding: .goods(expected: expected, held: have)))
    }

    private mutating func balanceEntitlement(
        _ product: ProductIndex, isFinal: Bool, at instant: Instant, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        let isOwned = purchases.contains { $0.product == product } || input.boughtElsewhere.contains(product)
        if held[product] > 0 {
            if isFinal, !input.ownedElsewhere.contains(product), !input.givenUp.contains(product),
                let stale = staleEntitlement(product, input.staleness)
            {
                findings.violations.append(
                    Violation(
                        rule: .staleEntitlement, at: stale.revocationToldAt ?? stale.overAt ?? instant,
                        product: product,
                        transaction: stale.id, finding: .goods(expected: 0, held: held[product])))
            }
            // What should have brought it may have brought another product's goods all the same.
            for track in purchases
            where track.product == product && !track.isClosed && track.mixedUpWith != nil
                && (isFinal || track.finishCalledAt != nil)
            {
                findings.violations.append(mixUp(track, at: instant))
            }
            guard !isOwned, mixedUp[product] == 0 else { return }
            let rule: AuditRule = overreach[product] > 0 ? .restoreOverreach : .unpaidDelivery
            findings.violations.append(
                Violation(
                    rule: rule, at: instant, product: product, finding: .goods(expected: 0, held: held[product])))
            return
        }
        let bought = purchases.first {
            $0.product == product && !$0.isClosed && !$0.isOver && isDue($0, isFinal: isFinal)
        }
        // Deleted while another account was signed in: what an app reads from that one's receipt is not the first's.
        if !isFinal, hasSwitchedAccounts { return }
        // The last time that the app looked, the grace period was just about to begin.
        if purchases.contains(where: { $0.product == product && $0.graceBeganAt == launchedAt }) { return }
        // Over for one account, bought on another: whose it is depends on who is signed in.
        if input.statement.isOfTwoAccounts,
            input.boughtElsewhere.contains(product)
                || purchases.contains(where: { $0.product == product && ($0.isRevoked || $0.isOver) })
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
        } else if let restoredAt = restored[product], lasts(product, from: restoredAt, to: instant, input),
            isFinal || !unheard.contains(product)
        {
            findings.violations.append(
                Violation(
                    rule: .restoreIncomplete, at: instant, product: product, finding: .goods(expected: 1, held: 0)))
        }
    }

    /// What was taken back, with the app's knowledge, or ran out before the latest launch, and is still granted although
    /// nothing else entitles to it. The last of them to end.
    private func staleEntitlement(_ product: ProductIndex, _ staleness: Span) -> PurchaseTrack? {
        var last: PurchaseTrack?
        for track in purchases where track.product == product {
            let isRunOut = !hasSwitchedAccounts && track.expiresAt.map { $0 + staleness < launchedAt } ?? false
            guard track.isRevoked || isRunOut else { return nil }
            if last == nil || track.endedAt > last?.endedAt ?? .start { last = track }
        }
        guard let last else { return nil }
        if !last.isRevoked { return last }
        return purchases.last { $0.product == product && $0.revocationToldAt != nil }
    }

    /// Whether something that a restore could bring back at one moment still entitles to the product at another.
    private func lasts(
        _ product: ProductIndex, from restoredAt: Instant, to instant: Instant, _ input: borrowing AuditInput
    ) -> Bool {
        if input.catalog[product].kind == .nonConsumable, input.ownedElsewhere.contains(product) { return true }
        return purchases.contains {
            // R26: a restore brings what was finished by then; of the very same instant nobody can tell.
            $0.product == product && ($0.storeFinishedAt ?? .never) < restoredAt && ($0.overAt ?? .never) > instant
        }
    }

    private func mixUp(_ track: PurchaseTrack, at instant: Instant) -> Violation {
        Violation(
            rule: .wrongProduct, at: instant, process: Int(track.toldProcess), product: track.product,
            transaction: track.id, finding: .mixedUp(with: track.mixedUpWith ?? track.product))
    }
}
