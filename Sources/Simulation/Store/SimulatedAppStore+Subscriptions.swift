// Subscriptions over time: periods, renewals, changes of level, billing retry, price increases, refunds.
// Part of `SimulatedAppStore`; confined as it is.

/// A subscription of an account, from its purchase to its end.
struct Subscription {
    let group: String
    /// The first transaction: what receipts call the original.
    let start: TransactionID
    /// When service began that has had no long gap since (S69).
    var recentStart: Instant
    var product: ProductIndex
    /// What the next period will be of (R47).
    var nextProduct: ProductIndex
    var latest: TransactionID
    var expiresAt: Instant
    var renews = true
    /// The renewal that was due has not been paid yet (R48).
    var isInRetry = false
    var consent = Consent.notNeeded
    var offer: AppliedOffer?
    /// Periods at the offer's price that are still to come.
    var offerPeriodsLeft = 0
    let quantity: Int
    let applicationUsername: String?

    enum Consent {
        case notNeeded
        case needed
        case given
        case refused
    }
}

extension Account {
    /// The subscription that runs in a group, one in billing retry included.
    func activeSubscription(_ group: String?) -> Subscription? {
        guard let group else { return nil }
        return subscriptions.first { $0.group == group }
    }

    func place(of group: String) -> Int? { subscriptions.firstIndex { $0.group == group } }

    /// What was planned for a period does not happen in another: each has a transaction of its own.
    func place(ofPeriod latest: TransactionID) -> Int? { subscriptions.firstIndex { $0.latest == latest } }
}

extension SimulatedAppStore {
    // MARK: Buying

    /// R25, R47, S57: buying within a group that is subscribed to. False if the payment goes its usual way: to a higher
    /// level, or to another product of the same level and length, which begin at once.
    func settlesByItself(
        _ order: PaymentOrder, _ product: ProductIndex, _ current: Subscription, _ account: Account, attempt: Int,
        _ reply: @Sendable (StoreAnswer) -> Void
    ) -> Bool {
        guard let wanted = stock[product].subscription, let had = stock[current.product].subscription else {
            return false
        }
        if product == current.product {
            // In billing retry the buyer pays, and it goes on.
            if current.isInRetry { return false }
            switch order.isStoreKit2 ? .currentTransaction : behaviour.activeSubscription {
            case .failed:
                account.statement.attempts[attempt].outcome = .refused(.alreadySubscribed)
                reply(.failed(.alreadySubscribed))
            case .currentTransaction:
                answer(order, with: current, account, attempt: attempt, reply)
            }
            return true
        }
        let isSameService = wanted.level == had.level && wanted.period == had.period
        if wanted.level < had.level || isSameService { return false }
        if let place = account.place(of: current.group) { account.subscriptions[place].nextProduct = product }
        // S58.
        switch order.isStoreKit2 ? .currentTransaction : behaviour.downgrade {
        case .silence:
            account.statement.attempts[attempt].outcome = .existing(current.latest)
            reply(.nothing)
        case .currentTransaction:
            answer(order, with: current, account, attempt: attempt, reply)
            if order.isStoreKit2 { tellStatus(account) }
        }
        return true
    }

    private func answer(
        _ order: PaymentOrder, with current: Subscription, _ account: Account, attempt: Int,
        _ reply: @Sendable (StoreAnswer) -> Void
    ) {
        account.statement.attempts[attempt].outcome = .existing(current.latest)
        guard let place = account.statement.transactions.lastIndex(where: { $0.id == current.latest }) else {
            return reply(.nothing)
        }
        // It has to be finished again, like every transaction that a queue delivers.
        if !order.isStoreKit2, account.statement.transactions[place].finishedAt != nil {
            account.statement.transactions[place].finishedAt = nil
            account.unfinishedCount += 1
        }
        let transaction = account.statement.transactions[place]
        reply(order.isStoreKit2 ? .subscribed(transaction, account.record(asOf: lane.now)) : .purchased(transaction))
    }

