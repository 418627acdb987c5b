// What the store does without being asked at that moment: approvals, interrupted purchases that complete.
// Part of `SimulatedAppStore`; confined as it is.

extension SimulatedAppStore {
    // MARK: Ask to Buy

    /// R35: the request goes to the approver; the answer comes later, or never (R36).
    func askForApproval(_ order: PaymentOrder, _ account: Account, attempt: Int) {
        account.statement.attempts[attempt].outcome = .awaitsApproval
        // Requested by the payment itself: there is no approver (R38).
        guard account.mustAsk, let askToBuy = buyers.askToBuy else { return }
        let wait = askToBuy.answerAfter.drawSpan(&account.buyerStream)
        let choice = Int(account.buyerStream.below(Share.whole))
        let isApproved = choice < askToBuy.approve.partsPerBillion
        let isAnswered = choice < askToBuy.approve.partsPerBillion + askToBuy.decline.partsPerBillion
        if isAnswered, wait < behaviour.approvalExpiresAfter {
            plan(.approval(order, attempt: attempt, isApproved: isApproved), after: wait, account)
        } else {
            plan(.expiry(order, attempt: attempt), after: behaviour.approvalExpiresAfter, account)
        }
    }

    private func answerApproval(_ order: PaymentOrder, attempt: Int, isApproved: Bool, _ account: Account) {
        account.statement.attempts[attempt].resolvedAt = lane.now
        if isApproved, let product = account.statement.attempts[attempt].product {
            let transaction = charge(order, product: product, account)
            account.statement.attempts[attempt].outcome = .charged(transaction.id)
        } else {
            account.statement.attempts[attempt].outcome = .declined
            if behaviour.declinedApproval == .silence { return }
            account.closedRequests.append(ClosedRequest(payment: order.token, isDeclined: true))
        }
        tellNews(account)
    }

    // MARK: Interrupted purchases

    /// R40, R41: true if the payment cannot complete now, and has been or will be answered with a failure.
    func interrupts(
        _ order: PaymentOrder, _ account: Account, attempt: Int, healed: Bool,
        _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) -> Bool {
        guard let interrupted = buyers.interrupted, !healed else { return false }
        let failure: StoreFailure =
            behaviour.interruptionError == .paymentCancelled ? .store(.paymentCancelled) : .interrupted
        let answer = order.isStoreKit2 ? behaviour.interruptedPurchase.answer : .failed(failure)
        if account.isInterrupted {
            account.statement.attempts[attempt].outcome = .interrupted
            reply(answer)
            return true
        }
        guard account.buyerStream.hits(interrupted.share) else { return false }
        account.statement.attempts[attempt].outcome = .interrupted
        let isResolved = account.buyerStream.hits(interrupted.resolve)
        let wait = interrupted.resolveAfter.drawSpan(&account.buyerStream)
        account.isInterrupted = true
        let isHeldBack =
            isResolved && !order.isStoreKit2 && behaviour.client.interruptionFailure == .withResolution
        if isResolved {
            let event = AgendaItem.Event.resolution(order, attempt: attempt, reply: isHeldBack ? reply : nil)
            plan(event, after: wait, account)
        }
        if !isHeldBack { reply(answer) }
        return true
    }

    func resolveInterruption(
        _ order: PaymentOrder, attempt: Int, _ account: Account, reply: (@Sendable (StoreAnswer) -> Void)?
    ) {
        account.isInterrupted = false
        guard let product = account.statement.attempts[attempt].product else { return }
        let transaction = charge(order, product: product, account, origin: .interruption)
        account.statement.attempts[attempt].completedBy = transaction.id
        account.statement.attempts[attempt].resolvedAt = lane.now
        // The device asks for news by itself once it has told the failure.
        if let reply {
            reply(.failed(behaviour.interruptionError == .paymentCancelled ? .store(.paymentCancelled) : .interrupted))
        } else {
            tellNews(account)
        }
    }

    // MARK: The agenda

    func plan(_ event: AgendaItem.Event, after delay: Span, _ account: Account) {
        if account.isSettled, !event.isScripted { return }
        let number = account.plan(event, at: lane.now + delay)
        lane.schedule(after: max(.zero, delay)) { [self] in
            if let item = account.takeAgendaItem(number) { carryOut(item.event, account) }
        }
    }

    private func carryOut(_ event: AgendaItem.Event, _ account: Account) {
        switch event {
        case .approval(let order, let attempt, let isApproved):
            answerApproval(order, attempt: attempt, isApproved: isApproved, account)
        case .expiry(let order, _):
            account.closedRequests.append(ClosedRequest(payment: order.token, isDeclined: false))
            tellNews(account)
        case .resolution(let order, let attempt, let reply):
            resolveInterruption(order, attempt: attempt, account, reply: reply)
        case .periodEnd(let period):
            periodEnded(period, account)
        case .recovery(let period):
            recover(period, account)
        case .retryEnd(let period):
            giveUp(period, account)
        case .refund(let id):
            revoke(id, account)
        case .priceIncrease:
            raisePrices(account)
        }
    }

    func tellNews(_ account: Account) {
        for listener in account.newsListeners { listener() }
    }

    /// S64: only a status has changed, which the original API does not tell.
    func tellStatus(_ account: Account) {
        if account.tellsStatus { tellNews(account) }
    }

    /// Completes everything that the store began for this user's accounts, in the order it was due: the run is over.
    /// Nothing new begins, and subscriptions stand still. Returns whether the store acted. On the store's lane.
    package func settle(user: Int) -> Bool {
        var hasActed = false
        for number in accounts(of: user) {
            if let account = account(number), settle(account) { hasActed = true }
        }
        return hasActed
    }

    private func settle(_ account: Account) -> Bool {
        account.agenda.removeAll { !$0.event.isScripted }
        account.isSettled = true
        var hasActed = false
        while let next = account.agenda.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }),
            let item = account.takeAgendaItem(next.number)
        {
            carryOut(item.event, account)
            hasActed = true
        }
        return hasActed
    }
}

extension StoreBehaviour.InterruptedPurchase {
    /// S53.
    fileprivate var answer: StoreAnswer {
        switch self {
        case .pending: .deferred
        case .cancelled: .failed(.store(.paymentCancelled))
        case .unknown: .failed(.interrupted)
        }
    }
}
