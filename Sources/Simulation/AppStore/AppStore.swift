// The server side of one cell: accounts, capacity, charges.
// Guard: confined to its lane. Devices reach it through their link only.

/// A cell's slice of the simulated App Store.
package final class AppStore: @unchecked Sendable {
    package let lane: Lane
    package let catalog: Catalog
    package let conditions: StoreConditions
    package let behaviour: StoreBehaviour
    package let buyers: BuyerBehaviour

    private let defects: Set<StoreDefect>
    private let seed: UInt64
    private let firstUser: Int
    @exclusivity(unchecked) private var accounts: [Account?]
    @exclusivity(unchecked) private var queue: StoreQueue?
    @exclusivity(unchecked) private var nextTransaction: Int64

    /// Transactions of one cell are numbered from here, so that identifiers never depend on other cells.
    private static let transactionsPerCell: Int64 = 1_000_000_000
    private static let firstTransaction: Int64 = 100_000_000_000_000

    /// - Parameters:
    ///   - conditions: the cell's own share of them: a finite capacity has been divided already.
    ///   - users: the population indices that the cell serves.
    package init(
        lane: Lane, catalog: Catalog, conditions: StoreConditions, behaviour: StoreBehaviour, buyers: BuyerBehaviour,
        seed: UInt64, cell: Int, users: Range<Int>, defects: Set<StoreDefect> = []
    ) {
        self.lane = lane
        self.catalog = catalog
        self.conditions = conditions
        self.behaviour = behaviour
        self.buyers = buyers
        self.seed = seed
        self.defects = defects
        firstUser = users.lowerBound
        accounts = Array(repeating: nil, count: users.count)
        queue = conditions.capacity.map(StoreQueue.init)
        nextTransaction = Self.firstTransaction + Int64(cell) * Self.transactionsPerCell
    }

    /// Opens the account of a user. `owned` was bought and finished before the run; `unfinished` bought and not finished.
    /// Returns whether payments are allowed on it.
    @discardableResult
    package func openAccount(user: Int, owned: [ProductIndex], unfinished: [ProductIndex]) -> Bool {
        let account = Account(user: user, seed: seed)
        account.statement.isPaymentDisallowed = account.buyerStream.hits(buyers.paymentsDisallowed)
        for product in owned { _ = recordPurchase(account, product: product, isFinished: true) }
        for product in unfinished { _ = recordPurchase(account, product: product, isFinished: false) }
        accounts[user - firstUser] = account
        return !account.statement.isPaymentDisallowed
    }

    /// The account's books; the account is closed and its memory freed.
    package func closeAccount(user: Int) -> AccountStatement {
        guard let account = accounts[user - firstUser] else { return AccountStatement() }
        accounts[user - firstUser] = nil
        return account.statement
    }

    /// Handles a request that has arrived. `reply` is called on the store's lane, once.
    /// A `healed` request belongs to the final settling: no outage, no error rate, no queue.
    func handle(
        _ request: StoreRequest, user: Int, healed: Bool, reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        // A request that outlives its account (a duplicate after closing) has nobody to answer to.
        guard let account = accounts[user - firstUser] else { return }
        if healed { return serve(request, account, healed: true, reply) }

        var delay = Span.zero
        switch outage()?.answer {
        case .error: return reply(.failed(.store(.unknown)))
        case .timeout: return reply(.silence)
        case .slow(let by): delay = by
        case nil: break
        }
        guard queue != nil, let capacity = conditions.capacity else {
            if delay == .zero { return serve(request, account, healed: false, reply) }
            lane.schedule(after: delay) { [self] in serve(request, account, healed: false, reply) }
            return
        }
        let serviceTime = capacity.serviceTime.drawSpan(&account.storeStream) + delay
        let job = StoreQueue.Job(serviceTime: serviceTime) { [self] in serve(request, account, healed: false, reply) }
        switch queue?.admit(job) {
        case .start(let job): begin(job)
        case .refuse: reply(.failed(.store(.unknown)))
        case .wait, nil: break
        }
    }

    private func begin(_ job: StoreQueue.Job) {
        lane.schedule(after: job.serviceTime) { [self] in
            job.begin()
            if let next = queue?.finishOne() { begin(next) }
        }
    }

    private func outage() -> StoreOutage? {
        if conditions.outages.isEmpty { return nil }
        let now = lane.now
        return conditions.outages.first { $0.covers(now) }
    }

    private func serve(
        _ request: StoreRequest, _ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        switch request {
        case .products(let identifiers):
            if !healed, account.storeStream.hits(conditions.errors.products) {
                return reply(.failed(.store(.unknown)))
            }
            reply(productsAnswer(identifiers))
        case .purchase(let order):
            purchase(order, account, healed: healed, reply)
        case .restore(let username):
            restore(username, account, healed: healed, reply)
        case .sync:
            let unfinished = account.unfinished(redeliveringFinished: defects.contains(.redeliversFinished))
            reply(.unfinished(unfinished, asOf: lane.now))
        case .finish(let id):
            account.finish(id, at: lane.now)
            reply(.finished)
        }
    }

    private func productsAnswer(_ identifiers: [String]) -> StoreAnswer {
        var found: [ProductIndex] = []
        var invalid: [String] = []
        found.reserveCapacity(identifiers.count)
        for identifier in identifiers {
            if let index = catalog.index(of: identifier) { found.append(index) } else { invalid.append(identifier) }
        }
        return .products(found: found, invalid: invalid)
    }
}

// MARK: - Buying

