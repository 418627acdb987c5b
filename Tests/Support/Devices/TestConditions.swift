// What tests may want of a device and its App Store otherwise than it is.
// Plain values.

package import Simulation

package struct TestConditions {
    package var catalog = Goods.catalog()
    package var store = StoreConditions()
    package var validator = ServerConditions()
    package var behaviour = StoreBehaviour()
    package var buyers = BuyerBehaviour()
    package var link = LinkConditions()
    package var app = AppConditions()
    package var crashFaults: [CrashFault] = []
    package var delivery = DeliveryFaults()
    package var defects: Set<StoreDefect> = []
    package var owned: [ProductIndex] = []
    package var unfinished: [ProductIndex] = []
    package var arePaymentsAllowed = true
    package var users = 1
    /// Whether the person does something outside the app.
    package var hasOutsideActions = false
    package var hasSecondAccounts = false
    package var seed: UInt64 = 1

    package init() {}

    /// An App Store in which every user has an account.
    package func makeStore(lane: Lane) -> SimulatedAppStore {
        let store = SimulatedAppStore(
            lane: lane, catalog: catalog, conditions: self.store, behaviour: behaviour, buyers: buyers, seed: seed,
            cell: 0, users: 0..<users, defects: defects, hasOutsideActions: hasOutsideActions,
            hasSecondAccounts: hasSecondAccounts, validator: validator)
        for user in 0..<users { store.openAccount(user: user, owned: owned, unfinished: unfinished) }
        return store
    }

    package func makeDevice(lane: Lane, store: SimulatedAppStore, user: Int = 0) -> Device {
        Device(
            lane: lane, store: store, user: user, link: link, app: app, crashFaults: crashFaults, seed: seed,
            arePaymentsAllowed: arePaymentsAllowed, delivery: delivery)
    }
}
