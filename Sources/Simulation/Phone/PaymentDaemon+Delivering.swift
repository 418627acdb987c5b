// How transactions reach the app that listens: as they are, or as badly as nothing forbids.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    func post(_ transaction: TransactionValue) {
        if let app = device.app { post([transaction], to: app) }
    }

    /// R3: an app without an observer hears nothing.
    func post(_ batch: [TransactionValue], to app: any AppPort) {
        if batch.isEmpty || !app.listening.contains(.paymentQueue) { return }
        if delivery.isPlain { return device.post(.updated(batch), to: app) }
        for transaction in batch { repeatLater(transaction) }
        guard delivery.mergesBatches else { return hand(batch, to: app) }
        // That a payment was taken is known on the device, and told at once.
        let begun = batch.filter { $0.state == .purchasing }
        if !begun.isEmpty { hand(begun, to: app) }
        merge(batch.filter { $0.state != .purchasing }, to: app)
    }

    private func hand(_ batch: [TransactionValue], to app: any AppPort) {
        let ordered = delivery.ordered(batch)
        guard delivery.deliversOneByOne else { return device.post(.updated(ordered), to: app) }
        for transaction in ordered { device.post(.updated([transaction]), to: app) }
    }

    /// Every state of a transaction is delivered: a later state does not replace an earlier one.
    private func merge(_ batch: [TransactionValue], to app: any AppPort) {
        if batch.isEmpty { return }
        if batch.contains(where: { new in merging.contains { $0.handle == new.handle } }) { deliverMerged(app) }
        if merging.isEmpty {
            device.schedule(after: Delivery.mergingTime) { [self] in
                // What waits by then may be for the next launch.
                if device.app === app { deliverMerged(app) }
            }
        }
        merging += batch
    }

    func deliverMerged(_ app: any AppPort) {
        if merging.isEmpty { return }
        let batch = merging
        merging = []
        if app.isAlive { hand(batch, to: app) }
    }

    private func repeatLater(_ transaction: TransactionValue) {
        guard transaction.state != .purchasing, let delay = delivery.duplicateDelay() else { return }
        device.schedule(after: delay) { [self] in
            guard let app = device.app, app.listening.contains(.paymentQueue),
                let known = transactions.last(where: { $0.handle == transaction.handle }), !isFinished(known)
            else { return }
            device.post(.updated([known]), to: app)
        }
    }
}
