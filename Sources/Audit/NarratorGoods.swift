// What became of goods: lost, doubled, gone again, there too late.
// Pure; any thread.

import Simulation

extension Narrator {
    /// What a transaction's story ends with.
    func ending(_ violation: Violation) -> String {
        switch (violation.rule, violation.finding) {
        case (.lostPurchase, .goods(let expected, let held)): return "; " + loss(violation, expected, held)
        case (.wrongProduct, .goods(let expected, let held)):
            return "; the app delivered \(held) of \(expected) goods of \(name(violation.product))"
        case (.wrongProduct, .mixedUp(let other)):
            return "; the app delivered \(name(other)) for it"
        case (.finishedBeforeDelivery, _): return "; " + delay(violation)
        case (.stuckTransaction, .state(let state)):
            return "; after the final relaunch it is still on the queue, \(state)"
        default: return ""
        }
    }

    // MARK: Lost

    private func loss(_ violation: Violation, _ expected: Int, _ held: Int) -> String {
        let wasDeleted = input.history.contains { $0.event == .reinstalled && $0.at == violation.at }
        let count =
            "\(held) of \(expected) goods "
            + (wasDeleted ? "were held when the app was deleted" : "are held at the end")
        guard let product = violation.product, let id = violation.transaction,
            let told = input.history.firstIndex(where: { $0.event.telling?.id == id })
        else { return count }
        let trail = GoodsTrail(of: product, story, until: violation.at)
        let isEntitlement = input.catalog[product].kind.isEntitlement
        return isEntitlement
            ? lostEntitlement(violation, trail, told: told, wasDeleted: wasDeleted) ?? count
            : count + lostBalance(violation, trail, told: told, wasDeleted: wasDeleted)
    }

    private func lostBalance(_ violation: Violation, _ trail: GoodsTrail, told: Int, wasDeleted: Bool) -> String {
        if let drop = trail.drops.last, drop.place > told {
            return ": the app's \(drop.before) became \(drop.after) \(time(of: drop))"
        }
        let left = violation.product.map { input.held[$0] } ?? 0
        if !wasDeleted, let rise = trail.rises.last, trail.held > left {
            return ": the app had \(trail.held) after \(clock(rise.at)), and has \(left) left"
        }
        let first = input.history[told]
        let others = input.history.compactMap { record -> String? in
            guard record.at == first.at, record.process == first.process, let other = record.event.telling,
                let id = other.id, other.product == first.event.product, id != first.event.telling?.id
            else { return nil }
            return id.text
        }
        let came = trail.rises.filter { $0.at == first.at && $0.place > told }.reduce(0) { $0 + $1.after - $1.before }
        if others.isEmpty || came == 0 { return "" }
        return ": told together with \(others.count == 1 ? "transaction" : "transactions") \(list(others)), "
            + "and \(came) came for \(others.count == 1 ? "both" : "all of them")"
    }

    /// Nil if it was never there.
    private func lostEntitlement(
        _ violation: Violation, _ trail: GoodsTrail, told: Int, wasDeleted: Bool
    ) -> String? {
        guard let rise = trail.rises.last else { return nil }
        if let drop = trail.drops.last, drop.place > told {
            if drop.place < rise.place { return nil }
            let end = rise.at == drop.at ? "gone in the same instant" : "gone \(time(of: drop))"
            let cause = cause(drop, since: rise, violation)
            let own = drop.isExact ? ", by a write of the app's own" : ""
            return "held from \(clock(rise.at)), \(end)\(cause.isEmpty ? own : cause)"
        }
        guard !wasDeleted, trail.held > 0 else { return nil }
        // Not noticed when it went. If there was but one other write, it was that.
        let writes = input.history.indices[rise.place...].filter { place in
            guard input.history[place].event.isWrite, place + 1 < input.history.endIndex else { return false }
            let next = input.history[place + 1].event
            return !next.isUse && !next.isGoods && next.finish == nil
        }
        let end =
            writes.count == 1 ? "gone after the app wrote at \(clock(input.history[writes[0]].at))" : "gone at the end"
        return "held from \(clock(rise.at)), \(end)\(cause(nil, since: rise, violation))"
    }

    private func time(of change: GoodsTrail.Step) -> String {
        (change.isExact ? "at " : "by ") + clock(change.at)
    }

    /// What the app had been told just before an entitlement went; of what went unseen, what it had been told since.
    private func cause(_ drop: GoodsTrail.Step?, since rise: GoodsTrail.Step, _ violation: Violation) -> String {
        let end = drop?.place ?? input.history.endIndex
        let isSeen = drop?.isExact ?? false
        let last = input.history[..<end].last { record in
            if let revocation = record.event.revocation {
                return revocation.product == violation.product && record.at >= rise.at
                    && (!isSeen || (drop?.at ?? .never) - record.at <= .seconds(1))
            }
            return isSeen && record.at == drop?.at && (record.event.isReceipt || record.event == .launched)
        }
        guard let last else { return "" }
        if let revocation = last.event.revocation {
            let what = revocation.transaction == violation.transaction ? "it" : "another purchase of it"
            return (isSeen ? ", just after the app was told" : "; the app was told at \(clock(last.at))")
                + " that \(what) was taken back"
        }
        return last.event == .launched ? ", as launch \(last.process) began" : ", just after a receipt came"
    }

    // MARK: Too late

