// The story of one transaction: its charge, its tellings, its finish.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    /// A transaction from its charge to its finish.
    func story(of id: TransactionID) -> String? {
        guard let transaction = story.transaction(id) else { return nil }
        let finishes = story.finishes(of: id)
        let tellings = story.tellings(of: id)
        var telling = TransactionStory(parts: [origin(of: transaction)])
        for step in steps(of: transaction, tellings, finishes) {
            switch step {
            case .delivered(let told):
                if told.moment.process == telling.told.last?.moment.process {
                    if !finishes.isEmpty { telling.again.append(clock(told.moment.at)) }
                } else if !finishes.isEmpty || telling.told.isEmpty {
                    telling.add(words(for: told, of: transaction, after: telling))
                }
                telling.told.append(told)
            case .finished(let finish):
                // Told again after a finish, it is finished again: that says nothing new.
                if telling.finishedIn == finish.moment.process { continue }
                telling.add(
                    "\(finisher(finish.note) ?? "the app") finished it at \(clock(finish.moment.at))"
                        + undelivered(finish))
                telling.finishedIn = finish.moment.process
            case .crashed(let moment):
                let isFinished = telling.finishedIn == moment.process
                let writes = isFinished ? [] : writes(since: telling.told.last, until: moment)
                let crash = crash(moment, after: writes)
                if !writes.isEmpty { telling.isHalfDone = true }
                // It may crash over and over in one instant.
                if telling.parts.last != crash { telling.add(crash) }
            }
        }
        if telling.told.isEmpty {
            telling.add(neverDelivered(transaction) + unobserved(since: transaction.at))
        } else if finishes.isEmpty {
            telling.add(neverFinished(telling.told) + unobserved(since: transaction.at))
        } else {
            telling.flush()
        }
        return telling.parts.joined(separator: "; ")
    }

    /// S73: what StoreKit 2 hands over unverified is not for the app to deliver.
    private func neverDelivered(_ transaction: StoreTransaction) -> String {
        let unverified = input.events.first { record in
            if case .unverifiedDelivered(let note) = record.event { note.id == transaction.id } else { false }
        }
        guard let unverified else {
            // What is unfinished waits there, whether or not `updates` emits it at a launch (S2).
            return "StoreKit never delivered it"
                + (input.usesStoreKit2 ? ", and the app did not read it from Transaction.unfinished" : "")
        }
        return "StoreKit delivered it at \(clock(unverified.at)), not verified, and never verified"
    }

    /// What the app wrote in the launch in which it was told, up to the crash.
    private func writes(since told: QueueStory.Telling?, until crash: Moment) -> [GoodsStory.Write] {
        guard let told = told?.moment, told.process == crash.process else { return [] }
        return story.writes(after: told, before: crash)
    }

    /// What a crash left behind is what the next launch goes on from: what the app had written, what it was about to do,
    /// and what the device had not saved.
    func crash(_ moment: Moment, after writes: [GoodsStory.Write] = []) -> String {
        var words = "the app crashed at \(clock(moment.at))"
        if let last = writes.last {
            let earlier = writes.count - 1
            words += " after writing \(written(last))" + (earlier > 0 ? " and \(earlier) more before it" : "")
        }
        if let missed = story.missedEffect(of: moment) {
            let isAnother = missed.effect == .storageWrite && !writes.isEmpty
            words +=
                "\(writes.isEmpty ? "," : " and") just before "
                + (isAnother ? "another write" : missed.effect.words)
        }
        guard let loss = story.loss(by: moment) else { return words }
        return words
            + ", and lost \(lost(loss)), which the app had set in the user defaults and the system had not saved"
    }

    private enum Step {
        case delivered(QueueStory.Telling)
        case finished(QueueStory.Finish)
        case crashed(Moment)
    }

    /// In order of time, with the crashes between its charge and its finish.
    private func steps(
        of transaction: StoreTransaction, _ tellings: [QueueStory.Telling], _ finishes: [QueueStory.Finish]
    ) -> [Step] {
        var steps: [(moment: Moment, step: Step)] = tellings.map { ($0.moment, .delivered($0)) }
        steps += finishes.map { ($0.moment, .finished($0)) }
        let end = finishes.first?.moment
        for crash in story.launches.crashes where isBeforeTheGoods(crash, of: transaction, tellings) {
            if end.map({ crash.at <= $0.at || crash.process == $0.process }) ?? true {
                steps.append((crash, .crashed(crash)))
            }
        }
        return steps.sorted { $0.moment < $1.moment }.map(\.step)
    }

    /// A payment of this device is under way from its charge on; of what came otherwise the app knows once it is told.
    private func isBeforeTheGoods(
        _ crash: Moment, of transaction: StoreTransaction, _ tellings: [QueueStory.Telling]
    ) -> Bool {
        if transaction.payment != nil { return crash.at >= transaction.at }
        return tellings.contains { $0.moment < crash && $0.moment.process == crash.process }
    }

    /// What the store did, and for whose sake.
    private func origin(of transaction: StoreTransaction) -> String {
        let product = (transaction.quantity == 1 ? "" : "\(transaction.quantity) × ") + name(transaction.product)
        let time = "at \(clock(transaction.at))"
        switch transaction.origin {
        case .beforeRun:
            return "\(product) was bought before the run and "
                + (transaction.isOfThePast ? "finished" : "left unfinished")
        case .familySharing:
            return "a family member shared \(product) \(time)"
        case .payment, .interruption, .renewal, .offerCode, .outside: break
        }
        let kind = kind(of: transaction).map { ", \($0)," } ?? ""
        guard transaction.isCharged else {
            let isRenewed = transaction.origin == .renewal || transaction.origin == .offerCode
            return "\(product)\(kind) was \(isRenewed ? "bought" : "bought again") without a charge \(time)"
        }
        let offer = offer(of: transaction).map { ", \($0)\(kind.isEmpty ? "," : "")" } ?? ""
        return "the store charged \(price(of: transaction)) for \(product)\(offer)\(kind) \(time)"
    }

    /// `silver, a free trial,`
    func offered(_ transaction: StoreTransaction) -> String {
        name(transaction.product) + (offer(of: transaction).map { ", \($0)," } ?? "")
    }

    /// What a transaction is that did not simply come of a payment of this device.
    private func kind(of transaction: StoreTransaction) -> String? {
        switch transaction.origin {
        case .renewal: return "a renewal"
        case .offerCode: return "redeemed with an offer code"
        case .outside: return "bought outside the app"
        case .interruption: return "after the account problem was resolved"
        case .beforeRun, .familySharing: return nil
        case .payment: break
        }
        guard let payment = transaction.payment else { return nil }
        guard let added = story.requests.track(ofPayment: Int32(payment.number)) else {
            return "bought on another device"
        }
        if added.isPromoted { return "a promoted purchase" }
        let attempt = input.statement.attempts.first { $0.payment == payment }
        return attempt?.resolvedAt != nil && attempt?.completedBy == nil ? "after approval" : nil
    }

    /// That nothing had been delivered by a finish, and what else than a telling made the app finish it.
    private func undelivered(_ finish: QueueStory.Finish) -> String {
        if story.hadDelivered(finish) { return "" }
        func isOfInstant(_ moment: Moment) -> Bool {
            moment < finish.moment && moment.isWith(finish.moment)
        }
        let told = story.queue.tellings.last { isOfInstant($0.moment) }
        // What it wrote since StoreKit delivered this one.
        let own = told.flatMap { $0.note.id == finish.note.id ? $0.moment : nil }
        let hasCome = story.goods.changes.contains { change in
            change.product == finish.note.product && change.after > change.before && change.moment < finish.moment
                && own.map { $0 < change.moment } ?? false
        }
        let write = hasCome ? nil : own.flatMap { story.writes(after: $0, before: finish.moment).last }
        let how =
            write.map { " after writing \(written($0)), which added no \(name(finish.note.product))" }
            ?? " without granting it"
        return how + (told != nil ? "" : when(finish.moment))
    }

    private func words(
        for told: QueueStory.Telling, of transaction: StoreTransaction, after earlier: TransactionStory
    ) -> String {
        let isFirst = earlier.told.isEmpty
        // A free second purchase may come as something that was owned before.
        let asRestored = told.note.state == .restored ? " as restored" : ""
        let time = clock(told.moment.at)
        if isFirst, story.wasAskedInItsLaunch(told) { return "StoreKit delivered it\(asRestored) at \(time)" }
        // R22: what is unfinished comes again for a later payment.
        let later = told.note.payment.flatMap { Int($0) == transaction.payment?.number ? nil : $0 }
        return "StoreKit delivered it \(isFirst ? "" : "again ")in launch \(told.moment.process) at \(time)"
            + (later.map { " for payment \($0)" } ?? "") + asRestored
            + (!earlier.isHalfDone && story.cameToNobody(told) && story.crash(afterFinishOf: told) == nil
                ? ", while no request for it was pending" : "")
    }

    private func neverFinished(_ told: [QueueStory.Telling]) -> String {
        // What crashes at once has no time to finish anything.
        let heard = told.filter { telling in
            !story.launches.crashes.contains { $0.isWith(telling.moment) }
        }
        var launches: [Int32] = []
        for telling in heard.isEmpty ? told : heard where telling.moment.process != launches.last {
            launches.append(telling.moment.process)
        }
        let hasWritten = story.goods.writes.contains { write in
            told.contains { $0.moment < write.moment && $0.moment.isWith(write.moment) }
        }
        return "the app never finished it"
            + (launches.count > 1 ? ", although StoreKit delivered it in launches \(range(launches))" : "")
            + (hasWritten ? "" : "; the app wrote nothing when it was delivered") + strangeName(told)
    }

    /// That it was bought under another user name than what the app finishes.
    private func strangeName(_ told: [QueueStory.Telling]) -> String {
        let own = told.first?.note.id.flatMap { story.transaction($0) }
        let finished = story.queue.finishes.lazy.filter { $0.note.state == .purchased }
            .compactMap { story.transaction($0.note.id) }.first
        guard let own, let finished, own.applicationUsername != finished.applicationUsername else { return "" }
        func words(_ name: String?) -> String { name.map { "\"\($0)\"" } ?? "none" }
        return "; the applicationUsername of its payment is \(words(own.applicationUsername)); that of transaction "
            + "\(finished.id.text), which the app finished, is \(words(finished.applicationUsername))"
    }

    /// Launches without an observer.
    private func unobserved(since instant: Instant) -> String {
        let launches = story.unobservedLaunches.filter { $0.at >= instant }.map(\.process)
        if launches.isEmpty { return "" }
        let loop = input.usesStoreKit2 ? " and no loop over Transaction.updates was left" : ""
        return "; in \(named(launches)) no observer was on the queue\(loop)"
    }

    /// `launch 3`, `launches 4 to 7`
    func named(_ launches: [Int32]) -> String { (launches.count == 1 ? "launch " : "launches ") + range(launches) }

    private func range(_ launches: [Int32]) -> String {
        guard let first = launches.first, let last = launches.last, launches.count > 2,
            Int(last - first) == launches.count - 1
        else { return list(launches.map(String.init)) }
        return "\(first) to \(last)"
    }
}

/// The parts of a sentence about one transaction, in order of time.
private struct TransactionStory {
    var parts: [String]
    /// Its tellings so far.
    var told: [QueueStory.Telling] = []
    /// Tellings that are no part yet, because the next may join them.
    var again: [String] = []
    /// The app had written something when it crashed: what comes later may go on from there.
    var isHalfDone = false
    /// The launch it was last finished in.
    var finishedIn: Int32?

    mutating func add(_ part: String) {
        flush()
        parts.append(part)
    }

    mutating func flush() {
        if again.isEmpty { return }
        let last = again.removeLast()
        parts.append(
            "StoreKit delivered it again at " + (again.isEmpty ? "" : again.joined(separator: ", ") + " and ") + last)
        again = []
    }
}
