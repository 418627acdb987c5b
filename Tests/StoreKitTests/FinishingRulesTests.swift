// The contract's rules on finishing and on buying again: R17 to R25.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct FinishingRulesTests {
    /// A launched app with one finished-to-be purchase.
    private func bought(_ identifier: String = Goods.coins, _ change: (inout TestConditions) -> Void = { _ in })
        throws -> (bench: TestDevice, shopper: Shopper, transaction: SKPaymentTransaction)
    {
        let bench = TestDevice(change)
        let shopper = bench.launch()
        bench.buyToTheEnd(identifier)
        return (bench, shopper, try #require(shopper.told(.purchased).last))
    }

    // R17.
    @Test func finishIsAsynchronousAndReportedToEveryObserver() throws {
        let (bench, shopper, transaction) = try bought()
        let other = Shopper()
        bench.add(other)
        bench.queue.finishTransaction(transaction)
        #expect(bench.queue.transactions.count == 1)
        #expect(shopper.removed.isEmpty)
        bench.runUntilQuiet()
        #expect(bench.queue.transactions.isEmpty)
        for observer in [shopper, other] { #expect(observer.removed.map { $0 === transaction } == [true]) }
    }

    // R18.
    @Test func finishingAPurchasingTransactionRaises() throws {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.seconds(9)) }
        let shopper = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        bench.queue.finishTransaction(try #require(shopper.told(.purchasing).first))
        #expect(bench.device.process == nil)
        #expect(bench.exceptions == [.finishedPurchasing])
    }

    // R18: the leftover of a killed purchase is one of those.
    @Test func purchaseLeftByAKillStaysInTheQueue() throws {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.minutes(9)) }
        bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        bench.device.crash()
        bench.launch()
        bench.run(for: .seconds(1))
        #expect(bench.queue.transactions.map(\.transactionState) == [.purchasing])
        bench.queue.finishTransaction(try #require(bench.queue.transactions.first))
        #expect(bench.device.process == nil)
    }

    // R19.
    @Test func finishingTwiceDoesNothing() throws {
        let (bench, shopper, transaction) = try bought()
        for _ in 0..<2 { bench.queue.finishTransaction(transaction) }
        bench.runUntilQuiet()
        bench.queue.finishTransaction(transaction)
        bench.runUntilQuiet()
        #expect(shopper.removed.count == 1)
        #expect(bench.device.events.count { if case .finishCalled = $0.event { true } else { false } } == 1)
        #expect(bench.device.events.allSatisfy { $0.event != .foreignFinish })
    }

    // R19: a client's own object, or one of an earlier launch.
    @Test(arguments: [false, true])
    func finishingAForeignObjectDoesNothing(_ isOfAnEarlierLaunch: Bool) throws {
        let (bench, _, transaction) = try bought()
        let second = bench.relaunch()
        bench.runUntilQuiet()
        bench.queue.finishTransaction(isOfAnEarlierLaunch ? transaction : SKPaymentTransaction())
        bench.runUntilQuiet()
        #expect(second.removed.isEmpty)
        #expect(bench.queue.transactions.count == 1)
        #expect(bench.device.events.count { $0.event == .foreignFinish } == 1)
    }

    // R20: a finish that failed shows as the same transaction delivered again.
    @Test func failedFinishRedeliversAtTheNextLaunch() throws {
        let (bench, _, transaction) = try bought(Goods.coins) { $0.defects = [.redeliversFinished] }
        bench.queue.finishTransaction(transaction)
        bench.runUntilQuiet()
        let second = bench.relaunch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.identifier) == [transaction.transactionIdentifier])
    }

    // R21.
    @Test func finishedTransactionIsNeverRedelivered() throws {
        let (bench, _, transaction) = try bought()
        bench.queue.finishTransaction(transaction)
        // The app may die at once: the system has taken the finish.
        bench.device.crash()
        for _ in 0..<2 {
            let shopper = bench.launch()
            bench.queue.restoreCompletedTransactions()
            bench.runUntilQuiet()
            #expect(shopper.told.isEmpty)
            bench.device.terminate()
        }
    }

    // R22: until the store has heard of the finish the purchase is not removed, and a new payment brings it again.
    @Test func repurchaseBeforeTheRemovalReturnsTheOldTransaction() throws {
        let outage = StoreOutage(start: .start + .seconds(10), duration: .seconds(1), answer: .error)
        let (bench, shopper, transaction) = try bought(Goods.coins) { $0.store.outages = [outage] }
        bench.run(for: .seconds(10))
        bench.queue.finishTransaction(transaction)
        bench.run(for: .milliseconds(1_500))
        #expect(shopper.removed.isEmpty)
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let again = try #require(shopper.told(.purchased).last)
        #expect(again !== transaction)
        #expect(again.transactionIdentifier == transaction.transactionIdentifier)
        #expect(shopper.removed.count == 2)
        #expect(bench.charges() == 1)
    }

    // R22 is for what the store takes for unfinished when the buyer has answered the sheet: by then it has heard of a
    // finish that was on its way, and the payment is one of its own.
    @Test func repurchaseWhileTheFinishIsUnderWayIsCharged() throws {
        let (bench, shopper, transaction) = try bought(Goods.coins) { $0.link.latency = .span(.milliseconds(200)) }
        bench.queue.finishTransaction(transaction)
        let began = bench.device.lane.now
        bench.buyToTheEnd(Goods.coins)
        let again = try #require(shopper.told(.purchased).last)
        #expect(again.transactionIdentifier != transaction.transactionIdentifier)
        #expect(bench.charges() == 2)
        #expect(bench.device.lane.now - began >= .milliseconds(400))
    }

    // R19: a finish is of what the app was told. What the deferred payment has become by the time the queue takes notice
    // of it stays on the queue.
    @Test func delayedFinishOfADeferredTransactionKeepsItsPurchase() throws {
        let bench = TestDevice {
            $0.buyers.askToBuy = AskToBuy(
                share: .all, approve: .all, decline: .none, answerAfter: .constant(1_000_000_000))
            $0.delivery.finishDelay = .constant(3_000_000_000)
        }
        let shopper = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .milliseconds(500))
        let deferred = try #require(shopper.told(.deferred).last)
        bench.queue.finishTransaction(deferred)
        bench.runUntilQuiet()
        #expect(deferred.transactionState == .purchased)
        #expect(shopper.removed.isEmpty && bench.queue.transactions.count == 1)
    }

    // R22 is for what was paid: a payment that failed and is finished brings nothing, whatever else waits for its removal.
    @Test func repurchaseAfterAFailedPaymentIsCharged() throws {
        let (bench, shopper, hat) = try bought(Goods.hat) { $0.link.latency = .span(.milliseconds(200)) }
        bench.buyToTheEnd(Goods.coins, quantity: 11)
        let failed = try #require(shopper.told(.failed).last)
        for transaction in [hat, failed] { bench.queue.finishTransaction(transaction) }
        #expect(shopper.removed.isEmpty)
        bench.buyToTheEnd(Goods.coins)
        let coins = try #require(shopper.told(.purchased).last)
        #expect(coins.payment.quantity == 1 && coins.transactionIdentifier != nil)
        #expect(bench.charges() == 2)
    }

    // R22, R24: while it is on the queue, a finish of either object removes both.
    @Test(arguments: [false, true])
    func oneFinishRemovesBothObjectsOfAPurchase(_ finishesTheFirst: Bool) throws {
        let (bench, shopper, first) = try bought()
        bench.buyToTheEnd(Goods.coins)
        let second = try #require(shopper.told(.purchased).last)
        #expect(first !== second)
        bench.queue.finishTransaction(finishesTheFirst ? first : second)
        bench.runUntilQuiet()
        #expect(bench.queue.transactions.isEmpty)
        #expect(Set(shopper.removed.map(ObjectIdentifier.init)).count == 2)
    }

    // R23.
    @Test func ownedProductIsRepurchasedWithoutACharge() throws {
        let (bench, _, transaction) = try bought(Goods.hat) { $0.own([Goods.hat]) }
        let original = try #require(transaction.original)
        #expect(original.transactionState == .purchased)
        #expect(original.transactionIdentifier != nil)
        #expect(original.transactionIdentifier != transaction.transactionIdentifier)
        #expect(original.payment.productIdentifier == Goods.hat)
        #expect(original.original == nil)
        #expect(transaction.original === original)
        #expect(bench.charges() == 1)
    }

    // R23, macOS.
    @Test func ownedProductMayArriveAsRestored() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.behaviour.ownedRepurchase = .restored
        }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.hat)
        #expect(shopper.states == [.purchasing, .restored])
        #expect(shopper.told.last?.transaction.original != nil)
    }

    // R24.
    @Test func unfinishedConsumableReturnsTheSameTransaction() throws {
        let (bench, shopper, first) = try bought()
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.states == [.purchasing, .purchased, .purchasing, .purchased])
        #expect(shopper.told.last?.identifier == first.transactionIdentifier)
        #expect(bench.charges() == 1)
    }

    // R24: or no callback at all.
    @Test func unfinishedConsumableMayStaySilent() throws {
        let (bench, shopper, _) = try bought(Goods.coins) { $0.behaviour.unfinishedRepurchase = .silence }
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.states == [.purchasing, .purchased, .purchasing])
        #expect(bench.charges() == 1)
    }

    // R25.
    @Test func paymentForAnActiveSubscriptionFails() {
        let bench = TestDevice { $0.own([Goods.pro]) }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.pro)
        #expect(shopper.states == [.purchasing, .failed])
        #expect((shopper.told.last?.transaction.error as? SKError)?.code == .unknown)
    }
}
