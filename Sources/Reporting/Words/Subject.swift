// Which lines of a timeline are about a violation.
// Values; any thread.

import Judgement
import Simulation

/// The places among the events that a violation's transaction, payments, request and goods have. What the store and StoreKit
/// do once a transaction is finished says nothing more of it.
struct Subject {
    private let violation: Violation
    private let story: UserStory
    /// Every payment that it may have come by.
    private var payments: Set<Int32> = []
    /// Its own, and where it is about a second payment, what the first led to.
    private var transactions: Set<TransactionID> = []
    private(set) var places: Set<Int> = []

    init(_ violation: Violation, _ story: UserStory) {
        self.violation = violation
        self.story = story
        payments = Set([violation.payment, violation.request?.payment].compactMap(\.self))
        payments.formUnion(story.payments(for: violation.request).map(\.token))
        if let paid = story.transaction(violation.transaction)?.payment { payments.insert(Int32(paid.number)) }
        addTransaction()
        addRequests()
        addRestores()
        addGoods()
        addLaunches()
        addMessages()
        addCrashes()
        if case .answers = violation.finding { addAnsweredInstants() }
        if [.observerLeak, .observerLeft].contains(violation.rule) {
            addObservers()
        } else if violation.rule.isOfAnAct {
            addInstant()
        }
    }

    /// Whether a line that names a transaction names this one.
    func isAbout(_ named: TransactionID?) -> Bool { named.map { transactions.contains($0) } ?? false }

    private mutating func add(_ moment: Moment) { places.insert(Int(moment.place)) }

    private func isInLaunch(_ moment: Moment) -> Bool { Int(moment.process) == violation.process }

    private mutating func addTransaction() {
        // Another payment may have been answered with the same purchase (R22).
        let tellings = violation.transaction.map { story.tellings(of: $0) } ?? []
        payments.formUnion(tellings.compactMap(\.note.payment))
        let payments = payments
        transactions = Set([violation.transaction].compactMap(\.self))
        if violation.rule == .unaskedCharge {
            for transaction in story.input.statement.transactions {
                if let paid = transaction.payment, payments.contains(Int32(paid.number)) {
                    transactions.insert(transaction.id)
                }
            }
        }
        func isMeant(_ note: DeviceEvent.TransactionNote) -> Bool {
            isAbout(note.id) || note.payment.map { payments.contains($0) } ?? false
        }
        for telling in story.queue.tellings where isMeant(telling.note) { add(telling.moment) }
        for finish in story.queue.finishes where isMeant(finish.note) { add(finish.moment) }
        for admission in story.queue.admissions where isAbout(admission.transaction) { add(admission.moment) }
        for failure in story.queue.failures where failure.payment.map({ payments.contains($0) }) ?? false {
            add(failure.moment)
        }
        for token in payments { if let track = story.requests.track(ofPayment: token) { add(track.added) } }
    }

    /// What the user asked for, and what they were told.
    private mutating func addRequests() {
        let numbers = Set(payments.compactMap { story.request(ofPayment: $0)?.number })
        for request in story.requests.all
        where numbers.contains(request.number) || request.number == violation.request?.number { add(request.asked) }
        for answer in story.requests.answers
        where numbers.contains(answer.note.number) || answer.note.number == violation.request?.number {
            add(answer.moment)
        }
        for fetch in story.requests.fetches
        where fetch.request == violation.request?.productsRequest && isInLaunch(fetch.began) {
            add(fetch.began)
            if let end = fetch.end { add(end.moment) }
        }
    }

    private mutating func addRestores() {
        let isOfRestores = violation.rule == .restoreOverreach || violation.rule == .restoreIncomplete
        for restore in story.requests.restores
        where isOfRestores || violation.request?.kind == .restore && isInLaunch(restore.called) {
            add(restore.called)
            if let end = restore.end { add(end.moment) }
        }
    }

    private mutating func addGoods() {
        for told in story.goods.revocations where told.product == violation.product { add(told.moment) }
        let other: ProductIndex?
        switch violation.finding {
        case .goods: other = nil
        case .mixedUp(let product): other = product
        case .none, .owed, .intentsUnread, .state, .answers, .answered, .answeredUnasked, .fetched, .restored,
            .promoted, .overworked,
            .observers, .raised, .died, .neverAsked, .held, .waited:
            if violation.rule != .finishedBeforeDelivery { return }
            other = nil
        }
        for change in story.goods.changes where change.product == violation.product || change.product == other {
            add(change.moment)
            // Noticed later than it came about: the app's write before it.
            if change.isExact || change.used > 0 { continue }
            if let write = story.goods.writes.last(where: { $0.moment < change.moment }) { add(write.moment) }
        }
        for moment in story.launches.reinstalls { add(moment) }
    }

    /// Of what happens to a process, or should have happened in it.
    private mutating func addLaunches() {
        switch violation.rule {
        case .staleEntitlement:
            for launch in story.launches.launches where launch.at > violation.at { add(launch) }
        case .unansweredRequest, .restoreUnreported:
            for change in story.launches.observers where isInLaunch(change.moment) && change.count == 0 {
                add(change.moment)
            }
            for moment in story.launches.backgrounds where isInLaunch(moment) && moment.at >= violation.at {
                add(moment)
            }
        case .stuckTransaction:
            for launch in story.unobservedLaunches { add(launch) }
        // The others are about transactions, requests and goods.
        default: break
        }
    }

    /// What was lost on its way.
    private mutating func addMessages() {
        guard violation.product != nil || violation.transaction != nil else { return }
        for (place, record) in story.input.events.enumerated() {
            guard case .lost(let lost) = record.event else { continue }
            let isOfProduct = lost.product != nil && lost.product == violation.product
            if lost.transaction.map({ isAbout($0) }) ?? isOfProduct { places.insert(place) }
        }
    }

    /// Of the launches in which its transaction was told, how far they had come when they crashed.
    private mutating func addCrashes() {
        var tellings = violation.transaction.map { story.tellings(of: $0) } ?? []
        if violation.rule == .restoreIncomplete {
            tellings += [story.lastRestored(violation.product, until: violation.at)].compactMap(\.self)
        }
        for telling in tellings {
            let crash = story.launches.crashes.first {
                telling.moment < $0 && $0.process == telling.moment.process
            }
            let finish = story.queue.finishes.first {
                telling.moment < $0.moment && $0.note.handle == telling.note.handle
            }
            // One that comes later than the finish has no part in it, unless the goods were still to come.
            let isOfGoods = crash != nil && crash == story.crash(afterFinishOf: telling)
            guard let crash, isOfGoods || finish.map({ crash < $0.moment }) ?? true else { continue }
            add(crash)
            if let loss = story.loss(by: crash) { add(loss.moment) }
            for write in story.writes(after: telling.moment, before: crash) { add(write.moment) }
        }
    }

    /// What the app was told just before it gave each of its answers.
    private mutating func addAnsweredInstants() {
        for answer in story.answers(to: violation.request) {
            let told = story.queue.tellings.last { $0.moment < answer.moment && $0.moment.isWith(answer.moment) }
            if let told { add(told.moment) }
        }
    }

    private mutating func addObservers() {
        for change in story.launches.observers where isInLaunch(change.moment) { add(change.moment) }
        for end in story.launches.ends where isInLaunch(end.moment) && end.moment.at == violation.at { add(end.moment) }
    }

    /// What reached the app in the instant of its act, and what it did then.
    private mutating func addInstant() {
        for place in story.places(at: violation.at, in: violation.process) {
            if case .goods = story.input.events[place].event { continue }
            places.insert(place)
        }
    }
}
