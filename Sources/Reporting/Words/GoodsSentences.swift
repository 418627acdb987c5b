// What became of goods: lost, doubled, gone again, there too late.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    /// What a transaction's story ends with.
    func ending(_ violation: Violation) -> String {
        switch (violation.rule, violation.finding) {
        case (.lostPurchase, .goods(let expected, let held)): return "; " + loss(violation, expected, held)
        case (.wrongProduct, .goods(let expected, let held)):
            return "; the app granted \(held) of \(expected) goods of \(name(violation.product))"
        case (.wrongProduct, .mixedUp(let other)):
            return "; the app granted \(name(other)) instead"
        case (.finishedBeforeDelivery, _): return "; " + delay(violation)
        case (.stuckTransaction, .state(let state)):
            return "; after the last relaunch it is still on the queue as \(state.words)"
        default: return ""
        }
    }

    // MARK: Lost

    private func loss(_ violation: Violation, _ expected: Int, _ held: Int) -> String {
        let wasDeleted = story.launches.reinstalls.contains { $0.at == violation.at }
        let quantity = story.transaction(violation.transaction)?.quantity ?? expected
        let count =
            "\(held) of \(expected) goods"
            + (expected > quantity ? " (each purchase brings \(expected / max(1, quantity))) " : " ")
            + (wasDeleted ? "were held when the app was deleted" : "are held at the end")
        guard let product = violation.product,
            let told = violation.transaction.flatMap({ story.tellings(of: $0).first })
        else { return count }
        let trail = GoodsTrail(of: product, story, until: violation.at)
        return input.catalog[product].kind.isEntitlement
            ? lostEntitlement(violation, trail, told: told.moment, wasDeleted: wasDeleted) ?? count
            : count + lostBalance(product, trail, told: told, wasDeleted: wasDeleted)
    }

    private func lostBalance(
        _ product: ProductIndex, _ trail: GoodsTrail, told: QueueStory.Telling, wasDeleted: Bool
    ) -> String {
        let others = story.queue.tellings.filter {
            $0.moment.isWith(told.moment) && $0.note.product == product && $0.note.id != nil
                && $0.note.id != told.note.id
        }.compactMap(\.note.id?.text)
        let together =
            others.isEmpty
            ? ""
            : "; StoreKit delivered it together with \(others.count == 1 ? "transaction" : "transactions") \(list(others))"
        let lead = together + "; "
        if let drop = trail.drops.last, told.moment < drop.moment {
            return "\(lead)the app's \(name(product)) fell from \(drop.before) to \(drop.after) \(time(of: drop))"
        }
        let left = input.held[product]
        if !wasDeleted, let rise = trail.rises.last, trail.held > left {
            return "\(lead)the app had \(trail.held) \(name(product)) after \(clock(rise.moment.at)), "
                + "and has \(left) at the end"
        }
        let came = trail.rises.filter { $0.moment.at == told.moment.at && told.moment < $0.moment }
            .reduce(0) { $0 + $1.after - $1.before }
        if others.isEmpty || came == 0 { return "" }
        return "\(together); the app granted \(came) for \(others.count == 1 ? "both" : "all of them")"
    }

    /// Nil if it was never there.
    private func lostEntitlement(
        _ violation: Violation, _ trail: GoodsTrail, told: Moment, wasDeleted: Bool
    ) -> String? {
        guard let rise = trail.rises.last else { return nil }
        if let drop = trail.drops.last, told < drop.moment {
            if drop.moment < rise.moment { return nil }
            let end =
                rise.moment.at == drop.moment.at
                ? "gone in the same instant" : goneUnseen(drop, since: rise) ?? "gone \(time(of: drop))"
            let cause = cause(drop, since: rise, violation)
            let own = drop.isExact ? ", by a write of the app" : ""
            return "it was held from \(clock(rise.moment.at)) and \(end)\(cause.isEmpty ? own : cause)"
                + staleReceipt(violation, before: drop.moment)
        }
        guard !wasDeleted, trail.held > 0 else { return nil }
        // Not noticed when it went.
        let end = goneWithWrite(since: rise) ?? "gone at the end"
        return "it was held from \(clock(rise.moment.at)) and \(end)\(cause(nil, since: rise, violation))"
    }

    private func goneUnseen(_ drop: GoodsTrail.Step, since rise: GoodsTrail.Step) -> String? {
        drop.isExact ? nil : goneWithWrite(since: rise, until: drop.moment)
    }

    /// If there was but one write that was not about goods, they went with that.
    private func goneWithWrite(since rise: GoodsTrail.Step, until end: Moment? = nil) -> String? {
        let writes = story.goods.writes.filter {
            rise.moment < $0.moment && $0.moment.place < end?.place ?? .max && !$0.isOfGoods
        }
        return writes.count == 1 ? "gone after the app wrote at \(clock(writes[0].moment.at))" : nil
    }

    /// That the receipt on the device was older than the purchase when the app let go of it.
    private func staleReceipt(_ violation: Violation, before moment: Moment) -> String {
        guard let transaction = story.transaction(violation.transaction),
            let receipt = story.goods.receipts.last(where: { $0.moment < moment }),
            let writtenAt = receipt.writtenAt, writtenAt < transaction.at
        else { return "" }
        return "; the receipt on the device, of \(clock(writtenAt)), was older than the purchase"
    }

    private func time(of step: GoodsTrail.Step) -> String {
        (step.isExact ? "at " : "by ") + clock(step.moment.at)
    }

    /// What the app had been told just before an entitlement went; of what went unseen, what it had been told since.
    private func cause(_ drop: GoodsTrail.Step?, since rise: GoodsTrail.Step, _ violation: Violation) -> String {
        let isSeen = drop?.isExact ?? false
        let revocation = story.goods.revocations.last { told in
            guard told.product == violation.product, told.moment.at >= rise.moment.at else { return false }
            guard let drop else { return true }
            return told.moment < drop.moment && (!isSeen || drop.moment.at - told.moment.at <= .seconds(1))
        }
        let others = isSeen ? story.launches.launches + story.goods.receipts.map(\.moment) : []
        let last = others.filter { $0.at == drop?.moment.at && $0.place < drop?.moment.place ?? 0 }
            .max { $0.place < $1.place }
        if let revocation, last.map({ $0 < revocation.moment }) ?? true {
            let what = revocation.transaction == violation.transaction ? "it" : "another purchase of it"
            return isSeen
                ? ", just after StoreKit revoked \(what)"
                : "; StoreKit revoked \(what) at \(clock(revocation.moment.at))"
        }
        guard let last else { return "" }
        return story.launches.launches.contains(last)
            ? ", as launch \(last.process) began" : ", just after a receipt arrived"
    }

    // MARK: Too late

    private func delay(_ violation: Violation) -> String {
        let warning = "a crash before that would have lost them"
        guard let product = violation.product, let id = violation.transaction,
            let finish = story.finishes(of: id).first?.moment
        else { return "the goods were stored only afterwards: \(warning)" }
        let arrival = story.arrival(of: id, after: finish)
        let trail = GoodsTrail(of: product, story, until: .never)
        guard let rise = trail.rises.first(where: { $0.moment == arrival }) else {
            return "the goods were stored only afterwards: \(warning)"
        }
        let isToldAgain = story.tellings(of: id).contains { finish < $0.moment && $0.moment < rise.moment }
        if let asked = story.restore(at: rise.moment)?.asked, asked.at > finish.at, !isToldAgain {
            return "the goods arrived only with the user's restore at \(clock(asked.at))"
        }
        let launch = rise.moment.process > finish.process ? ", in launch \(rise.moment.process)" : ""
        let isAtOnce = rise.moment.at == finish.at
        let when = rise.isExact && !isAtOnce ? when(rise.moment) : ""
        return "the goods were stored only \(isAtOnce ? "afterwards" : time(of: rise))\(launch)\(when): \(warning)"
    }

    // MARK: Restored

    func restoreIncomplete(_ violation: Violation) -> String {
        let end = "\(name(violation.product)) is not held at \(clock(violation.at))"
        guard let told = story.lastRestored(violation.product, until: violation.at) else {
            return "a restore succeeded, but \(end)"
        }
        let asked =
            story.restore(at: told.moment).map { " for the restore requested at \(clock($0.asked.at))" }
            ?? " with no restore in progress"
        let finish = story.queue.finishes.first {
            told.moment < $0.moment && $0.note.handle == told.note.handle
        }
        let finished = finish.map { finish in
            let isDelivered = story.goods.changes.contains {
                $0.product == violation.product && told.moment < $0.moment && $0.moment < finish.moment && $0.after > 0
            }
            return "the app finished it at \(clock(finish.moment.at))" + (isDelivered ? "" : " without granting it")
                + (story.crash(afterFinishOf: told).map { "; \(crash($0))" } ?? "")
        }
        let batch = story.queue.tellings.filter {
            $0.note.state == .restored && $0.moment.isWith(told.moment)
        }
        let place = 1 + batch.count { $0.moment < told.moment }
        let together = batch.count > 1 ? ", the \(ordinal(place)) of \(batch.count) in one call," : ""
        return "StoreKit delivered \(name(told.note)) as restored in launch \(told.moment.process) at "
            + "\(clock(told.moment.at))\(together)\(asked); \(finished ?? "the app never finished it"); \(end)"
    }

    // MARK: Too many

    func surplus(_ violation: Violation) -> String {
        guard case .goods(let expected, let held) = violation.finding, let product = violation.product else {
            return violation.rule.breach
        }
        let charged =
            expected == 0
            ? "but the store charged for none"
            : expected == held
                ? "and the store charged for \(expected), but goods arrived that no charge explains"
                : "but the store charged for only \(expected)"
        let sum = "\(held) × \(name(product)) \(held == 1 ? "is" : "are") held or used, \(charged)"
        let trail = GoodsTrail(of: product, story, until: violation.at)
        var parts: [String] = []
        if let unexplained = unexplained(trail) { parts.append(unexplained) }
        if violation.rule == .restoreOverreach, let growth = growth(trail) { parts.append(growth) }
        // Beside a restore a purchase is told only if it was told twice: else it has nothing to do with it.
        if let id = violation.transaction, let told = story(of: id),
            violation.rule != .restoreOverreach || parts.isEmpty || trail.tellings[id] ?? 0 > 1
        {
            parts.append("Transaction \(id.text): \(told)\(arrivals(for: id, trail))")
            if let repeated = repeatedPayments(id) { parts.append(repeated) }
        }
        if expected == held, let missed = story.undelivered(product, besides: violation.transaction),
            let told = story(of: missed)
        {
            parts.append("Transaction \(missed.text): \(told)")
        }
        return ([sum] + parts).joined(separator: ". ")
    }

    /// Payments that the store answered with this purchase, because its finish had not reached it (R22).
    private func repeatedPayments(_ id: TransactionID) -> String? {
        let payments = story.input.statement.attempts.filter { $0.outcome == .existing(id) }.map(\.payment.number)
        if payments.isEmpty { return nil }
        let noun = payments.count == 1 ? "payment" : "payments"
        return
            "The store answered \(noun) \(list(payments.map(String.init))) with transaction \(id.text) again, because "
            + "the finish of that transaction had not reached the store"
    }

    /// Goods that came when nothing of the product had been told as bought.
    private func unexplained(_ trail: GoodsTrail) -> String? {
        guard let first = trail.rises.first(where: { $0.transaction == nil }) else { return nil }
        let count = first.after - first.before
        return "\(count) arrived \(time(of: first))"
            + (trigger(of: first).map { ", \($0)" } ?? ", in launch \(first.moment.process)")
    }

    /// When goods of a transaction came: those that a telling explains, and those that none does.
    private func arrivals(for id: TransactionID, _ trail: GoodsTrail) -> String {
        let rises = trail.rises.filter { $0.transaction == id }
        guard rises.count > 1 else { return "" }
        let told = rises.filter(\.isTold)
        let untold = rises.filter { !$0.isTold }
        let came = told.isEmpty ? "" : "; its goods arrived at \(list(told.map { clock($0.moment.at) }))"
        guard let first = untold.first else { return came }
        return came
            + "; \(told.isEmpty ? "its goods" : "more goods") arrived at \(list(untold.map { clock($0.moment.at) })), without "
            + "a delivery by StoreKit"
            + (trigger(of: first).map { ", \(untold.count == 1 ? "" : "first ")\($0)" } ?? "")
    }

    /// What reached the app when goods came, or what it said then.
    private func trigger(of rise: GoodsTrail.Step) -> String? {
        guard rise.isExact else { return nil }
        let moment = rise.moment
        if let trigger = trigger(of: moment) { return trigger }
        // It is told of that before it is there.
        let isOfInstant: (Moment) -> Bool = { moment < $0 && $0.isWith(moment) }
        if story.launches.foregrounds.contains(where: isOfInstant) { return "as the app entered the foreground" }
        let answer = story.requests.answers.first { isOfInstant($0.moment) }
        return answer.map { "with its answer \"\(words(for: $0.note))\" to request \($0.note.number)" }
    }

    /// What was held before and after the restore in which goods came.
    private func growth(_ trail: GoodsTrail) -> String? {
        for rise in trail.rises {
            guard let asked = story.restore(at: rise.moment) else { continue }
            let last = trail.rises.last { story.restore(at: $0.moment)?.number == asked.number }
            return "\(rise.before) held before the restore of \(clock(asked.asked.at)), "
                + "\((last ?? rise).after) after it"
        }
        return nil
    }
}
