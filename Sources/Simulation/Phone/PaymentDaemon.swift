// The system's side of StoreKit on one device: what the app asks for, and payments, one at a time.
// Guard: confined to the device's lane. Survives every crash of the app.

package final class PaymentDaemon: @unchecked Sendable {
    // Unsafe: the device owns its daemon, and whatever calls the daemon holds the device.
    private(set) unowned(unsafe) var device: Device!
    @exclusivity(unchecked) var transactions: [TransactionValue] = []
    @exclusivity(unchecked) var nextHandle = 1
    @exclusivity(unchecked) private var waiting: [Payment] = []
    @exclusivity(unchecked) private var isPaying = false
    var isRestoring = false
    /// Requests for products and receipts that have not been answered.
    var questions = 0
    /// Who hears how the restore under way ends.
    var restorer: (any AppPort)?
    var isSyncing = false
    /// Of the synchronisation under way: StoreKit 2 asked for it, not the queue alone. A property, so that the answer captures none.
    @exclusivity(unchecked) var syncBringsRecord = false
    /// Asked for while one was under way: what that one brings may be stale, or nothing.
    var mustSyncAgain = false
    /// Purchases that the app has finished and the store has not confirmed, oldest first. Until the store hears of it, it
    /// counts them as unfinished: buying the product again brings the same purchase again (R22).
    @exclusivity(unchecked) var unconfirmed: [TransactionID] = []
    /// Finishes that the queue has not taken notice of yet, with the purchase that the store has to hear of, if any.
    var delayedFinishes: [(handle: Int, state: TransactionState, purchase: TransactionID?)] = []
    /// Told before the app came to the foreground, and delivered again a moment after (R5).
    private var repeated: Set<Int> = []
    /// Told as restored, and yet purchases that the store has unfinished (R23).
    var freeRepurchases: Set<Int> = []
    /// Finished, known to this device only, and about to leave the queue.
    var leaving: Set<Int> = []
    /// Whose finish has failed, and of which the app has not been told again (R20).
    var failedFinishes: Set<Int> = []
    /// Confirmed while a synchronisation was under way, which may still name them.
    var confirmedDuringSync: [TransactionID] = []
    /// Payments of a new installation wait until the store has heard of the old one's finishes: it would hand their
    /// purchases out again, to an app that knows nothing of them.
    var mustConfirmFirst = false
    private var latestRefresh: Instant?
    /// Waits for the app to say whether it goes on in another country.
    private var paused: Payment?
    private var promoted: [PaymentValue] = []
    var toldRevocations: Set<TransactionID> = []
    /// What belongs to the account that is not signed in.
    private var otherTransactions: [TransactionValue] = []
    private var otherToldRevocations: Set<TransactionID> = []
    var hasAskedForConsent = false
    var retry: Ticket?
    var retryPause = Span.seconds(2)

    /// Nil until the app first uses StoreKit 2.
    @exclusivity(unchecked) var storeKit2: StoreKit2Part?
    /// What the latest synchronisation of a launch that has not used StoreKit 2 has brought for the queue.
    var queueNews: [StoreTransaction] = []

    @exclusivity(unchecked) var delivery = Delivery(DeliveryFaults(), seed: 0, user: 0)
    /// Waits to be delivered together with what else comes.
    var merging: [TransactionValue] = []

    /// At least so long between two requests for the receipt.
    private static let refreshPause = Span.seconds(5)
    /// From the app's return to the foreground to what is delivered again: StoreKit looks at the queue in between.
    private static let resumingTime = Span.milliseconds(100)

    private struct Payment {
        let handle: Int
        let order: PaymentOrder
    }

    /// Called once, by the device that owns it.
    func attach(to device: Device, delivery: Delivery) {
        self.device = device
        self.delivery = delivery
    }

    /// What the app waits for, other than payments.
    var callsUnderWay: Int {
        questions + (isRestoring ? 1 : 0) + (merging.isEmpty ? 0 : 1) + (storeKit2?.callsUnderWay ?? 0)
    }

    /// Whether anything is still under way.
    var isBusy: Bool { isPaying || isRestoring || isSyncing || !waiting.isEmpty || !unconfirmed.isEmpty }

    /// Whether the person can change accounts.
    var isAtRest: Bool { !isBusy && delayedFinishes.isEmpty && leaving.isEmpty }

    func handle(_ request: DaemonRequest, from app: any AppPort) {
        switch request {
        case .listen(.storeKit2):
            listenForUpdates(app)
        case .listen(let api):
            guard app.isAlive else { return }
            app.listening.insert(api)
            for payment in takePromoted() { device.post(.promotedPayment(payment), to: app) }
            mayAskAgain()
            // Everything unfinished, leftovers of a killed purchase included (R5, R18).
            // Deferred ones too, or not (R38).
            let redeliversDeferred = device.rules.deferredRedelivery
            post(transactions.filter { !isFinished($0) && (redeliversDeferred || $0.state != .deferred) }, to: app)
            sync()
        case .unlisten(let api):
            app.listening.remove(api)
        case .add(let payment, let token):
            add(payment, token)
        case .finish(let handle, let state):
            let delay = delivery.finishDelay()
            if delay == .zero { return takeFinish(handle, of: state) }
            delayedFinishes.append((handle, state, purchase(toFinish: handle)))
            device.schedule(after: delay) { [self] in takeDelayedFinish(handle) }
        case .showRedemptionSheet:
            device.link.send(.redeemOffer) { _ in }
        case .mayContinue(let handle, let answer):
            continuePaying(handle, isAllowed: answer)
        case .refreshReceipt(let request):
            refreshReceipt(request, from: app)
        case .showPriceConsent:
            device.link.send(.priceConsent) { _ in }
        case .restore(let username):
            restore(username, from: app)
        case .products(let request, let identifiers):
            // R53: it hangs for ever, without an error.
            if delivery.staysUnanswered() { return }
            questions += 1
            device.link.send(.products(identifiers: identifiers)) { [self] answer in
                questions -= 1
                switch answer {
                case .products(let found, let invalid, let edition):
                    device.post(.products(request: request, found: found, invalid: invalid, edition), to: app)
                case .failed(let failure):
                    device.post(.productsFailed(request: request, failure), to: app)
                default: preconditionFailure("a product request was answered with \(answer)")
                }
            }
        case .storeKit2(let request):
            handle(request, from: app)
        }
    }

    /// R5: back in the foreground, the store is asked, and what was delivered before and is still unfinished a moment later
    /// is delivered again.
    ///
    /// - Parameter handedOver: transactions that came while the app was suspended and have just been delivered.
    func resume(except handedOver: Set<Int>) {
        guard let app = device.app, isHeard(by: app) else { return }
        mayAskAgain()
        // S11.
        if device.rules.updatesOnForeground { storeKit2?.told = [] }
        for transaction in transactions where transaction.isRepeatable && !handedOver.contains(transaction.handle) {
            // What waits to be delivered was not delivered before.
            if merging.contains(where: { $0.handle == transaction.handle }) { continue }
            repeated.insert(transaction.handle)
        }
        if !repeated.isEmpty {
            // Explored orders may hold back what is on its way to the app: the time begins once the app has it.
            if device.lane is ExploredTimeline {
                device.schedule(from: .daemon(of: device.number)) { [self] in repeatLater() }
            } else {
                repeatLater()
            }
        }
        sync()
    }

    /// Behind whatever the app has said before it, in explored orders too.
    private func repeatLater() {
        device.schedule(after: Self.resumingTime, from: .app(of: device.number)) { [self] in repeatUnfinished() }
    }

    /// What the app has finished meanwhile, with answers that had been held back for it, does not come again.
    private func repeatUnfinished() {
        let unfinished = transactions.filter { repeated.contains($0.handle) && $0.isRepeatable && !isFinished($0) }
        repeated = []
        if let app = device.app { post(unfinished, to: app) }
    }

    /// The store has something new for the account, or may have.
    func hearNews() {
        if let app = device.app, isHeard(by: app) { sync() }
    }

    private func isHeard(by app: any AppPort) -> Bool { !app.listening.isEmpty || storeKit2?.isInUse == true }

    /// R1: the queue of the other account takes the place of this one's. Nothing is under way.
    func switchAccount() {
        precondition(isAtRest, "the account changes while something is under way")
        swap(&transactions, &otherTransactions)
        swap(&toldRevocations, &otherToldRevocations)
        queueNews = []
        storeKit2?.switchAccount()
    }

    /// The app was deleted: what only this device knew goes with it; the store still knows its own.
    func forgetApp() {
        let kept = Set(waiting.map(\.handle))
        mustConfirmFirst = !unconfirmed.isEmpty || delayedFinishes.contains { $0.purchase != nil }
        leaving = []
        transactions.removeAll { $0.state != .purchasing && !kept.contains($0.handle) }
        otherTransactions = []
        storeKit2?.forgetApp()
    }

    // MARK: Paying

    private func add(_ payment: PaymentValue, _ token: PaymentToken) {
        let transaction = put(payment, token)
        post(transaction)
        pay(transaction.handle, PaymentOrder(token: token, payment, countryCode: device.storefront?.countryCode))
    }

    /// Puts a payment on the queue.
    func put(_ payment: PaymentValue, _ token: PaymentToken) -> TransactionValue {
        let handle = nextHandle
        nextHandle += 1
        let transaction = TransactionValue(
            handle: handle, state: .purchasing, payment: payment, token: token,
            product: device.edition.catalog.index(of: payment.productIdentifier))
        transactions.append(transaction)
        return transaction
    }

    /// Sends it to the store in its turn.
    func pay(_ handle: Int, _ order: PaymentOrder) {
        waiting.append(Payment(handle: handle, order: order))
        payNext()
    }

    /// R10: payments run one after the other.
    func payNext() {
        guard !isPaying, !waiting.isEmpty, !mustConfirmFirst else { return }
        let payment = waiting.removeFirst()
        isPaying = true
        send(payment)
    }

    private func send(_ payment: Payment) {
        device.link.send(.purchase(payment.order)) { [self] answer in
            if case .storefrontChanged(let storefront) = answer { return askToContinue(payment, storefront) }
            isPaying = false
            settle(payment.handle, answer)
            payNext()
        }
    }

    private func settle(_ handle: Int, _ answer: StoreAnswer) {
        if let payment = storeKit2?.takePayment(handle) { return settle(payment, answer) }
        // A synchronisation may have brought the outcome before the answer.
        guard let place = transactions.lastIndex(where: { $0.handle == handle && $0.state == .purchasing })
        else { return }
        let device = device!
        // R59
        if let username = transactions[place].payment.applicationUsername {
            transactions[place].payment.applicationUsername = device.rules.persistent(username)
        }
        switch answer {
        case .purchased(let purchase):
            complete(place, with: purchase)
            storeKit2?.note(purchase)
            post(transactions[place])
            noteQueuePurchase(purchase.id)
        case .failed(let failure):
            transactions[place].state = .failed
            transactions[place].failure = failure
            post(transactions[place])
            // R40: a failure that was held back comes with the purchase it was held back for.
            if device.rules.interruptionFailure == .withResolution, device.hearsNews { hearNews() }
        case .deferred:
            transactions[place].state = .deferred
            post(transactions[place])
            // An answer that was quicker than this one has been overlooked.
            hearNews()
        case .nothing:
            transactions.remove(at: place)
        default: preconditionFailure("a payment was answered with \(answer)")
        }
    }

    /// R51.
    func noteStorefront(_ storefront: StorefrontValue?) {
        guard let storefront, device.storefront != storefront else { return }
        device.storefront = storefront
        guard let app = device.app else { return }
        if app.listening.contains(.paymentQueue) { device.post(.storefrontChanged(storefront), to: app) }
        if storeKit2?.isInUse == true {
            device.post(.storeKit2(.storefrontChanged(storefront)), to: app, for: .storeKit2)
        }
    }

    /// R51: the app is asked, and has a second to answer.
    private func askToContinue(_ payment: Payment, _ storefront: StorefrontValue) {
        noteStorefront(storefront)
        paused = payment
        guard let app = device.app, asksToContinue(payment.handle, storefront, app) else {
            return continuePaying(payment.handle, isAllowed: true)
        }
        device.schedule(after: .seconds(1)) { [self] in continuePaying(payment.handle, isAllowed: false) }
    }

    /// Whether the app has been asked.
    private func asksToContinue(_ handle: Int, _ storefront: StorefrontValue, _ app: any AppPort) -> Bool {
        if let payment = storeKit2?.payment(handle) {
            guard payment.asksToContinue, payment.app.isAlive else { return false }
            let question = StoreKit2Event.mustAskToContinue(call: payment.call, handle: handle, storefront)
            device.post(.storeKit2(question), to: app, for: .storeKit2)
            return true
        }
        guard app.listening.contains(.paymentQueue) else { return false }
        device.post(.mustAskToContinue(handle: handle, storefront), to: app)
        return true
    }

    private func continuePaying(_ handle: Int, isAllowed: Bool) {
        guard let payment = paused, payment.handle == handle else { return }
        paused = nil
        if isAllowed {
            var order = payment.order
            order.countryCode = device.storefront?.countryCode
            return send(Payment(handle: handle, order: order))
        }
        isPaying = false
        settle(handle, .failed(.store(.storeProductNotAvailable)))
        payNext()
    }

    /// R43, S84, S85: the person tapped a promoted product. An app that does not listen yet receives it as soon as it does.
    func promote(_ payment: PaymentValue) {
        guard let app = device.app else { return promoted.append(payment) }
        if app.listening.contains(.paymentQueue) { return device.post(.promotedPayment(payment), to: app) }
        if !offersIntent(payment, to: app) { promoted.append(payment) }
    }

    func takePromoted() -> [PaymentValue] {
        defer { promoted = [] }
        return promoted
    }

    /// What was tapped for a process that never listened is forgotten with it.
    func processEnded() {
        promoted = []
        merging = []
        repeated = []
        queueNews = []
        storeKit2?.launchEnded()
    }

    /// R56: asks for the password, and not twice within a moment.
    private func refreshReceipt(_ request: Int, from app: any AppPort) {
        let now = device.lane.now
        if let latestRefresh, now < latestRefresh + Self.refreshPause {
            return device.post(.receiptRefreshFailed(request: request, .tooManyRefreshes), to: app)
        }
        latestRefresh = now
        questions += 1
        device.link.send(.refreshReceipt) { [self] answer in
            questions -= 1
            switch answer {
            case .receiptRefreshed: device.post(.receiptRefreshed(request: request), to: app)
            case .failed(let failure): device.post(.receiptRefreshFailed(request: request, failure), to: app)
            default: preconditionFailure("a receipt request was answered with \(answer)")
            }
        }
    }
}

extension TransactionValue {
    /// Whether the app hears of it again when it returns to the foreground unfinished.
    fileprivate var isRepeatable: Bool { state != .purchasing && state != .deferred }
}
