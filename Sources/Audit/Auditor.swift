// The audit of one user: a fold over ledger, history and goods.
// A value kept by one worker and used again for the next user; pure otherwise, knows no clock.

import Simulation

/// Judges one user after the other. Kept between users only for the memory of its tables.
package struct Auditor {
    var goods = GoodsBalance()
    var requests = RequestBook()
    var attention = Attention()
    var handles: [HandleTrack] = []
    var handlePlaces = NumberedPlaces()
    var findings = AuditFindings()
    var liveObservers = 0
    /// How often the app of the user audited last tried what it was asked for.
    package private(set) var attempts = AttemptsByKind()
    private var endedProcess: Int32 = 0
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
            if record.process <= endedProcess { checkFence(record) }
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
    package func request(ofPayment payment: Int32) -> Int32? { requests.request(ofPayment: payment) }

    /// Where the attempts of a payment of the user audited last stand in the store's books; others may stand between.
    package func attempts(ofPayment payment: Int32) -> Range<Int> { requests.attempts(ofPayment: payment) }

    private mutating func reset(_ input: borrowing AuditInput) {
        findings = AuditFindings()
        goods.begin(input)
        requests.begin(input.statement.attempts)
        attention.begin()
        isOverworked = false
        receiptAsOf = nil
        forgetHandles()
        liveObservers = 0
        endedProcess = 0
    }

    // A line a kind of event: a long function, and a flat one.
    private mutating func read(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        switch record.event {
        case .launched:
            liveObservers = 0
            goods.processBegan(at: record.at)
            requests.processBegan(at: record.at)
            attention.processBegan()
        case .launchReturned(let observers):
            if observers == 0 { report(.unobservedLaunch, record) }
        case .terminated(let underWay):
            if liveObservers > 0 { report(.observerLeak, record, finding: .observers(liveObservers)) }
            endedProcess = max(endedProcess, record.process)
            processEnded(record, wasBusy: underWay > 0, input)
        case .crashed:
            endedProcess = max(endedProcess, record.process)
            goods.crashed()
            // A crash leaves nobody the time to answer.
            processEnded(record, wasBusy: true, input)
        case .settled(let note):
            processEnded(record, wasBusy: note.underWay > 0, input)
        case .backgrounded:
            attention.backgrounded(record, into: &findings)
        case .foregrounded:
            attention.foregrounded(record, observers: liveObservers)
        case .promotionTapped(let product):
            attention.promotionTapped(product, record)
            requests.promotionTapped(product)
        case .promotionTold(let product, let answer):
            // With a promoted purchase comes its product.
            attention.promotionTold(
                product, answer, mayRefuse: mayRefuse(product, isFound: true, at: record.at, input))
        case .overworked(let asked, let done):
            overworked(record, asked: asked, done: done)
        case .receiptArrived(let writtenAt):
            receiptAsOf = writtenAt
        case .reinstalled:
            receiptAsOf = nil
            goods.close(at: record.at, input, into: &findings)
            forgetHandles()
        case .observerAdded(let times):
            liveObservers += 1
            attention.observerAdded(record, into: &findings)
            if times > 1 { report(.observerLeak, record, finding: .observers(times)) }
        case .observerRemoved(let left):
            liveObservers = left
        case .told(let transaction):
            told(transaction, record)
            if transaction.payment == nil, transaction.state == .purchased { completed(transaction, record, input) }
        case .finishCalled(let transaction):
            finishCalled(transaction, record)
        case .foreignFinish:
            report(.illegalFinish, record)
        case .raised(let exception):
            report(.clientCrash, record, finding: .raised(exception))
        case .mainQueueHeld(let time, let limit, let call):
            report(.mainQueueBlocked, record, finding: .held(time, limit: limit, call))
        case .hung(let time, let call):
            report(.clientHang, record, finding: .waited(time, call))
        case .calledOffLane:
            report(.leftItsQueue, record)
        case .admitted(let admission):
            goods.checkAdmission(admission, into: &findings)
        case .revokedTold(let transaction, let product):
            goods.revocationTold(transaction, product, at: record.at)
        case .goods(let product, let count):
            goods.observed(product, count, in: record.process)
        case .used(let product, let count):
            goods.used(product, count)
        case .stored:
            goods.stored()
        case .restoreCalled:
            goods.isRestoring = true
            checkAsked(record)
            requests.restoreCalled()
        case .asked(let question):
            requests.ask(question, record)
        case .answered(let answer):
            // Whatever comes after the answer is no longer the restore's.
            if answer.kind == .restore { goods.isRestoring = false }
            answered(answer, record, input)
        case .restoreFinishedTold:
            goods.restoreFinished(at: record.at)
            requests.restoreEnded(.restoreFinished, at: record.at)
        case .restoreFailedTold(let failure):
            goods.restoreAbandoned()
            requests.restoreEnded(.restoreFailed, failure, at: record.at)
        case .productsStarted(let request, let asked):
            requests.productsStarted(request, asked: asked)
        case .productsTold(let products):
            requests.productsTold(products, sold: input.catalog.products.count, at: record.at)
        case .productsFailedTold(let request, _, _):
            requests.productsFailed(request, at: record.at)
        case .paymentAdded(let payment):
            requests.paymentAdded(payment, in: record.process)
            attention.paymentAdded(payment)
        case .failureTold(let payment, let failure):
            requests.failureTold(payment, failure)
        case .receiptRefreshStarted:
            checkAsked(record)
            requests.storeKitCalled()
        case .receiptRefreshTold:
            requests.receiptRefreshEnded(.receiptRefreshed, at: record.at)
        case .receiptRefreshFailedTold(_, let failure):
            requests.receiptRefreshEnded(.restoreFailed, failure, at: record.at)
        case .removedTold(let transaction):
            removed(transaction)
        case .accountSwitched:
            goods.hasSwitchedAccounts = true
        case .requestLost, .answerLost, .willTerminate, .settlingBegan, .posted, .postAnswered:
            break
        }
    }

    private mutating func processEnded(_ record: HistoryRecord, wasBusy: Bool, _ input: borrowing AuditInput) {
        let end = ProcessEnd(at: record.at, wasBusy: wasBusy)
        requests.processEnded(end)
        attention.processEnded(end, record.process, input, into: &findings)
    }

    private mutating func answered(_ answer: DeviceEvent.Answer, _ record: HistoryRecord, _ input: borrowing AuditInput)
    {
        // The receipt of the account that is signed in now, which may have bought nothing.
        let asOf = goods.hasSwitchedAccounts ? nil : input.notesReceipts ? receiptAsOf : .never
        let mayRefuse =
            requests.needsReason(answer)
            && mayRefuse(answer.product, isFound: requests.hasProducts, at: record.at, input)
        requests.answer(answer, at: record.at, receiptAsOf: asOf, mayRefuse: mayRefuse)
    }

    /// What an app may have against asking the store for a purchase: payments are not allowed, the store does not sell
    /// the product or has not told of it, the user has it already, or something else is under way.
    private func mayRefuse(
        _ product: ProductIndex?, isFound: Bool, at instant: Instant, _ input: borrowing AuditInput
    ) -> Bool {
        guard let product, !input.statement.isPaymentDisallowed else { return true }
        if let end = input.withdrawn[product], end <= instant { return true }
        return !isFound || requests.open.contains { $0.kind != .fetch && $0.hasCalledStoreKit }
            || handles.contains { !$0.isRemoved } || goods.mayBeEnough(of: product, input.catalog)
    }

    /// A restore, or a refresh of the receipt, asks for the password: a prompt that nobody expects.
    private mutating func checkAsked(_ record: HistoryRecord) {
        if !requests.open.contains(where: { _ in true }) { report(.unaskedRestore, record) }
    }

    /// What an interrupted purchase led to in the end, or one whose answer was lost: it comes by itself then, with nothing
    /// but its user name to say whose it is.
    private mutating func completed(
        _ transaction: DeviceEvent.TransactionNote, _ record: HistoryRecord, _ input: borrowing AuditInput
    ) {
        guard let id = transaction.id else { return }
        let attempt = input.statement.attempts.first { attempt in
            if case .charged(id) = attempt.outcome { return true }
            return attempt.completedBy == id
        }
        if let attempt { requests.completed(Int32(attempt.payment.number), at: record.at) }
    }

    private mutating func overworked(_ record: HistoryRecord, asked: Int, done: Int) {
        if isOverworked { return }
        isOverworked = true
        report(.clientLivelock, record, finding: .overworked(asked: asked, done: done))
    }

    mutating func report(_ rule: AuditRule, _ record: HistoryRecord, finding: Violation.Finding = .none) {
        findings.violations.append(
            Violation(
                rule: rule, at: record.at, process: Int(record.process), product: record.event.product, finding: finding
            )
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
        // What it had on its queue goes with it.
        if case .observerRemoved = record.event { return }
        var effect = record.event.effect
        // Nor does it hear of any.
        if case .postAnswered = record.event { effect = .httpRequest }
        if let effect { findings.faults.append(.effectOfDeadProcess(Int(record.process), effect)) }
    }
}
