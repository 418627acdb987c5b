// The one sentence that tells a violation.
// Pure; any thread.

import Simulation

extension Narrator {
    /// What happened, in plain English.
    package func sentence(_ violation: Violation) -> String {
        let product = name(violation.product)
        switch violation.rule {
        case .lostPurchase, .wrongProduct, .finishedBeforeDelivery, .stuckTransaction:
            guard let id = violation.transaction, let story = story(of: id) else {
                return "\(violation.rule.breach): \(product), \(at(violation))"
            }
            return story + ending(violation)
        case .duplicateDelivery, .unpaidDelivery, .restoreOverreach:
            return goods(violation) + duplicateStory(violation)
        case .unansweredRequest:
            let detail =
                violation.finding == .neverAsked
                ? "the app went on running, and never even asked StoreKit" : "StoreKit told the app how it ended"
            return "\(request(violation)) of \(clock(violation.at)) was never answered, although \(detail)"
        case .answeredTwice:
            guard case .answers(let count) = violation.finding else { return violation.rule.breach }
            return "\(request(violation)) was answered \(count) times, first at \(clock(violation.at))"
        case .wrongAnswer, .cancelAsError: return wrongAnswer(violation)
        case .unaskedCharge: return unaskedCharge(violation)
        case .ignoredPromotion: return ignoredPromotion(violation)
        case .unaskedRestore:
            return "the app asked for earlier purchases at \(clock(violation.at)), in launch "
                + "\(violation.process ?? 0), while its user was asking for nothing: a password prompt out of the blue"
        case .deafAfterBackground:
            return "the app came to the foreground at \(clock(violation.at)), in launch \(violation.process ?? 0), "
                + "and no observer was on the queue a second later"
        case .clientLivelock:
            guard case .overworked(let asked, let done) = violation.finding else { return violation.rule.breach }
            return "within a second before \(clock(violation.at)), and with nobody touching it, the app did "
                + "\(done) things, \(asked) of them calls of StoreKit or of a server: the system ended it"
        case .restoreIncomplete:
            return "a restore ended well, and \(product) is not held at \(clock(violation.at))"
        case .restoreUnreported:
            return "the restore asked for at \(clock(violation.at)) ended, and the user was never told"
        case .staleEntitlement: return staleEntitlement(violation)
        case .unobservedLaunch:
            return
                "launch \(violation.process ?? 0) returned at \(clock(violation.at)) without an observer on the queue"
        case .observerLeak:
            guard case .observers(let count) = violation.finding else { return violation.rule.breach }
            return "in launch \(violation.process ?? 0) \(self.count(Int64(count), "observer")) stood on the queue at "
                + "\(clock(violation.at)): one may be there while the app runs, and none when it ends"
        case .illegalFinish:
            return "finishTransaction was called at \(clock(violation.at)) on \(illegal(violation))"
        case .clientCrash:
            guard case .raised(let exception) = violation.finding else { return violation.rule.breach }
            return "the client raised \(exception) at \(clock(violation.at)); on a phone the app would have crashed"
        case .mainQueueBlocked:
            guard case .held(let time, let limit, let call) = violation.finding else { return violation.rule.breach }
            return "\(words(for: call)) held the main queue for \(duration(time.nanoseconds)) before "
                + "\(clock(violation.at)), where \(duration(limit.nanoseconds)) are allowed"
        case .clientHang:
            guard case .waited(let time, let call) = violation.finding else { return violation.rule.breach }
            return "the client had not come back from \(words(for: call)), begun at \(clock(violation.at)), after "
                + "\(duration(time.nanoseconds)) of real time"
        case .leftItsQueue:
            return "the client called StoreKit from outside its device's queue at \(clock(violation.at))"
        }
    }

    private func at(_ violation: Violation) -> String { "at \(clock(violation.at))" }

    /// A transaction from its charge to its finish.
    private func story(of id: TransactionID) -> String? {
        guard let transaction = input.statement.transactions.first(where: { $0.id == id }) else { return nil }
        var parts: [String] = []
        let product = name(transaction.product)
        if transaction.origin == .beforeRun {
            parts.append("\(product) was bought before the run and left unfinished")
        } else if transaction.isCharged {
            parts.append(
                "charged \(price(transaction.product, quantity: transaction.quantity)) for "
                    + (transaction.quantity == 1 ? "" : "\(transaction.quantity) × ")
                    + "\(product) at \(clock(transaction.at))")
        } else {
            parts.append("\(product) was bought again without a charge at \(clock(transaction.at))")
        }
        var toldInProcess: Int32 = 0
        for record in input.history {
            switch record.kind {
            case .told where record.other == id.number:
                parts.append(telling(record, earlier: toldInProcess))
                toldInProcess = record.process
            case .finishCalled where record.other == id.number:
                parts.append("finished at \(clock(record.at))" + (hadDelivered(record) ? "" : " without delivering"))
            case .crashed where isBetween(record, transaction, toldInProcess):
                parts.append("the app crashed at \(clock(record.at))")
            default: break
            }
        }
        if toldInProcess == 0 { parts.append("no observer was ever told") }
        return parts.joined(separator: ", ")
    }

