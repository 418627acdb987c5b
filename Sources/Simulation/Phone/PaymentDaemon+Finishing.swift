// How purchases leave the queue: the app finishes them, and the store has to hear of it.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    private static let retryPauseMax = Span.seconds(60)

    /// R20: it may fail, and the same transaction is then delivered again.
    ///
    /// - Parameter state: the transaction's as the app knew it. What a deferred payment has become since is not finished.
    func takeFinish(_ handle: Int, of state: TransactionState) {
        guard transactions.last(where: { $0.handle == handle })?.state == state else { return }
        guard delivery.failsToFinish() else { return finish(handle) }
        guard let transaction = transactions.last(where: { $0.handle == handle }), !isFinished(transaction) else {
            return
        }
        // An app that receives a transaction twice finishes it twice.
        // A delivery for each failure would multiply deliveries.
        guard failedFinishes.insert(handle).inserted else { return }
        if let id = transaction.id { storeKit2?.finishFailed(id) }
        device.schedule(after: .seconds(1)) { [self] in
            failedFinishes.remove(handle)
            if let known = transactions.last(where: { $0.handle == handle }), !isFinished(known) { post(known) }
        }
    }

    /// A finish that was given outlives the process that gave it, and the app: what was on its way arrives.
    func takeDelayedFinish(_ handle: Int) {
        guard let place = delayedFinishes.firstIndex(where: { $0.handle == handle }) else { return }
        let finish = delayedFinishes.remove(at: place)
        if transactions.contains(where: { $0.handle == handle }) {
            takeFinish(handle, of: finish.state)
        } else if let id = finish.purchase, !delivery.failsToFinish() {
            // The app was deleted meanwhile.
            confirm(id)
        }
        returnFromFinishes()
        // No purchase waits for a finish that failed.
        goOnPaying()
    }

    private func finish(_ handle: Int) {
        guard let place = transactions.lastIndex(where: { $0.handle == handle }) else { return }
        let transaction = transactions[place]
        guard transaction.state != .purchasing else { return }
        // R19
        if transaction.state == .deferred, device.rules.finishDeferred == .ignored { return }
        if let id = purchase(toFinish: handle) {
            // S92.
            storeKit2?.record?.note(id, finishedAt: device.lane.now)
            return confirm(id)
        }
        // R17: it leaves the queue a moment later, not within the call.
        let delay = delivery.removalDelay()
        if delay == .zero { return leave(handle) }
        guard leaving.insert(handle).inserted else { return }
        device.schedule(after: delay) { [self] in
            if leaving.remove(handle) != nil { leave(handle) }
        }
    }

    /// What the store has to hear of if this is finished. A purchase is the store's to know, a re-purchase that arrived
    /// as restored (R23) too; what failed or was restored otherwise is known to this device only.
    func purchase(toFinish handle: Int) -> TransactionID? {
        guard let transaction = transactions.last(where: { $0.handle == handle }),
            transaction.state == .purchased || transaction.token != nil || freeRepurchases.contains(handle)
        else { return nil }
        return transaction.id
    }

    private func confirm(_ id: TransactionID) {
        if unconfirmed.contains(id) { return }
        unconfirmed.append(id)
        if unconfirmed.count == 1 { confirmNext() }
    }

    private func leave(_ handle: Int) {
        transactions.removeAll { $0.handle == handle }
        postRemoval([handle])
    }

    /// Payments of a new installation need not wait for the finishes of the old one any longer.
    private func goOnPaying() {
        guard mustConfirmFirst, unconfirmed.isEmpty, !delayedFinishes.contains(where: { $0.purchase != nil }) else {
            return
        }
        mustConfirmFirst = false
        payNext()
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
        guard !handles.isEmpty, let app = device.app, app.listening.contains(.paymentQueue) else { return }
        deliverMerged(app)
        device.post(.removed(handles: handles), to: app)
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
                returnFromFinishes()
                retryPause = .seconds(2)
                goOnPaying()
                confirmNext()
            } else if retry == nil {
                let pause = device.link.isHealed ? .seconds(2) : retryPause
                retryPause = min(Span(nanoseconds: retryPause.nanoseconds * 2), Self.retryPauseMax)
                retry = device.schedule(after: pause) { [self] in
                    retry = nil
                    confirmNext()
                }
                returnFromFinishes()
            }
        }
    }

    /// The link has come back for good: pending confirmations need not wait for their turn.
    func linkHealed() {
        if let retry { device.cancel(retry) }
        retry = nil
        confirmNext()
    }

    /// By their handles.
    var unfinishedPurchases: [Int] {
        transactions.filter { $0.state == .purchased && !isFinished($0) }.map(\.handle)
    }

    /// The app has finished it, and only the store's confirmation is missing.
    func isFinished(_ transaction: TransactionValue) -> Bool {
        if !leaving.isEmpty, leaving.contains(transaction.handle) { return true }
        return isUnconfirmed(transaction)
    }

    /// A purchase that the app has finished, and of whose finish the store has yet to hear.
    private func isUnconfirmed(_ transaction: TransactionValue) -> Bool {
        transaction.id.map { unconfirmed.contains($0) } ?? false
    }
}
