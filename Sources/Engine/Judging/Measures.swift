// Durations and counts of one user: a fold over history and ledger into the tally.
// A value kept by one collector; knows no clock.

import Audit
import Metrics
import Simulation

/// Turns histories into samples. Kept between users only for the memory of its tables.
struct Measures {
    private var requests: [Request] = []
    private var payments: [Payment] = []
    private var transactions: [Transaction] = []
    /// By handle and by payment.
    private var transactionPlaces = NumberedPlaces()
    private var requestPlaces = NumberedPlaces()
    /// Of each product, the transactions whose goods are waited for, in the order in which they were told.
    private var waiting: [[Int]] = []
    private var posts: [Post] = []
    private var deferrals: [Deferral] = []
    private var launchedAt = Instant.start
    /// Goods of each product as last noted.
    private var held: [Int] = []
    private(set) var purchaseDurations: [Int64] = []
    /// What comes after it belongs to the settling: it counts, but has no place in the run's time.
    private var settlingAt = Instant.never
    /// The latest launch before the settling.
    private var lastProcess: Int32 = 0
    /// Whose history is read.
    private var whose = SampleOrigin(entry: 0)
    /// What began before it is no part of durations and success rates.
    private let warmUp: Instant

    /// - Parameter warmUp: until when the run warms up.
    init(warmUp: Instant) { self.warmUp = warmUp }

    private struct Request {
        let number: Int32
        let kind: RequestKind
        let product: ProductIndex?
        let process: Int32
        let planned: Instant
        let at: Instant
        var isAnswered = false
        var payment: Int32?
    }

    private struct Payment {
        let token: Int32
        let at: Instant
    }

    private struct Transaction {
        let product: ProductIndex?
        var process: Int32
        var toldAt: Instant
        /// The request it answers, while its goods are waited for.
        var request: Int?
        var heldBefore = 0
        var finishAt: Instant?
    }

    /// A purchase that waits for somebody's approval.
    private struct Deferral {
        let payment: Int32
        let at: Instant
    }

    /// A receipt on its way to the validator.
    private struct Post {
        let process: Int32
        let effect: Int
        let at: Instant
    }

    /// - Parameters:
    ///   - origin: the load entry and the device.
    ///   - wasBrokenOff: the user's last journey was broken off: what the app had not answered by then says nothing.
    ///   - failures: when requests of the device failed.
    ///   - auditor: has just audited the same history, and knows whose payment is whose.
    mutating func fold(
        _ history: [HistoryRecord], of origin: SampleOrigin, _ statement: AccountStatement, wasBrokenOff: Bool,
        failures: [Instant], _ auditor: borrowing Auditor, into tally: Tally
    ) {
        begin(origin)
        for record in history { read(record, statement.attempts, auditor, tally) }
        for transaction in statement.transactions where transaction.isCharged && transaction.origin != .beforeRun {
            happened(.purchases, at: transaction.at, transaction.product, tally)
        }
        for attempt in statement.attempts {
            if let sheet = attempt.sheetAt, let decided = attempt.decidedAt {
                sample(
                    .authorizationDuration, (decided - sheet).nanoseconds, begun: sheet,
                    attempt.product, tally)
            }
        }
        for attempt in statement.attempts where attempt.outcome == .interrupted {
            guard let completed = attempt.completedBy, let began = attempt.decidedAt ?? attempt.sheetAt,
                let transaction = statement.transactions.first(where: { $0.id == completed })
            else { continue }
            let wait = (transaction.at - began).nanoseconds
            sample(.interruptionWait, wait, begun: began, transaction.product, tally)
        }
        for instant in failures { happened(.requestsFailed, at: instant, nil, tally) }
        for request in requests where !request.isAnswered {
            if wasBrokenOff, request.process == lastProcess { continue }
            if request.kind == .purchase { ended(.purchaseSuccess, request, passed: false, tally) }
            if request.kind == .restore { ended(.restoreSuccess, request, passed: false, tally) }
        }
    }

    /// A part of a history, before its user is judged: without the store's books, and without a word of what has not
    /// been answered yet.
    mutating func fold(
        live history: ArraySlice<HistoryRecord>, of origin: SampleOrigin, _ auditor: borrowing Auditor,
        into tally: Tally
    ) {
        begin(origin)
        for record in history { read(record, [], auditor, tally) }
    }

    private mutating func begin(_ origin: SampleOrigin) {
        whose = origin
        requests.removeAll(keepingCapacity: true)
        payments.removeAll(keepingCapacity: true)
        transactions.removeAll(keepingCapacity: true)
        transactionPlaces.removeAll()
        requestPlaces.removeAll()
        for product in waiting.indices { waiting[product].removeAll(keepingCapacity: true) }
        posts.removeAll(keepingCapacity: true)
        deferrals.removeAll(keepingCapacity: true)
        purchaseDurations.removeAll(keepingCapacity: true)
        held.removeAll(keepingCapacity: true)
        settlingAt = .never
    }

    // MARK: Into the tally

