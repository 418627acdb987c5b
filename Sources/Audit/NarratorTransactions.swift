// A transaction's story: how it came about, when the app was told, when it was finished.
// Pure; any thread.

import Simulation

extension Narrator {
    func transaction(_ id: TransactionID?) -> StoreTransaction? {
        input.statement.transactions.first { $0.id == id }
    }

    /// A transaction from its charge to its finish.
    func story(of id: TransactionID) -> String? {
        guard let transaction = transaction(id) else { return nil }
        var story = TransactionStory(parts: [origin(of: transaction)])
        let isFinished = input.history.contains { $0.event.finish?.id == id }
        for (place, record) in input.history.enumerated() {
            switch record.event {
            case .told(let told):
                if told.id != id { continue }
                if record.process == story.told.last?.process {
                    if isFinished { story.again.append(clock(record.at)) }
                } else if isFinished || story.told.isEmpty {
                    story.add(telling(told, record, isFirst: story.told.isEmpty))
                }
                story.told.append(record)
            case .finishCalled(let finish):
                // Told again after a finish, it is finished again: that says nothing new.
                if finish.id != id || story.finishedIn == record.process { continue }
                story.add(
                    "finished at \(clock(record.at))"
                        + (hadDelivered(finish, record) ? "" : " without delivering" + occasion(ofFinishAt: place)))
                story.finishedIn = record.process
            case .crashed:
                guard isBetween(record, transaction) else { continue }
                let crash = "the app crashed at \(clock(record.at))"
                // It may crash over and over in one instant.
                if story.parts.last != crash { story.add(crash) }
            case .launched, .launchReturned, .willTerminate, .terminated, .backgrounded, .foregrounded, .reinstalled,
                .settlingBegan, .accountSwitched, .settled, .asked, .answered, .used, .observerAdded, .observerRemoved,
                .paymentAdded, .removedTold, .failureTold, .restoreCalled, .restoreFinishedTold, .restoreFailedTold,
                .receiptRefreshStarted, .receiptRefreshTold, .receiptRefreshFailedTold, .receiptArrived, .revokedTold,
                .promotionTapped, .promotionTold, .productsStarted, .productsTold, .productsFailedTold, .admitted,
                .requestLost, .answerLost, .posted, .postAnswered, .goods, .stored, .mainQueueHeld, .hung, .overworked,
                .calledOffLane, .raised, .foreignFinish:
                break
            }
        }
        if story.told.isEmpty {
            story.add("no observer was ever told")
        } else if !isFinished {
            story.add(neverFinished(story.told))
        } else {
            story.flush()
        }
        return story.parts.joined(separator: ", ")
    }

    /// What the store did, and for whose sake.
    private func origin(of transaction: StoreTransaction) -> String {
        let product = (transaction.quantity == 1 ? "" : "\(transaction.quantity) × ") + name(transaction.product)
        let time = "at \(clock(transaction.at))"
        switch transaction.origin {
        case .beforeRun:
            return "\(product) was bought before the run and "
                + (transaction.isOfThePast ? "finished" : "left unfinished")
        case .familySharing: return "the family shared \(product) \(time)"
        default: break
        }
        let kind = kind(of: transaction).map { ", \($0)," } ?? ""
        guard transaction.isCharged else {
            let isRenewed = transaction.origin == .renewal || transaction.origin == .offerCode
            return "\(product)\(kind) was \(isRenewed ? "bought" : "bought again") without a charge \(time)"
        }
        return "charged \(price(transaction.product, quantity: transaction.quantity)) for \(product)\(kind) \(time)"
    }

    /// What a transaction is that did not simply come of a payment of this device.
    private func kind(of transaction: StoreTransaction) -> String? {
        switch transaction.origin {
        case .renewal: return "a renewal"
        case .offerCode: return "redeemed with a code"
        case .outside: return "bought outside the app"
        case .interruption: return "once the account was mended"
        case .beforeRun, .familySharing: return nil
        case .payment: break
        }
        guard let payment = transaction.payment else { return nil }
        guard let added = added(Int32(payment.number)).flatMap({ input.history[$0].event.payment }) else {
            return "bought on another device"
        }
        if added.isPromoted { return "a promoted purchase" }
        let attempt = input.statement.attempts.first { $0.payment == payment }
        return attempt?.resolvedAt != nil && attempt?.completedBy == nil ? "once it was approved" : nil
    }

    /// Where a payment of this device was added.
    func added(_ payment: Int32) -> Int? { input.history.firstIndex { $0.event.payment?.payment == payment } }

    /// What else than a telling made the app finish a transaction.
    private func occasion(ofFinishAt place: Int) -> String {
        let finish = input.history[place]
        let isTold = input.history[..<place].contains {
            $0.at == finish.at && $0.process == finish.process && $0.event.telling != nil
        }
        return isTold ? "" : trigger(at: place).map { ", \($0)" } ?? ""
    }

