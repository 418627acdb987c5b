// The audit of one user: a fold over ledger, history and goods.
// A value kept by one worker and used again for the next user; pure otherwise, knows no clock.

import Simulation

/// Judges one user after the other. Kept between users only for the memory of its tables.
package struct Auditor {
    var goods = GoodsBalance()
    var requests = RequestBook()
    var attention = Attention()
    var handles: [HandleTrack] = []
    var findings = AuditFindings()
    var liveObservers = 0
    /// How often the app of the user audited last tried what it was asked for.
    package private(set) var attempts = AttemptsByKind()
    private var endedProcess = 0
    private var isOverworked = false
    /// What the receipt on the device tells of; nil: there is none, or nobody noted it.
    private var receiptAsOf: Instant?

    package init() {}

    /// The same input always gives the same findings.
    package mutating func audit(_ input: borrowing AuditInput) -> AuditFindings {
        reset(input)
        checkLedger(input.statement)
        var latest = Instant.start
        for record in input.history {
            if record.at < latest { findings.faults.append(.timeWentBack(from: latest, to: record.at)) }
            latest = record.at
            checkFence(record)
            read(record, input)
        }
        goods.settle(input, at: latest, into: &findings)
        requests.settle(input, at: latest, into: &findings)
        attention.settle(into: &findings)
        settleHandles(at: latest)
        if !input.tolerated.isEmpty { findings.violations.removeAll { input.tolerated.contains($0.rule) } }
        findings.violations.sort { $0.at < $1.at }
        attempts = requests.attempts(input)
        return findings
    }

    /// Which request of the user audited last a payment was made for, by its number; nil if none.
    package func request(ofPayment payment: Int64) -> Int? { requests.request(ofPayment: payment) }

    private mutating func reset(_ input: borrowing AuditInput) {
        findings = AuditFindings()
        goods.begin(input)
        requests.begin()
        attention.begin()
        isOverworked = false
        receiptAsOf = nil
        handles.removeAll(keepingCapacity: true)
        liveObservers = 0
        endedProcess = 0
    }

    private mutating func read(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        switch record.kind {
        case .launched:
            liveObservers = 0
            goods.processBegan(at: record.at)
            requests.processBegan(at: record.at)
            attention.processBegan()
        case .launchReturned:
            if record.number == 0 { report(.unobservedLaunch, record) }
        case .terminated:
            if liveObservers > 0 { report(.observerLeak, record, finding: .observers(liveObservers)) }
            processEnded(record, input)
        case .crashed:
            goods.crashed()
            processEnded(record, input)
        case .settled:
            processEnded(record, input)
        case .backgrounded:
            attention.backgrounded(record, into: &findings)
        case .foregrounded:
            attention.foregrounded(record, observers: liveObservers)
        case .promotionTapped:
            attention.promotionTapped(record)
            requests.promotionTapped(record)
        case .promotionTold:
            let mayRefuse = mayRefuse(record, input)
            attention.promotionTold(record, mayRefuse: mayRefuse)
        case .overworked:
            overworked(record)
        case .receiptArrived:
            receiptAsOf = Instant(nanoseconds: record.other)
        case .reinstalled:
            receiptAsOf = nil
            goods.close(at: record.at, input, into: &findings)
            handles.removeAll(keepingCapacity: true)
        case .observerAdded:
            liveObservers += 1
            attention.observerAdded(record, into: &findings)
            if record.code > 1 { report(.observerLeak, record, finding: .observers(Int(record.code))) }
        case .observerRemoved:
            liveObservers = Int(record.code)
        case .told:
            told(record)
            if record.payment == 0, record.code == TransactionState.purchased.rawValue { completed(record, input) }
        case .finishCalled:
            finishCalled(record)
        case .foreignFinish:
            report(.illegalFinish, record)
        case .raised:
            report(
                .clientCrash, record, finding: .raised(ClientException(rawValue: Int(record.code)) ?? .failedAssertion))
        case .mainQueueHeld:
            report(
                .mainQueueBlocked, record,
                finding: .held(Span(nanoseconds: record.number), limit: Span(nanoseconds: record.other), call(record)))
        case .hung:
            report(.clientHang, record, finding: .waited(Span(nanoseconds: record.number), call(record)))
        case .calledOffLane:
            report(.leftItsQueue, record)
        case .admitted:
            goods.checkAdmission(record, into: &findings)
        case .revokedTold:
            goods.revocationTold(record)
        case .goods:
            goods.observed(record)
        case .used:
            goods.used(record)
        case .stored:
            goods.stored()
        case .restoreCalled:
            goods.isRestoring = true
            checkAsked(record)
            requests.restoreCalled()
        case .restoreAnswered:
            // Whatever comes after the answer is no longer the restore's.
            goods.isRestoring = false
            answered(record, input)
        case .fetchAnswered, .purchaseAnswered:
            answered(record, input)
        case .restoreFinishedTold:
            goods.restoreFinished(at: record.at)
            requests.restoreEnded(record, .restoreFinished)
        case .restoreFailedTold:
            goods.restoreAbandoned()
            requests.restoreEnded(record, .restoreFailed)
        case .fetchAsked: requests.ask(.fetch, record)
        case .purchaseAsked: requests.ask(.purchase, record)
        case .restoreAsked: requests.ask(.restore, record)
        case .productsStarted: requests.productsStarted(record)
        case .productsTold: requests.productsEnded(record, .products, sold: input.catalog.products.count)
        case .productsFailedTold: requests.productsEnded(record, .productsFailed, sold: 0)
        case .paymentAdded:
            requests.paymentAdded(record)
            attention.paymentAdded(record)
        case .failureTold: requests.failureTold(record)
        case .receiptRefreshStarted:
            checkAsked(record)
            requests.storeKitCalled()
        case .receiptRefreshTold: requests.receiptRefreshEnded(record, .receiptRefreshed)
        case .receiptRefreshFailedTold: requests.receiptRefreshEnded(record, .restoreFailed)
        case .removedTold: removed(record)
        case .accountSwitched:
            goods.hasSwitchedAccounts = true
        case .requestLost, .answerLost, .willTerminate, .settlingBegan, .posted, .postAnswered:
            break
        }
    }

    private mutating func processEnded(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        requests.processEnded(record)
        attention.processEnded(record, input, into: &findings)
    }

    private mutating func answered(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        // The receipt of the account that is signed in now, which may have bought nothing.
        let asOf = goods.hasSwitchedAccounts ? nil : input.notesReceipts ? receiptAsOf : .never
        let needsReason = requests.needsReason(record)
        requests.answer(
            record, receiptAsOf: asOf, mayRefuse: needsReason && mayRefuse(record, input))
    }

    /// What an app may have against asking the store for a purchase: payments are not allowed, the store does not sell
    /// the product or has not told of it, the user has it already, or something else is under way.
    private func mayRefuse(_ record: HistoryRecord, _ input: borrowing AuditInput) -> Bool {
        guard let product = record.productIndex, !input.statement.isPaymentDisallowed else { return true }
        if let end = input.withdrawn[product], end <= record.at { return true }
        // With a promoted purchase comes its product.
        let isFound = requests.hasProducts || record.kind == .promotionTold
        return !isFound || requests.open.contains { $0.kind != .fetch && $0.hasCalledStoreKit }
            || handles.contains { !$0.isRemoved } || goods.mayBeEnough(of: product, input.catalog)
    }

    /// A restore, or a refresh of the receipt, asks for the password: a prompt that nobody expects.
    private mutating func checkAsked(_ record: HistoryRecord) {
        if !requests.open.contains(where: { _ in true }) { report(.unaskedRestore, record) }
    }

    /// What an interrupted purchase led to in the end, or one whose answer was lost: it comes by itself then, with nothing
    /// but its user name to say whose it is.
    private mutating func completed(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        let attempt = input.statement.attempts.first { attempt in
            if case .charged(let id) = attempt.outcome, id.number == record.other { return true }
            return attempt.completedBy?.number == record.other
        }
        if let attempt { requests.completed(Int64(attempt.payment.number), at: record.at) }
    }

    private mutating func overworked(_ record: HistoryRecord) {
        if isOverworked { return }
        isOverworked = true
        report(.clientLivelock, record, finding: .overworked(asked: Int(record.number), done: Int(record.other)))
    }

    private func call(_ record: HistoryRecord) -> ClientCall {
        guard let call = UInt8(exactly: record.code).flatMap(ClientCall.init) else {
            preconditionFailure("the history tells call \(record.code)")
        }
        return call
    }

    mutating func report(_ rule: AuditRule, _ record: HistoryRecord, finding: Violation.Finding = .none) {
        findings.violations.append(
            Violation(
                rule: rule, at: record.at, process: Int(record.process), product: record.productIndex, finding: finding)
        )
    }

    // MARK: The simulation's own invariants

    /// Every charge has one transaction, every charged transaction one charge.
    private mutating func checkLedger(_ statement: AccountStatement) {
        // In a sound ledger both lists run in step, so that this is one pass; only a broken one is searched.
        var inStep = true
        var charge = 0
        var previous: TransactionID?
        for transaction in statement.transactions {
            if let previous, transaction.id <= previous { inStep = false }
            previous = transaction.id
            guard transaction.isCharged else { continue }
            if charge < statement.charges.count, statement.charges[charge].transaction == transaction.id {
                charge += 1
            } else {
                inStep = false
            }
        }
        if inStep, charge == statement.charges.count { return }
        searchLedger(statement)
    }

    private mutating func searchLedger(_ statement: AccountStatement) {
        var charges: [TransactionID: Int] = [:]
        for charge in statement.charges { charges[charge.transaction, default: 0] += 1 }
        var seen: Set<TransactionID> = []
        for transaction in statement.transactions {
            if !seen.insert(transaction.id).inserted { findings.faults.append(.identifierTwice(transaction.id)) }
            let times = charges[transaction.id] ?? 0
            if transaction.isCharged, times == 0 { findings.faults.append(.transactionWithoutCharge(transaction.id)) }
            if times > 1 { findings.faults.append(.chargedMoreThanOnce(transaction.id, times: times)) }
        }
        for charge in statement.charges where !seen.contains(charge.transaction) {
            findings.faults.append(.chargeWithoutTransaction(charge.transaction))
        }
    }

    /// A dead process has no effects.
    private mutating func checkFence(_ record: HistoryRecord) {
        switch record.kind {
        case .terminated, .crashed: endedProcess = max(endedProcess, Int(record.process))
        case .paymentAdded, .finishCalled, .restoreCalled, .productsStarted, .purchaseAnswered, .restoreAnswered,
            .fetchAnswered, .observerAdded, .stored, .posted, .postAnswered:
            if record.process <= endedProcess {
                findings.faults.append(.effectOfDeadProcess(Int(record.process), record.kind))
            }
        default: break
        }
    }
}
