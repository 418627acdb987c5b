// Durations and counts of one user: a story, into the tally.
// Values; confined to their owner.

import Metrics
import Simulation

/// Turns the story of a device into samples.
struct Measures {
    private let story: UserStory
    private let tally: Tally
    /// Whose story it is: the load entry and the device.
    private let whose: SampleOrigin
    /// What began before it is no part of durations and success rates.
    private let warmUp: Instant
    /// What comes after it belongs to the settling: it counts, but has no place in the run's time.
    private let settling: Moment?

    /// - Parameter warmUp: until when the run warms up.
    init(_ story: UserStory, of whose: SampleOrigin, warmUp: Instant, into tally: Tally) {
        self.story = story
        self.tally = tally
        self.whose = whose
        self.warmUp = warmUp
        settling = story.launches.settling
    }

    /// Everything, of a user who has been judged.
    ///
    /// - Parameters:
    ///   - wasBrokenOff: the user's last journey was broken off: what the app had not answered by then says nothing.
    ///   - failures: when requests of the device failed.
    func measure(wasBrokenOff: Bool, failures: [Instant]) {
        measureEvents()
        measureBooks()
        for instant in failures { happened(.requestsFailed, at: instant, nil, isOfRun: isOfRun(instant)) }
        for request in story.requests.all where request.answered == nil {
            if wasBrokenOff, request.process == settling?.process { continue }
            if request.kind == .purchase { ended(.purchaseSuccess, request, passed: false) }
            if request.kind == .restore { ended(.restoreSuccess, request, passed: false) }
        }
    }

    /// What a part of the events tells by itself: without the store's books, and without a word of what has not been
    /// answered yet.
    func measureEvents() {
        for launch in story.launches.launches { happened(.launches, at: launch, nil) }
        for crash in story.launches.crashes { happened(.crashes, at: crash, nil) }
        for request in story.requests.all { measure(request) }
        for payment in story.requests.payments { measure(payment) }
        measureTellings()
        for finish in story.queue.finishes {
            guard let since = finish.deliverableSince else { continue }
            sample(.deliveryDuration, from: since, to: finish.moment.at, finish.note.product)
        }
        for removal in story.queue.removals {
            guard let since = removal.finishedAt else { continue }
            sample(.finishDuration, from: since, to: removal.moment.at, removal.note.product)
        }
        for arrival in story.goods.arrivals {
            guard let request = arrival.request else { continue }
            both(.goodsDuration, story.requests.all[request], until: arrival.moment.at)
        }
        for validation in story.launches.validations {
            guard let confirmedAt = validation.confirmedAt else { continue }
            sample(.validationDuration, from: validation.moment.at, to: confirmedAt, nil)
        }
    }

    private func measureBooks() {
        let statement = story.input.statement
        for transaction in statement.transactions where transaction.isCharged && transaction.origin != .beforeRun {
            happened(.purchases, at: transaction.at, transaction.product, isOfRun: isOfRun(transaction.at))
        }
        for attempt in statement.attempts {
            if let sheet = attempt.sheetAt, let decided = attempt.decidedAt {
                sample(.authorizationDuration, from: sheet, to: decided, attempt.product)
            }
            guard attempt.outcome == .interrupted, let completed = attempt.completedBy,
                let began = attempt.decidedAt ?? attempt.sheetAt,
                let transaction = statement.transactions.first(where: { $0.id == completed })
            else { continue }
            sample(.interruptionWait, from: began, to: transaction.at, transaction.product)
        }
    }

    private func measure(_ request: RequestTrack) {
        if request.kind == .fetch { happened(.productsFetches, at: request.asked, nil) }
        if request.kind == .restore { happened(.restores, at: request.asked, nil) }
        guard let answered = request.answered, let answer = request.answer else { return }
        if let decided = request.decided { sample(.answerDelay, from: decided, to: answered.at, request.product) }
        switch request.kind {
        case .fetch: both(.productsFetchDuration, request, until: answered.at)
        case .restore:
            both(.restoreDuration, request, until: answered.at)
            ended(.restoreSuccess, request, passed: answer == .restored || answer == .nothingToRestore)
        case .purchase: ended(.purchaseSuccess, request, passed: answer == .purchased)
        }
    }

