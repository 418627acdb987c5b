// Which device a call belongs to: the bound process, the executing device queue, the default device.
// The wall clock is needed where a real queue is the subject.

import DeviceSupport
import Dispatch
import Foundation
import Simulation
import StandaloneUse
import StoreKit
import Testing

@Suite struct DeviceLookupTests {
    // MARK: Standalone

    // Client libraries make everything in plain unit tests, outside any device.
    @Test func everyStoreKitObjectCanBeMadeOutsideADevice() {
        let queue = SKPaymentQueue()
        #expect(queue.transactions.isEmpty && queue.transactionObservers.isEmpty)
        #expect(SKPaymentTransaction().transactionState == .purchasing)
        #expect(SKPaymentTransaction().payment.productIdentifier.isEmpty)
        #expect(SKPaymentTransaction().transactionIdentifier == nil && SKPaymentTransaction().original == nil)
        #expect(SKProduct().productIdentifier.isEmpty && SKProduct().price == 0)
        #expect(SKProductsResponse().products.isEmpty && SKProductsResponse().invalidProductIdentifiers.isEmpty)
        #expect(SKProductsRequest(productIdentifiers: ["a"]).delegate == nil)
        SKProductsRequest().cancel()
        SKRequest().start()
        #expect(SKPaymentQueue.canMakePayments())
    }

    @Test func defaultQueueOutsideADeviceIsOneObject() {
        let queue: SKPaymentQueue = .default()
        #expect(SKPaymentQueue.default() === queue)
    }

    // The standalone device works: a payment for what nobody sells fails as it should.
    @Test(.aloneOnTheDevice) func standaloneDeviceAnswersPayments() async {
        let answers = AsyncStream.makeStream(of: Int.self)
        let observer = StreamingObserver("nobody.sells.this", answers.continuation)
        let payment = SKMutablePayment()
        payment.productIdentifier = "nobody.sells.this"
        SKPaymentQueue.default().add(observer)
        SKPaymentQueue.default().add(payment)
        var states: [Int] = []
        for await state in answers.stream {
            states.append(state)
            if states.count == 3 { break }
        }
        let told: [SKPaymentTransactionState] = [.purchasing, .failed]
        #expect(states == told.map(\.rawValue) + [StreamingObserver.removed])
        SKPaymentQueue.default().remove(observer)
    }

    // A client's threads may all ask at once, while the device's queue is at work; under the thread sanitizer this
    // is a test of the locks.
    @Test func manyThreadsFindOneQueueWhileTheDeviceWorks() {
        let wall = WallDevice()
        let process = wall.lane.sync { wall.device.process }
        let found = FoundQueues()
        let observer = wall.observer
        DispatchQueue.concurrentPerform(iterations: 64) { turn in
            CurrentProcess.$bound.withValue(process) {
                let queue: SKPaymentQueue = .default()
                found.add(queue)
                let own = SKPaymentQueue()
                own.add(observer)
                queue.restoreCompletedTransactions()
                if turn % 2 == 0 { own.remove(observer) }
            }
        }
        #expect(found.identities.count == 1)
    }

    // MARK: The order of the lookup

