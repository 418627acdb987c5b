// What a test session does to the store by hand: purchases outside the app, approvals, refunds, wiped transactions.
// Part of `SimulatedAppStore`; confined as it is. Only of a store that is for tests.

extension SimulatedAppStore {
    // MARK: Numbering

    /// `reply`, after a payment that came to no purchase has been given a number: purchases have one of their own.
    func noting(
        _ reply: @escaping @Sendable (StoreAnswer) -> Void, of order: PaymentOrder, _ account: Account
    ) -> @Sendable (StoreAnswer) -> Void {
        { [self] answer in
            switch answer {
            case .failed, .deferred:
                let place = account.statement.attempts.lastIndex { $0.payment == order.token }
                // A payment for what is not sold is not listed.
                if let place, account.statement.attempts[place].product != nil { number(order, attempt: place) }
            default: break
            }
            reply(answer)
        }
    }

    @discardableResult
    private func number(_ order: PaymentOrder, attempt: Int, isFromOutside: Bool = false) -> TransactionID {
        let id = takeID()
        records?.unpurchased.append(
            TestRecords.Unpurchased(id: id, order: order, attempt: attempt, isFromOutside: isFromOutside))
        return id
    }

    // MARK: Buying outside the app

    /// R44. The device hears of it as news. Returns the number; what fails is listed, and thrown.
    ///
    /// - Parameter asks: whether the purchase may need an approval.
    package func buyOutside(
        _ identifier: String, quantity: Int, applicationUsername: String?, offer: AppliedOffer? = nil,
        past: PastPurchase? = nil, asks: Bool = true, user: Int
    ) throws(TestSessionFailure) -> TransactionID {
        guard let account = account(user), let records, let product = stock.index(of: identifier) else {
            throw .unknownProduct
        }
        guard (1...10).contains(quantity) else { throw .refused(.store(.paymentInvalid)) }
        let order = PaymentOrder(
            token: records.takeOutsideToken(),
            PaymentValue(
                productIdentifier: identifier, quantity: quantity, applicationUsername: applicationUsername))
        if let offer, stock.offer(offer, of: product) == nil {
            throw .refused(.store(.invalidOfferIdentifier))
        }
        if let failure = conditions.errors.purchase.first?.error {
            enter(order, product, .refused(failure), account)
            throw .refused(failure)
        }
        if buyers.interrupted != nil {
            enter(order, product, .interrupted, account)
            throw .refused(.store(.paymentCancelled))
        }
        if account.mustAsk, asks {
            defer { tellNews(account) }
            return enter(order, product, .awaitsApproval, account)
        }
        if let current = account.activeSubscription(stock[product].subscription?.groupIdentifier) {
            // R25, R47: what runs goes on; a lower level waits for its end.
            if current.product == product { return current.latest }
            perform(.changeSubscription(to: product), user: user)
            return account.activeSubscription(current.group)?.latest ?? current.latest
        }
        if stock[product].kind == .nonConsumable, let first = account.firstPurchase(of: product) {
            return repeatOutside(first, account)
        }
        let sold = sell(
            product, quantity: quantity, origin: .outside, offer: offer, applicationUsername: applicationUsername,
            account)
        if let past { _ = backdate(sold, past, account) }
        return sold.id
    }

    /// S101: a purchase as the books have it.
    package func purchase(_ id: TransactionID, user: Int) -> StoreTransaction? {
        account(user)?.statement.transactions.last { $0.id == id }
    }

    @discardableResult
    private func enter(
        _ order: PaymentOrder, _ product: ProductIndex, _ outcome: PurchaseAttempt.Outcome, _ account: Account
    ) -> TransactionID {
        var attempt = PurchaseAttempt(
            payment: order.token, product: product, quantity: order.payment.quantity, receivedAt: lane.now,
            arrivedAt: lane.now)
        attempt.outcome = outcome
        account.statement.attempts.append(attempt)
        return number(order, attempt: account.statement.attempts.count - 1, isFromOutside: true)
    }

    /// R23: what is owned is not charged again.
    private func repeatOutside(_ first: StoreTransaction, _ account: Account) -> TransactionID {
        let transaction = StoreTransaction(
            id: takeID(), original: first.id, originalDate: first.at, product: first.product, quantity: 1,
            at: lane.now, origin: .outside, payment: nil, applicationUsername: first.applicationUsername,
            isCharged: false)
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        tellNews(account)
        return transaction.id
    }

    /// Those that no payment of a device asked for: the device has to be told that they wait.
    func requestsFromOutside(_ account: Account) -> [PaymentOrder] {
        guard let records, !records.unpurchased.isEmpty else { return [] }
        return records.unpurchased.compactMap { payment in
            guard payment.isFromOutside, account.statement.attempts[payment.attempt].outcome == .awaitsApproval else {
                return nil
            }
            return payment.order
        }
    }

    // MARK: Approvals and interruptions