    private func measure(_ payment: PaymentTrack) {
        if let deferred = payment.deferredAt, let end = payment.approvalEndedAt {
            sample(.approvalWait, from: deferred, to: end, payment.product)
        }
        guard let end = payment.outcomeAt, let outcome = PaymentOutcome(payment.outcome) else { return }
        let began = payment.added.at
        func source() -> SampleOrigin {
            var origin = origin(began, payment.product)
            origin.outcome = outcome
            return origin
        }
        // A deferred purchase has been answered: the time until its approval is no latency of the app's.
        let duration = (end.at - began).nanoseconds
        let attempts = story.input.statement.attempts[story.requests.attempts(ofPayment: payment.token)]
        // The device answered of its own (R22): of how long the store takes that says nothing.
        if duration == 0, attempts.isEmpty {
            if began >= warmUp { tally.instant(.purchaseDuration, of: source()) }
            return
        }
        if isOfRun(end) { tally.place(purchaseDuration: duration, at: end.at.nanoseconds) }
        if began < warmUp { return }
        tally.record(purchase: duration, outcome, of: source())
        tally.record(
            PurchaseStages(of: payment.token, from: began, to: end.at, attempts), of: origin(began, payment.product))
    }

    private func measureTellings() {
        var launches = story.launches.launches[...]
        var launchedAt = Instant.start
        for telling in story.queue.tellings {
            while let next = launches.first, next < telling.moment {
                launchedAt = next.at
                launches.removeFirst()
            }
            if telling.isOutcome, telling.note.state == .failed {
                failed(telling)
            }
            guard telling.isDelivery else { continue }
            tally.count(.deliveries, of: origin(telling.moment.at, telling.note.product))
            if telling.isRedelivery {
                happened(.redeliveries, at: telling.moment, telling.note.product)
                sample(.redeliveryDelay, from: launchedAt, to: telling.moment.at, telling.note.product)
            }
        }
    }

    private func failed(_ telling: QueueStory.Telling) {
        let (moment, payment) = (telling.moment, telling.note.payment)
        let reason = story.queue.failures.first { $0.payment == payment && $0.moment.place > moment.place }?.reason
        guard let payment, let added = story.requests.track(ofPayment: payment)?.added.at else { return }
        let attempts = story.input.statement.attempts[story.requests.attempts(ofPayment: payment)]
        let stage = FailureStage(of: payment, from: added, to: moment.at, reason, attempts)
        let code = (reason ?? .noError).code
        tally.count(failed: code, at: stage, of: origin(moment.at, telling.note.product))
        if isOfRun(moment) { tally.place(.purchasesFailed, at: moment.at.nanoseconds) }
    }

    // MARK: Into the tally

    private func isOfRun(_ moment: Moment) -> Bool { settling.map { moment < $0 } ?? true }

    private func isOfRun(_ instant: Instant) -> Bool { settling.map { instant < $0.at } ?? true }

    private func happened(_ metric: MetricName, at moment: Moment, _ product: ProductIndex?) {
        happened(metric, at: moment.at, product, isOfRun: isOfRun(moment))
    }

    /// Counted, and placed in time.
    private func happened(_ metric: MetricName, at instant: Instant, _ product: ProductIndex?, isOfRun: Bool) {
        tally.count(metric, of: origin(instant, product))
        if isOfRun { tally.place(metric, at: instant.nanoseconds) }
    }

    private func sample(_ metric: MetricName, from begun: Instant, to end: Instant, _ product: ProductIndex?) {
        if begun < warmUp { return }
        tally.record(metric, nanoseconds: (end - begun).nanoseconds, of: origin(begun, product))
    }

    /// Response time from the plan, service time from the actual start.
    private func both(_ metric: MetricName, _ request: RequestTrack, until end: Instant) {
        if request.plannedAt < warmUp { return }
        if metric != .goodsDuration, request.isInstant {
            return tally.instant(metric, of: origin(request.plannedAt, request.product))
        }
        sample(metric, from: request.plannedAt, to: end, request.product)
        tally.recordService(metric, nanoseconds: (end - request.asked.at).nanoseconds)
    }

    /// A request that was answered, or never was.
    private func ended(_ metric: MetricName, _ request: RequestTrack, passed: Bool) {
        if request.plannedAt < warmUp { return }
        tally.rate(metric, passed: passed, of: origin(request.plannedAt, request.product))
    }

    private func origin(_ begun: Instant, _ product: ProductIndex?) -> SampleOrigin {
        var origin = whose
        origin.begunAt = begun.nanoseconds
        origin.product = product ?? -1
        return origin
    }
}
