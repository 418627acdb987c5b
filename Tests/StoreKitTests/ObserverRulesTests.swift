// The contract's rules on observers and delivery: R1 to R9.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct ObserverRulesTests {
    // R1.
    @Test func appHasOnePaymentQueue() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        let queue = bench.queue
        #expect(bench.queue === queue)
    }

    // R1.
    @Test func queueContentsSurviveTheProcess() {
        let bench = TestDevice()
        let first = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let bought = first.told.last
        bench.device.crash()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.identifier) == [bought?.identifier])
        #expect(bench.queue.transactions.count == 1)
    }

    // R2.
    @Test func queueDoesNotRetainObservers() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        let kept = Shopper()
        weak var dropped: Shopper?
        do {
            let shopper = Shopper()
            dropped = shopper
            bench.add(shopper)
            bench.add(kept)
            #expect(bench.queue.transactionObservers.count == 2)
        }
        bench.runUntilQuiet()
        #expect(dropped == nil)
        #expect(bench.queue.transactionObservers.map { $0 === kept } == [true])
        bench.buyToTheEnd(Goods.coins)
        #expect(kept.states == [.purchasing, .purchased])
    }

    // R3.
    @Test func unobservedQueueIsEmptyAndSilent() {
        let bench = TestDevice { $0.leaveUnfinished([Goods.hat]) }
        bench.launchWithoutObserver()
        bench.buyToTheEnd(Goods.coins)
        #expect(bench.queue.transactions.isEmpty)
        let isTold = bench.device.events.contains {
            switch $0.event {
            case .delivered, .admitted: true
            default: false
            }
        }
        #expect(!isTold)
    }

    // R4.
    @Test func firstObserverReceivesUnfinishedTransactions() {
        let bench = TestDevice { $0.leaveUnfinished([Goods.coins, Goods.hat]) }
        let shopper = bench.launch()
        // Asynchronously: not inside `add`.
        #expect(shopper.told.isEmpty)
        bench.runUntilQuiet()
        #expect(shopper.told.map(\.productIdentifier) == [Goods.coins, Goods.hat])
        #expect(shopper.states == [.purchased, .purchased])
    }

    // R4.
    @Test func laterObserverDoesNotReceiveKnownTransactions() {
        let bench = TestDevice { $0.leaveUnfinished([Goods.coins]) }
        bench.launch()
        bench.runUntilQuiet()
        let late = Shopper()
        bench.add(late)
        bench.runUntilQuiet()
        #expect(late.told.isEmpty)
        #expect(bench.queue.transactions.count == 1)
    }

    // R5.
    @Test(arguments: [false, true])
    func unfinishedTransactionsAreRedeliveredAtEveryLaunch(_ isFailure: Bool) {
        let bench = TestDevice { if isFailure { $0.buyers.cancel = .all } }
        bench.launch()
        bench.buyToTheEnd(Goods.coins)
        for _ in 0..<3 {
            let shopper = bench.relaunch()
            bench.runUntilQuiet()
            #expect(shopper.states == [isFailure ? .failed : .purchased])
        }
        let last = bench.relaunch(Shopper(finishes: true))
        bench.runUntilQuiet()
        #expect(last.told.count == 1 && last.removed.count == 1)
        let after = bench.relaunch()
        bench.runUntilQuiet()
        #expect(after.told.isEmpty)
    }

    // R5.
    @Test func unfinishedTransactionsAreRedeliveredInTheForeground() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, .purchased, .purchased])
    }

    // R6.
    @Test func everyObserverReceivesEveryCallback() {
        let bench = TestDevice()
        let shoppers = [bench.launch(), Shopper(), Shopper()]
        for shopper in shoppers.dropFirst() { bench.add(shopper) }
        shoppers[2].finishes = true
        bench.buyToTheEnd(Goods.coins)
        for shopper in shoppers {
            #expect(shopper.states == [.purchasing, .purchased])
            // Any of them may finish; all hear of it.
            #expect(shopper.removed.count == 1)
        }
    }

    // R6: single or double delivery, as the scenario says.
    @Test(arguments: [(.once, 2), (.perAddition, 4)] as [(ClientRules.DuplicateObserver, Int)])
    func observerAddedTwiceIsCalledAsTheKnobSays(_ rule: ClientRules.DuplicateObserver, _ count: Int) {
        let bench = TestDevice { $0.behaviour.duplicateObserver = rule }
        let shopper = bench.launch()
        bench.add(shopper)
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.told.count == count)
        // One removal takes it off altogether.
        bench.queue.remove(shopper)
        #expect(bench.queue.transactionObservers.isEmpty)
    }

    // R7: one thread at a time, the device's; `default()` is the app's own in every callback.
    @Test func callbacksRunOnTheDevicesMainQueue() {
        let bench = TestDevice()
        let shopper = bench.launch()
        let queue = bench.queue
        var wasOnLane: [Bool] = []
        shopper.onUpdate = { _ in
            wasOnLane.append(bench.timeline.isCurrent && SKPaymentQueue.default() === queue)
        }
        bench.buyToTheEnd(Goods.coins)
        #expect(wasOnLane == [true, true])
    }

    // R8.
    @Test func launchDeliversInOneBatch() {
        let bench = TestDevice { $0.own([Goods.hat, Goods.pro]) }
        let first = bench.launch()
        bench.queue.restoreCompletedTransactions()
        bench.buy(Goods.unknown)
        bench.buyToTheEnd(Goods.coins)
        #expect(first.told.count > 3)
        let second = bench.relaunch()
        bench.runUntilQuiet()
        #expect(second.batches.count == 1)
        #expect(Set(second.states) == [.failed, .purchased, .restored])
        #expect(second.told.count == 4)
    }

    // R9.
    @Test func removedObserverReceivesNothing() {
        let bench = TestDevice()
        let shopper = bench.launch()
        let other = Shopper()
        bench.add(other)
        bench.queue.remove(shopper)
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.told.isEmpty)
        #expect(other.told.count == 2)
    }

    // R9.
    @Test func removingTheLastObserverStopsSynchronisation() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.remove(shopper)
        bench.runUntilQuiet()
        let requests = bench.device.counts.requests
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(bench.device.counts.requests == requests)
        // The next first observer starts it again (R4).
        bench.add(shopper)
        bench.runUntilQuiet()
        #expect(bench.device.counts.requests == requests + 1)
    }

    @Test func historyRecordsAddedAndRemovedObservers() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.add(shopper)
        bench.queue.remove(shopper)
        let events = bench.device.events.map(\.event).filter { $0.effect == .storeKitCall }
        #expect(events == [.observerAdded(times: 1), .observerAdded(times: 2), .observerRemoved(left: 0)])
    }
}
