// What a test session does to the queue of the device it works on.
// Part of `PaymentDaemon`; confined as it is.

extension PaymentDaemon {
    /// R44: what was bought outside the app waits for an approval like what was bought in it.
    func takeIn(_ requests: [PaymentOrder]) {
        for request in requests where !transactions.contains(where: { $0.token == request.token }) {
            let transaction = TransactionValue(
                handle: nextHandle, state: .deferred, payment: request.payment, token: request.token,
                product: device.edition.catalog.index(of: request.payment.productIdentifier))
            nextHandle += 1
            transactions.append(transaction)
            post(transaction)
        }
    }

    /// The store has forgotten these: they leave the queue. What is being bought is on its way to the store or back,
    /// and stays.
    func forget(_ forgotten: Forgotten) {
        var handles: [Int] = []
        transactions.removeAll { transaction in
            guard transaction.state != .purchasing, forgotten.covers(transaction.id, transaction.token) else {
                return false
            }
            handles.append(transaction.handle)
            return true
        }
        toldRevocations = toldRevocations.filter { !forgotten.covers($0, nil) }
        storeKit2?.forget(forgotten)
        // Also told to an app that does not listen: its queue would show them to the next observer.
        if !handles.isEmpty, let app = device.app { device.post(.removed(handles: handles), to: app) }
    }

    /// S101: what a session buys is emitted once its call has returned.
    func holdUpdates() { if storeKit2?.held == nil { storeKit2?.held = [] } }

    func releaseUpdates() {
        guard let facts = storeKit2?.held.take(), !facts.isEmpty, let app = device.app else { return }
        if app.listening.contains(.storeKit2) { post(.updated(facts), to: app) }
    }
}

// What a test session does to the device whose store it holds. On the device's lane.
extension Device {
    /// The store has moved to another country.
    package func noteStorefront(_ storefront: StorefrontValue) { daemon.noteStorefront(storefront) }

    package func holdUpdates() { daemon.holdUpdates() }

    /// After a moment, in which the caller's task goes on.
    package func releaseUpdates() {
        schedule(after: .milliseconds(20)) { [self] in daemon.releaseUpdates() }
    }

    package func forget(_ forgotten: Forgotten) { daemon.forget(forgotten) }

    /// R52: another price increase, another question.
    package func mayAskForConsentAgain() { daemon.mayAskAgain() }
}
