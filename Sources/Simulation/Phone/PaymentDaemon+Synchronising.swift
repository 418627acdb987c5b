// How the queue learns what the store knows: answers to restores, and what has come about elsewhere.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    func restore(_ username: String?, from app: any AppPort) {
        if isRestoring { return answerSecondRestore(app) }
        isRestoring = true
        restorer = app
        let crashes = device.crashesDuringRestore()
        device.link.send(.restore(applicationUsername: username)) { [self] answer in
            let app = restorer ?? app
            if crashes, app.isAlive { device.crash() }
            switch answer {
            case .restored(let purchases):
                endRestore(with: .restoreFinished, after: purchases, for: app)
            case .partlyRestored(let purchases, let failure):
                endRestore(with: .restoreFailed(failure), after: purchases, for: app)
            case .failed(.store(.paymentCancelled)) where device.rules.cancelledRestore == .finished:
                endRestore(with: .restoreFinished, for: app)
            case .failed(let failure):
                endRestore(with: .restoreFailed(failure), for: app)
            default: preconditionFailure("a restore was answered with \(answer)")
            }
        }
    }

    /// R28: the end follows what was restored, as much later as a message takes.
    private func endRestore(
        with end: DaemonEvent, after purchases: [StoreTransaction] = [], for app: any AppPort
    ) {
        let comesApart = device.rules.restoreInParts == .oneByOne
        let parts = comesApart ? purchases.map { [$0] } : purchases.isEmpty ? [] : [purchases]
        tellRestored(parts[...]) { [self] in
            isRestoring = false
            let app = restorer ?? app
            restorer = nil
            deliverMerged(app)
            device.post(end, to: app)
        }
    }

    /// R28: each part as much later than the one before as a message takes, and so is the end.
    private func tellRestored(_ parts: ArraySlice<[StoreTransaction]>, then end: @escaping () -> Void) {
        guard let first = parts.first else { return end() }
        postRestored(first)
        let delay = delivery.messageTime(device.link.conditions.latency)
        if delay == .zero { return tellRestored(parts.dropFirst(), then: end) }
        device.schedule(after: delay) { [self] in tellRestored(parts.dropFirst(), then: end) }
    }

    /// R30: a second call while one runs.
    private func answerSecondRestore(_ app: any AppPort) {
        switch device.rules.secondRestore {
        case .rejected: device.post(.restoreFailed(.store(.unknown)), to: app)
        case .cancelled: device.post(.restoreFailed(.store(.paymentCancelled)), to: app)
        // The first caller's process may have ended meanwhile.
        case .joined: restorer = app
        }
    }

    /// R30: restored transactions are on the queue like any other until they are finished.
    private func postRestored(_ purchases: [StoreTransaction]) {
        let restored = purchases.map { admit($0, state: .restored) }
        // The caller's process may have ended: the running process receives the transactions.
        if let app = device.app { post(restored, to: app) }
    }

    /// Asks the store which purchases are unfinished and takes in those that this device does not know.
    func sync() {
        if isSyncing {
            mustSyncAgain = true
            return
        }
        isSyncing = true
        syncBringsRecord = storeKit2?.isInUse == true
        device.link.send(.sync(wantsRecord: syncBringsRecord)) { [self] answer in
            isSyncing = false
            if case .news(let news) = answer {
                takeIn(news)
                if !syncBringsRecord { noteQueueNews(news.unfinished) }
            }
            // A synchronisation that began for the queue alone brings no record: StoreKit 2's own follows.
            let isComplete = !mustSyncAgain || syncBringsRecord && !device.isStandalone
            if storeKit2 != nil, isComplete { answerReaders() }
            confirmedDuringSync = []
            if mustSyncAgain {
                mustSyncAgain = false
                sync()
            }
        }
    }

    private func noteQueueNews(_ unfinished: [StoreTransaction]) {
        if let storeKit2 { storeKit2.note(unfinished) } else { queueNews = unfinished }
    }

    func takeIn(_ news: StoreNews) {
        let before = news.record.flatMap { replaceRecord($0) }
        takeIn(news.unfinished, asOf: news.asOf)
        if !news.requests.isEmpty { takeIn(news.requests) }
        close(news.closed)
        tellRevocations(news.revoked)
        noteStorefront(news.storefront)
        if news.needsPriceConsent { askForConsent() }
        if let record = news.record {
            tellChanges(since: before)
            tellOfBilling(record)
        }
    }

    private func takeIn(_ purchases: [StoreTransaction], asOf instant: Instant) {
        var fresh: [TransactionValue] = []
        for purchase in purchases
        where concerns(purchase) && !unconfirmed.contains(purchase.id) && !confirmedDuringSync.contains(purchase.id)
            && !transactions.contains(where: { $0.id == purchase.id })
        {
            device.note(.admitted(.init(purchase.id, product: purchase.product, asOf: instant)))
            // The answer to a payment of this device, on its way or lost: no second transaction for it.
            // An interrupted one has been answered with its failure; a new transaction stands beside that (R40).
            let place = transactions.lastIndex {
                ($0.state == .purchasing || $0.state == .deferred) && $0.token == purchase.payment
            }
            if purchase.payment != nil, purchase.origin == .payment, let place {
                complete(place, with: purchase)
                if let payment = storeKit2?.takePayment(transactions[place].handle) {
                    answer(payment, with: purchase, at: place)
                } else {
                    fresh.append(transactions[place])
                }
            } else {
                let admitted = admit(purchase, state: arrivalState(of: purchase))
                if admitted.state == .restored { freeRepurchases.insert(admitted.handle) }
                fresh.append(admitted)
            }
        }
        if !fresh.isEmpty, let app = device.app { post(fresh, to: app) }
    }

    /// R45: what was bought on another device may not arrive here, and goods that are used up never do.
    private func concerns(_ purchase: StoreTransaction) -> Bool {
        let buyer = purchase.payment?.device ?? 1
        if buyer == device.number { return true }
        guard device.edition.catalog[purchase.product].kind.isRestorable else { return false }
        return purchase.payment == nil || device.rules.otherDevices == .delivered
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

    /// R49: reports each revocation once, to an app that observes.
    private func tellRevocations(_ revocations: [Revocation]) {
        guard revocations.count > toldRevocations.count, let app = device.app,
            app.listening.contains(.paymentQueue)
        else { return }
        let fresh = revocations.filter { !toldRevocations.contains($0.transaction) }
        if fresh.isEmpty { return }
        for revocation in fresh { toldRevocations.insert(revocation.transaction) }
        if device.rules.refundUpdate == .updated {
            post(transactions.filter { known in fresh.contains { $0.transaction == known.id } }, to: app)
        }
        device.post(.revoked(fresh), to: app)
    }

    private func admit(_ purchase: StoreTransaction, state: TransactionState) -> TransactionValue {
        let product = device.edition.catalog[purchase.product]
        var transaction = TransactionValue(
            handle: nextHandle, state: state,
            payment: PaymentValue(
                productIdentifier: product.identifier, quantity: purchase.quantity,
                applicationUsername: purchase.applicationUsername),
            token: nil)
        nextHandle += 1
        fill(&transaction, from: purchase)
        hideOriginal(&transaction)
        transactions.append(transaction)
        return transaction
    }

    func complete(_ place: Int, with purchase: StoreTransaction) {
        if purchase.isCharged { device.chargeArrived() }
        fill(&transactions[place], from: purchase)
        transactions[place].state = arrivalState(of: purchase)
        hideOriginal(&transactions[place])
    }

    /// R27.
    private func hideOriginal(_ transaction: inout TransactionValue) {
        guard transaction.state == .restored, device.rules.restoredOriginal == .missing else { return }
        transaction.originalID = nil
        transaction.originalDate = nil
    }

    /// R23: a free re-purchase may arrive as restored.
    private func arrivalState(of purchase: StoreTransaction) -> TransactionState {
        let isFree = purchase.original != nil && !purchase.isCharged
        return isFree && device.rules.ownedRepurchase == .restored ? .restored : .purchased
    }

    private func fill(_ transaction: inout TransactionValue, from purchase: StoreTransaction) {
        // R47: the store may answer with what runs already, which is of another product then.
        if let paid = transaction.product, paid != purchase.product {
            transaction.payment.productIdentifier = device.edition.catalog[purchase.product].identifier
        }
        transaction.product = purchase.product
        // R22: the store may answer with an earlier purchase, which was of another quantity perhaps.
        transaction.payment.quantity = purchase.quantity
        transaction.id = purchase.id
        transaction.date = purchase.at
        transaction.originalID = purchase.original
        transaction.originalDate = purchase.originalDate
    }
}