    private func telling(_ told: DeviceEvent.TransactionNote, _ record: HistoryRecord, isFirst: Bool) -> String {
        // A free second purchase may come as something that was owned before.
        let asRestored = told.state == .restored ? " that it was restored" : ""
        if isFirst, wasAskedInItsLaunch(told, record) { return "observer told\(asRestored) at \(clock(record.at))" }
        let isFinished = input.history.contains { $0.process == record.process && $0.event.finish?.id == told.id }
        let isLost = isFinished && !waitsForAnswer(told, record) && !wasDelivered(told, record)
        return "told \(isFirst ? "" : "again ")in launch \(record.process) at \(clock(record.at)) to an observer"
            + asRestored + (isLost ? ", when no request was waiting for it" : "")
    }

    /// Whether the app had added the transaction's payment in the launch in which it is told.
    func wasAskedInItsLaunch(_ told: DeviceEvent.TransactionNote, _ record: HistoryRecord) -> Bool {
        guard let payment = told.payment else { return false }
        return input.history.contains { $0.process == record.process && $0.event.payment?.payment == payment }
    }

    private func neverFinished(_ told: [HistoryRecord]) -> String {
        var launches: [Int32] = []
        for record in told where record.process != launches.last { launches.append(record.process) }
        let place = input.history.firstIndex { $0 == told[0] } ?? 0
        let hasWritten = input.history[place...].contains { $0.event.isWrite && launches.contains($0.process) }
        return "never finished" + (launches.count > 1 ? ", although told in launches \(range(launches))" : "")
            + (hasWritten ? "" : "; nothing was written")
    }

    private func range(_ launches: [Int32]) -> String {
        guard let first = launches.first, let last = launches.last, launches.count > 2,
            Int(last - first) == launches.count - 1
        else { return list(launches.map(String.init)) }
        return "\(first) to \(last)"
    }

    /// `a, b and c`; of many the first ones and the last.
    func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        let shown = words.count > 5 ? Array(words.prefix(3)) + ["…"] : Array(words.dropLast())
        return "\(shown.joined(separator: ", ")) and \(last)"
    }

    // MARK: What went with it

    /// Whether the user waited for a purchase of this product in this launch when the transaction came.
    private func waitsForAnswer(_ told: DeviceEvent.TransactionNote, _ telling: HistoryRecord) -> Bool {
        var open: Set<Int32> = []
        for record in input.history {
            if record.at > telling.at { break }
            guard record.process == telling.process else { continue }
            if let question = record.event.question, question.kind == .purchase, question.product == told.product {
                open.insert(question.number)
            }
            if let answer = record.event.answer { open.remove(answer.number) }
        }
        return !open.isEmpty
    }

    /// Whether goods of the product were seen to grow in this launch after the transaction was told.
    private func wasDelivered(_ told: DeviceEvent.TransactionNote, _ telling: HistoryRecord) -> Bool {
        var before: Int?
        for record in input.history where record.process == telling.process {
            guard case .goods(told.product, let count) = record.event else { continue }
            if record.at >= telling.at, let before, count > before { return true }
            before = count
        }
        return false
    }

    /// Whether goods of the product were seen to grow between the telling and the finish, in that launch.
    func hadDelivered(_ finish: DeviceEvent.TransactionNote, _ call: HistoryRecord) -> Bool {
        var isTold = false
        var before = 0
        for record in input.history where record.at <= call.at && record.process == call.process {
            if case .goods(finish.product, let count) = record.event {
                if isTold, count > before { return true }
                before = count
            }
            if let told = record.event.telling, told.id == finish.id { isTold = true }
        }
        return false
    }

    private func isBetween(_ crash: HistoryRecord, _ transaction: StoreTransaction) -> Bool {
        guard crash.at >= transaction.at, transaction.payment != nil else { return false }
        let finish = input.history.first { $0.event.finish?.id == transaction.id }
        return finish.map { crash.at <= $0.at || crash.process == $0.process } ?? true
    }
}

/// The parts of a sentence about one transaction, in order of time.
private struct TransactionStory {
    var parts: [String]
    /// Its tellings so far.
    var told: [HistoryRecord] = []
    /// Tellings that are no part yet, because the next may join them.
    var again: [String] = []
    /// The launch it was last finished in.
    var finishedIn: Int32?

    mutating func add(_ part: String) {
        flush()
        parts.append(part)
    }

    mutating func flush() {
        if again.isEmpty { return }
        let last = again.removeLast()
        parts.append("told again at " + (again.isEmpty ? "" : again.joined(separator: ", ") + " and ") + last)
        again = []
    }
}
