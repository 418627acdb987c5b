// How transactions reach the app that listens: as they are, or as badly as nothing forbids.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    func post(_ transaction: TransactionValue) {
        if let app = device.app { post([transaction], to: app) }
    }

    /// R3: an app that does not listen hears nothing.
    ///
    /// - Parameter api: which of its purchase APIs has not been told; nil: all that listen.
    func post(_ batch: [TransactionValue], to app: any AppPort, for api: PurchaseAPIs? = nil) {
        let apis = api ?? app.listening
        if batch.isEmpty || apis.isEmpty { return }
        if delivery.isPlain { return device.post(.updated(batch), to: app, for: apis) }
        for transaction in batch { repeatLater(transaction) }
        guard delivery.mergesBatches else { return hand(batch, to: app, for: apis) }
        // That a payment was taken is known on the device, and told at once.
        let begun = batch.filter { $0.state == .purchasing }
        if !begun.isEmpty { hand(begun, to: app, for: apis) }
        merge(batch.filter { $0.state != .purchasing }, to: app, for: apis)
    }

    private func hand(_ batch: [TransactionValue], to app: any AppPort, for apis: PurchaseAPIs) {
        let ordered = delivery.ordered(batch)
        guard delivery.deliversOneByOne else { return device.post(.updated(ordered), to: app, for: apis) }
        for transaction in ordered { device.post(.updated([transaction]), to: app, for: apis) }
    }

    /// Every state of a transaction is delivered: a later state does not replace an earlier one.
    private func merge(_ batch: [TransactionValue], to app: any AppPort, for apis: PurchaseAPIs) {
        if batch.isEmpty { return }
        // What waits for others is theirs alone.
        if mergingFor != apis { deliverMerged(app) }
        if batch.contains(where: { new in merging.contains { $0.handle == new.handle } }) { deliverMerged(app) }
        if merging.isEmpty {
            device.schedule(after: Delivery.mergingTime) { [self] in deliverMerged(app) }
        }
        merging += batch
        mergingFor = apis
    }

    func deliverMerged(_ app: any AppPort) {
        if merging.isEmpty { return }
        let (batch, apis) = (merging, mergingFor)
        (merging, mergingFor) = ([], [])
        if app.isAlive { hand(batch, to: app, for: apis) }
    }

    private func repeatLater(_ transaction: TransactionValue) {
        guard transaction.state != .purchasing, let delay = delivery.duplicateDelay() else { return }
        device.schedule(after: delay) { [self] in
            guard let app = device.app, !app.listening.isEmpty,
                let known = transactions.last(where: { $0.handle == transaction.handle }), !isFinished(known)
            else { return }
            device.post(.updated([known]), to: app, for: app.listening)
        }
    }
}
