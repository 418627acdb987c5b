// Requests of the user against answers of the app and what StoreKit told it meanwhile.

import Simulation

/// A fetch, purchase or restore that the user asked for.
struct RequestTrack {
    let kind: RequestKind
    let number: Int
    let process: Int
    let product: ProductIndex?
    let quantity: Int32
    let askedAt: Instant
    /// The products request that the app began for it, and whether that still runs.
    var productsRequest: Int64?
    var awaitsProducts = false
    /// The payment that the app made of it.
    var payment: Int64?
    /// The app asked StoreKit for something after this request.
    var hasCalledStoreKit = false
    /// StoreKit told the app how it ended.
    var ending: Ending?
    var answers = 0
    var answer: AnswerCode?
    var answerEnding: Ending?
    var answeredAt: Instant?
    /// StoreKit told that the buyer cancelled.
    var wasCancelled = false
    var restoredCount = 0
    /// The app asked StoreKit to restore; else it may have refreshed its receipt to the same end.
    var hasCalledRestore = false
    var processCrashed = false

    enum Ending {
        case purchased, restored, deferred, failed, restoreFinished, restoreFailed, products, productsFailed
        case receiptRefreshed
    }
}

struct RequestBook {
    private var requests: [RequestTrack] = []
    /// The first request of the running process.
    private var firstOfProcess = 0

    mutating func begin() {
        requests.removeAll(keepingCapacity: true)
        firstOfProcess = 0
    }

    mutating func processBegan() { firstOfProcess = requests.count }

    mutating func processEnded(crashed: Bool) {
        if crashed { for place in firstOfProcess..<requests.count { requests[place].processCrashed = true } }
        firstOfProcess = requests.count
    }

    // MARK: Reading the history

    mutating func read(_ record: HistoryRecord) {
        switch record.kind {
        case .fetchAsked: ask(.fetch, record)
        case .purchaseAsked: ask(.purchase, record)
        case .restoreAsked: ask(.restore, record)
        case .fetchAnswered, .purchaseAnswered, .restoreAnswered: answer(record)
        case .paymentAdded: attribute(record)
        case .failureTold: failureTold(record)
        case .productsStarted: productsStarted(record)
        case .productsTold: productsEnded(record, .products)
        case .productsFailedTold: productsEnded(record, .productsFailed)
        case .restoreFinishedTold: restoreEnded(.restoreFinished)
        case .restoreFailedTold: restoreEnded(.restoreFailed)
        case .receiptRefreshTold: receiptRefreshEnded(.receiptRefreshed)
        case .receiptRefreshFailedTold: receiptRefreshEnded(.restoreFailed)
        default: preconditionFailure("\(record.kind) is no business of requests")
        }
    }

    private mutating func ask(_ kind: RequestKind, _ record: HistoryRecord) {
        var request = RequestTrack(
            kind: kind, number: Int(record.number), process: Int(record.process), product: record.productIndex,
            quantity: record.code, askedAt: record.at)
        // StoreKit turns a second restore away: a careful app has whoever asks meanwhile wait for the first.
        request.hasCalledStoreKit = kind == .restore && isRestoreRunning
        requests.append(request)
    }

    private var isRestoreRunning: Bool {
        requests[firstOfProcess...].contains {
            $0.kind == .restore && $0.hasCalledStoreKit && $0.ending == nil && $0.answers == 0
        }
    }

    private mutating func answer(_ record: HistoryRecord) {
        guard let place = requests.lastIndex(where: { $0.number == Int(record.number) }) else { return }
        requests[place].answers += 1
        guard requests[place].answers == 1 else { return }
        requests[place].answer = AnswerCode(rawValue: Int(record.code))
        requests[place].answerEnding = requests[place].ending
        requests[place].answeredAt = record.at
    }

    /// The request that a payment was made for, by its number.
    func request(ofPayment payment: Int64) -> Int? { requests.last { $0.payment == payment }?.number }

    mutating func storeKitCalled(_ record: HistoryRecord) {
        for place in firstOfProcess..<requests.count where requests[place].answers == 0 {
            requests[place].hasCalledStoreKit = true
        }
    }

