// Actions of a test session on the standalone device and its store. Any thread.
// Calls wait for the store's lane, which never blocks. Actions on the device's own lane, the main queue, are sent there
// ahead of the caller's next action, and never waited for.

package import Simulation

/// Performs the actions of test sessions. All sessions share one environment.
package enum TestControls {
    private static var device: Device { StandaloneDevice.device }

    /// Runs `body` on the store's lane and returns its result.
    package static func perform<Value>(
        _ body: (_ store: SimulatedAppStore, _ user: Int) throws(TestSessionFailure) -> Value
    ) throws(TestSessionFailure) -> Value {
        let result: Result<Value, TestSessionFailure> = onStore { store in
            do throws(TestSessionFailure) {
                return .success(try body(store, StandaloneDevice.user))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// From the next payment on, the store sells this catalog under these settings.
    package static func adopt(_ settings: TestSettings, selling catalog: Catalog) {
        let storefront = onStore { $0.adopt(settings, selling: catalog, user: StandaloneDevice.user) }
        guard let storefront else { return }
        // The device learns it before the next payment; otherwise that payment would seem to be caught by the move.
        onDevice { $0.noteStorefront(storefront) }
    }

    /// The calendar of the device and its store.
    package static var calendar: TimelineCalendar { device.lane.calendar }

    package static var transactions: [TestTransaction] {
        onStore { $0.testTransactions(user: StandaloneDevice.user) }
    }

    /// S101: `Transaction.updates` emits a purchase of the session's once its call has returned.
    package static func holdUpdates() { onDevice { $0.holdUpdates() } }
    package static func releaseUpdates() { onDevice { $0.releaseUpdates() } }

    /// S101: a purchase that the store has made, as StoreKit 2 hands it over; nil: there is none. The device knows of it.
    package static func transaction(_ id: TransactionID) async -> Transaction? {
        let receiver = StoreKit2Receiver.current(for: "SKTestSession")
        let (record, unfinished) = await receiver.readRecord()
        guard let purchase = onStore({ $0.purchase(id, user: StandaloneDevice.user) }) else { return nil }
        let fact = unfinished.first { $0.purchase.id == id } ?? PurchaseFact(purchase, handle: 0, in: record)
        return await receiver.transaction(fact)
    }

    /// Deletes all transactions, on the store and on the device.
    package static func clear() {
        forget(onStore { $0.clearTransactions(user: StandaloneDevice.user) })
    }

    package static func delete(_ id: TransactionID) throws(TestSessionFailure) {
        forget(
            try perform { store, user throws(TestSessionFailure) in try store.deleteTransaction(id, user: user) })
    }

    /// Runs after the store's deletion: everything that the store sent before arrives before this.
    private static func forget(_ forgotten: Forgotten) {
        let (receipt, now) = onStore { store in
            (store.receipt(user: StandaloneDevice.user, asOf: store.lane.now), store.lane.now)
        }
        onDevice { device in
            device.receiptRewritten(receipt, asOf: now)
            device.forget(forgotten)
        }
    }

    package static func requestPriceConsent(_ id: TransactionID) throws(TestSessionFailure) {
        onDevice { $0.mayAskForConsentAgain() }
        try perform { store, user throws(TestSessionFailure) in try store.requestPriceConsent(id, user: user) }
    }

    private static func onStore<Value>(_ body: (SimulatedAppStore) -> Value) -> Value {
        let store = StandaloneDevice.store
        guard let lane = store.lane as? WallLane, !lane.isCurrent else { return body(store) }
        return lane.sync { body(store) }
    }

    /// Takes as many steps to the device as the app's own calls do, so that it keeps its place among them.
    private static func onDevice(_ body: @escaping @Sendable (Device) -> Void) {
        let device = device
        if device.lane.isCurrent {
            device.schedule { body(device) }
        } else {
            device.lane.send { device.schedule { body(device) } }
        }
    }
}
