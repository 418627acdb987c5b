// The system's side of StoreKit on one device: persistent transactions, one payment at a time.
// Guard: confined to the device's lane. Survives every crash of the app.

package final class PaymentDaemon: @unchecked Sendable {
    // Unsafe: the device owns its daemon, and whatever calls the daemon holds the device.
    private(set) unowned(unsafe) var device: Device!
    @exclusivity(unchecked) var transactions: [TransactionValue] = []
    @exclusivity(unchecked) var nextHandle = 1
    @exclusivity(unchecked) private var waiting: [Payment] = []
    @exclusivity(unchecked) private var isPaying = false
    private var isRestoring = false
    private var isSyncing = false
    /// Asked for while one was under way: what that one brings may be stale, or nothing.
    private var mustSyncAgain = false
    /// Purchases that the app has finished and the store has not confirmed, oldest first. Until then they count as
    /// unfinished: buying the product again brings the same purchase again (R22).
    @exclusivity(unchecked) private var unconfirmed: [TransactionID] = []
    /// Confirmed while a synchronisation was under way, which may still name them.
    private var confirmedDuringSync: [TransactionID] = []
    /// Payments of a new installation wait until the store has heard of the old one's finishes: it would hand their
    /// purchases out again, to an app that knows nothing of them.
    private var mustConfirmFirst = false
    private var latestRefresh: Instant?
    /// Waits for the app to say whether it goes on in another country.
    private var paused: Payment?
    private var promoted: [PaymentValue] = []
    var toldRevocations: Set<TransactionID> = []
    /// What belongs to the account that is not signed in.
    private var otherTransactions: [TransactionValue] = []
    private var otherToldRevocations: Set<TransactionID> = []
    var hasAskedForConsent = false
    private var retry: Ticket?
    private var retryPause = Span.seconds(2)

    @exclusivity(unchecked) var delivery = Delivery(DeliveryFaults(), seed: 0, user: 0)
    /// Waits to be delivered together with what else comes.
    private var merging: [TransactionValue] = []

    private struct Payment {
        let handle: Int
        let order: PaymentOrder
    }

    private static let retryPauseMax = Span.seconds(60)

    /// Called once, by the device that owns it.
    func attach(to device: Device, delivery: Delivery) {
        self.device = device
        self.delivery = delivery
    }

    /// Whether anything is still under way.
    var isBusy: Bool { isPaying || isRestoring || isSyncing || !waiting.isEmpty || !unconfirmed.isEmpty }

    func handle(_ request: DaemonRequest, from process: AppProcess) {
        switch request {
        case .observe:
            guard process.isAlive else { return }
            process.isObserving = true
            for payment in promoted { device.post(.promotedPayment(payment), to: process) }
            promoted = []
            hasAskedForConsent = false
            // Everything unfinished, leftovers of a killed purchase included (R5, R18).
            // Deferred ones too, or not (R38).
            let redeliversDeferred = device.store.behaviour.deferredRedelivery
            post(
                transactions.filter { !isFinished($0) && (redeliversDeferred || $0.state != .deferred) }, to: process)
            sync()
        case .unobserve:
            process.isObserving = false
        case .add(let payment, let token):
            add(payment, token)
        case .finish(let handle):
            let delay = delivery.finishDelay()
            if delay == .zero { return takeFinish(handle) }
            device.schedule(after: delay) { [self] in takeFinish(handle) }
        case .showRedemptionSheet:
            device.link.send(.redeemOffer) { _ in }
        case .mayContinue(let handle, let answer):
            continuePaying(handle, isAllowed: answer)
        case .refreshReceipt(let request):
            refreshReceipt(request, from: process)
        case .showPriceConsent:
            device.link.send(.priceConsent) { _ in }
        case .restore(let username):
            restore(username, from: process)
        case .products(let request, let identifiers):
            // R53: it hangs, and nobody will ever say so.
            if delivery.staysUnanswered() { return }
            device.link.send(.products(identifiers: identifiers)) { [device] answer in
                switch answer {
                case .products(let found, let invalid):
                    device.post(.products(request: request, found: found, invalid: invalid), to: process)
                case .failed(let failure):
                    device.post(.productsFailed(request: request, failure), to: process)
                default: preconditionFailure("a product request was answered with \(answer)")
                }
            }
        }
    }

    /// R5: back in the foreground, what is unfinished is delivered again, and the store is asked.
    func resume() {
        guard let process = device.process, process.isObserving else { return }
        hasAskedForConsent = false
        post(
            transactions.filter { $0.state != .purchasing && $0.state != .deferred && !isFinished($0) }, to: process)
        sync()
    }

    /// The store has something new for the account, or may have.
    func hearNews() {
        if device.process?.isObserving == true { sync() }
    }

    /// R1: the queue of the other account takes the place of this one's. Nothing is under way.
    func switchAccount() {
        precondition(!isBusy, "the account changes while something is under way")
        swap(&transactions, &otherTransactions)
        swap(&toldRevocations, &otherToldRevocations)
    }

    /// The app was deleted: what only this device knew goes with it; the store still knows its own.
    func forgetApp() {
        let kept = Set(waiting.map(\.handle))
        mustConfirmFirst = !unconfirmed.isEmpty
        transactions.removeAll { $0.state != .purchasing && !kept.contains($0.handle) }
        otherTransactions = []
    }

    /// The link has come back for good: pending confirmations need not wait for their turn.
    func linkHealed() {
        if let retry { device.cancel(retry) }
        retry = nil
        confirmNext()
    }

    /// The app has finished it, and only the store's confirmation is missing.
    private func isFinished(_ transaction: TransactionValue) -> Bool {
        transaction.id.map { unconfirmed.contains($0) } ?? false
    }

    // MARK: Paying

    private func add(_ payment: PaymentValue, _ token: PaymentToken) {
        let device = device!
        let handle = nextHandle
        nextHandle += 1
        let transaction = TransactionValue(
            handle: handle, state: .purchasing, payment: payment, token: token,
            product: device.store.catalog.index(of: payment.productIdentifier))
        transactions.append(transaction)
        post(transaction)
        let order = PaymentOrder(
            token: token, productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, countryCode: device.storefront?.countryCode,
            simulatesAskToBuy: payment.simulatesAskToBuyInSandbox, discount: payment.discount)
        waiting.append(Payment(handle: handle, order: order))
        payNext()
    }

    /// R10: payments run one after the other.
    private func payNext() {
        guard !isPaying, !waiting.isEmpty, !mustConfirmFirst else { return }
        let payment = waiting.removeFirst()
        if repeatsFinishing(payment) { return payNext() }
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

    /// R22: between a finish and its removal the product still counts as unfinished, and buying it again brings the
    /// same purchase.
    private func repeatsFinishing(_ payment: Payment) -> Bool {
        if unconfirmed.isEmpty { return false }
        guard let place = transactions.lastIndex(where: { $0.handle == payment.handle }),
            let product = transactions[place].product, device.store.catalog[product].kind == .consumable,
            let earlier = transactions.first(where: { $0.product == product && isFinished($0) })
        else { return false }
        transactions[place].id = earlier.id
        transactions[place].date = earlier.date
        transactions[place].payment.quantity = earlier.payment.quantity
        transactions[place].state = .purchased
        post(transactions[place])
        return true
    }

    private func settle(_ handle: Int, _ answer: StoreAnswer) {
        // A synchronisation may have brought the outcome before the answer.
        guard let place = transactions.lastIndex(where: { $0.handle == handle && $0.state == .purchasing })
        else { return }
        let device = device!
        // R59
        if let username = transactions[place].payment.applicationUsername {
            transactions[place].payment.applicationUsername = device.store.behaviour.persistent(username)
        }
        switch answer {
        case .purchased(let purchase):
            complete(place, with: purchase)
            post(transactions[place])
        case .failed(let failure):
            transactions[place].state = .failed
            transactions[place].failure = failure
            post(transactions[place])
            // R40: a failure that was held back comes with the purchase it was held back for.
            if device.store.behaviour.interruptionFailure == .withResolution, device.store.actsByItself { hearNews() }
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

    private func complete(_ place: Int, with purchase: StoreTransaction) {
        if purchase.isCharged { device.chargeArrived() }
        fill(&transactions[place], from: purchase)
        transactions[place].state = arrivalState(of: purchase)
    }

    /// R23: a free re-purchase may arrive as restored.
    private func arrivalState(of purchase: StoreTransaction) -> TransactionState {
        let isFree = purchase.original != nil && !purchase.isCharged
        return isFree && device.store.behaviour.ownedRepurchase == .restored ? .restored : .purchased
    }

    private func fill(_ transaction: inout TransactionValue, from purchase: StoreTransaction) {
        transaction.product = purchase.product
        // R22: the store may answer with an earlier purchase, which was of another quantity perhaps.
        transaction.payment.quantity = purchase.quantity
        transaction.id = purchase.id
        transaction.date = purchase.at
        transaction.originalID = purchase.original
        transaction.originalDate = purchase.originalDate
    }

    // MARK: Finishing

    /// R20: it may fail, and the same transaction is then delivered again.
    private func takeFinish(_ handle: Int) {
        guard delivery.failsToFinish() else { return finish(handle) }
        guard let transaction = transactions.last(where: { $0.handle == handle }), !isFinished(transaction) else {
            return
        }
        device.schedule(after: .seconds(1)) { [self] in
            if let known = transactions.last(where: { $0.handle == handle }), !isFinished(known) { post(known) }
        }
    }

    private func finish(_ handle: Int) {
        guard let place = transactions.lastIndex(where: { $0.handle == handle }) else { return }
        let transaction = transactions[place]
        guard transaction.state != .purchasing else { return }
        // R19
        if transaction.state == .deferred, device.store.behaviour.finishDeferred == .ignored { return }
        // A purchase is the store's to know, a re-purchase that arrived as restored (R23) too; what failed or was
        // restored is known to this device only.
        if let id = transaction.id, transaction.state == .purchased || transaction.token != nil {
            if unconfirmed.contains(id) { return }
            unconfirmed.append(id)
            if unconfirmed.count == 1 { confirmNext() }
        } else {
            transactions.remove(at: place)
            postRemoval([handle])
        }
    }

    /// The store has heard of a finish: the purchase leaves the queue, from both places if it was handed out twice.
    private func remove(_ id: TransactionID) {
        var handles: [Int] = []
        transactions.removeAll { transaction in
            guard transaction.id == id else { return false }
            handles.append(transaction.handle)
            return true
        }
        postRemoval(handles)
    }

    private func postRemoval(_ handles: [Int]) {
        guard !handles.isEmpty, let process = device.process, process.isObserving else { return }
        deliverMerged(process)
        device.post(.removed(handles: handles), to: process)
    }

    /// Tells the store of finished transactions, again and again until it has heard.
    private func confirmNext() {
        guard let id = unconfirmed.first, retry == nil else { return }
        device.link.send(.finish(id)) { [self] answer in
            guard unconfirmed.first == id else { return }
            if answer == .finished {
                unconfirmed.removeFirst()
                if isSyncing { confirmedDuringSync.append(id) }
                remove(id)
                retryPause = .seconds(2)
                if unconfirmed.isEmpty, mustConfirmFirst {
                    mustConfirmFirst = false
                    payNext()
                }
                confirmNext()
            } else if retry == nil {
                let pause = device.link.isHealed ? .seconds(2) : retryPause
                retryPause = min(Span(nanoseconds: retryPause.nanoseconds * 2), Self.retryPauseMax)
                retry = device.schedule(after: pause) { [self] in
                    retry = nil
                    confirmNext()
                }
            }
        }
    }

    // MARK: Restoring and synchronising

    private func restore(_ username: String?, from process: AppProcess) {
        // R30: a second call while one runs is turned away.
        if isRestoring { return device.post(.restoreFailed(.store(.unknown)), to: process) }
        isRestoring = true
        let crashes = device.crashesDuringRestore()
        device.link.send(.restore(applicationUsername: username)) { [self] answer in
            isRestoring = false
            if crashes, process.isAlive { device.crash() }
            switch answer {
            case .restored(let purchases):
                postRestored(purchases)
                deliverMerged(process)
                device.post(.restoreFinished, to: process)
            case .partlyRestored(let purchases, let failure):
                postRestored(purchases)
                deliverMerged(process)
                device.post(.restoreFailed(failure), to: process)
            case .failed(.store(.paymentCancelled)) where device.store.behaviour.cancelledRestore == .finished:
                device.post(.restoreFinished, to: process)
            case .failed(let failure):
                device.post(.restoreFailed(failure), to: process)
            default: preconditionFailure("a restore was answered with \(answer)")
            }
        }
    }

    /// R30: restored transactions are on the queue like any other until they are finished.
    private func postRestored(_ purchases: [StoreTransaction]) {
        if purchases.isEmpty { return }
        let restored = purchases.map { admit($0, state: .restored) }
        // Whoever asked may be gone: the app that runs now is told.
        if let process = device.process { post(restored, to: process) }
    }

    /// Asks the store which purchases are unfinished and takes in those that this device does not know.
    private func sync() {
        if isSyncing {
            mustSyncAgain = true
            return
        }
        isSyncing = true
        device.link.send(.sync) { [self] answer in
            isSyncing = false
            if case .news(let news) = answer {
                takeIn(news.unfinished, asOf: news.asOf)
                if !news.requests.isEmpty { takeIn(news.requests) }
                close(news.closed)
                tellRevocations(news.revoked)
                noteStorefront(news.storefront)
                if news.needsPriceConsent { askForConsent() }
            }
            confirmedDuringSync = []
            if mustSyncAgain {
                mustSyncAgain = false
                sync()
            }
        }
    }

    private func takeIn(_ purchases: [StoreTransaction], asOf instant: Instant) {
        var fresh: [TransactionValue] = []
        for purchase in purchases
        where concerns(purchase) && !unconfirmed.contains(purchase.id) && !confirmedDuringSync.contains(purchase.id)
            && !transactions.contains(where: { $0.id == purchase.id })
        {
            device.recordAdmission(of: purchase, asOf: instant)
            // The answer to a payment of this device, on its way or lost: no second transaction for it.
            // An interrupted one has been answered with its failure; a new transaction stands beside that (R40).
            let place = transactions.lastIndex {
                ($0.state == .purchasing || $0.state == .deferred) && $0.token == purchase.payment
            }
            if purchase.payment != nil, purchase.origin == .payment, let place {
                complete(place, with: purchase)
                fresh.append(transactions[place])
            } else {
                fresh.append(admit(purchase, state: arrivalState(of: purchase)))
            }
        }
        if !fresh.isEmpty, let process = device.process { post(fresh, to: process) }
    }

    /// R45: what was bought on another device may not arrive here, and goods that are used up never do.
    private func concerns(_ purchase: StoreTransaction) -> Bool {
        let buyer = purchase.payment?.device ?? 1
        if buyer == device.number { return true }
        guard device.store.catalog[purchase.product].kind.isRestorable else { return false }
        return purchase.payment == nil || device.store.behaviour.otherDevices == .delivered
    }

    /// Requests for approval that came to nothing: declined ones fail (R37), dropped ones leave without a word (R36).
    private func close(_ requests: [ClosedRequest]) {
        for request in requests {
            guard
                let place = transactions.lastIndex(where: { $0.state == .deferred && $0.token == request.payment })
            else { continue }
            if request.isDeclined {
                transactions[place].state = .failed
                transactions[place].failure = .store(.paymentCancelled)
                post(transactions[place])
            } else {
                transactions.remove(at: place)
            }
        }
    }

    /// R49: once for each, to an app that listens.
    private func tellRevocations(_ revocations: [Revocation]) {
        guard revocations.count > toldRevocations.count, let process = device.process, process.isObserving else {
            return
        }
        let fresh = revocations.filter { !toldRevocations.contains($0.transaction) }
        if fresh.isEmpty { return }
        for revocation in fresh { toldRevocations.insert(revocation.transaction) }
        if device.store.behaviour.refundUpdate == .updated {
            post(transactions.filter { known in fresh.contains { $0.transaction == known.id } }, to: process)
        }
        device.post(.revoked(fresh), to: process)
    }

    /// R51.
    func noteStorefront(_ storefront: Storefront?) {
        guard let storefront, device.storefront != storefront else { return }
        device.storefront = storefront
        if let process = device.process, process.isObserving {
            device.post(.storefrontChanged(storefront), to: process)
        }
    }

    /// R51: the app is asked, and has a second to answer.
    private func askToContinue(_ payment: Payment, _ storefront: Storefront) {
        noteStorefront(storefront)
        guard let process = device.process, process.isObserving else {
            paused = payment
            return continuePaying(payment.handle, isAllowed: true)
        }
        paused = payment
        device.post(.mustAskToContinue(handle: payment.handle, storefront), to: process)
        device.schedule(after: .seconds(1)) { [self] in continuePaying(payment.handle, isAllowed: false) }
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

    /// R43: the person tapped a promoted product; an app that does not listen yet is told as soon as it does.
    func promote(_ payment: PaymentValue) {
        guard let process = device.process, process.isObserving else {
            promoted.append(payment)
            return
        }
        device.post(.promotedPayment(payment), to: process)
    }

    /// What was tapped for a process that never listened is forgotten with it.
    func processEnded() {
        promoted = []
        merging = []
    }

    /// R52: asked once for each launch and each return to the foreground.
    private func askForConsent() {
        guard let process = device.process, process.isObserving, !hasAskedForConsent else { return }
        hasAskedForConsent = true
        device.post(.priceConsentNeeded, to: process)
    }

    private func admit(_ purchase: StoreTransaction, state: TransactionState) -> TransactionValue {
        let product = device.store.catalog[purchase.product]
        var transaction = TransactionValue(
            handle: nextHandle, state: state,
            payment: PaymentValue(
                productIdentifier: product.identifier, quantity: purchase.quantity,
                applicationUsername: purchase.applicationUsername),
            token: nil)
        nextHandle += 1
        fill(&transaction, from: purchase)
        transactions.append(transaction)
        return transaction
    }

    /// R56: asks for the password, and not twice within a moment.
    private func refreshReceipt(_ request: Int, from process: AppProcess) {
        let now = device.lane.now
        if let latestRefresh, now < latestRefresh + Self.refreshPause {
            return device.post(.receiptRefreshFailed(request: request, .tooManyRefreshes), to: process)
        }
        latestRefresh = now
        device.link.send(.refreshReceipt) { [device] answer in
            switch answer {
            case .receiptRefreshed: device.post(.receiptRefreshed(request: request), to: process)
            case .failed(let failure): device.post(.receiptRefreshFailed(request: request, failure), to: process)
            default: preconditionFailure("a receipt request was answered with \(answer)")
            }
        }
    }

    private static let refreshPause = Span.seconds(5)

    // MARK: Posting

    func post(_ transaction: TransactionValue) {
        if let process = device.process { post([transaction], to: process) }
    }

    /// R3: a process without an observer hears nothing.
    private func post(_ batch: [TransactionValue], to process: AppProcess) {
        if batch.isEmpty || !process.isObserving { return }
        if delivery.isPlain { return device.post(.updated(batch), to: process) }
        for transaction in batch { repeatLater(transaction) }
        guard delivery.mergesBatches else { return hand(batch, to: process) }
        // That a payment was taken is known on the device, and told at once.
        let begun = batch.filter { $0.state == .purchasing }
        if !begun.isEmpty { hand(begun, to: process) }
        merge(batch.filter { $0.state != .purchasing }, for: process)
    }

    private func hand(_ batch: [TransactionValue], to process: AppProcess) {
        let ordered = delivery.ordered(batch)
        guard delivery.deliversOneByOne else { return device.post(.updated(ordered), to: process) }
        for transaction in ordered { device.post(.updated([transaction]), to: process) }
    }

    /// Every state of a transaction is told: the next one does not overtake it.
    private func merge(_ batch: [TransactionValue], for process: AppProcess) {
        if batch.isEmpty { return }
        if batch.contains(where: { new in merging.contains { $0.handle == new.handle } }) { deliverMerged(process) }
        if merging.isEmpty {
            device.schedule(after: Delivery.mergingTime) { [self] in deliverMerged(process) }
        }
        merging += batch
    }

    private func deliverMerged(_ process: AppProcess) {
        if merging.isEmpty { return }
        let batch = merging
        merging = []
        if process.isAlive { hand(batch, to: process) }
    }

    private func repeatLater(_ transaction: TransactionValue) {
        guard transaction.state != .purchasing, let delay = delivery.duplicateDelay() else { return }
        device.schedule(after: delay) { [self] in
            guard let process = device.process, process.isObserving,
                let known = transactions.last(where: { $0.handle == transaction.handle }), !isFinished(known)
            else { return }
            device.post(.updated([known]), to: process)
        }
    }
}
