// R8, R20, R53: what the queue hands over in one call and how often, finishes that fail, requests that hang.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct DeliveryRulesTests {
    private static let leftovers = [Goods.coins, Goods.hat, Goods.pass]

    private func launched(_ change: (inout TestConditions) -> Void) -> (bench: TestDevice, shopper: Shopper) {
        let bench = TestDevice {
            $0.leaveUnfinished(Self.leftovers)
            change(&$0)
        }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        return (bench, shopper)
    }

    // MARK: Batches, R8

    // R8: a batch holds what there is, or one transaction.
    @Test(arguments: [(.asTheyCome, [3]), (.oneByOne, [1, 1, 1])] as [(DeliveryFaults.Batches, [Int])])
    func batchSizeFollowsTheDeliverySetting(_ batches: DeliveryFaults.Batches, _ sizes: [Int]) {
        let (_, shopper) = launched { $0.delivery.batches = batches }
        #expect(shopper.batches.map(\.count) == sizes)
    }

    // R8: what comes within a moment may come together, but that a payment was taken is told at once.
    @Test func purchasesWithinAMomentAreOneBatch() {
        let bench = TestDevice {
            $0.delivery.batches = .merged
            $0.buyers.decideAfter = .span(.milliseconds(10))
        }
        let shopper = bench.launch()
        for _ in 0..<4 { bench.buy(Goods.pass) }
        bench.runUntilQuiet()
        let bought = shopper.batches.filter { $0.contains { $0.state == .purchased } }
        #expect(bought.map(\.count) == [4])
        #expect(shopper.states.prefix(4).allSatisfy { $0 == .purchasing })
    }

    // The app ends while a batch waits for what comes with it: the next launch hears of its own payment all the same.
    @Test func batchThatWaitedForAnEndedLaunchTakesNothingFromTheNext() {
        let bench = TestDevice {
            $0.delivery.batches = .merged
            $0.buyers.decideAfter = .span(.milliseconds(10))
        }
        bench.launch()
        bench.buy(Goods.pass)
        bench.run(for: .milliseconds(60))
        bench.device.terminate()
        let shopper = bench.launch()
        bench.buy(Goods.pass)
        bench.run(for: .milliseconds(200))
        #expect(shopper.told(.purchased).count == 2, "\(shopper.states)")
    }

    // An app that is terminated then has not been told how its payment ended.
    @Test func batchThatWaitsIsUnderWay() {
        let bench = TestDevice {
            $0.delivery.batches = .merged
            $0.buyers.decideAfter = .span(.milliseconds(10))
        }
        let shopper = bench.launch()
        bench.buy(Goods.pass)
        bench.run(for: .milliseconds(60))
        #expect(shopper.told(.purchased).isEmpty && bench.device.underWayForApp > 0)
        bench.runUntilQuiet()
        #expect(shopper.told(.purchased).count == 1 && bench.device.underWayForApp == 0)
    }

    // R5: a return to the foreground repeats what the app has heard of, and not what still waits to be delivered.
    @Test(arguments: [DeliveryFaults.Batches.merged, .asTheyCome])
    func batchThatWaitsIsNotRepeatedInTheForeground(_ batches: DeliveryFaults.Batches) {
        let bench = TestDevice {
            $0.delivery.batches = batches
            $0.buyers.decideAfter = .span(.milliseconds(10))
        }
        let shopper = bench.launch()
        bench.buy(Goods.pass)
        bench.run(for: .milliseconds(60))
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(shopper.told(.purchased).count == (batches == .merged ? 1 : 2))
    }

    // R8: no order is promised.
    @Test func batchMayBeInAnyOrder() {
        func names(_ order: DeliveryFaults.Order, seed: UInt64 = 1) -> [String] {
            launched {
                $0.delivery.order = order
                $0.seed = seed
            }.shopper.told.map(\.productIdentifier)
        }
        #expect(names(.asTheyCome) == Self.leftovers)
        #expect(names(.reversed) == Self.leftovers.reversed())
        let shuffled = (1...20).map { names(.random, seed: $0) }
        #expect(Set(shuffled).count > 2)
        #expect(shuffled.allSatisfy { $0.sorted() == Self.leftovers.sorted() })
    }

    // R20: whoever delivers twice is not idempotent. It is the same transaction, and one finish is enough.
    @Test func unfinishedTransactionMayBeDeliveredTwice() throws {
        let bench = TestDevice { $0.delivery.duplicate = .all }
        let shopper = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(10))
        #expect(shopper.states == [.purchasing, .purchased, .purchased])
        #expect(shopper.told[1].transaction === shopper.told[2].transaction)
        bench.queue.finishTransaction(shopper.told[2].transaction)
        bench.run(for: .seconds(10))
        #expect(shopper.told.count == 3 && shopper.removed.count == 1)
        #expect(bench.charges() == 1)
    }

    // MARK: Finishing, R20

    // R20
    @Test func failedFinishRedeliversTheSameTransaction() throws {
        let bench = TestDevice { $0.delivery.finishFails = .all }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let transaction = try #require(shopper.told.last?.transaction)
        for count in 1...3 {
            bench.queue.finishTransaction(transaction)
            bench.run(for: .seconds(2))
            #expect(shopper.removed.isEmpty && bench.queue.transactions.count == 1)
            #expect(shopper.told(.purchased).count == 1 + count)
        }
        #expect(shopper.told(.purchased).allSatisfy { $0 === transaction })
    }

    // R20: once for all the finishes that failed together.
    @Test func finishesThatFailTogetherRedeliverOnce() {
        let bench = TestDevice {
            $0.delivery.finishFails = .all
            $0.delivery.duplicate = .all
        }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buy(Goods.coins)
        bench.run(for: .seconds(20))
        #expect((30...50).contains(shopper.told(.purchased).count), "\(shopper.told(.purchased).count)")
    }

    // R20: failing is rare, and the next finish works.
    @Test func finishAfterAFailedFinishSucceeds() {
        let bench = TestDevice { $0.delivery.finishFails = .percent(50) }
        let shopper = bench.launch(Shopper(finishes: true))
        for _ in 0..<20 { bench.buyToTheEnd(Goods.coins) }
        bench.run(for: .minutes(5))
        #expect(bench.queue.transactions.isEmpty)
        let told = shopper.told(.purchased).compactMap(\.transactionIdentifier)
        #expect(told.count > Set(told).count && Set(told).count == bench.charges())
    }

    // R17, R20: asynchronous, and how long it takes is nobody's promise.
    @Test func finishMayBeDelayed() throws {
        let bench = TestDevice { $0.delivery.finishDelay = .span(.seconds(5)) }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buy(Goods.coins)
        bench.run(for: .seconds(4))
        #expect(bench.queue.transactions.count == 1 && shopper.removed.isEmpty)
        bench.run(for: .seconds(2))
        #expect(bench.queue.transactions.isEmpty && shopper.removed.count == 1)
    }

    // R19: or it leaves the queue, and an approval comes as a new transaction.
    @Test(arguments: ClientRules.FinishDeferred.allCases)
    func finishOfADeferredTransactionFollowsTheKnob(_ knob: ClientRules.FinishDeferred) throws {
        let bench = TestDevice {
            $0.behaviour.finishDeferred = knob
            $0.buyers.askToBuy = AskToBuy(
                share: .all, approve: .all, decline: .none, answerAfter: .span(.minutes(5)))
        }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let deferred = try #require(shopper.told(.deferred).first)
        bench.queue.finishTransaction(deferred)
        bench.runUntilQuiet()
        #expect(shopper.removed.count == (knob == .removed ? 1 : 0))
        #expect(bench.queue.transactions.isEmpty == (knob == .removed))
        bench.run(for: .minutes(6))
        #expect(shopper.states == [.purchasing, .deferred, .purchased])
        let bought = try #require(shopper.told.last?.transaction)
        #expect((bought === deferred) == (knob == .ignored))
        #expect(bench.charges() == 1)
    }

    // MARK: Requests that hang, R53

    // R53
    @Test func productsRequestMayHangForEver() {
        final class Clerk: NSObject, SKProductsRequestDelegate {
            private(set) var heard = 0
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { heard += 1 }
            func requestDidFinish(_ request: SKRequest) { heard += 1 }
            func request(_ request: SKRequest, didFailWithError error: any Error) { heard += 1 }
        }
        let bench = TestDevice { $0.delivery.unanswered = .all }
        bench.launchWithoutObserver()
        let clerk = Clerk()
        func ask() -> SKProductsRequest {
            let request = bench.inside { SKProductsRequest(productIdentifiers: [Goods.coins]) }
            request.delegate = clerk
            request.start()
            return request
        }
        let hanging = ask()
        bench.run(for: .hours(24))
        #expect(clerk.heard == 0 && hanging.delegate != nil)
        // Not for ever: the harness heals everything in the end.
        bench.device.beginSettling()
        bench.runUntilQuiet()
        let second = ask()
        bench.runUntilQuiet()
        #expect(clerk.heard == 2 && second.delegate != nil)
    }
}