    mutating func restoreCalled(_ record: HistoryRecord) {
        storeKitCalled(record)
        for place in firstOfProcess..<requests.count
        where requests[place].kind == .restore && requests[place].answers == 0 && !requests[place].hasCalledRestore {
            requests[place].hasCalledRestore = true
            requests[place].ending = nil
        }
    }

    /// A products request is begun for the latest question, which asked for it just now.
    private mutating func productsStarted(_ record: HistoryRecord) {
        storeKitCalled(record)
        let place = requests.indices[firstOfProcess...].last {
            requests[$0].kind != .restore && requests[$0].answers == 0 && requests[$0].payment == nil
                && requests[$0].productsRequest == nil
        }
        guard let place else { return }
        requests[place].productsRequest = record.number
        requests[place].awaitsProducts = true
    }

    /// A payment belongs to the oldest unanswered purchase of its product in this process that has none yet. One that
    /// asked for another quantity comes last: that is known, while whose products a request brought is a guess.
    private mutating func attribute(_ record: HistoryRecord) {
        storeKitCalled(record)
        var best: (place: Int, rank: Int)?
        for place in firstOfProcess..<requests.count
        where requests[place].kind == .purchase && requests[place].payment == nil && requests[place].answers == 0
            && requests[place].product == record.productIndex
        {
            let rank = (requests[place].quantity == record.code ? 0 : 2) + (requests[place].awaitsProducts ? 1 : 0)
            if rank < best?.rank ?? .max { best = (place, rank) }
        }
        if let best {
            requests[best.place].payment = record.number
            requests[best.place].ending = nil
        }
    }

    mutating func transactionTold(_ record: HistoryRecord, state: TransactionState) {
        switch state {
        case .purchasing: return
        case .restored:
            for place in firstOfProcess..<requests.count
            where requests[place].kind == .restore && requests[place].answers == 0 {
                requests[place].restoredCount += 1
            }
            end(record, .restored)
        case .purchased: end(record, .purchased)
        case .failed: end(record, .failed)
        case .deferred: end(record, .deferred)
        }
    }

    private mutating func end(_ record: HistoryRecord, _ ending: RequestTrack.Ending) {
        guard record.payment != 0 else { return }
        for place in firstOfProcess..<requests.count where requests[place].payment == Int64(record.payment) {
            requests[place].ending = ending
        }
    }

    private mutating func failureTold(_ record: HistoryRecord) {
        guard record.payment != 0, Int(record.code) == StoreErrorCode.paymentCancelled.rawValue else { return }
        for place in firstOfProcess..<requests.count where requests[place].payment == Int64(record.payment) {
            requests[place].wasCancelled = true
        }
    }

    private mutating func productsEnded(_ record: HistoryRecord, _ ending: RequestTrack.Ending) {
        for place in firstOfProcess..<requests.count where requests[place].productsRequest == record.number {
            requests[place].awaitsProducts = false
            if requests[place].ending == nil, requests[place].payment == nil { requests[place].ending = ending }
        }
    }

    private mutating func restoreEnded(_ ending: RequestTrack.Ending) {
        for place in firstOfProcess..<requests.count
        where requests[place].ending == nil && requests[place].kind == .restore {
            requests[place].ending = ending
        }
    }

    /// What was bought is in the receipt too: an app may restore by that alone.
    private mutating func receiptRefreshEnded(_ ending: RequestTrack.Ending) {
        for place in firstOfProcess..<requests.count
        where requests[place].ending == nil && requests[place].kind == .restore && !requests[place].hasCalledRestore {
            requests[place].ending = ending
        }
    }

    // MARK: Judging

    func settle(_ input: borrowing AuditInput, at end: Instant, into findings: inout AuditFindings) {
        for request in requests {
            if request.answers == 0 {
                judgeSilence(request, at: end, into: &findings)
            } else {
                if request.answers > 1 {
                    report(.answeredTwice, request, finding: .answers(request.answers), into: &findings)
                }
                judgeAnswer(request, input, into: &findings)
            }
        }
    }

