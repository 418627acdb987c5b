// What one person went through on one device, told once: everything else that judges, measures or tells reads this.
// A value, kept by one worker and used again for the next user; knows no clock.

package import Simulation

/// A fold over the events of one device and the store's books of its account.
///
/// What happened is kept by what it happened to - launches, requests, the queue's transactions, goods - each with its
/// moment, and what belongs to what is decided here, once.
package struct UserStory: Sendable {
    package private(set) var input = AuditInput.nothing
    package private(set) var launches = LaunchStory()
    package private(set) var requests = RequestStory()
    package private(set) var queue = QueueStory()
    package private(set) var goods = GoodsStory()
    /// What the simulation itself did wrong, as far as the events show it.
    package private(set) var faults: [HarnessFault] = []
    /// The last moment.
    package private(set) var end = Instant.start
    private var endedProcess: Int32 = 0
    /// What the receipt on the device tells of; nil: there is none, or its date is not recorded.
    private var receiptAsOf: Instant?

    package init() {}

    package init(of input: AuditInput) { tell(input) }

    /// Tells another story, in the memory of this one. The same input always gives the same story.
    package mutating func tell(_ input: AuditInput) {
        self.input = input
        launches.begin()
        requests.begin(input.statement.attempts)
        queue.begin(input)
        goods.begin(input)
        faults.removeAll(keepingCapacity: true)
        end = .start
        endedProcess = 0
        receiptAsOf = nil
        let events = input.events
        for place in events.indices { read(events[place], Int32(truncatingIfNeeded: place)) }
        goods.end(input.held, at: end)
    }

    // A line a kind of event: a long function, and a flat one.
    private mutating func read(_ record: EventRecord, _ place: Int32) {
        let now = Moment(place: place, process: record.process, at: record.at)
        note(record, now)
        switch record.event {
        case .launched: launched(now)
        case .launchReturned(let observers): launches.returned(now, observers: observers)
        case .terminated(let underWay): terminated(now, wasBusy: underWay > 0)
        case .crashed: crashed(now)
        case .settled(let note): processEnded(now, wasBusy: note.underWay > 0)
        case .backgrounded: launches.backgrounded(now)
        case .foregrounded: launches.foregrounded(now)
        case .reinstalled: reinstalled(now)
        case .settlingBegan: launches.settlingBegan(now)
        case .accountSwitched: goods.now.hasSwitchedAccounts = true
        case .asked(let question): requests.ask(question, now)
        case .answered(let answer): answered(answer, now)
        case .used(let product, let count): goods.used(product, count, now)
        case .observerAdded(let times): launches.observerAdded(now, times: times)
        case .observerRemoved(let left): launches.observerRemoved(now, left: left)
        case .updatesUnread(let hadReader): launches.updatesUnread(now, hadReader: hadReader)
        case .updatesRead: launches.updatesRead(now)
        case .paymentAdded(let payment): paymentAdded(payment, now)
        case .delivered(let transaction): delivered(transaction, now)
        case .unverifiedDelivered(let transaction): unverifiedDelivered(transaction, now)
        case .finishCalled(let transaction): finishCalled(transaction, now)
        case .removalDelivered(let transaction): queue.removed(transaction, now)
        case .failureDelivered(let payment, let failure): failureDelivered(payment, failure, now)
        case .restoreCalled: restoreCalled(now, isSync: false)
        case .syncCalled(let asked): restoreCalled(now, asked: asked, isSync: true)
        case .recordRead(let isHidden): goods.now.isRecordOutOfReach = isHidden
        case .entitlementsRead(let areVerified, let asOf):
            goods.entitlementsRead(areVerified: areVerified, asOf: asOf, now)
        case .restoreFinished: restoreEnded(nil, now)
        case .restoreFailed(let failure): restoreEnded(failure, now)
        case .receiptRefreshStarted: requests.refreshStarted(now)
        case .receiptRefreshed(_, let writtenAt): receiptRefreshed(writtenAt, now)
        case .receiptRefreshFailed(_, let failure): requests.refreshEnded(failure, now)
        case .receiptArrived(let writtenAt): receiptArrived(writtenAt, now)
        case .revocationDelivered(let transaction, let product): goods.revocationTold(transaction, product, now)
        case .promotionTapped(let product): promotionTapped(product, now)
        case .promotionAsked(let product, let answer): promotionAsked(product, answer, now)
        case .productsStarted(let request, let asked): requests.productsStarted(request, asked: asked, now)
        case .productsDelivered(let products):
            requests.productsDelivered(products, sold: input.catalog.products.count, now)
        case .productsFailed(let request, let failure, let isHeard):
            requests.productsFailed(request, failure, isHeard: isHeard, now)
        case .admitted(let admission): admitted(admission, now)
        case .posted(let post): launches.posted(post, now)
        case .postAnswered(let post, let outcome): launches.postAnswered(post, outcome, now)
        case .goods(let product, let count): goods.observed(product, count, now)
        case .kept(let product, let count): goods.kept(product, count, now)
        case .stored(let count): goods.stored(now, count: count)
        case .writesLost(let count): goods.lost(now, count: count)
        case .mainQueueHeld(let time, let limit, let call): launches.note(.held(time, limit: limit, call), now)
        case .hung(let time, let call, let wait): launches.note(.hung(time, call, wait), now)
        case .overworked(let asked, let done): launches.note(.overworked(asked: asked, done: done), now)
        case .calledOffLane: launches.note(.calledOffLane, now)
        case .died(let note): launches.note(.died(note), now)
        case .raised(let exception): launches.note(.raised(exception), now)
        case .foreignFinish: launches.note(.foreignFinish, now)
        case .willTerminate, .lost, .updated: break
        }
    }

    /// What goes for every kind.
    private mutating func note(_ record: EventRecord, _ now: Moment) {
        if record.at < end { faults.append(.timeWentBack(from: end, to: record.at)) }
        end = record.at
        if record.process <= endedProcess { checkFence(record) }
    }

    // MARK: The process

    private mutating func launched(_ now: Moment) {
        launches.launched(now)
        goods.processBegan(now)
        requests.processBegan(now)
    }

    private mutating func terminated(_ now: Moment, wasBusy: Bool) {
        launches.terminated(now)
        endedProcess = max(endedProcess, now.process)
        processEnded(now, wasBusy: wasBusy)
    }

    private mutating func crashed(_ now: Moment) {
        launches.crashed(now)
        endedProcess = max(endedProcess, now.process)
        goods.crashed()
        // A crash leaves no time to answer.
        processEnded(now, wasBusy: true)
    }

    private mutating func processEnded(_ now: Moment, wasBusy: Bool) {
        let end = ProcessEnd(moment: now, wasBusy: wasBusy)
        // Most launches have none, and the call would copy what there is of launches.
        if goods.mustLookAtLaunch { goods.processEnded(at: now.at, launches) }
        requests.processEnded(end)
        launches.processEnded(end, patience: input.patience)
    }

    private mutating func reinstalled(_ now: Moment) {
        receiptAsOf = nil
        launches.reinstalled(now)
        goods.reinstalled(now)
        queue.forgetHandles()
    }

    // MARK: What the user asked for

    private mutating func answered(_ answer: DeviceEvent.Answer, _ now: Moment) {
        // Whatever comes after the answer is no longer the restore's.
        if answer.kind == .restore { goods.isRestoring = false }
        // The receipt of the account that is signed in now, which may have bought nothing.
        let asOf = goods.now.hasSwitchedAccounts ? nil : input.notesReceipts ? receiptAsOf : .never
        let mayRefuse =
            requests.needsReason(answer) && mayRefuse(answer.product, isFound: requests.hasProducts, at: now.at)
        requests.answer(answer, now, receiptAsOf: asOf, mayRefuse: mayRefuse)
    }

    /// What an app may have against asking the store for a purchase: payments are not allowed, the store does not sell
    /// the product or has not told of it, the user has it already, or something else is under way.
    private func mayRefuse(_ product: ProductIndex?, isFound: Bool, at instant: Instant) -> Bool {
        guard let product, !input.statement.isPaymentDisallowed else { return true }
        if let end = input.withdrawn[product], end <= instant { return true }
        return !isFound || requests.open.contains { $0.kind != .fetch && $0.hasCalledStoreKit }
            || queue.isAnyOnQueue || goods.mayBeEnough(of: product, input.catalog)
    }

    private mutating func restoreCalled(_ now: Moment, asked: Int32? = nil, isSync: Bool) {
        (goods.isRestoring, goods.restoresBy) = (true, isSync ? .storeKit2 : .queue)
        requests.restoreCalled(now, asked: asked)
    }

    private mutating func restoreEnded(_ failure: StoreFailure?, _ now: Moment) {
        if failure == nil { goods.restoreFinished(now) } else { goods.restoreAbandoned() }
        requests.restoreEnded(failure, now)
    }

    private mutating func receiptArrived(_ writtenAt: Instant, _ now: Moment) {
        receiptAsOf = writtenAt
        goods.receiptCame(now, writtenAt: writtenAt)
    }

    private mutating func receiptRefreshed(_ writtenAt: Instant?, _ now: Moment) {
        goods.receiptCame(now, writtenAt: writtenAt)
        requests.refreshEnded(nil, now)
    }

    private mutating func promotionTapped(_ product: ProductIndex, _ now: Moment) {
        launches.promotionTapped(product, now)
        requests.promotionTapped(product)
    }

    private mutating func promotionAsked(_ product: ProductIndex?, _ answer: PromotionAnswer, _ now: Moment) {
        // With a promoted purchase comes its product.
        launches.promotionAsked(product, answer, mayRefuse: mayRefuse(product, isFound: true, at: now.at))
    }

    // MARK: The queue

    private mutating func paymentAdded(_ payment: DeviceEvent.PaymentNote, _ now: Moment) {
        requests.paymentAdded(payment, now)
        launches.paymentAdded(payment, now)
    }

    private mutating func delivered(_ transaction: DeviceEvent.TransactionNote, _ now: Moment) {
        // A callback of the queue may come after StoreKit 2 has handed over the purchase.
        if input.usesStoreKit2, !transaction.state.isEnding, queue.hasBroughtGoods(transaction.handle) {
            if transaction.state == .deferred { requests.deferredLate(transaction.payment, now) }
            return
        }
        let isOutcome = transaction.state != .purchasing && requests.isOpen(transaction.payment)
        let request = requests.request(paidBy: transaction.payment)
        let change = queue.delivered(
            transaction, now, isOutcome: isOutcome,
            isOfThisLaunch: request.map { requests.all[$0].process == now.process } ?? false)
        if let fault = change.fault { faults.append(fault) }
        if change.isIdentified, let id = transaction.id {
            queue.join(change.handle, goods.exchangeHandle(of: id, change.handle))
        }
        goods.delivered(transaction, now, request: isOutcome ? request : nil)
        requests.delivered(transaction, now, isRestored: goods.restoresBy == .queue)
        if transaction.payment == nil, transaction.state == .purchased { completed(transaction, at: now.at) }
    }

    private mutating func unverifiedDelivered(_ transaction: DeviceEvent.TransactionNote, _ now: Moment) {
        // What this launch has had verified before needs no other word.
        if let place = transaction.id.flatMap({ goods.place(of: $0) }),
            goods.now.purchases[place].toldProcess == now.process
        {
            return requests.unverified(payment: transaction.payment)
        }
        goods.unverified.delivered(transaction, now)
        requests.unverified(payment: transaction.payment)
    }

    /// What an interrupted purchase led to in the end, or one whose answer was lost: it comes by itself then, with nothing
    /// but its user name to say whose it is.
    private mutating func completed(_ transaction: DeviceEvent.TransactionNote, at instant: Instant) {
        guard let id = transaction.id else { return }
        let attempt = input.statement.attempts.first { attempt in
            if case .charged(id) = attempt.outcome { return true }
            return attempt.completedBy == id
        }
        if let attempt { requests.completed(Int32(attempt.payment.number), at: instant) }
    }

    private mutating func failureDelivered(_ payment: Int32?, _ failure: StoreFailure, _ now: Moment) {
        queue.failureDelivered(payment, failure, now)
        requests.failureDelivered(payment, failure)
    }

    private mutating func finishCalled(_ transaction: DeviceEvent.TransactionNote, _ now: Moment) {
        goods.follow(now)
        if goods.unverified.hasPending { goods.unverified.finishCalled(transaction.id, now) }
        let alike = transaction.id.flatMap { goods.handle(of: $0) }
        guard queue.finishCalled(transaction, now, alike: alike) else { return }
        // R23: a free re-purchase may arrive as restored; what it brings is looked for when it is bought only.
        if let id = transaction.id, transaction.state.bringsGoods {
            goods.finishCalled(id, now, needsGoods: transaction.state == .purchased)
        }
        requests.finishCalled(transaction, now)
    }

    // MARK: The simulation's own invariants

    /// The store may not name a purchase as unfinished that it has been told is finished.
    private mutating func admitted(_ admission: DeviceEvent.AdmissionNote, _ now: Moment) {
        queue.admitted(admission.transaction, now)
        if let finished = goods.storeFinish(of: admission.transaction), finished < admission.asOf {
            faults.append(.finishedAndRedelivered(admission.transaction))
        }
    }

    /// A dead process has no effects.
    private mutating func checkFence(_ record: EventRecord) {
        // What it had on its queue goes with it.
        if case .observerRemoved = record.event { return }
        var effect = record.event.effect
        // Nor does it hear of any.
        if case .postAnswered = record.event { effect = .httpRequest }
        if let effect { faults.append(.effectOfDeadProcess(Int(record.process), effect)) }
    }
}
