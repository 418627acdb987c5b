// The system's side of StoreKit on one device: persistent transactions, one payment at a time.
// Guard: confined to the device's lane. Survives every crash of the app.

package final class PaymentDaemon: @unchecked Sendable {
    private unowned let device: Device
    private var transactions: [TransactionValue] = []
    private var nextHandle = 1
    private var waiting: [Payment] = []
    private var isPaying = false
    private var isRestoring = false
    private var isSyncing = false
    /// Asked for while one was under way: what that one brings may be stale, or nothing.
    private var mustSyncAgain = false
    /// Finishes that the store has not confirmed, oldest first, with the pause before the next try.
    private var unconfirmed: [TransactionID] = []
    private var retry: Ticket?
    private var retryPause = Span.seconds(2)

    private struct Payment {
        let handle: Int
        let order: PaymentOrder
    }

    private static let retryPauseMax = Span.seconds(60)

    init(device: Device) { self.device = device }

    /// Whether anything is still under way.
    var isBusy: Bool { isPaying || isRestoring || isSyncing || !waiting.isEmpty || !unconfirmed.isEmpty }

    func handle(_ request: DaemonRequest, from process: AppProcess) {
        switch request {
        case .observe:
            guard process.isAlive else { return }
            process.isObserving = true
            // Everything unfinished, leftovers of a killed purchase included (R5, R18).
            post(transactions, to: process)
            sync()
        case .unobserve:
            process.isObserving = false
        case .add(let payment, let token):
            add(payment, token)
        case .finish(let handle):
            finish(handle)
        case .restore(let username):
            restore(username, from: process)
        case .products(let request, let identifiers):
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
        post(transactions.filter { $0.state != .purchasing && $0.state != .deferred }, to: process)
        sync()
    }

    /// The app was deleted: what only this device knew goes with it; the store still knows its own.
    func forgetApp() {
        let kept = Set(waiting.map(\.handle))
        transactions.removeAll { $0.state != .purchasing && !kept.contains($0.handle) }
    }

    /// The link has come back for good: pending confirmations need not wait for their turn.
    func linkHealed() {
        if let retry { device.cancel(retry) }
        retry = nil
        confirmNext()
    }

    // MARK: Paying

    private func add(_ payment: PaymentValue, _ token: PaymentToken) {
        let handle = nextHandle
        nextHandle += 1
        let transaction = TransactionValue(
            handle: handle, state: .purchasing, payment: payment, token: token,
            product: device.store.catalog.index(of: payment.productIdentifier))
        transactions.append(transaction)
        post(transaction)
        let order = PaymentOrder(
            token: token, productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername)
        waiting.append(Payment(handle: handle, order: order))
        payNext()
    }

    /// R10: payments run one after the other.
    private func payNext() {
        guard !isPaying, !waiting.isEmpty else { return }
        isPaying = true
        let payment = waiting.removeFirst()
        device.link.send(.purchase(payment.order)) { [self] answer in
            isPaying = false
            settle(payment.handle, answer)
            payNext()
        }
    }

    private func settle(_ handle: Int, _ answer: StoreAnswer) {
        // A synchronisation may have brought the outcome before the answer.
        guard let place = transactions.lastIndex(where: { $0.handle == handle && $0.state == .purchasing })
        else { return }
        switch answer {
        case .purchased(let purchase):
            complete(place, with: purchase)
            post(transactions[place])
        case .failed(let failure):
            transactions[place].state = .failed
            transactions[place].failure = failure
            post(transactions[place])
        case .nothing:
            transactions.remove(at: place)
        default: preconditionFailure("a payment was answered with \(answer)")
        }
    }

    private func complete(_ place: Int, with purchase: StoreTransaction) {
        if purchase.isCharged { device.chargeArrived() }
        fill(&transactions[place], from: purchase)
        let repeated = purchase.original != nil && device.store.behaviour.ownedRepurchase == .restored
        transactions[place].state = repeated ? .restored : .purchased
    }

    private func fill(_ transaction: inout TransactionValue, from purchase: StoreTransaction) {
        transaction.product = purchase.product
        transaction.id = purchase.id
        transaction.date = purchase.at
        transaction.originalID = purchase.original
        transaction.originalDate = purchase.originalDate
    }

    // MARK: Finishing

    private func finish(_ handle: Int) {
        guard let place = transactions.lastIndex(where: { $0.handle == handle }) else { return }
        let transaction = transactions[place]
        guard transaction.state != .purchasing, transaction.state != .deferred else { return }
        // The same purchase may stand here twice, when the store handed an unfinished one out again (R22).
        var handles = [handle]
        if let id = transaction.id, transactions.count > 1 {
            handles = transactions.filter { $0.id == id }.map(\.handle)
        }
        if handles.count == 1 {
            transactions.remove(at: place)
        } else {
            transactions.removeAll { handles.contains($0.handle) }
        }
        if let process = device.process, process.isObserving {
            device.post(.removed(handles: handles), to: process)
        }
        if transaction.state == .purchased, let id = transaction.id {
            unconfirmed.append(id)
            if unconfirmed.count == 1 { confirmNext() }
        }
    }

    /// Tells the store of finished transactions, again and again until it has heard.
    private func confirmNext() {
        guard let id = unconfirmed.first, retry == nil else { return }
        device.link.send(.finish(id)) { [self] answer in
            guard unconfirmed.first == id else { return }
            if answer == .finished {
                unconfirmed.removeFirst()
                retryPause = .seconds(2)
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
                postRestored(purchases, to: process)
                device.post(.restoreFinished, to: process)
            case .partlyRestored(let purchases, let failure):
                postRestored(purchases, to: process)
                device.post(.restoreFailed(failure), to: process)
            case .failed(let failure):
                device.post(.restoreFailed(failure), to: process)
            default: preconditionFailure("a restore was answered with \(answer)")
            }
        }
    }

    /// R30: restored transactions are on the queue like any other until they are finished.
    private func postRestored(_ purchases: [StoreTransaction], to process: AppProcess) {
        if purchases.isEmpty { return }
        let restored = purchases.map { admit($0, state: .restored) }
        post(restored, to: process)
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
            if case .unfinished(let purchases, let asOf) = answer { takeIn(purchases, asOf: asOf) }
            if mustSyncAgain {
                mustSyncAgain = false
                sync()
            }
        }
    }

    private func takeIn(_ purchases: [StoreTransaction], asOf instant: Instant) {
        var fresh: [TransactionValue] = []
        for purchase in purchases
        where !unconfirmed.contains(purchase.id) && !transactions.contains(where: { $0.id == purchase.id }) {
            device.recordAdmission(of: purchase, asOf: instant)
            // The answer to a payment of this device, on its way or lost: no second transaction for it.
            let place = transactions.lastIndex { $0.state == .purchasing && $0.token == purchase.payment }
            if purchase.payment != nil, let place {
                complete(place, with: purchase)
                fresh.append(transactions[place])
            } else {
                fresh.append(admit(purchase, state: .purchased))
            }
        }
        if !fresh.isEmpty, let process = device.process { post(fresh, to: process) }
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

    // MARK: Posting

    private func post(_ transaction: TransactionValue) {
        if let process = device.process { post([transaction], to: process) }
    }

    /// R3: a process without an observer hears nothing.
    private func post(_ batch: [TransactionValue], to process: AppProcess) {
        if batch.isEmpty || !process.isObserving { return }
        device.post(.updated(batch), to: process)
    }
}