    private func delay(_ violation: Violation) -> String {
        let warning = "a crash in between would have lost them"
        guard let product = violation.product, let id = violation.transaction,
            let finish = input.history.firstIndex(where: { $0.event.finish?.id == id })
        else { return "the goods became durable only afterwards: \(warning)" }
        let trail = GoodsTrail(of: product, story, until: .never)
        guard let rise = trail.rises.first(where: { $0.place > finish }) else {
            return "the goods became durable only afterwards: \(warning)"
        }
        let isToldAgain = input.history[finish..<rise.place].contains { $0.event.telling?.id == id }
        if let asked = restore(at: rise.place), asked.at > input.history[finish].at, !isToldAgain {
            return "the goods came only with the user's restore at \(clock(asked.at))"
        }
        let isLater = rise.process > input.history[finish].process
        let launch = isLater ? ", in launch \(rise.process)" : ""
        let isAtOnce = rise.at == input.history[finish].at
        let when = rise.isExact && !isAtOnce ? trigger(at: rise.place).map { ", \($0)" } ?? "" : ""
        return "the goods became durable only \(isAtOnce ? "afterwards" : time(of: rise))\(launch)\(when): \(warning)"
    }

    /// The user's restore that was under way at a place in the history.
    private func restore(at place: Int) -> HistoryRecord? {
        var asked: HistoryRecord?
        for record in input.history[..<place] {
            if record.event.question?.kind == .restore { asked = record }
            if record.event == .launched || record.event.answer?.kind == .restore { asked = nil }
        }
        return asked
    }

    // MARK: Restored

    func restoreIncomplete(_ violation: Violation) -> String {
        let end = "and \(name(violation.product)) is not held at \(clock(violation.at))"
        let tellings = input.history.indices.filter {
            guard input.history[$0].at <= violation.at, let told = input.history[$0].event.telling else { return false }
            return told.state == .restored && told.product == violation.product
        }
        guard let last = tellings.last, let told = input.history[last].event.telling else {
            return "a restore ended well, \(end)"
        }
        let record = input.history[last]
        let asked =
            restore(at: last).map { " of the restore asked for at \(clock($0.at))" } ?? ", with no restore under way"
        let finish = input.history[last...].firstIndex { $0.event.finish?.handle == told.handle }
        let finished = finish.map { place -> String in
            let isDelivered = input.history[last...place].contains {
                if case .goods(told.product, let count) = $0.event { count > 0 } else { false }
            }
            return ", finished at \(clock(input.history[place].at))" + (isDelivered ? "" : " without delivering")
        }
        return "\(name(told)) was told as restored in launch \(record.process) at \(clock(record.at))\(asked)"
            + "\(finished ?? ", never finished"), \(end)"
    }

    // MARK: Too many

    func surplus(_ violation: Violation) -> String {
        guard case .goods(let expected, let held) = violation.finding, let product = violation.product else {
            return violation.rule.breach
        }
        let charged =
            expected == 0
            ? "nothing was charged for it" : "only \(expected) \(expected == 1 ? "was" : "were") charged for"
        let sum = "\(held) of \(name(product)) \(held == 1 ? "is" : "are") held or used, and \(charged)"
        let trail = GoodsTrail(of: product, story, until: violation.at)
        var parts: [String] = []
        if violation.rule == .restoreOverreach, let growth = growth(trail) { parts.append(growth) }
        // Beside a restore a purchase is told only if it was told twice: else it has nothing to do with it.
        if let id = violation.transaction, let story = story(of: id),
            parts.isEmpty || trail.tellings[id] ?? 0 > 1
        {
            parts.append("transaction \(id.text), \(story)\(arrivals(for: id, trail))")
        }
        return ([sum] + [parts.joined(separator: "; ")].filter { !$0.isEmpty }).joined(separator: ": ")
    }

    /// When goods of a transaction came: those that a telling explains, and those that none does.
    private func arrivals(for id: TransactionID, _ trail: GoodsTrail) -> String {
        let rises = trail.rises.filter { $0.transaction == id }
        guard rises.count > 1 else { return "" }
        let told = rises.filter(\.isTold)
        let untold = rises.filter { !$0.isTold }
        let came = told.isEmpty ? "" : "; goods of it came at \(list(told.map { clock($0.at) }))"
        guard let first = untold.first else { return came }
        return came + "; goods came\(told.isEmpty ? "" : " once more") at \(list(untold.map { clock($0.at) })), with "
            + "nothing told to bring them" + (occasion(of: first).map { ": \($0)" } ?? "")
    }

    /// What reached the app when goods came, or what it said then.
    private func occasion(of rise: GoodsTrail.Step) -> String? {
        guard rise.isExact else { return nil }
        if let trigger = trigger(at: rise.place) { return "at \(clock(rise.at)) \(trigger)" }
        let after = input.history[rise.place...].prefix { $0.at == rise.at && $0.process == rise.process }
        // It is told of that before it is there.
        if after.contains(where: { $0.event == .foregrounded }) {
            return "at \(clock(rise.at)) as the app came to the foreground"
        }
        let answer = after.lazy.compactMap(\.event.answer).first
        return answer.map {
            "at \(clock(rise.at)) with its answer \"\(words(for: $0))\" to request \($0.number)"
        }
    }

    /// What was held before and after the restore in which goods came.
    private func growth(_ trail: GoodsTrail) -> String? {
        for rise in trail.rises {
            guard let asked = restore(at: rise.place) else { continue }
            let after = trail.rises.last { restore(at: $0.place) == asked }?.after ?? rise.after
            return "\(rise.before) held before the restore of \(clock(asked.at)), \(after) after it"
        }
        return nil
    }
}