    /// Counted, and placed in time.
    private func happened(_ metric: MetricName, at instant: Instant, _ product: ProductIndex?, _ tally: Tally) {
        tally.count(metric, of: origin(instant, product))
        if instant < settlingAt { tally.place(metric, at: instant.nanoseconds) }
    }

    /// A duration of what began then.
    private func sample(
        _ metric: MetricName, _ nanoseconds: Int64, begun: Instant, _ product: ProductIndex?, _ tally: Tally
    ) {
        if begun < warmUp { return }
        tally.record(metric, nanoseconds: nanoseconds, of: origin(begun, product))
    }

    /// A request that was answered, or never was.
    private func ended(_ metric: MetricName, _ request: Request, passed: Bool, _ tally: Tally) {
        if request.planned < warmUp { return }
        tally.rate(metric, passed: passed, of: origin(request.planned, request.product))
    }

    private func origin(_ begun: Instant, _ product: ProductIndex?) -> SampleOrigin {
        var origin = whose
        origin.begunAt = begun.nanoseconds
        origin.product = product ?? -1
        return origin
    }

    // MARK: Reading

    private mutating func read(
        _ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ auditor: borrowing Auditor, _ tally: Tally
    ) {
        switch record.event {
        case .settlingBegan:
            settlingAt = min(settlingAt, record.at)
            if settlingAt == record.at { lastProcess = record.process }
        case .launched:
            launchedAt = record.at
            happened(.launches, at: record.at, nil, tally)
        case .crashed:
            happened(.crashes, at: record.at, nil, tally)
        case .asked(let question):
            if question.kind == .fetch { happened(.productsFetches, at: record.at, nil, tally) }
            if question.kind == .restore { happened(.restores, at: record.at, nil, tally) }
            ask(question, record)
        case .answered(let answer):
            answered(answer, at: record.at, tally)
        case .paymentAdded(let payment):
            payments.append(Payment(token: payment.payment, at: record.at))
            let request = auditor.request(ofPayment: payment.payment)
            if let request, let place = requests.lastIndex(where: { $0.number == request }) {
                requests[place].payment = payment.payment
                requestPlaces.set(payment.payment, to: place)
            }
        case .told(let transaction):
            told(transaction, record, attempts, auditor, tally)
        case .goods(let product, let count):
            goodsSeen(product, count, at: record.at, tally)
        case .finishCalled(let transaction):
            finishCalled(transaction, at: record.at, tally)
        case .removedTold(let transaction):
            if let place = transactionPlaces[transaction.handle],
                let began = transactions[place].finishAt
            {
                sample(
                    .finishDuration, (record.at - began).nanoseconds, begun: began, transactions[place].product, tally)
            }
        case .posted(let effect):
            posts.append(Post(process: record.process, effect: effect, at: record.at))
        case .postAnswered(let effect, let outcome):
            if outcome == .status(200) { confirmed(effect, record, tally) }
        case .launchReturned, .willTerminate, .terminated, .backgrounded, .foregrounded, .reinstalled, .accountSwitched,
            .settled, .used, .observerAdded, .observerRemoved, .failureTold, .restoreCalled, .restoreFinishedTold,
            .restoreFailedTold, .receiptRefreshStarted, .receiptRefreshTold, .receiptRefreshFailedTold,
            .receiptArrived, .revokedTold, .promotionTapped, .promotionTold, .productsStarted, .productsTold,
            .productsFailedTold, .admitted, .requestLost, .answerLost, .stored, .mainQueueHeld, .hung, .overworked,
            .calledOffLane, .raised, .foreignFinish:
            break
        }
    }

    private func confirmed(_ effect: Int, _ record: HistoryRecord, _ tally: Tally) {
        guard let post = posts.last(where: { $0.process == record.process && $0.effect == effect }) else { return }
        sample(.validationDuration, (record.at - post.at).nanoseconds, begun: post.at, nil, tally)
    }

    private mutating func ask(_ question: DeviceEvent.Question, _ record: HistoryRecord) {
        requests.append(
            Request(
                number: question.number, kind: question.kind, product: question.product, process: record.process,
                planned: question.plannedAt, at: record.at)
        )
    }

    private mutating func answered(_ answer: DeviceEvent.Answer, at instant: Instant, _ tally: Tally) {
        guard let place = requests.lastIndex(where: { $0.number == answer.number }), !requests[place].isAnswered
        else { return }
        requests[place].isAnswered = true
        let request = requests[place]
        switch request.kind {
        case .fetch:
            both(.productsFetchDuration, request, until: instant, tally)
        case .restore:
            both(.restoreDuration, request, until: instant, tally)
            let passed = answer.code == .restored || answer.code == .nothingToRestore
            ended(.restoreSuccess, request, passed: passed, tally)
        case .purchase:
            ended(.purchaseSuccess, request, passed: answer.code == .purchased, tally)
        }
    }

    /// Response time from the plan, service time from the actual start.
    private func both(_ metric: MetricName, _ request: Request, until end: Instant, _ tally: Tally) {
        if request.planned < warmUp { return }
        sample(metric, (end - request.planned).nanoseconds, begun: request.planned, request.product, tally)
        tally.recordService(metric, nanoseconds: (end - request.at).nanoseconds)
    }