extension AppStore {
    private func purchase(
        _ order: PaymentOrder, _ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        let product = catalog.index(of: order.productIdentifier)
        let place = account.statement.attempts.count
        account.statement.attempts.append(
            PurchaseAttempt(
                payment: order.token, product: product, quantity: order.quantity, arrivedAt: lane.now))
        func refuse(_ code: StoreErrorCode) {
            account.statement.attempts[place].outcome = .refused(code)
            reply(.failed(.store(code)))
        }
        if !healed, let code = injectedError(account) { return refuse(code) }
        // R12: an unknown product is an invalid payment; R11: so is a quantity above ten.
        guard let product, (1...10).contains(order.quantity) else { return refuse(.paymentInvalid) }
        if account.statement.isPaymentDisallowed { return refuse(.paymentNotAllowed) }

        if catalog[product].kind == .consumable, let earlier = account.unfinishedCharge(of: product) {
            // R22, R24: "already been bought, it will be restored for free".
            account.statement.attempts[place].outcome = .existing(earlier.id)
            return reply(behaviour.unfinishedRepurchase == .existingTransaction ? .purchased(earlier) : .nothing)
        }
        if catalog[product].kind.isRestorable, let first = account.firstPurchase(of: product) {
            return repeatPurchase(order, of: first, account, attempt: place, reply)
        }
        let wait = buyers.decideAfter.drawSpan(&account.buyerStream)
        account.statement.attempts[place].sheetAt = lane.now
        lane.schedule(after: wait) { [self] in
            account.statement.attempts[place].decidedAt = lane.now
            if account.buyerStream.hits(buyers.cancel) {
                account.statement.attempts[place].outcome = .cancelled
                return reply(.failed(.store(.paymentCancelled)))
            }
            let transaction = charge(order, product: product, account)
            account.statement.attempts[place].outcome = .charged(transaction.id)
            reply(.purchased(transaction))
        }
    }

    private func injectedError(_ account: Account) -> StoreErrorCode? {
        if conditions.errors.purchase.isEmpty { return nil }
        // One draw for all of them: the shares are of all purchases, and together at most the whole.
        var rest = Int(account.storeStream.below(Share.whole))
        for rate in conditions.errors.purchase {
            rest -= rate.share.partsPerBillion
            if rest < 0 { return rate.error }
        }
        return nil
    }

    private func charge(_ order: PaymentOrder, product: ProductIndex, _ account: Account) -> StoreTransaction {
        let transaction = StoreTransaction(
            id: takeID(), original: nil, originalDate: nil, product: product, quantity: order.quantity, at: lane.now,
            payment: order.token, applicationUsername: order.applicationUsername, isCharged: true)
        let charge = Charge(at: lane.now, transaction: transaction.id, product: product, quantity: order.quantity)
        if !defects.contains(.forgetsCharge) { account.statement.charges.append(charge) }
        if defects.contains(.chargesTwice) { account.statement.charges.append(charge) }
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        return transaction
    }

    /// R23: what is owned is not charged again; R25: an active subscription cannot be bought again.
    private func repeatPurchase(
        _ order: PaymentOrder, of first: StoreTransaction, _ account: Account, attempt: Int,
        _ reply: @Sendable (StoreAnswer) -> Void
    ) {
        if catalog[first.product].kind == .autoRenewableSubscription {
            account.statement.attempts[attempt].outcome = .refused(.unknown)
            return reply(.failed(.alreadySubscribed))
        }
        let transaction = StoreTransaction(
            id: takeID(), original: first.id, originalDate: first.at, product: first.product, quantity: 1,
            at: lane.now, payment: order.token, applicationUsername: order.applicationUsername, isCharged: false)
        account.statement.attempts[attempt].outcome = .repeated(transaction.id)
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        reply(.purchased(transaction))
    }

    /// A purchase made before the run.
    private func recordPurchase(_ account: Account, product: ProductIndex, isFinished: Bool) -> TransactionID {
        let id = takeID()
        account.statement.charges.append(Charge(at: .start, transaction: id, product: product, quantity: 1))
        account.statement.transactions.append(
            StoreTransaction(
                id: id, original: nil, originalDate: nil, product: product, quantity: 1, at: .start, payment: nil,
                applicationUsername: nil, isCharged: true, finishedAt: isFinished ? .start : nil))
        if !isFinished { account.unfinishedCount += 1 }
        return id
    }

    private func takeID() -> TransactionID {
        nextTransaction += 1
        return TransactionID(number: nextTransaction)
    }
}

// MARK: - Restoring

extension AppStore {
    /// R26, R27: a new transaction for each finished purchase of a restorable kind, after the password (R29).
    private func restore(
        _ username: String?, _ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        let wait = buyers.decideAfter.drawSpan(&account.buyerStream)
        lane.schedule(after: wait) { [self] in
            if account.buyerStream.hits(buyers.cancelRestore) {
                return reply(.failed(.store(.paymentCancelled)))
            }
            let fails = !healed && account.storeStream.hits(conditions.errors.restore)
            let completed = account.statement.transactions.filter {
                $0.isCharged && $0.finishedAt != nil && catalog[$0.product].kind.isRestorable
                    && (username == nil || !behaviour.restoreFiltersUsername || $0.applicationUsername == username)
            }
            let delivered = fails ? completed.prefix((completed.count + 1) / 2) : completed[...]
            let restored = delivered.map { first in
                StoreTransaction(
                    id: takeID(), original: first.id, originalDate: first.at, product: first.product,
                    quantity: first.quantity, at: lane.now, payment: nil,
                    applicationUsername: first.applicationUsername, isCharged: false)
            }
            reply(fails ? .partlyRestored(restored, .store(.unknown)) : .restored(restored))
        }
    }
}