    /// A request that died with its process is nobody's fault, and one that StoreKit never answered not the client's.
    private func judgeSilence(_ request: RequestTrack, at end: Instant, into findings: inout AuditFindings) {
        if request.processCrashed { return }
        if request.ending == nil && request.hasCalledStoreKit { return }
        let rule: AuditRule =
            request.kind == .restore && request.ending != nil ? .restoreUnreported : .unansweredRequest
        report(rule, request, finding: request.ending == nil ? .neverAsked : .none, into: &findings)
    }

    private func judgeAnswer(
        _ request: RequestTrack, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        guard let answer = request.answer else { return }
        switch request.kind {
        case .fetch:
            return
        case .restore:
            if !isRight(answer, request, input) {
                report(.wrongAnswer, request, finding: .answered(answer, attempt: nil), into: &findings)
            }
        case .purchase:
            judgePurchase(request, answer, input.statement, into: &findings)
        }
    }

    private func isRight(_ answer: AnswerCode, _ request: RequestTrack, _ input: borrowing AuditInput) -> Bool {
        if request.answerEnding == .receiptRefreshed { return agreesWithReceipt(answer, request, input) }
        switch answer {
        case .restored: return request.answerEnding == .restoreFinished && request.restoredCount > 0
        case .nothingToRestore: return request.answerEnding == .restoreFinished && request.restoredCount == 0
        default: return request.answerEnding != .restoreFinished
        }
    }

    /// The receipt lists what has run out too, and whether the app counts that is its own affair.
    private func agreesWithReceipt(
        _ answer: AnswerCode, _ request: RequestTrack, _ input: borrowing AuditInput
    ) -> Bool {
        let catalog = input.catalog
        let restorable = input.statement.transactions.filter { catalog[$0.product].kind.isRestorable }
        switch answer {
        case .restored:
            return !restorable.isEmpty || input.boughtElsewhere.contains { catalog[$0].kind.isRestorable }
        case .nothingToRestore:
            return restorable.allSatisfy { $0.at > request.askedAt || $0.isOver(at: request.answeredAt ?? .never) }
        // The app may have failed at something after the refresh.
        default: return true
        }
    }

    private func judgePurchase(
        _ request: RequestTrack, _ answer: AnswerCode, _ statement: AccountStatement,
        into findings: inout AuditFindings
    ) {
        let attempt = outcome(of: request, statement)
        if contradicts(answer, request, statement),
            !twins(of: request).contains(where: { !contradicts(answer, $0, statement, isTwin: true) })
        {
            return report(.wrongAnswer, request, finding: .answered(answer, attempt: attempt), into: &findings)
        }
        if answer == .failed, request.wasCancelled {
            report(.cancelAsError, request, finding: .answered(answer, attempt: attempt), into: &findings)
        }
    }

    private func outcome(of request: RequestTrack, _ statement: AccountStatement) -> PurchaseAttempt.Outcome? {
        request.payment.flatMap { payment in
            statement.attempts.last { Int64($0.payment.number) == payment }?.outcome
        }
    }

    private func contradicts(
        _ answer: AnswerCode, _ request: RequestTrack, _ statement: AccountStatement, isTwin: Bool = false
    ) -> Bool {
        // What it had been told when it answered; a twin may hear of it later.
        let wasTold = isTwin ? request.ending : request.answerEnding
        switch answer {
        case .purchased: return wasTold != .purchased && wasTold != .restored
        case .failed, .cancelled, .refused:
            // StoreKit itself may have told of a failure after a charge: an answer was lost on the way.
            if case .charged = outcome(of: request, statement) { return wasTold != .failed }
            return false
        default: return false
        }
    }

    /// Alike purchases that were under way in the same app at the same time: nobody can tell whose answer is whose.
    private func twins(of request: RequestTrack) -> [RequestTrack] {
        requests.filter { other in
            other.number != request.number && other.kind == .purchase && other.process == request.process
                && other.product == request.product && other.quantity == request.quantity
                && other.askedAt < request.answeredAt ?? .never && request.askedAt < other.answeredAt ?? .never
        }
    }

    private func report(
        _ rule: AuditRule, _ request: RequestTrack, finding: Violation.Finding, into findings: inout AuditFindings
    ) {
        findings.violations.append(
            Violation(
                rule: rule, at: request.answeredAt ?? request.askedAt, process: request.process,
                product: request.product, request: Violation.Request(kind: request.kind, number: request.number),
                finding: finding))
    }
}