    @Test func lookupPrefersTheBoundProcess() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        let wall = WallDevice()
        let standalone = SKPaymentQueue.default()
        let bound = bench.queue
        #expect(bound !== standalone)
        let onQueue = wall.lane.sync { SKPaymentQueue.default() }
        #expect(onQueue !== standalone && onQueue !== bound)
        // Bound and on another device's queue: the binding wins.
        let both = wall.lane.sync { bench.inside { SKPaymentQueue.default() } }
        #expect(both === bound)
    }

    // Also through a client's own queue that targets the device's.
    @Test func lookupFallsBackToTheExecutingDeviceQueue() {
        let wall = WallDevice()
        let queue = wall.lane.sync { SKPaymentQueue.default() }
        let child = DispatchQueue(label: "client", target: wall.lane.queue)
        #expect(child.sync { SKPaymentQueue.default() } === queue)
        #expect(WallDevice().lane.sync { SKPaymentQueue.default() } !== queue)
    }

    // A hop to a queue that knows no device falls back on the default one.
    @Test func lookupElsewhereFindsTheDefaultDevice() {
        let wall = WallDevice()
        let queue = wall.lane.sync { SKPaymentQueue.default() }
        let elsewhere = DispatchQueue(label: "elsewhere").sync { SKPaymentQueue.default() }
        #expect(elsewhere === SKPaymentQueue.default())
        #expect(elsewhere !== queue)
    }

    // What a task does is an event of the device that began it.
    @Test(.enabled(if: AppRuntime.isInForce)) func taskFindsTheQueueOfItsProcess() async {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        let expected = ObjectIdentifier(bench.queue)
        let task = bench.inside { Task { ObjectIdentifier(SKPaymentQueue.default()) } }
        bench.runUntilQuiet()
        #expect(await task.value == expected)
    }

    @Test func everyQueueMadeInAProcessWorks() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        let queue = bench.inside { SKPaymentQueue() }
        let shopper = Shopper(finishes: true)
        queue.add(shopper)
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.states == [.purchasing, .purchased] && shopper.removed.count == 1)
        #expect(queue.transactionObservers.count == 1 && bench.queue.transactionObservers.isEmpty)
    }

    // MARK: Calls from elsewhere

    // Objects remember their device: what a client calls from a queue of its own lands where it belongs.
    @Test func callsFromAForeignQueueReachTheirDevice() throws {
        let walls = (0..<4).map { _ in WallDevice() }
        let foreign = DispatchQueue(label: "client", attributes: .concurrent)
        for wall in walls {
            let queue = wall.lane.sync { SKPaymentQueue.default() }
            foreign.async {
                let payment = SKMutablePayment()
                payment.productIdentifier = Goods.coins
                queue.add(wall.observer)
                queue.add(payment)
            }
        }
        for wall in walls {
            #expect(wall.observer.done.wait(timeout: .now() + 20) == .success)
            let (wasOnLane, events) = wall.lane.sync { (wall.observer.wasOnLane, wall.device.events) }
            #expect(wasOnLane == [true, true])
            #expect(events.count { $0.event == .calledOffLane } == 2)
            #expect(events.count { if case .paymentAdded = $0.event { true } else { false } } == 1)
        }
    }

    @Test func callsOnTheDeviceAreNotRecordedAsForeign() {
        let wall = WallDevice()
        wall.lane.sync { wall.buy() }
        #expect(wall.observer.done.wait(timeout: .now() + 20) == .success)
        #expect(wall.lane.sync { wall.device.events.allSatisfy { $0.event != .calledOffLane } })
    }

    // Under the virtual clock too, where it is also reported.
    @Test func virtualDeviceAcceptsCallsFromOutside() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.runUntilQuiet()
        let queue = bench.queue
        bench.timeline.schedule {
            DispatchQueue.global().async {
                let payment = SKMutablePayment()
                payment.productIdentifier = Goods.coins
                queue.add(payment)
            }
        }
        #expect(bench.timeline.run(until: { shopper.told.count == 2 }, patience: .seconds(20)))
        #expect(shopper.states == [.purchasing, .purchased])
        #expect(bench.device.events.count { $0.event == .calledOffLane } == 1)
    }
}

/// Passes on the states of one product's payments: the default device is shared with other tests.
private final class StreamingObserver: NSObject, SKPaymentTransactionObserver {
    private let product: String
    private let continuation: AsyncStream<Int>.Continuation

    init(_ product: String, _ continuation: AsyncStream<Int>.Continuation) {
        self.product = product
        self.continuation = continuation
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.payment.productIdentifier == product {
            continuation.yield(transaction.transactionState.rawValue)
            if transaction.transactionState != .purchasing { queue.finishTransaction(transaction) }
        }
    }

    /// Whoever stops observing before that leaves a transaction behind for the next who looks at the queue.
    static let removed = -1

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        if transactions.contains(where: { $0.payment.productIdentifier == product }) {
            continuation.yield(Self.removed)
        }
    }
}

/// What many threads were given.
private final class FoundQueues: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private(set) var identities: Set<ObjectIdentifier> = []

    func add(_ queue: SKPaymentQueue) { _ = lock.withLock { identities.insert(ObjectIdentifier(queue)) } }
}

/// A device on a real queue, with a launched app.
private final class WallDevice: @unchecked Sendable {  // Guard: its lane's queue.
    let lane: WallLane
    let device: Device
    let observer: WallObserver
    private let wheel: TimingWheel

    init() {
        let timeline = WallTimeline()
        wheel = timeline.makeWheel()
        let lane = timeline.makeLane(wheel: wheel)
        let conditions = TestConditions()
        let store = conditions.makeStore(lane: timeline.makeLane(wheel: wheel))
        let device = conditions.makeDevice(lane: lane, store: store)
        lane.sync { _ = device.launch() }
        self.lane = lane
        self.device = device
        observer = WallObserver(lane)
    }

    func buy() {
        let payment = SKMutablePayment()
        payment.productIdentifier = Goods.coins
        SKPaymentQueue.default().add(observer)
        SKPaymentQueue.default().add(payment)
    }
}

/// Signals once a purchase has its outcome.
private final class WallObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    // Guard: the lane's queue, but for the semaphore.
    let done = DispatchSemaphore(value: 0)
    private(set) var wasOnLane: [Bool] = []
    private let lane: WallLane

    init(_ lane: WallLane) { self.lane = lane }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        wasOnLane.append(lane.isCurrent && SKPaymentQueue.default() === queue)
        if transactions.contains(where: { $0.transactionState == .purchased }) { done.signal() }
    }
}
