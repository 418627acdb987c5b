// What a test session does to subscriptions by hand: renewals, ends, price increases.
// Part of `SimulatedAppStore`; confined as it is. Only of a store that is for tests.

extension SimulatedAppStore {
    // MARK: Which one

    /// The subscription that the transaction belongs to, if it still runs.
    func subscriptionPlace(_ id: TransactionID, _ account: Account) throws(TestSessionFailure) -> Int {
        guard let transaction = account.statement.transactions.first(where: { $0.id == id }) else {
            throw records?.lists(id) == true ? .invalidAction : .noTransaction
        }
        guard stock[transaction.product].subscription != nil else { throw .wrongProductType }
        let start = transaction.subscriptionStart ?? id
        guard let place = account.subscriptions.firstIndex(where: { $0.start == start }) else {
            throw .noSubscription
        }
        return place
    }

    private func subscriptionPlace(
        ofProduct identifier: String, _ account: Account
    ) throws(TestSessionFailure) -> Int {
        guard let product = stock.index(of: identifier) else { throw .unknownProduct }
        guard let terms = stock[product].subscription else { throw .wrongProductType }
        guard let place = account.place(of: terms.groupIdentifier), account.subscriptions[place].product == product
        else { throw .noSubscription }
        return place
    }

    private func openAccount(_ user: Int) throws(TestSessionFailure) -> Account {
        guard let account = account(user) else { throw .noTransaction }
        return account
    }

    // MARK: Periods

    package func setRenewal(_ renews: Bool, of id: TransactionID, user: Int) throws(TestSessionFailure) {
        let account = try openAccount(user)
        let place = try subscriptionPlace(id, account)
        account.subscriptions[place].renews = renews
        tellStatus(account)
    }

    /// The period ends now, and the next begins, or billing fails. One in billing retry stays there unless it can be
    /// paid.
    package func forceRenewal(ofProduct identifier: String, user: Int) throws(TestSessionFailure) {
        let account = try openAccount(user)
        let place = try subscriptionPlace(ofProduct: identifier, account)
        account.subscriptions[place].renews = true
        account.subscriptions[place].consent = .notNeeded
        let subscription = account.subscriptions[place]
        if subscription.isInRetry, buyers.subscriptions.billingFailure == .all { return }
        dropAgenda(of: subscription, account)
        account.subscriptions[place].expiresAt = lane.now
        endPeriodNow(subscription.latest, account)
        periodEnded(subscription.latest, account)
    }

    /// R48: observers are not told; the transaction says when it ended.
    package func expire(product identifier: String, user: Int) throws(TestSessionFailure) {
        let account = try openAccount(user)
        let place = try subscriptionPlace(ofProduct: identifier, account)
        let subscription = account.endSubscription(place, .autoRenewDisabled)
        dropAgenda(of: subscription, account)
        endPeriodNow(subscription.latest, account)
        tellStatus(account)
    }

    private func endPeriodNow(_ id: TransactionID, _ account: Account) {
        guard let place = account.statement.transactions.lastIndex(where: { $0.id == id }) else { return }
        account.statement.transactions[place].expiresAt = lane.now
    }

    /// What was planned for the end of its period, or for its billing retry, does not happen any more.
    func dropAgenda(of subscription: Subscription, _ account: Account) {
        account.agenda.removeAll { item in
            switch item.event {
            case .periodEnd(let period), .recovery(let period), .retryEnd(let period):
                return period == subscription.latest
            case .approval, .expiry, .resolution, .refund, .priceIncrease:
                return false
            }
        }
    }

    /// Makes a purchase one of the past, and the renewals since. Periods that have begun take as long as they do in the field.
    func backdate(_ bought: StoreTransaction, _ past: PastPurchase, _ account: Account) -> StoreTransaction {
        let at = min(lane.calendar.instant(of: past.date), lane.now)
        guard let place = account.statement.transactions.lastIndex(where: { $0.id == bought.id }) else { return bought }
        account.statement.transactions[place].at = at
        guard let terms = stock[bought.product].subscription, let running = account.place(of: terms.groupIdentifier)
        else { return account.statement.transactions[place] }
        let subscription = account.subscriptions[running]
        dropAgenda(of: subscription, account)
        let first = stock.offer(of: bought).flatMap { $0.paymentMode == .payAsYouGo ? nil : $0 }
        let length = SubscriptionTimeRate.realTime.length(of: first?.period ?? terms.period)
        let expiresAt = at + Span(nanoseconds: length.nanoseconds * Int64(first?.numberOfPeriods ?? 1))
        account.statement.transactions[place].expiresAt = expiresAt
        account.subscriptions[running].expiresAt = expiresAt
        account.subscriptions[running].recentStart = min(at, subscription.recentStart)
        account.subscriptions[running].renews = past.renews
        while past.renews, account.subscriptions[running].expiresAt <= lane.now {
            let due = account.subscriptions[running].expiresAt
            renew(running, account, from: due, past: due)
        }
        if account.subscriptions[running].expiresAt <= lane.now {
            account.endSubscription(running, .autoRenewDisabled)
        } else {
            awaitPeriodEnd(account.subscriptions[running], account)
        }
        tellNews(account)
        return account.statement.transactions[place]
    }

    // MARK: Price increases

    /// R52: the subscriber has to agree to a higher price. The device hears of it as news.
    package func requestPriceConsent(_ id: TransactionID, user: Int) throws(TestSessionFailure) {
        let account = try openAccount(user)
        let place = try subscriptionPlace(id, account)
        account.subscriptions[place].consent = .needed
        tellNews(account)
    }

    /// The subscriber agrees, or turns renewal off.
    package func answerPriceConsent(_ id: TransactionID, agrees: Bool, user: Int) throws(TestSessionFailure) {
        let account = try openAccount(user)
        let place = try subscriptionPlace(id, account)
        guard account.subscriptions[place].consent == .needed else { throw .invalidAction }
        account.subscriptions[place].consent = agrees ? .given : .notNeeded
        if !agrees { account.subscriptions[place].renews = false }
        tellStatus(account)
    }
}
