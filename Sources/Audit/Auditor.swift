// The audit of one user: a fold over ledger, history and goods.
// A value kept by one worker and used again for the next user; pure otherwise, knows no clock.

import Simulation

/// Judges one user after the other. Kept between users only for the memory of its tables.
package struct Auditor {
    var goods = GoodsBalance()
    var requests = RequestBook()
    var handles: [HandleTrack] = []
    var findings = AuditFindings()
    var liveObservers = 0
    private var endedProcess = 0

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
        settleHandles(at: latest)
        findings.violations.sort { $0.at < $1.at }
        return findings
    }

    /// Which request of the user audited last a payment was made for, by its number; nil if none.
    package func request(ofPayment payment: Int64) -> Int? { requests.request(ofPayment: payment) }

    private mutating func reset(_ input: borrowing AuditInput) {
        findings = AuditFindings()
        goods.begin(input)
        requests.begin()
        handles.removeAll(keepingCapacity: true)
        liveObservers = 0
        endedProcess = 0
    }

    private mutating func read(_ record: HistoryRecord, _ input: borrowing AuditInput) {
        switch record.kind {
        case .launched:
            liveObservers = 0
            goods.processBegan()
            requests.processBegan()
        case .launchReturned:
            if record.number == 0 { report(.unobservedLaunch, record) }
        case .terminated:
            if liveObservers > 0 { report(.observerLeak, record, finding: .observers(liveObservers)) }
            requests.processEnded(crashed: false)
        case .crashed:
            requests.processEnded(crashed: true)
        case .reinstalled:
            goods.close(at: record.at, input, into: &findings)
            handles.removeAll(keepingCapacity: true)
        case .observerAdded:
            liveObservers += 1
            if record.code > 1 { report(.observerLeak, record, finding: .observers(Int(record.code))) }
        case .observerRemoved:
            liveObservers = Int(record.code)
        case .told:
            told(record)
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
            requests.restoreCalled(record)
        case .restoreAnswered:
            // Whatever comes after the answer is no longer the restore's.
            goods.isRestoring = false
            requests.read(record)
        case .restoreFinishedTold:
            goods.restoreFinished(at: record.at)
            requests.read(record)
        case .restoreFailedTold:
            goods.restoreAbandoned()
            requests.read(record)
        case .productsTold, .productsFailedTold, .productsStarted, .paymentAdded, .fetchAsked, .purchaseAsked,
            .restoreAsked, .fetchAnswered, .purchaseAnswered, .failureTold:
            requests.read(record)
        case .receiptRefreshStarted:
            requests.storeKitCalled(record)
        case .receiptRefreshTold, .receiptRefreshFailedTold:
            requests.read(record)
        case .requestLost, .answerLost, .accountSwitched, .willTerminate, .backgrounded, .foregrounded, .settlingBegan,
            .settled, .removedTold, .posted, .postAnswered:
            break
        }
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
