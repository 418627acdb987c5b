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
    private var posts: [Post] = []
    private var deferrals: [Deferral] = []
    private var launchedAt = Instant.start
    /// Goods of each product as last noted.
    private var held: [Int64] = []
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
        let number: Int64
        let kind: HistoryRecord.Kind
        let product: Int16
        let process: Int32
        let planned: Int64
        let at: Instant
        var isAnswered = false
        var payment: Int64?
    }

    private struct Payment {
        let token: Int64
        let at: Instant
        let process: Int32
    }

    private struct Transaction {
        let identity: Int64
        let handle: Int64
        let product: Int16
        var process: Int32
        var toldAt: Instant
        /// The request it answers, while its goods are waited for.
        var request: Int?
        var heldBefore: Int64 = 0
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
        let number: Int64
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
            happened(.purchases, at: transaction.at, Int16(transaction.product), tally)
        }
        for attempt in statement.attempts {
            if let sheet = attempt.sheetAt, let decided = attempt.decidedAt {
                sample(
                    .authorizationDuration, (decided - sheet).nanoseconds, begun: sheet,
                    Int16(attempt.product ?? -1), tally)
            }
        }
        for attempt in statement.attempts where attempt.outcome == .interrupted {
            guard let completed = attempt.completedBy, let began = attempt.decidedAt ?? attempt.sheetAt,
                let transaction = statement.transactions.first(where: { $0.id == completed })
            else { continue }
            let wait = (transaction.at - began).nanoseconds
            sample(.interruptionWait, wait, begun: began, Int16(transaction.product), tally)
        }
        for instant in failures { happened(.requestsFailed, at: instant, -1, tally) }
        for request in requests where !request.isAnswered {
            if wasBrokenOff, request.process == lastProcess { continue }
            if request.kind == .purchaseAsked { ended(.purchaseSuccess, request, passed: false, tally) }
            if request.kind == .restoreAsked { ended(.restoreSuccess, request, passed: false, tally) }
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
        posts.removeAll(keepingCapacity: true)
        deferrals.removeAll(keepingCapacity: true)
        purchaseDurations.removeAll(keepingCapacity: true)
        held.removeAll(keepingCapacity: true)
        settlingAt = .never
    }

    // MARK: Into the tally

    /// Counted, and placed in time.
    private func happened(_ metric: MetricName, at instant: Instant, _ product: Int16, _ tally: Tally) {
        tally.count(metric, of: origin(instant, product))
        if instant < settlingAt { tally.place(metric, at: instant.nanoseconds) }
    }

    /// A duration of what began then.
    private func sample(_ metric: MetricName, _ nanoseconds: Int64, begun: Instant, _ product: Int16, _ tally: Tally) {
        if begun < warmUp { return }
        tally.record(metric, nanoseconds: nanoseconds, of: origin(begun, product))
    }

    /// A request that was answered, or never was.
    private func ended(_ metric: MetricName, _ request: Request, passed: Bool, _ tally: Tally) {
        let planned = Instant(nanoseconds: request.planned)
        if planned < warmUp { return }
        tally.rate(metric, passed: passed, of: origin(planned, request.product))
    }

    private func origin(_ begun: Instant, _ product: Int16) -> SampleOrigin {
        var origin = whose
        origin.begunAt = begun.nanoseconds
        origin.product = Int(product)
        return origin
    }

    // MARK: Reading

    private mutating func read(
        _ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ auditor: borrowing Auditor, _ tally: Tally
    ) {
        switch record.kind {
        case .settlingBegan:
            settlingAt = min(settlingAt, record.at)
            if settlingAt == record.at { lastProcess = record.process }
        case .launched:
            launchedAt = record.at
            happened(.launches, at: record.at, -1, tally)
        case .crashed:
            happened(.crashes, at: record.at, -1, tally)
        case .fetchAsked:
            happened(.productsFetches, at: record.at, -1, tally)
            ask(record)
        case .purchaseAsked:
            ask(record)
        case .restoreAsked:
            happened(.restores, at: record.at, -1, tally)
            ask(record)
        case .fetchAnswered, .purchaseAnswered, .restoreAnswered:
            answer(record, tally)
        case .paymentAdded:
            payments.append(Payment(token: record.number, at: record.at, process: record.process))
            let request = auditor.request(ofPayment: record.number).map(Int64.init)
            if let request, let place = requests.lastIndex(where: { $0.number == request }) {
                requests[place].payment = record.number
            }
        case .told:
            told(record, attempts, tally)
        case .goods:
            goodsSeen(record, tally)
        case .finishCalled:
            finishCalled(record, tally)
        case .removedTold:
            if let place = transactions.lastIndex(where: { $0.handle == record.number }),
                let began = transactions[place].finishAt
            {
                sample(
                    .finishDuration, (record.at - began).nanoseconds, begun: began, transactions[place].product, tally)
            }
        case .posted:
            posts.append(Post(process: record.process, number: record.number, at: record.at))
        case .postAnswered:
            postAnswered(record, tally)
        default: break
        }
    }

    private func postAnswered(_ record: HistoryRecord, _ tally: Tally) {
        guard record.code == 200,
            let post = posts.last(where: { $0.process == record.process && $0.number == record.number })
        else { return }
        sample(.validationDuration, (record.at - post.at).nanoseconds, begun: post.at, -1, tally)
    }

    private mutating func ask(_ record: HistoryRecord) {
        requests.append(
            Request(
                number: record.number, kind: record.kind, product: record.product, process: record.process,
                planned: record.other, at: record.at)
        )
    }

    private mutating func answer(_ record: HistoryRecord, _ tally: Tally) {
        guard let place = requests.lastIndex(where: { $0.number == record.number }), !requests[place].isAnswered
        else { return }
        requests[place].isAnswered = true
        let request = requests[place]
        switch request.kind {
        case .fetchAsked:
            both(.productsFetchDuration, request, until: record.at, tally)
        case .restoreAsked:
            both(.restoreDuration, request, until: record.at, tally)
            let code = AnswerCode(rawValue: Int(record.code))
            ended(.restoreSuccess, request, passed: code == .restored || code == .nothingToRestore, tally)
        default:
            ended(.purchaseSuccess, request, passed: Int(record.code) == AnswerCode.purchased.rawValue, tally)
        }
    }

    /// Response time from the plan, service time from the actual start.
    private func both(_ metric: MetricName, _ request: Request, until end: Instant, _ tally: Tally) {
        let planned = Instant(nanoseconds: request.planned)
        if planned < warmUp { return }
        sample(metric, (end - planned).nanoseconds, begun: planned, request.product, tally)
        tally.recordService(metric, nanoseconds: (end - request.at).nanoseconds)
    }

    private mutating func told(_ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ tally: Tally) {
        let state = TransactionState(rawValue: Int(record.code))
        if state == .purchasing { return }
        noteApproval(record, state, tally)
        // A deferred purchase has been answered: how long somebody else takes to approve it is nobody's latency.
        let isFirstAnswer = endPayment(record, attempts, tally)
        if isFirstAnswer, state == .failed { happened(.purchasesFailed, at: record.at, record.product, tally) }
        if state == .failed || state == .deferred { return }
        tally.count(.deliveries, of: origin(record.at, record.product))
        if let place = transactions.lastIndex(where: { $0.handle == record.number }) {
            guard transactions[place].process != record.process else { return }
            happened(.redeliveries, at: record.at, record.product, tally)
            sample(.redeliveryDelay, (record.at - launchedAt).nanoseconds, begun: launchedAt, record.product, tally)
            transactions[place].process = record.process
            transactions[place].toldAt = record.at
            return
        }
        var transaction = Transaction(
            identity: record.other, handle: record.number, product: record.product, process: record.process,
            toldAt: record.at)
        if isFirstAnswer {
            transaction.request = requests.lastIndex { $0.payment == Int64(record.payment) }
            transaction.heldBefore = noted(record.product)
        } else if state == .purchased, !isOfThisLaunch(record) {
            // Bought in an earlier launch, or outside the app.
            happened(.redeliveries, at: record.at, record.product, tally)
            sample(.redeliveryDelay, (record.at - launchedAt).nanoseconds, begun: launchedAt, record.product, tally)
        }
        transactions.append(transaction)
    }

    /// Whether it answers a payment of the running process: one that was approved a moment ago, perhaps.
    private func isOfThisLaunch(_ record: HistoryRecord) -> Bool {
        record.payment != 0
            && requests.contains { $0.payment == Int64(record.payment) && $0.process == record.process }
    }

    /// Whether this is the first that is told of the outcome of a payment.
    private mutating func endPayment(
        _ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ tally: Tally
    ) -> Bool {
        guard record.payment != 0, let place = payments.lastIndex(where: { $0.token == Int64(record.payment) })
        else { return false }
        let payment = payments.remove(at: place)
        let duration = (record.at - payment.at).nanoseconds
        if payment.at >= warmUp {
            sample(.purchaseDuration, duration, begun: payment.at, record.product, tally)
            let stages = PurchaseStages(of: payment.token, from: payment.at, to: record.at, attempts)
            tally.record(stages, of: origin(payment.at, record.product))
        }
        if record.at < settlingAt { tally.place(purchaseDuration: duration, at: record.at.nanoseconds) }
        purchaseDurations.append(duration)
        return true
    }

    private mutating func noteApproval(_ record: HistoryRecord, _ state: TransactionState?, _ tally: Tally) {
        guard record.payment != 0 else { return }
        let place = deferrals.firstIndex { $0.payment == record.payment }
        if state == .deferred {
            if place == nil { deferrals.append(Deferral(payment: record.payment, at: record.at)) }
        } else if let place {
            let began = deferrals.remove(at: place).at
            sample(.approvalWait, (record.at - began).nanoseconds, begun: began, record.product, tally)
        }
    }

    private func noted(_ product: Int16) -> Int64 {
        product >= 0 && Int(product) < held.count ? held[Int(product)] : 0
    }

    /// Goods are noted just before a purchase is told and whenever they change afterwards.
    private mutating func goodsSeen(_ record: HistoryRecord, _ tally: Tally) {
        while held.count <= Int(record.product) { held.append(0) }
        held[Int(record.product)] = record.number
        for place in transactions.indices.reversed() where transactions[place].product == record.product {
            guard let request = transactions[place].request else { continue }
            if record.number > transactions[place].heldBefore {
                both(.goodsDuration, requests[request], until: record.at, tally)
                transactions[place].request = nil
            }
            return
        }
    }

    private mutating func finishCalled(_ record: HistoryRecord, _ tally: Tally) {
        guard record.code != Int32(TransactionState.failed.rawValue),
            let place = transactions.lastIndex(where: { $0.handle == record.number })
        else { return }
        transactions[place].finishAt = record.at
        let toldAt = transactions[place].toldAt
        sample(.deliveryDuration, (record.at - toldAt).nanoseconds, begun: toldAt, transactions[place].product, tally)
    }
}
