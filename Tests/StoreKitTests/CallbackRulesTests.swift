// R7, R9: where callbacks are made, in which order, and what becomes of those under way.

import DeviceSupport
import Dispatch
import Foundation
import Simulation
import StoreKit
import Testing

/// Writes down on which side of the main queue its request's callbacks come.
private final class Clerk: NSObject, SKProductsRequestDelegate {
    private(set) var sides: [Bool] = []
    private(set) var ends = 0

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { note() }
    func requestDidFinish(_ request: SKRequest) {
        note()
        ends += 1
    }
    func request(_ request: SKRequest, didFailWithError error: any Error) { note() }

    private func note() { sides.append(CallbackContext.isBackground) }
}

@Suite struct CallbackRulesTests {
    private func expect(_ sides: [Bool], on queue: ClientRules.CallbackQueue) {
        switch queue {
        case .main: #expect(!sides.isEmpty && sides.allSatisfy { !$0 })
        case .background: #expect(!sides.isEmpty && sides.allSatisfy { $0 })
        case .random: #expect(Set(sides).count == 2)
        }
    }

    // R7
    @Test(arguments: ClientRules.CallbackQueue.allCases)
    func observersAreCalledOnTheKnobsQueue(_ queue: ClientRules.CallbackQueue) {
        let bench = TestDevice { $0.behaviour.callbackQueue = queue }
        let shopper = bench.launch(Shopper(finishes: true))
        var sides: [Bool] = []
        shopper.onUpdate = { _ in sides.append(CallbackContext.isBackground) }
        for _ in 0..<20 { bench.buy(Goods.pass) }
        bench.runUntilQuiet()
        #expect(shopper.removed.count == 20)
        expect(sides, on: queue)
    }

    // R7: wherever each is made, they come in the order they have on the main queue.
    @Test(arguments: ClientRules.CallbackQueue.allCases)
    func callbacksKeepTheirOrderOnEveryQueue(_ queue: ClientRules.CallbackQueue) {
        func story(_ queue: ClientRules.CallbackQueue) -> [String] {
            let bench = TestDevice { $0.behaviour.callbackQueue = queue }
            let shopper = bench.launch(Shopper(finishes: true))
            for quantity in 1...10 { bench.buy(Goods.pass, quantity: quantity) }
            bench.queue.restoreCompletedTransactions()
            bench.runUntilQuiet()
            // How finishes and what they bring fall between them is no order of the queue's.
            return shopper.told.map { "\($0.transaction.payment.quantity) \($0.state.rawValue)" }
                + shopper.removed.map { "\($0.payment.quantity) removed" }
        }
        #expect(story(queue) == story(.main))
    }

    // R7: delegates of requests are promised no thread either.
    @Test(arguments: ClientRules.CallbackQueue.allCases)
    func requestDelegatesAreCalledOnTheKnobsQueue(_ queue: ClientRules.CallbackQueue) {
        let bench = TestDevice { $0.behaviour.callbackQueue = queue }
        bench.launchWithoutObserver()
        let clerk = Clerk()
        var requests: [SKRequest] = []
        for place in 0..<20 {
            let request: SKRequest =
                place % 2 == 0
                ? bench.inside { SKProductsRequest(productIdentifiers: [Goods.coins]) }
                : bench.inside { SKReceiptRefreshRequest(receiptProperties: nil) }
            request.delegate = clerk
            request.start()
            bench.run(for: .seconds(10))
            requests.append(request)
        }
        #expect(clerk.ends == 20)
        expect(clerk.sides, on: queue)
    }

    // R7, on real queues; what the observer calls from there finds its way back.
    @Test(arguments: ClientRules.CallbackQueue.allCases)
    func wallClockCallbacksKeepQueueAndOrder(_ queue: ClientRules.CallbackQueue) {
        let bench = WallBench { $0.behaviour.callbackQueue = queue }
        let observer = SideObserver(bench.lane, awaiting: 30)
        bench.lane.sync {
            SKPaymentQueue.default().add(observer)
            for quantity in 1...30 {
                let payment = SKMutablePayment()
                payment.productIdentifier = Goods.pass
                payment.quantity = 1 + quantity % 10
                SKPaymentQueue.default().add(payment)
            }
        }
        #expect(observer.done.wait(timeout: .now() + 20) == .success)
        bench.lane.sync {
            expect(observer.sides.map { !$0 }, on: queue)
            #expect(observer.quantities == (1...30).map { 1 + $0 % 10 })
            #expect(observer.calledTogether == 0)
            // Not a hop of the client's own making.
            #expect(bench.device.events.allSatisfy { $0.event != .calledOffLane })
        }
    }