    /// R36, R37. An approved payment keeps its number.
    package func answerRequest(_ id: TransactionID, isApproved: Bool, user: Int) throws(TestSessionFailure) {
        let (account, payment) = try unpurchased(id, user)
        let attempt = account.statement.attempts[payment.attempt]
        guard attempt.outcome == .awaitsApproval, let product = attempt.product else { throw .invalidAction }
        account.statement.attempts[payment.attempt].resolvedAt = lane.now
        guard isApproved else {
            // The store calls no observer: the transaction stays deferred.
            account.statement.attempts[payment.attempt].outcome = .declined
            return
        }
        _ = charge(payment.order, product: product, account, id: id)
        account.statement.attempts[payment.attempt].outcome = .charged(id)
        tellNews(account)
    }

    /// R40, R48: the account is mended; the interrupted purchase is bought anew, or the subscription renewed.
    package func resolveIssue(_ id: TransactionID, user: Int) throws(TestSessionFailure) {
        guard let account = account(user) else { throw .noTransaction }
        if account.statement.transactions.contains(where: { $0.id == id }) {
            let place = try subscriptionPlace(id, account)
            let subscription = account.subscriptions[place]
            // A paid subscription needs nothing.
            guard subscription.isInRetry else { return }
            dropAgenda(of: subscription, account)
            return recover(subscription.latest, account)
        }
        let payment = try unpurchased(id, user).1
        let attempt = account.statement.attempts[payment.attempt]
        guard attempt.outcome == .interrupted, attempt.completedBy == nil else { throw .invalidAction }
        resolveInterruption(payment.order, attempt: payment.attempt, account, reply: nil)
    }

    private func unpurchased(
        _ id: TransactionID, _ user: Int
    ) throws(TestSessionFailure) -> (Account, TestRecords.Unpurchased) {
        guard let account = account(user), let records else { throw .noTransaction }
        if let payment = records.unpurchased.first(where: { $0.id == id }) { return (account, payment) }
        let isKnown = account.statement.transactions.contains { $0.id == id }
        throw isKnown || records.lists(id) ? .invalidAction : .noTransaction
    }

    // MARK: Refunds

    /// R49.
    package func refund(_ id: TransactionID, user: Int) throws(TestSessionFailure) {
        guard let account = account(user) else { throw .noTransaction }
        guard let transaction = account.statement.transactions.first(where: { $0.id == id }) else {
            _ = try unpurchased(id, user)
            throw .invalidAction
        }
        guard transaction.revokedAt == nil else { throw .invalidAction }
        revoke(id, account)
    }

    // MARK: Wiping

    /// Wipes the transactions. Payments under way come to their end, and are the first of the new ones.
    package func clearTransactions(user: Int) -> Forgotten {
        guard let account = account(user), let records else { return .everything }
        account.forgetEverything()
        records.unpurchased = []
        records.restored = []
        return .everything
    }

    /// Wipes one transaction, with what came of it: renewals of the subscription it began, what was restored of it.
    package func deleteTransaction(_ id: TransactionID, user: Int) throws(TestSessionFailure) -> Forgotten {
        guard let account = account(user), let records else { throw .noTransaction }
        if let place = records.unpurchased.firstIndex(where: { $0.id == id }) {
            let payment = records.unpurchased.remove(at: place)
            if case .charged = account.statement.attempts[payment.attempt].outcome {
            } else {
                return .only([], payments: [payment.order.token])
            }
        }
        let all = account.statement.transactions + records.restored
        guard all.contains(where: { $0.id == id }) else { throw .noTransaction }
        var deleted: Set<TransactionID> = [id]
        for transaction in all where transaction.subscriptionStart == id { deleted.insert(transaction.id) }
        for transaction in all where transaction.original.map({ deleted.contains($0) }) ?? false {
            deleted.insert(transaction.id)
        }
        for subscription in account.subscriptions where deleted.contains(subscription.start) {
            dropAgenda(of: subscription, account)
        }
        records.restored.removeAll { deleted.contains($0.id) }
        account.forget(deleted, stock)
        return .only(deleted)
    }
}

extension Account {
    /// But for the attempts: payments under way know theirs by its place.
    fileprivate func forgetEverything() {
        statement.transactions = []
        statement.charges = []
        unfinishedCount = 0
        agenda = []
        closedRequests = []
        subscriptions = []
        introducedGroups = []
        revocations = []
        isInterrupted = false
    }

    fileprivate func forget(_ deleted: Set<TransactionID>, _ catalog: Catalog) {
        statement.transactions.removeAll { deleted.contains($0.id) }
        statement.charges.removeAll { deleted.contains($0.transaction) }
        unfinishedCount = statement.transactions.count { $0.finishedAt == nil }
        revocations.removeAll { deleted.contains($0.transaction) }
        subscriptions.removeAll { deleted.contains($0.start) }
        ended.removeAll { deleted.contains($0.start) }
        refundRequests.subtract(deleted)
        introducedGroups = Set(
            statement.transactions.compactMap { transaction in
                transaction.offer == .introductory ? catalog[transaction.product].subscription?.groupIdentifier : nil
            })
    }
}