    private mutating func told(
        _ note: DeviceEvent.TransactionNote, _ record: HistoryRecord, _ attempts: [PurchaseAttempt],
        _ auditor: borrowing Auditor, _ tally: Tally
    ) {
        if note.state == .purchasing { return }
        noteApproval(note, at: record.at, tally)
        // A deferred purchase has been answered: how long somebody else takes to approve it is nobody's latency.
        let isFirstAnswer = endPayment(note, at: record.at, attempts, auditor, tally)
        if isFirstAnswer, note.state == .failed { happened(.purchasesFailed, at: record.at, note.product, tally) }
        if note.state == .failed || note.state == .deferred { return }
        tally.count(.deliveries, of: origin(record.at, note.product))
        if let place = transactionPlaces[note.handle] {
            guard transactions[place].process != record.process else { return }
            redelivered(note, at: record.at, tally)
            transactions[place].process = record.process
            transactions[place].toldAt = record.at
            return
        }
        var transaction = Transaction(
            product: note.product, process: record.process, toldAt: record.at)
        if isFirstAnswer {
            transaction.request = request(of: note)
            transaction.heldBefore = note.product.map { $0 < held.count ? held[$0] : 0 } ?? 0
            if transaction.request != nil, let product = note.product { wait(for: product) }
        } else if note.state == .purchased, !isOfThisLaunch(note, record) {
            // Bought in an earlier launch, or outside the app.
            redelivered(note, at: record.at, tally)
        }
        transactionPlaces.set(note.handle, to: transactions.count)
        transactions.append(transaction)
    }

    /// The request that its payment was made for last, unless another payment was since.
    private func request(of note: DeviceEvent.TransactionNote) -> Int? {
        guard let payment = note.payment, let place = requestPlaces[payment], requests[place].payment == payment else {
            return nil
        }
        return place
    }

    /// The next transaction waits for goods of a product.
    private mutating func wait(for product: ProductIndex) {
        while waiting.count <= product { waiting.append([]) }
        waiting[product].append(transactions.count)
    }

    private func redelivered(_ note: DeviceEvent.TransactionNote, at instant: Instant, _ tally: Tally) {
        happened(.redeliveries, at: instant, note.product, tally)
        sample(.redeliveryDelay, (instant - launchedAt).nanoseconds, begun: launchedAt, note.product, tally)
    }

    /// Whether it answers a payment of the running process: one that was approved a moment ago, perhaps.
    private func isOfThisLaunch(_ note: DeviceEvent.TransactionNote, _ record: HistoryRecord) -> Bool {
        request(of: note).map { requests[$0].process == record.process } ?? false
    }

    /// Whether this is the first that is told of the outcome of a payment.
    private mutating func endPayment(
        _ note: DeviceEvent.TransactionNote, at instant: Instant, _ attempts: [PurchaseAttempt],
        _ auditor: borrowing Auditor, _ tally: Tally
    ) -> Bool {
        guard let token = note.payment, let place = payments.lastIndex(where: { $0.token == token }) else {
            return false
        }
        let payment = payments.remove(at: place)
        let duration = (instant - payment.at).nanoseconds
        if payment.at >= warmUp {
            sample(.purchaseDuration, duration, begun: payment.at, note.product, tally)
            // Before its user is judged the store's books are closed.
            let places = attempts.isEmpty ? 0..<0 : auditor.attempts(ofPayment: payment.token)
            let stages = PurchaseStages(of: payment.token, from: payment.at, to: instant, attempts[places])
            tally.record(stages, of: origin(payment.at, note.product))
        }
        if instant < settlingAt { tally.place(purchaseDuration: duration, at: instant.nanoseconds) }
        purchaseDurations.append(duration)
        return true
    }

    private mutating func noteApproval(_ note: DeviceEvent.TransactionNote, at instant: Instant, _ tally: Tally) {
        guard let payment = note.payment else { return }
        let place = deferrals.firstIndex { $0.payment == payment }
        if note.state == .deferred {
            if place == nil { deferrals.append(Deferral(payment: payment, at: instant)) }
        } else if let place {
            let began = deferrals.remove(at: place).at
            sample(.approvalWait, (instant - began).nanoseconds, begun: began, note.product, tally)
        }
    }

    /// Goods are noted just before a purchase is told and whenever they change afterwards.
    private mutating func goodsSeen(_ product: ProductIndex, _ count: Int, at instant: Instant, _ tally: Tally) {
        while held.count <= product { held.append(0) }
        held[product] = count
        guard product < waiting.count, let place = waiting[product].last, let request = transactions[place].request,
            count > transactions[place].heldBefore
        else { return }
        both(.goodsDuration, requests[request], until: instant, tally)
        waiting[product].removeLast()
    }

    private mutating func finishCalled(_ note: DeviceEvent.TransactionNote, at instant: Instant, _ tally: Tally) {
        guard note.state != .failed, let place = transactionPlaces[note.handle] else { return }
        transactions[place].finishAt = instant
        let toldAt = transactions[place].toldAt
        sample(.deliveryDuration, (instant - toldAt).nanoseconds, begun: toldAt, transactions[place].product, tally)
    }
}
