// How transactions reach the app that listens: as they are, or as badly as nothing forbids.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    func post(_ transaction: TransactionValue) {
        if let process = device.process { post([transaction], to: process) }
    }

    /// R3: a process without an observer hears nothing.
    func post(_ batch: [TransactionValue], to process: AppProcess) {
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

    func deliverMerged(_ process: AppProcess) {
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