    // MARK: Removal, R9

    // R9: the transactions were sent before the observer was removed.
    @Test(arguments: ClientRules.CallbackAfterRemoval.allCases, [false, true])
    func callbackUnderWayAtARemovalFollowsTheKnob(
        _ knob: ClientRules.CallbackAfterRemoval, _ staysSomebody: Bool
    ) {
        let bench = TestDevice { $0.behaviour.callbackAfterRemoval = knob }
        let shopper = bench.launch()
        let other = Shopper()
        if staysSomebody { bench.add(other) }
        bench.buyToTheEnd(Goods.coins)
        bench.device.enterBackground()
        bench.device.enterForeground()
        // In the instant in which what is unfinished is delivered again (R5).
        bench.device.schedule(after: .milliseconds(100)) { bench.queue.remove(shopper) }
        bench.runUntilQuiet()
        #expect(bench.queue.transactionObservers.count == (staysSomebody ? 1 : 0))
        let late: [SKPaymentTransactionState] = knob == .delivered ? [.purchased] : []
        #expect(shopper.states == [.purchasing, .purchased] + late)
        // Nothing that comes of it later.
        bench.buyToTheEnd(Goods.pass)
        #expect(shopper.told.count == 2 + late.count)
        if staysSomebody { #expect(other.told.count == 5) }
    }

    // R9: the callback is being made, and its first observer removes the second.
    @Test(arguments: ClientRules.CallbackAfterRemoval.allCases, ClientRules.CallbackQueue.allCases)
    func observerMayBeRemovedByTheOneBeforeIt(
        _ knob: ClientRules.CallbackAfterRemoval, _ queue: ClientRules.CallbackQueue
    ) {
        let bench = TestDevice {
            $0.behaviour.callbackAfterRemoval = knob
            $0.behaviour.callbackQueue = queue
        }
        let first = bench.launch()
        let second = Shopper()
        bench.add(second)
        first.onUpdate = { _ in bench.queue.remove(second) }
        bench.buyToTheEnd(Goods.coins)
        #expect(first.states == [.purchasing, .purchased])
        #expect(second.states.first == (knob == .delivered ? .purchasing : nil))
        let heard = second.told.count
        bench.buyToTheEnd(Goods.pass)
        #expect(second.told.count == heard && first.told.count == 4)
    }

    // R9: and whoever is added again afterwards is told as usual.
    @Test(arguments: ClientRules.CallbackAfterRemoval.allCases)
    func observerRemovedAndAddedAgainIsCalledOnce(_ knob: ClientRules.CallbackAfterRemoval) {
        let bench = TestDevice { $0.behaviour.callbackAfterRemoval = knob }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.remove(shopper)
        bench.add(shopper)
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.states == [.purchasing, .purchased])
    }
}

/// A launched device on a real queue.
private final class WallBench: @unchecked Sendable {  // Guard: its lane's queue.
    let lane: WallLane
    let device: Device
    private let wheel: TimingWheel

    init(_ change: (inout TestConditions) -> Void) {
        var conditions = TestConditions()
        change(&conditions)
        let timeline = WallTimeline()
        wheel = timeline.makeWheel()
        let lane = timeline.makeLane(wheel: wheel)
        let device = conditions.makeDevice(
            lane: lane, store: conditions.makeStore(lane: timeline.makeLane(wheel: wheel)))
        lane.sync { _ = device.launch() }
        self.lane = lane
        self.device = device
    }
}

/// Writes down where it is called, finishes, and signals once enough is finished.
private final class SideObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    // Guard: `lock`; calls never come two at a time, which it checks.
    let done = DispatchSemaphore(value: 0)
    /// Whether each callback came on the device's main queue.
    private(set) var sides: [Bool] = []
    private(set) var quantities: [Int] = []
    private(set) var calledTogether = 0
    private let lane: WallLane
    private let lock = NSLock()
    private var isBeingCalled = false
    private var awaited: Int

    init(_ lane: WallLane, awaiting count: Int) {
        self.lane = lane
        awaited = count
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        enter()
        for transaction in transactions where transaction.transactionState == .purchased {
            lock.withLock { quantities.append(transaction.payment.quantity) }
            queue.finishTransaction(transaction)
        }
        leave()
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        enter()
        awaited -= transactions.count
        if awaited == 0 { done.signal() }
        leave()
    }

    private func enter() {
        lock.withLock {
            if isBeingCalled { calledTogether += 1 }
            isBeingCalled = true
            sides.append(lane.isCurrent)
        }
    }

    private func leave() { lock.withLock { isBeingCalled = false } }
}
