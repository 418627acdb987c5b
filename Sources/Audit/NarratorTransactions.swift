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
        let isFinished = input.history.contains { $0.kind == .finishCalled && $0.other == id.number }
        for record in input.history {
            switch record.kind {
            case .told where record.other == id.number:
                if record.process == story.told.last?.process {
                    if isFinished { story.again.append(clock(record.at)) }
                } else if isFinished || story.told.isEmpty {
                    story.add(telling(record, isFirst: story.told.isEmpty))
                }
                story.told.append(record)
            case .finishCalled where record.other == id.number:
                // Told again after a finish, it is finished again: that says nothing new.
                if story.finishedIn == record.process { continue }
                story.add("finished at \(clock(record.at))" + (hadDelivered(record) ? "" : " without delivering"))
                story.finishedIn = record.process
            case .crashed where isBetween(record, transaction):
                let crash = "the app crashed at \(clock(record.at))"
                // It may crash over and over in one instant.
                if story.parts.last != crash { story.add(crash) }
            default: break
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
        let added = input.history.first { $0.kind == .paymentAdded && $0.number == Int64(payment.number) }
        guard let added else { return "bought on another device" }
        if added.other == HistoryRecord.promotedPayment { return "a promoted purchase" }
        let attempt = input.statement.attempts.first { $0.payment == payment }
        return attempt?.resolvedAt != nil && attempt?.completedBy == nil ? "once it was approved" : nil
    }

    private func telling(_ record: HistoryRecord, isFirst: Bool) -> String {
        // A free second purchase may come as something that was owned before.
        let asRestored = record.code == TransactionState.restored.rawValue ? " that it was restored" : ""
        if isFirst, wasAskedInItsLaunch(record) { return "observer told\(asRestored) at \(clock(record.at))" }
        let isFinished = input.history.contains {
            $0.kind == .finishCalled && $0.other == record.other && $0.process == record.process
        }
        let isLost = isFinished && !waitsForAnswer(record) && !wasDelivered(record)
        return "\(isFirst ? "" : "re")delivered in launch \(record.process) at \(clock(record.at)) to an observer"
            + asRestored + (isLost ? ", when no request was waiting for it" : "")
    }

    /// Whether the app had added the transaction's payment in the launch in which it is told.
    func wasAskedInItsLaunch(_ told: HistoryRecord) -> Bool {
        input.history.contains {
            $0.kind == .paymentAdded && $0.process == told.process && $0.number == Int64(told.payment)
                && told.payment != 0
        }
    }

    private func neverFinished(_ told: [HistoryRecord]) -> String {
        var launches: [Int32] = []
        for record in told where record.process != launches.last { launches.append(record.process) }
        let place = input.history.firstIndex { $0 == told[0] } ?? 0
        let hasWritten = input.history[place...].contains { $0.kind == .stored && launches.contains($0.process) }
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

    private func isBetween(_ crash: HistoryRecord, _ transaction: StoreTransaction) -> Bool {
        guard crash.at >= transaction.at, transaction.payment != nil else { return false }
        let finish = input.history.first { $0.kind == .finishCalled && $0.other == transaction.id.number }
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