    // MARK: Periods

    /// Begins the first period of a subscription, or of a running subscription's other level.
    func beginPeriod(
        _ transaction: inout StoreTransaction, _ terms: CatalogProduct.Subscription, _ account: Account
    ) {
        let offer = offer(for: transaction, terms, account)
        transaction.offer = offer?.applied
        let length = length(of: terms, offer?.terms)
        transaction.expiresAt = lane.now + length
        let earlier = account.place(of: terms.groupIdentifier).map { account.subscriptions.remove(at: $0) }
        if let earlier { endEarly(earlier.start, account) }
        var subscription = Subscription(
            group: terms.groupIdentifier, start: earlier?.start ?? transaction.id,
            recentStart: earlier?.recentStart ?? recentStart(of: terms.groupIdentifier, account),
            product: transaction.product, nextProduct: transaction.product, latest: transaction.id,
            expiresAt: lane.now + length, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
        transaction.subscriptionStart = subscription.start
        if let offer {
            subscription.offer = offer.applied
            subscription.offerPeriodsLeft = offer.terms.paymentMode == .payAsYouGo ? offer.terms.numberOfPeriods - 1 : 0
            if offer.applied == .introductory { account.introducedGroups.insert(terms.groupIdentifier) }
        }
        account.subscriptions.append(subscription)
        awaitPeriodEnd(subscription, account)
    }

    /// S69: a subscription that ended no more than 60 days ago counts as continued.
    private func recentStart(of group: String, _ account: Account) -> Instant {
        guard let earlier = account.ended.first(where: { $0.group == group }),
            lane.now <= earlier.expiresAt + Self.longestGapDays * conditions.timeRate.day
        else { return lane.now }
        return earlier.recentStart
    }

    private static let longestGapDays: Int64 = 60

    /// R47: a higher level takes its place; what is left of the period is refunded. A period of grace ends with it, though the
    /// renewal that followed was paid.
    private func endEarly(_ start: TransactionID, _ account: Account) {
        for place in account.statement.transactions.indices.reversed() {
            let transaction = account.statement.transactions[place]
            let isOfIt = transaction.id == start || transaction.subscriptionStart == start
            if isOfIt, !transaction.isOver(at: lane.now) { account.statement.transactions[place].upgradedAt = lane.now }
        }
    }

    private func offer(
        for transaction: StoreTransaction, _ terms: CatalogProduct.Subscription, _ account: Account
    ) -> (applied: AppliedOffer, terms: CatalogOffer)? {
        switch transaction.offer {
        case let applied? where applied != .introductory:
            return stock.offer(applied, of: transaction.product).map { (applied, $0) }
        default:
            guard !account.introducedGroups.contains(terms.groupIdentifier), transaction.origin != .beforeRun,
                let offer = terms.introductoryOffer, !account.hasSubscribed(to: terms.groupIdentifier, stock)
            else { return nil }
            return (.introductory, offer)
        }
    }

    private func length(of terms: CatalogProduct.Subscription, _ offer: CatalogOffer?) -> Span {
        guard let offer, offer.paymentMode != .payAsYouGo else { return conditions.timeRate.length(of: terms.period) }
        let one = conditions.timeRate.length(of: offer.period)
        return Span(nanoseconds: one.nanoseconds * Int64(offer.numberOfPeriods))
    }

    func awaitPeriodEnd(_ subscription: Subscription, _ account: Account) {
        if account.isSettled { return }
        if account.buyerStream.hits(buyers.subscriptions.cancel), let place = account.place(of: subscription.group) {
            account.subscriptions[place].renews = false
        }
        plan(.periodEnd(of: subscription.latest), after: subscription.expiresAt - lane.now, account)
    }

    // MARK: Renewals

    func periodEnded(_ period: TransactionID, _ account: Account) {
        guard let place = account.place(ofPeriod: period) else { return }
        let subscription = account.subscriptions[place]
        // R52: without consent to the new price it ends with its period.
        if !subscription.renews || subscription.consent == .needed || subscription.consent == .refused {
            account.endSubscription(place, subscription.renews ? .noConsent : .autoRenewDisabled)
            return tellStatus(account)
        }
        let habits = buyers.subscriptions
        guard account.buyerStream.hits(habits.billingFailure) else { return renew(place, account, from: lane.now) }
        account.subscriptions[place].isInRetry = true
        let day = conditions.timeRate.day
        if conditions.hasGracePeriod { extendByGrace(subscription, Self.graceDays * day, account) }
        let retry = Self.retryDays * day
        let recovery = conditions.timeRate.scaled(habits.recoverAfter.drawSpan(&account.buyerStream))
        if account.buyerStream.hits(habits.recover), recovery < retry {
            plan(.recovery(of: period), after: recovery, account)
        } else {
            plan(.retryEnd(of: period), after: retry, account)
        }
        tellStatus(account)
    }

    private static let graceDays: Int64 = 16
    private static let retryDays: Int64 = 60

    /// R48: the entitlement goes on through the period of grace.
    private func extendByGrace(_ subscription: Subscription, _ grace: Span, _ account: Account) {
        let transactions = account.statement.transactions
        guard let place = transactions.lastIndex(where: { $0.id == subscription.latest }) else { return }
        account.statement.transactions[place].expiresAt = subscription.expiresAt + grace
        account.statement.transactions[place].graceBeganAt = lane.now
    }

    /// R48: paid after all. Out of a grace period the billing date stays, out of retry it moves.
    func recover(_ period: TransactionID, _ account: Account) {
        guard let place = account.place(ofPeriod: period) else { return }
        let due = account.subscriptions[place].expiresAt
        let grace = Self.graceDays * conditions.timeRate.day
        let isInGrace = conditions.hasGracePeriod && lane.now < due + grace
        renew(place, account, from: isInGrace ? due : lane.now)
    }

    /// What was paid at last takes the place of the period of grace.
    private func endGrace(of id: TransactionID, _ account: Account) {
        guard let place = account.statement.transactions.lastIndex(where: { $0.id == id }),
            account.statement.transactions[place].graceBeganAt != nil,
            !account.statement.transactions[place].isOver(at: lane.now)
        else { return }
        account.statement.transactions[place].expiresAt = lane.now
    }

    func giveUp(_ period: TransactionID, _ account: Account) {
        guard let place = account.place(ofPeriod: period) else { return }
        account.endSubscription(place, .billingError)
        tellStatus(account)
    }

    /// R46: a new transaction for another period, delivered at launch, in the foreground, or while the app runs.
    ///
    /// - Parameter past: when it was paid, if a test has put it into the past.
    func renew(_ place: Int, _ account: Account, from start: Instant, past: Instant? = nil) {
        let now = past ?? lane.now
        let rate = past == nil ? conditions.timeRate : .realTime
        var subscription = account.subscriptions[place]
        guard let terms = stock[subscription.nextProduct].subscription else { return }
        subscription.product = subscription.nextProduct
        subscription.isInRetry = false
        if subscription.consent == .given { subscription.consent = .notNeeded }
        let first = account.statement.transactions.first { $0.id == subscription.start }
        let showsOriginal = behaviour.renewalOriginal == .set
        var transaction = StoreTransaction(
            id: takeID(), original: showsOriginal ? first?.id : nil, originalDate: showsOriginal ? first?.at : nil,
            product: subscription.product, quantity: subscription.quantity, at: now, origin: .renewal,
            payment: nil, applicationUsername: subscription.applicationUsername, isCharged: true)
        transaction.subscriptionStart = subscription.start
        if subscription.offerPeriodsLeft > 0 {
            subscription.offerPeriodsLeft -= 1
            transaction.offer = subscription.offer
        }
        endGrace(of: subscription.latest, account)
        let expiresAt = max(start + rate.length(of: terms.period), now + .milliseconds(1))
        transaction.expiresAt = expiresAt
        subscription.expiresAt = expiresAt
        subscription.latest = transaction.id
        account.subscriptions[place] = subscription
        account.statement.charges.append(
            Charge(
                at: now, transaction: transaction.id, product: transaction.product, quantity: transaction.quantity)
        )
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        if past != nil { return }
        considerRefund(of: transaction, account)
        awaitPeriodEnd(subscription, account)
        tellNews(account)
    }

    // MARK: Price increases

    func raisePrices(_ account: Account) {
        for place in account.subscriptions.indices { account.subscriptions[place].consent = .needed }
        if !account.subscriptions.isEmpty { tellNews(account) }
    }

    /// R52: the sheet is on screen; the subscriber agrees or not.
    func askForConsent(_ account: Account, _ done: @escaping @Sendable () -> Void) {
        guard account.subscriptions.contains(where: { $0.consent == .needed }), records?.showsNoSheets != true else {
            return done()
        }
        lane.schedule(after: buyers.decideAfter.drawSpan(&account.buyerStream)) { [self] in
            let agrees = account.buyerStream.hits(buyers.subscriptions.consent)
            for place in account.subscriptions.indices where account.subscriptions[place].consent == .needed {
                account.subscriptions[place].consent = agrees ? .given : .refused
            }
            tellStatus(account)
            done()
        }
    }

    // MARK: Refunds

    func considerRefund(of transaction: StoreTransaction, _ account: Account) {
        guard let refunds = buyers.refunds, account.buyerStream.hits(refunds.share) else { return }
        plan(.refund(transaction.id), after: refunds.after.drawSpan(&account.buyerStream), account)
    }

    /// S77: the buyer asks for a refund on the sheet, or closes it. The store grants it.
    func askForRefund(
        of id: TransactionID, _ account: Account, _ done: @escaping @Sendable (RefundAnswer) -> Void
    ) {
        guard let purchase = account.statement.transactions.last(where: { $0.id == id && $0.isCharged }) else {
            return done(.failed)
        }
        if purchase.revokedAt != nil || account.refundRequests.contains(id) { return done(.requestedBefore) }
        lane.schedule(after: buyers.decideAfter.drawSpan(&account.buyerStream)) { [self] in
            if account.buyerStream.hits(buyers.cancel) { return done(.cancelled) }
            guard account.refundRequests.insert(id).inserted else { return done(.requestedBefore) }
            plan(.refund(id), after: buyers.refunds?.after.drawSpan(&account.buyerStream) ?? .zero, account)
            done(.requested)
        }
    }

    /// R49: what was bought is taken back. Apps hear of non-consumables and auto-renewable subscriptions.
    func revoke(_ id: TransactionID, _ account: Account) {
        guard let place = account.statement.transactions.lastIndex(where: { $0.id == id }),
            account.statement.transactions[place].revokedAt == nil
        else { return }
        account.statement.transactions[place].revokedAt = lane.now
        // What was had for nothing because it was owned goes with it (R23).
        for copy in account.statement.transactions.indices
        where account.statement.transactions[copy].original == id && !account.statement.transactions[copy].isCharged {
            account.statement.transactions[copy].revokedAt = lane.now
        }
        let product = account.statement.transactions[place].product
        // S12: the queue's observers hear of no consumable.
        guard stock[product].kind.isRestorable else { return tellStatus(account) }
        if let place = account.place(ofPeriod: id) {
            dropAgenda(of: account.endSubscription(place, nil), account)
        }
        account.revocations.append(Revocation(transaction: id, product: product, at: lane.now))
        tellNews(account)
    }
}

extension Account {
    func hasSubscribed(to group: String, _ catalog: Catalog) -> Bool {
        statement.transactions.contains { catalog[$0.product].subscription?.groupIdentifier == group }
    }
}

extension Span {
    fileprivate static func * (count: Int64, span: Span) -> Span { Span(nanoseconds: span.nanoseconds * count) }
}
