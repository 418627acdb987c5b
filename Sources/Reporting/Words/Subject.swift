// Which lines of a timeline are about a violation.
// Values; any thread.

import Audit
import Simulation

/// The places in a history that a violation's transaction, payment, request and goods have.
struct Subject {
    private let transaction: TransactionID?
    private(set) var places: Set<Int> = []

    init(_ violation: Violation, _ story: UserStory) {
        transaction = violation.transaction
        let payment =
            violation.request?.payment
            ?? story.transaction(transaction)?.payment.map { Int32($0.number) }
        addTransaction(payment, story)
        addRequest(violation, story)
        if case .goods = violation.finding { addGoods(violation, story) }
        for told in story.goods.revocations where told.product == violation.product { add(told.moment) }
        addInstant(violation, story)
    }

    /// Whether a line that names a transaction names this one.
    func isAbout(_ named: TransactionID?) -> Bool { transaction != nil && named == transaction }

    private mutating func add(_ moment: Moment) { places.insert(Int(moment.place)) }

    private mutating func addTransaction(_ payment: Int32?, _ story: UserStory) {
        func isMeant(_ note: DeviceEvent.TransactionNote) -> Bool {
            isAbout(note.id) || note.payment != nil && note.payment == payment
        }
        for telling in story.queue.tellings where isMeant(telling.note) { add(telling.moment) }
        for finish in story.queue.finishes where isMeant(finish.note) { add(finish.moment) }
        for removal in story.queue.removals where isAbout(removal.note.id) { add(removal.moment) }
        for admission in story.queue.admissions where isAbout(admission.transaction) { add(admission.moment) }
        guard let payment else { return }
        for failure in story.queue.failures where failure.payment == payment { add(failure.moment) }
        if let track = story.requests.track(ofPayment: payment) { add(track.added) }
    }

    private mutating func addRequest(_ violation: Violation, _ story: UserStory) {
        func isInLaunch(_ moment: Moment) -> Bool { Int(moment.process) == violation.process }
        if let asked = story.request(violation.request)?.asked { add(asked) }
        for answer in story.answers(to: violation.request) { add(answer.moment) }
        for payment in story.payments(for: violation.request) { add(payment.added) }
        for fetch in story.requests.fetches
        where fetch.request == violation.request?.productsRequest && isInLaunch(fetch.began) {
            add(fetch.began)
            if let end = fetch.end { add(end.moment) }
        }
        let isOfRestores = violation.rule == .restoreOverreach || violation.rule == .restoreIncomplete
        for restore in story.requests.restores
        where isOfRestores || violation.request?.kind == .restore && isInLaunch(restore.called) {
            add(restore.called)
            if let end = restore.end { add(end.moment) }
        }
    }

    /// Of rules about goods the goods are the story.
    private mutating func addGoods(_ violation: Violation, _ story: UserStory) {
        for change in story.goods.changes where change.product == violation.product { add(change.moment) }
        for moment in story.launches.reinstalls { add(moment) }
    }

    /// What reached the app in the instant of its act, and what it did then.
    private mutating func addInstant(_ violation: Violation, _ story: UserStory) {
        guard violation.rule.isOfAnAct else { return }
        for place in story.places(at: violation.at, in: violation.process) {
            if case .goods = story.input.history[place].event { continue }
            places.insert(place)
        }
    }
}
