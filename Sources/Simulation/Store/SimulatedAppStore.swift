// The server side of one cell: accounts, capacity, charges.
// Guard: confined to its lane. Devices reach it through their link only.

/// A cell's slice of the simulated App Store.
package final class SimulatedAppStore: @unchecked Sendable {
    package let lane: Lane
    /// What is sold, as the store's own lane reads it. Only a test session changes it.
    @exclusivity(unchecked) private(set) var stock: Catalog
    /// What devices are given.
    let terms: DeviceTerms
    @exclusivity(unchecked) private(set) var conditions: StoreConditions
    package let behaviour: StoreBehaviour
    @exclusivity(unchecked) private(set) var buyers: BuyerBehaviour
    /// The records for a test session; nil in a run.
    let records: TestRecords?

    let defects: Set<StoreDefect>
    private let seed: UInt64
    private let firstUser: Int
    private let userCount: Int
    @exclusivity(unchecked) private var accounts: [Account?]
    @exclusivity(unchecked) private var queue: StoreQueue?
    /// Told, on the store's lane, from when to when a request waited in the queue.
    package var onWaited: ((_ from: Instant, _ to: Instant) -> Void)?
    @exclusivity(unchecked) var nextTransaction: Int64
    /// R60: made when a payment first carries an offer.
    private(set) lazy var offerVerifier = verifier(stock.offerKey)
    /// The servers beside the store. Any thread.
    @exclusivity(unchecked) private(set) var web: WebServers!

    /// Transactions of one cell are numbered from here, so that identifiers never depend on other cells.
    private static let transactionsPerCell: Int64 = 1_000_000_000
    private static let firstTransaction: Int64 = 100_000_000_000_000

    /// - Parameters:
    ///   - conditions: the cell's own share of them: a finite capacity has been divided already.
    ///   - users: the population indices that the cell serves.
    ///   - firstTransaction: the number of the first one; nil: one of the cell's own range.
    ///   - isForTests: whether a test session may change the store while it is open.
    package init(
        lane: Lane, catalog: Catalog, conditions: StoreConditions, behaviour: StoreBehaviour, buyers: BuyerBehaviour,
        seed: UInt64, cell: Int, users: Range<Int>, defects: Set<StoreDefect> = [], hasOutsideActions: Bool = false,
        hasSecondAccounts: Bool = false, firstTransaction: Int64? = nil, isForTests: Bool = false,
        validator: ServerConditions = ServerConditions(), stubs: [ServerStub] = []
    ) {
        self.lane = lane
        stock = catalog
        records = isForTests ? TestRecords() : nil
        self.conditions = conditions
        self.behaviour = behaviour
        self.buyers = buyers
        self.seed = seed
        self.defects = defects
        firstUser = users.lowerBound
        // Whether the store ever does something that no request asked it for.
        let actsByItself =
            isForTests || hasOutsideActions || hasSecondAccounts || buyers.askToBuy != nil
            || buyers.interrupted != nil || buyers.refunds != nil
            || catalog.products.contains { $0.kind == .autoRenewableSubscription }
        terms = DeviceTerms(
            behaviour.client, CatalogEditions(catalog, canChange: isForTests),
            conditions.app, hearsNews: actsByItself, userCount: users.count)
        accounts = Array(repeating: nil, count: users.count * (hasSecondAccounts ? 2 : 1))
        userCount = users.count
        queue = conditions.capacity.map(StoreQueue.init)
        // Counted up before each.
        nextTransaction =
            firstTransaction.map { $0 - 1 } ?? Self.firstTransaction + Int64(cell) * Self.transactionsPerCell
        web = WebServers(store: self, validator: validator, stubs: stubs, seed: seed)
    }

    /// What is sold. Any thread.
    package var catalog: Catalog { terms.editions.current.catalog }

    /// Takes on other settings, from the next request on. Products keep their places. On the lane.
    func reconfigure(catalog: Catalog, conditions: StoreConditions, buyers: BuyerBehaviour) {
        if catalog.offerKey != stock.offerKey { offerVerifier = verifier(catalog.offerKey) }
        stock = catalog
        terms.editions.publish(CatalogEdition(catalog))
        self.conditions = conditions
        self.buyers = buyers
    }

    private func verifier(_ key: OfferKey?) -> OfferVerifier? {
        key.flatMap { OfferVerifier(privateKey: $0.privateKey) }
    }

    /// Whether the store sells it at this moment. On the lane.
    func isOnSale(_ product: ProductIndex) -> Bool {
        conditions.withdrawals.isEmpty || !isWithdrawn(product, at: lane.now)
    }

    /// Whether the store sold it once, and no longer does. In a run the conditions never change: any thread.
    package func isWithdrawn(_ product: ProductIndex, at instant: Instant) -> Bool {
        conditions.withdrawals.contains { $0.product == product && $0.at <= instant }
    }

    /// Opens the account of a user. `owned` was bought and finished before the run; `unfinished` bought and not finished.
    /// Returns whether payments are allowed on it.
    @discardableResult
    package func openAccount(user: Int, owned: [ProductIndex], unfinished: [ProductIndex]) -> Bool {
        let account = Account(user: user, seed: seed)
        account.statement.isPaymentDisallowed = account.buyerStream.hits(buyers.paymentsDisallowed)
        if let askToBuy = buyers.askToBuy { account.mustAsk = account.buyerStream.hits(askToBuy.share) }
        for product in owned { _ = recordPurchase(account, product: product, isFinished: true) }
        for product in unfinished { _ = recordPurchase(account, product: product, isFinished: false) }
        accounts[user - firstUser] = account
        // The other account owns nothing and needs no approval.
        if accounts.count > userCount {
            let other = terms.otherAccount(of: user)
            accounts[other - firstUser] = Account(user: streamNumber(ofAccount: other), seed: seed)
        }
        if let instant = conditions.priceIncreaseAt { plan(.priceIncrease, after: instant - lane.now, account) }
        return !account.statement.isPaymentDisallowed
    }

    /// Has `listener` told, on the store's lane, whenever the store has something new for this account: one listener
    /// for each of its devices.
    package func addNewsListener(user: Int, _ listener: @escaping @Sendable () -> Void) {
        accounts[user - firstUser]?.newsListeners.append(listener)
    }

    /// The account, as long as it is open.
    func account(_ user: Int) -> Account? { accounts[user - firstUser] }

    /// The numbers of a user's accounts.
    func accounts(of user: Int) -> [Int] { accounts.count > userCount ? [user, terms.otherAccount(of: user)] : [user] }

    /// An account's random streams have this number: that of a user's second account is unique too.
    func streamNumber(ofAccount number: Int) -> Int {
        number < firstUser + userCount ? number : number - userCount + 1 << 41
    }

    /// The account's books; the account is closed and its memory freed.
    package func closeAccount(user: Int) -> AccountStatement {
        guard let account = accounts[user - firstUser] else { return AccountStatement() }
        accounts[user - firstUser] = nil
        guard accounts.count > userCount, let other = accounts[terms.otherAccount(of: user) - firstUser] else {
            return account.statement
        }
        accounts[terms.otherAccount(of: user) - firstUser] = nil
        return account.statement.merged(with: other.statement)
    }

    /// Handles a request that has arrived. `reply` is called on the store's lane, once.
    /// A `healed` request belongs to the final settling: no outage, no error rate, no queue.
    func handle(
        _ request: StoreRequest, user: Int, healed: Bool, reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        // A request that outlives its account (a duplicate after closing) has no recipient.
        guard let account = accounts[user - firstUser] else { return }
        let now = lane.now
        if healed { return serve(request, account, since: now, healed: true, reply) }

        var delay = Span.zero
        switch outage()?.answer {
        case .error: return reply(.failed(.store(.unknown)))
        case .timeout: return reply(.silence)
        case .slow(let by): delay = by
        case nil: break
        }
        guard queue != nil, let capacity = conditions.capacity else {
            if delay == .zero { return serve(request, account, since: now, healed: false, reply) }
            lane.schedule(after: delay) { [self] in serve(request, account, since: now, healed: false, reply) }
            return
        }
        let serviceTime = capacity.serviceTime.drawSpan(&account.storeStream) + delay
        let job = StoreQueue.Job(serviceTime: serviceTime, arrivedAt: now) { [self] in
            serve(request, account, since: now, healed: false, reply)
        }
        switch queue?.admit(job) {
        case .start(let job): begin(job)
        case .refuse: reply(.failed(.store(.unknown)))
        case .wait, nil: break
        }
    }

    private func begin(_ job: StoreQueue.Job) {
        lane.schedule(after: job.serviceTime) { [self] in
            job.begin()
            if let next = queue?.finishOne() {
                onWaited?(next.arrivedAt, lane.now)
                begin(next)
            }
        }
    }

    private func outage() -> StoreOutage? {
        if conditions.outages.isEmpty { return nil }
        let now = lane.now
        return conditions.outages.first { $0.covers(now) }
    }

    private func serve(
        _ request: StoreRequest, _ account: Account, since received: Instant, healed: Bool,
        _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        switch request {
        case .products(let identifiers):
            if let failure = conditions.simulated.products { return reply(.failed(failure)) }
            if !healed, account.storeStream.hits(conditions.errors.products) {
                return reply(.failed(.store(.unknown)))
            }
            reply(productsAnswer(identifiers))
        case .purchase(let order):
            purchase(
                order, account, receivedAt: received, healed: healed,
                records == nil ? reply : noting(reply, of: order, account))
        case .restore(let username):
            restore(username, account, healed: healed, reply)
        case .sync(let wantsRecord):
            reply(.news(news(for: account, withRecord: wantsRecord)))
        case .finish(let id):
            account.finish(id, at: lane.now)
            reply(.finished)
        case .redeemOffer:
            redeemOnSheet(account) { reply(.redemptionEnded) }
        case .refund(let id):
            askForRefund(of: id, account) { reply(.refundAnswered($0)) }
        case .refreshReceipt:
            refreshReceipt(account, healed: healed, reply)
        case .synchronise:
            synchronise(account, healed: healed, reply)
        case .priceConsent:
            askForConsent(account) { reply(.consentNoted) }
        }
    }

    /// - Parameter withRecord: whether the device hears of everything that was bought (S28).
    func news(for account: Account, withRecord: Bool) -> StoreNews {
        if withRecord { account.tellsStatus = true }
        return StoreNews(
            asOf: lane.now,
            unfinished: account.unfinished(redeliveringFinished: defects.contains(.redeliversFinished)),
            closed: account.closedRequests, revoked: account.revocations,
            needsPriceConsent: account.subscriptions.contains { $0.consent == .needed },
            storefront: account.storefront, requests: requestsFromOutside(account),
            record: withRecord ? account.record(asOf: lane.now) : nil)
    }

    private func productsAnswer(_ identifiers: [String]) -> StoreAnswer {
        var found: [ProductIndex] = []
        var invalid: [String] = []
        found.reserveCapacity(identifiers.count)
        for identifier in identifiers {
            if let index = stock.index(of: identifier), isOnSale(index) {
                found.append(index)
            } else {
                invalid.append(identifier)
            }
        }
        return .products(found: found, invalid: invalid, terms.editions.current)
    }
}
