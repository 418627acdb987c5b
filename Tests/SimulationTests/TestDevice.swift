// One device of one user under the virtual clock, with an App Store of its own, and what its process was told.
// Confined to the test that made it.

import Foundation
import Simulation
import Testing

/// What the shop of the tests sells, in the order of the catalog.
enum Goods {
    static let coins = 0
    static let hat = 1
    static let pass = 2
    static let pro = 3
    static let gems = 4
    static let boots = 5

    static func identifier(_ product: ProductIndex) -> String { catalog[product].identifier }

    static let catalog: Catalog = {
        let kinds: [(String, ProductKind)] = [
            ("coins", .consumable), ("hat", .nonConsumable), ("pass", .nonRenewingSubscription),
            ("pro", .autoRenewableSubscription), ("gems", .consumable), ("boots", .nonConsumable),
        ]
        let products = kinds.enumerated().map { place, entry in
            CatalogProduct(
                index: place, identifier: "com.example.\(entry.0)", kind: entry.1, referenceName: entry.0,
                price: Decimal(place + 1), isFamilyShareable: false, localizations: [],
                subscription: entry.1 == .autoRenewableSubscription
                    ? .init(groupIdentifier: "group", level: 1, period: .init(count: 1, unit: .month)) : nil)
        }
        return Catalog(products: products, storefront: .unitedStates, locale: "en_US")
    }()
}

/// Everything that a test may want otherwise than it is.
struct TestConditions {
    var store = StoreConditions()
    var validator = ValidatorConditions()
    var behaviour = StoreBehaviour()
    var buyers = BuyerBehaviour()
    var link = LinkConditions()
    var app = AppConditions()
    var crashFaults: [CrashFault] = []
    var defects: Set<StoreDefect> = []
    var owned: [ProductIndex] = []
    var unfinished: [ProductIndex] = []
    var users = 1
    var seed: UInt64 = 1
}

/// What a process was told, and when.
final class Recorder: DaemonEventReceiver {
    private let timeline: VirtualTimeline
    private(set) var events: [(at: Instant, event: DaemonEvent)] = []
    /// Called with every event, as a client would be.
    var onEvent: ((DaemonEvent) -> Void)?

    init(_ timeline: VirtualTimeline) { self.timeline = timeline }

    func receive(_ event: DaemonEvent) {
        events.append((timeline.now, event))
        onEvent?(event)
    }

    func processEnded() {}

    /// Every transaction that was told, in order, batches taken apart.
    var told: [TransactionValue] {
        events.flatMap { entry -> [TransactionValue] in
            if case .updated(let batch) = entry.event { return batch }
            return []
        }
    }

    func told(_ state: TransactionState) -> [TransactionValue] { told.filter { $0.state == state } }

    var restoreEnds: [DaemonEvent] {
        events.map(\.event).filter {
            switch $0 {
            case .restoreFinished, .restoreFailed: true
            default: false
            }
        }
    }

    var removed: [Int] {
        events.flatMap { entry -> [Int] in
            if case .removed(let handles) = entry.event { return handles }
            return []
        }
    }
}

final class TestDevice {
    let timeline = VirtualTimeline()
    let store: AppStore
    let device: Device
    let devices: [Device]

    init(_ conditions: TestConditions = TestConditions()) {
        let store = AppStore(
            lane: timeline, catalog: Goods.catalog, conditions: conditions.store, behaviour: conditions.behaviour,
            buyers: conditions.buyers, seed: conditions.seed, cell: 0, users: 0..<conditions.users,
            defects: conditions.defects, validator: conditions.validator)
        let timeline = timeline
        devices = (0..<conditions.users).map { user in
            store.openAccount(user: user, owned: conditions.owned, unfinished: conditions.unfinished)
            return Device(
                lane: timeline, store: store, user: user, link: conditions.link, app: conditions.app,
                crashFaults: conditions.crashFaults, seed: conditions.seed)
        }
        self.store = store
        device = devices[0]
    }

    /// A TestDevice whose conditions are changed in one place.
    convenience init(_ change: (inout TestConditions) -> Void) {
        var conditions = TestConditions()
        change(&conditions)
        self.init(conditions)
    }

    var process: AppProcess { device.process! }  // A test that has launched the app asks.

    /// Launches the app with a recorder in StoreKit's place, observing unless told otherwise.
    @discardableResult
    func launch(observing: Bool = true, on device: Device? = nil) -> Recorder {
        let process = (device ?? self.device).launch()
        let recorder = Recorder(timeline)
        _ = process.receiver(orMake: { recorder })
        if observing { process.request(.observe) }
        return recorder
    }

    @discardableResult
    func buy(_ product: ProductIndex, quantity: Int = 1, on device: Device? = nil, username: String? = nil)
        -> PaymentToken
    { buy(identifier: Goods.identifier(product), quantity: quantity, on: device, username: username) }

    @discardableResult
    func buy(identifier: String, quantity: Int = 1, on device: Device? = nil, username: String? = nil) -> PaymentToken {
        let device = device ?? self.device
        let token = device.takePaymentToken()
        let payment = PaymentValue(productIdentifier: identifier, quantity: quantity, applicationUsername: username)
        device.process?.request(.add(payment, token: token))
        return token
    }

    func finish(_ transaction: TransactionValue) { process.request(.finish(handle: transaction.handle)) }

    func restore(username: String? = nil) { process.request(.restore(applicationUsername: username)) }

    /// Runs until nothing is under way on the devices.
    func runUntilQuiet(sourceLocation: SourceLocation = #_sourceLocation) {
        var noisy = devices.count
        for device in devices { device.whenQuiet { noisy -= 1 } }
        let isQuiet = timeline.run(until: { noisy == 0 }, patience: .zero)
        #expect(isQuiet, "the device never comes to rest", sourceLocation: sourceLocation)
    }

    func run(for span: Span) {
        var isOver = false
        timeline.schedule(after: span) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }

    /// Closes the account and returns its books.
    func statement(of user: Int = 0) -> AccountStatement { store.closeAccount(user: user) }
}
