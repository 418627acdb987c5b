// One device under the virtual clock with an App Store of its own, used through StoreKit only.
// Confined to the test that made it.

import Foundation
import Simulation
import StoreKit
import Testing

/// What the shop of the tests sells.
enum Goods {
    static let coins = "com.example.coins"
    static let hat = "com.example.hat"
    static let pass = "com.example.pass"
    static let pro = "com.example.pro"
    static let unknown = "com.example.nothing"

    static func catalog(_ storefront: Storefront = .unitedStates, locale: String = "en_US") -> Catalog {
        let kinds: [ProductKind] = [.consumable, .nonConsumable, .nonRenewingSubscription, .autoRenewableSubscription]
        let products = [coins, hat, pass, pro].enumerated().map { place, identifier in
            CatalogProduct(
                index: place, identifier: identifier, kind: kinds[place], referenceName: "Reference \(place)",
                price: Decimal(string: "0.99")! + Decimal(place),  // A literal.
                isFamilyShareable: place == 1,
                localizations: place == 1
                    ? [.init(locale: "en_US", displayName: "Hat", description: "A hat.")] : [],
                subscription: place == 3
                    ? .init(groupIdentifier: "group", level: 1, period: .init(count: 1, unit: .month)) : nil)
        }
        return Catalog(products: products, storefront: storefront, locale: locale)
    }

    static func index(_ identifier: String) -> ProductIndex {
        catalog().index(of: identifier)!  // The tests name what the catalog holds.
    }
}

/// Everything that a test may want otherwise than it is.
struct TestConditions {
    var catalog = Goods.catalog()
    var store = StoreConditions()
    var behaviour = StoreBehaviour()
    var buyers = BuyerBehaviour()
    var link = LinkConditions()
    var crashFaults: [CrashFault] = []
    var delivery = DeliveryFaults()
    var defects: Set<StoreDefect> = []
    var owned: [String] = []
    var unfinished: [String] = []
    var arePaymentsAllowed = true
    var seed: UInt64 = 1

    func makeStore(lane: Lane) -> AppStore {
        let store = AppStore(
            lane: lane, catalog: catalog, conditions: self.store, behaviour: behaviour, buyers: buyers, seed: seed,
            cell: 0, users: 0..<1, defects: defects)
        store.openAccount(user: 0, owned: owned.map(index), unfinished: unfinished.map(index))
        return store
    }

    private func index(_ identifier: String) -> ProductIndex {
        catalog.index(of: identifier)!  // The tests name what their catalog holds.
    }

    func makeDevice(lane: Lane, store: AppStore) -> Device {
        Device(
            lane: lane, store: store, user: 0, link: link, app: AppConditions(), crashFaults: crashFaults, seed: seed,
            arePaymentsAllowed: arePaymentsAllowed, delivery: delivery)
    }
}

final class TestDevice {
    let timeline = VirtualTimeline()
    let store: AppStore
    let device: Device
    /// The queue does not keep them (R2).
    private var launched: [Shopper] = []

    init(_ change: (inout TestConditions) -> Void = { _ in }) {
        var conditions = TestConditions()
        change(&conditions)
        store = conditions.makeStore(lane: timeline)
        device = conditions.makeDevice(lane: timeline, store: store)
    }

    var process: AppProcess { device.process! }  // A test that has launched the app asks.

    /// Launches the app and puts an observer on its queue.
    @discardableResult
    func launch(_ shopper: Shopper = Shopper()) -> Shopper {
        launchWithoutObserver()
        launched.append(shopper)
        add(shopper)
        return shopper
    }

    func launchWithoutObserver() { _ = device.launch() }

    /// Puts an observer of the bench's own on the queue, for tests that are about something else.
    func keepObserving() {
        let shopper = Shopper(finishes: true)
        launched.append(shopper)
        add(shopper)
    }

    @discardableResult
    func relaunch(_ shopper: Shopper = Shopper()) -> Shopper {
        device.terminate()
        return launch(shopper)
    }

    /// The value that client code in the running process computes.
    func inside<Value>(_ body: () -> Value) -> Value {
        var value: Value?
        process.enter(.launch) { value = body() }
        return value!  // A live process runs what it is given.
    }

    var queue: SKPaymentQueue { inside { SKPaymentQueue.default() } }

    func add(_ shopper: Shopper) { queue.add(shopper) }

    func buy(_ identifier: String, quantity: Int = 1, username: String? = nil) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        payment.applicationUsername = username
        queue.add(payment)
    }

    func runUntilQuiet(sourceLocation: SourceLocation = #_sourceLocation) {
        var isQuiet = false
        device.whenQuiet { isQuiet = true }
        let cameToRest = timeline.run(until: { isQuiet }, patience: .zero)
        #expect(cameToRest, "the device never comes to rest", sourceLocation: sourceLocation)
    }

    func run(for span: Span) {
        var isOver = false
        timeline.schedule(after: span) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }

    /// Buys and waits for the outcome.
    func buyToTheEnd(_ identifier: String) {
        buy(identifier)
        runUntilQuiet()
    }

    /// What ended the app as an exception would have.
    var exceptions: [ClientException] {
        device.history.compactMap { if case .raised(let exception) = $0.event { exception } else { nil } }
    }

    func charges() -> Int { store.closeAccount(user: 0).charges.count }
}

/// A transaction as it stood when it was told.
struct Told {
    let transaction: SKPaymentTransaction
    let state: SKPaymentTransactionState
    let identifier: String?
    let productIdentifier: String

    init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        identifier = transaction.transactionIdentifier
        productIdentifier = transaction.payment.productIdentifier
    }
}

/// An observer that writes down what it is told, and may finish it.
final class Shopper: NSObject, SKPaymentTransactionObserver {
    private(set) var batches: [[Told]] = []
    private(set) var removed: [SKPaymentTransaction] = []
    private(set) var restoreErrors: [any Error] = []
    private(set) var restoresFinished = 0
    /// Names of the callbacks in order.
    private(set) var callbacks: [String] = []
    var finishes = false
    /// Called with every batch, after it has been written down.
    var onUpdate: (([SKPaymentTransaction]) -> Void)?

    convenience init(finishes: Bool) {
        self.init()
        self.finishes = finishes
    }

    var told: [Told] { batches.flatMap { $0 } }
    var states: [SKPaymentTransactionState] { told.map(\.state) }

    func told(_ state: SKPaymentTransactionState) -> [SKPaymentTransaction] {
        told.filter { $0.state == state }.map(\.transaction)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        callbacks.append("updated")
        batches.append(transactions.map { Told($0) })
        if finishes {
            for transaction in transactions where transaction.transactionState != .purchasing {
                queue.finishTransaction(transaction)
            }
        }
        onUpdate?(transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        callbacks.append("removed")
        removed += transactions
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        callbacks.append("restoreFailed")
        restoreErrors.append(error)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        callbacks.append("restoreFinished")
        restoresFinished += 1
    }
}
