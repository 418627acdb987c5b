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
    private var launchedAt = Instant.start
    /// Goods of each product as last noted.
    private var held: [Int64] = []
    private(set) var purchaseDurations: [Int64] = []
    /// What comes after it belongs to the settling: it counts, but has no place in the run's time.
    private var settlingAt = Instant.never

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

    /// A receipt on its way to the validator.
    private struct Post {
        let process: Int32
        let number: Int64
        let at: Instant
    }

    /// - Parameters:
    ///   - failures: when requests of the device failed.
    ///   - auditor: has just audited the same history, and knows whose payment is whose.
    mutating func fold(
        _ history: [HistoryRecord], _ statement: AccountStatement, failures: [Instant], _ auditor: borrowing Auditor,
        into tally: Tally
    ) {
        requests.removeAll(keepingCapacity: true)
        payments.removeAll(keepingCapacity: true)
        transactions.removeAll(keepingCapacity: true)
        posts.removeAll(keepingCapacity: true)
        purchaseDurations.removeAll(keepingCapacity: true)
        held.removeAll(keepingCapacity: true)
        settlingAt = .never
        for record in history { read(record, statement.attempts, auditor, tally) }
        for transaction in statement.transactions where transaction.isCharged && transaction.origin != .beforeRun {
            happened(.purchases, at: transaction.at, tally)
        }
        for attempt in statement.attempts {
            if let sheet = attempt.sheetAt, let decided = attempt.decidedAt {
                tally.record(.authorizationDuration, nanoseconds: (decided - sheet).nanoseconds)
            }
        }
        for instant in failures { happened(.requestsFailed, at: instant, tally) }
        for request in requests where !request.isAnswered {
            if request.kind == .purchaseAsked { tally.rate(.purchaseSuccess, passed: false) }
            if request.kind == .restoreAsked { tally.rate(.restoreSuccess, passed: false) }
        }
    }

    /// Counted, and placed in time.
    private func happened(_ metric: MetricName, at instant: Instant, _ tally: Tally) {
        tally.count(metric)
        if instant < settlingAt { tally.place(metric, at: instant.nanoseconds) }
    }

    private mutating func read(
        _ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ auditor: borrowing Auditor, _ tally: Tally
    ) {
        switch record.kind {
        case .settlingBegan:
            settlingAt = min(settlingAt, record.at)
        case .launched:
            launchedAt = record.at
            happened(.launches, at: record.at, tally)
        case .crashed:
            happened(.crashes, at: record.at, tally)
        case .fetchAsked:
            happened(.productsFetches, at: record.at, tally)
            ask(record)
        case .purchaseAsked:
            ask(record)
        case .restoreAsked:
            happened(.restores, at: record.at, tally)
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
                tally.record(.finishDuration, nanoseconds: (record.at - began).nanoseconds)
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
        tally.record(.validationDuration, nanoseconds: (record.at - post.at).nanoseconds)
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
            tally.rate(.restoreSuccess, passed: code == .restored || code == .nothingToRestore)
        default:
            tally.rate(.purchaseSuccess, passed: Int(record.code) == AnswerCode.purchased.rawValue)
        }
    }

    /// Response time from the plan, service time from the actual start.
    private func both(_ metric: MetricName, _ request: Request, until end: Instant, _ tally: Tally) {
        tally.record(metric, nanoseconds: end.nanoseconds - request.planned)
        tally.recordService(metric, nanoseconds: (end - request.at).nanoseconds)
    }

    private mutating func told(_ record: HistoryRecord, _ attempts: [PurchaseAttempt], _ tally: Tally) {
        let state = TransactionState(rawValue: Int(record.code))
        if state == .purchasing { return }
        // A deferred purchase has been answered: how long somebody else takes to approve it is nobody's latency.
        let isFirstAnswer = endPayment(record, attempts, tally)
        if isFirstAnswer, state == .failed { happened(.purchasesFailed, at: record.at, tally) }
        if state == .failed || state == .deferred { return }
        tally.count(.deliveries)
        if let place = transactions.lastIndex(where: { $0.handle == record.number }) {
            guard transactions[place].process != record.process else { return }
            happened(.redeliveries, at: record.at, tally)
            tally.record(.redeliveryDelay, nanoseconds: (record.at - launchedAt).nanoseconds)
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
            happened(.redeliveries, at: record.at, tally)
            tally.record(.redeliveryDelay, nanoseconds: (record.at - launchedAt).nanoseconds)
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
        tally.record(.purchaseDuration, nanoseconds: duration)
        tally.record(PurchaseStages(of: payment.token, from: payment.at, to: record.at, attempts))
        if record.at < settlingAt { tally.place(purchaseDuration: duration, at: record.at.nanoseconds) }
        purchaseDurations.append(duration)
        return true
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
        tally.record(.deliveryDuration, nanoseconds: (record.at - transactions[place].toldAt).nanoseconds)
    }
}