    private func telling(_ record: HistoryRecord, earlier: Int32) -> String {
        // A free second purchase may come as something that was owned before.
        let asRestored = record.code == TransactionState.restored.rawValue ? " that it was restored" : ""
        let isRedelivery = earlier != 0 && earlier != record.process
        if isRedelivery || !wasAskedInItsLaunch(record) {
            let isLost = !waitsForAnswer(record) && !wasDelivered(record)
            let nobody = isLost ? ", when no request was waiting for it" : ""
            return
                "redelivered in launch \(record.process) at \(clock(record.at)) to an observer\(asRestored)\(nobody)"
        }
        return "observer told\(asRestored) at \(clock(record.at))"
    }

    /// Whether the app had added the transaction's payment in the launch in which it is told.
    func wasAskedInItsLaunch(_ told: HistoryRecord) -> Bool {
        input.history.contains {
            $0.kind == .paymentAdded && $0.process == told.process && $0.number == Int64(told.payment)
                && told.payment != 0
        }
    }

    /// Whether the user waited for a purchase of this product in this launch when the transaction came.
    private func waitsForAnswer(_ told: HistoryRecord) -> Bool {
        var open: Set<Int64> = []
        for record in input.history {
            if record.at > told.at { break }
            guard record.process == told.process else { continue }
            if record.kind == .purchaseAsked, record.product == told.product { open.insert(record.number) }
            if record.kind == .purchaseAnswered { open.remove(record.number) }
        }
        return !open.isEmpty
    }

    /// Whether goods of the product were seen to grow in this launch after the transaction was told.
    private func wasDelivered(_ told: HistoryRecord) -> Bool {
        var before: Int64?
        for record in input.history
        where record.process == told.process && record.kind == .goods && record.product == told.product {
            if record.at >= told.at, let before, record.number > before { return true }
            before = record.number
        }
        return false
    }

    /// Whether goods of the product were seen to grow between the telling and the finish, in that launch.
    func hadDelivered(_ finish: HistoryRecord) -> Bool {
        var toldAt: Instant?
        var before: Int64 = 0
        for record in input.history where record.at <= finish.at && record.process == finish.process {
            if record.kind == .goods, record.product == finish.product {
                if toldAt != nil, record.number > before { return true }
                before = record.number
            }
            if record.kind == .told, record.other == finish.other { toldAt = record.at }
        }
        return false
    }

    private func isBetween(_ crash: HistoryRecord, _ transaction: StoreTransaction, _ told: Int32) -> Bool {
        guard crash.at >= transaction.at, transaction.payment != nil else { return false }
        let finish = input.history.first { $0.kind == .finishCalled && $0.other == transaction.id.number }
        return finish.map { crash.at <= $0.at || crash.process == $0.process } ?? true
    }

    private func ending(_ violation: Violation) -> String {
        switch (violation.rule, violation.finding) {
        case (.lostPurchase, .goods(let expected, let held)):
            let wasDeleted = input.history.contains { $0.kind == .reinstalled && $0.at == violation.at }
            return "; \(held) of \(expected) goods "
                + (wasDeleted ? "were held when the app was deleted" : "are held at the end")
        case (.wrongProduct, .goods(let expected, let held)):
            return "; the app delivered \(held) of \(expected) goods of \(name(violation.product))"
        case (.wrongProduct, .mixedUp(let other)):
            return "; the app delivered \(name(other)) for it"
        case (.finishedBeforeDelivery, _):
            return "; the goods became durable only afterwards: a crash in between would have lost them"
        case (.stuckTransaction, .state(let state)):
            return "; after the final relaunch it is still on the queue, \(state)"
        default: return ""
        }
    }

    private func goods(_ violation: Violation) -> String {
        guard case .goods(let expected, let held) = violation.finding else { return violation.rule.breach }
        let charged = expected == 0 ? "nothing was charged for it" : "only \(expected) were charged for"
        return "\(held) of \(name(violation.product)) \(held == 1 ? "is" : "are") held or used, and \(charged)"
    }

    private func duplicateStory(_ violation: Violation) -> String {
        guard let id = violation.transaction, let story = story(of: id) else { return "" }
        return ": \(story)"
    }

    private func illegal(_ violation: Violation) -> String {
        if case .state(let state) = violation.finding { return "a transaction that is \(state)" }
        return "a transaction that is not on this app's queue"
    }
}
