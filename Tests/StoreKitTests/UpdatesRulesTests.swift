// S1 to S16: what `Transaction.updates` delivers, to whom, and when.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct UpdatesRulesTests {
    private func relaunch(_ bench: TestDevice) {
        bench.device.terminate()
        bench.launchWithoutObserver()
    }

    // S1
    @Test func cancelledLoopEndsAndReceivesNothingMore() throws {
        let bench = launched()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(!reader.hasEnded)
        bench.process.enter(.launch) { reader.cancel() }
        bench.runUntilQuiet()
        #expect(reader.hasEnded)
        bench.store.perform(.buyOutside(1), user: 0)
        bench.runUntilQuiet()
        #expect(reader.transactions.isEmpty)
    }

    // S2
    @Test func unfinishedPurchasesArriveAtEveryLaunchUntilFinished() throws {
        let bench = launched { $0.leaveUnfinished([Goods.coins]) }
        for _ in 0..<2 {
            let reader = UpdatesReader(on: bench, finishes: false)
            bench.runUntilQuiet()
            #expect(reader.products == [Goods.coins])
            relaunch(bench)
        }
        _ = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        relaunch(bench)
        let last = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(last.transactions.isEmpty)
    }

    // S2
    @Test(arguments: ClientRules.UpdatesAtLaunch.allCases)
    func launchBeginsWithWhatTheKnobSays(_ knob: ClientRules.UpdatesAtLaunch) throws {
        let bench = launched {
            $0.leaveUnfinished([Goods.coins])
            $0.behaviour.updatesAtLaunch = knob
        }
        let reader = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        #expect(reader.products == (knob == .unfinished ? [Goods.coins] : []))
        bench.store.perform(.buyOutside(1), user: 0)
        bench.runUntilQuiet()
        #expect(reader.products.last == Goods.hat)
        #expect(try bench.products { Transaction.unfinished } == [Goods.coins, Goods.hat])
    }

    // S3
    @Test func lateReaderReceivesWhatIsUnfinishedAndMissesARefund() throws {
        let bench = launched { $0.leaveUnfinished([Goods.coins]) }
        try bench.own(Goods.hat)
        bench.store.perform(.refund(1), user: 0)
        bench.runUntilQuiet()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.coins])
    }

    // S4
    @Test func everyReaderReceivesEveryUpdate() throws {
        let bench = launched()
        let readers = [UpdatesReader(on: bench), UpdatesReader(on: bench)]
        bench.runUntilQuiet()
        bench.store.perform(.buyOutside(1), user: 0)
        bench.runUntilQuiet()
        #expect(readers.map(\.products) == [[Goods.hat], [Goods.hat]])
    }

    // S4
    @Test(arguments: ClientRules.UpdatesReplay.allCases)
    func laterReaderReceivesWhatIsUnfinishedAsTheKnobSays(_ knob: ClientRules.UpdatesReplay) {
        let bench = launched {
            $0.leaveUnfinished([Goods.coins, Goods.hat])
            $0.behaviour.updatesReplay = knob
        }
        let first = UpdatesReader(on: bench, finishes: false)
        let together = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        let later = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        #expect(first.products == [Goods.coins, Goods.hat] && together.products == [Goods.coins, Goods.hat])
        #expect(later.products == (knob == .eachIterator ? [Goods.coins, Goods.hat] : []))
        bench.store.perform(.buyOutside(5), user: 0)
        bench.runUntilQuiet()
        #expect([first, together, later].allSatisfy { $0.products.last == "com.example.boots" })
    }

    // S1, S3: what comes after a reader was cancelled waits for the next one, also while the first iterator is kept.
    @Test func readerAfterACancelledOneReceivesWhatCameBetween() {
        let bench = launched()
        let tasks = Notes<Task<Void, Never>>()
        let kept = Notes<UnsafeContinuation<Void, Never>>()
        bench.process.enter(.launch) {
            let task = Task {
                var iterator = Transaction.updates.makeAsyncIterator()
                let none = await iterator.next()
                #expect(none == nil)
                await withUnsafeContinuation { kept.values.append($0) }
                withExtendedLifetime(iterator) {}
            }
            tasks.values.append(task)
        }
        bench.runUntilQuiet()
        for task in tasks.values { task.cancel() }
        bench.runUntilQuiet()
        bench.store.perform(.buyOutside(5), user: 0)
        bench.runUntilQuiet()
        let second = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(second.products == ["com.example.boots"] && kept.values.count == 1)
        bench.process.enter(.launch) { for continuation in kept.values { continuation.resume() } }
        bench.runUntilQuiet()
    }

    // S5
    @Test func purchaseOfThisAppComesFromItsCallAlone() throws {
        let bench = launched()
        let reader = UpdatesReader(on: bench)
        let bought = try bench.purchase(Goods.coins).transaction
        bench.runUntilQuiet()
        #expect(bought.productID == Goods.coins && reader.transactions.isEmpty)
    }

    // S6
    @Test(arguments: zip(ClientRules.PurchaseEcho.allCases, [0, 1, 3]))
    func purchaseEchoesAsTheKnobSays(_ knob: ClientRules.PurchaseEcho, _ count: Int) throws {
        let bench = launched { $0.behaviour.purchaseEcho = knob }
        let reader = UpdatesReader(on: bench)
        let bought = try bench.own(Goods.coins)
        bench.run(for: .seconds(10))
        #expect(reader.transactions.map(\.id) == Array(repeating: bought.id, count: count))
        #expect(bench.charges() == 1)
    }

    // S8
    @Test func purchaseOutsideTheAppIsAnUpdate() throws {
        let bench = launched()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        bench.store.perform(.buyOutside(1), user: 0)
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.hat])
    }

    // S8
    @Test func approvalIsAnUpdate() throws {
        let bench = launched {
            $0.buyers.askToBuy = AskToBuy(
                share: .all, approve: .all, decline: .none, answerAfter: .constant(Span.minutes(5).nanoseconds))
        }
        let reader = UpdatesReader(on: bench)
        guard case .pending = try bench.purchase(Goods.coins) else {
            Issue.record("a purchase that needs approval is not pending")
            return
        }
        bench.run(for: .minutes(6))
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.coins])
    }

    // S9
    @Test func quickChangesOfOnePurchaseAreOneElement() {
        let bench = launched()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        bench.store.perform(.buyOutside(1), user: 0)
        bench.store.perform(.refund(1), user: 0)
        bench.runUntilQuiet()
        #expect(reader.products == [Goods.hat] && reader.transactions.allSatisfy { $0.revocationDate != nil })
    }

    // S10
    @Test func elementIsDeliveredWhenItIsAskedFor() {
        let bench = launched { $0.leaveUnfinished([Goods.coins, Goods.hat]) }
        let first = Notes<String>()
        bench.start {
            var iterator = Transaction.updates.makeAsyncIterator()
            if let result = await iterator.next() { first.values.append(result.unsafePayloadValue.productID) }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            withExtendedLifetime(iterator) {}
        }
        bench.runUntilQuiet()
        let delivered = bench.device.events.filter { if case .delivered = $0.event { true } else { false } }
        #expect(first.values == [Goods.coins] && delivered.count == 1)
    }

    // S11
    @Test(arguments: [false, true])
    func foregroundRepeatsAnUpdateAsTheKnobSays(_ repeats: Bool) throws {
        let bench = launched {
            $0.leaveUnfinished([Goods.coins])
            $0.behaviour.updatesOnForeground = repeats
        }
        let reader = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(reader.products.count == (repeats ? 2 : 1))
    }

    // S12
    @Test func refundEmitsTheSameTransactionWithItsDate() throws {
        let bench = launched()
        let reader = UpdatesReader(on: bench)
        let bought = try bench.own(Goods.hat)
        bench.store.perform(.refund(1), user: 0)
        bench.runUntilQuiet()
        #expect(reader.transactions.map(\.id) == [bought.id] && reader.transactions[0].revocationDate != nil)
    }

    // S12
    @Test(arguments: ClientRules.RefundAtLaunch.allCases)
    func refundWhileClosedIsEmittedAsTheKnobSays(_ knob: ClientRules.RefundAtLaunch) throws {
        let bench = launched { $0.behaviour.refundAtLaunch = knob }
        try bench.own(Goods.hat)
        bench.device.terminate()
        bench.store.perform(.refund(1), user: 0)
        bench.launchWithoutObserver()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(reader.transactions.count == (knob == .emitted ? 1 : 0))
    }

    // S13
    @Test(arguments: [false, true])
    func upgradeEmitsTheReplacedTransactionAsTheKnobSays(_ isEmitted: Bool) throws {
        let bench = TestDevice.inServices { $0.behaviour.upgradeEmitsOld = isEmitted }
        bench.launchWithoutObserver()
        let reader = UpdatesReader(on: bench)
        let first = try bench.own(Services.lite)
        try bench.own(Services.pro)
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(reader.transactions.map(\.id) == (isEmitted ? [first.id] : []))
        #expect(reader.transactions.allSatisfy { $0.isUpgraded })
    }

    // S14
    @Test func endOfASubscriptionEmitsNothing() throws {
        let bench = launched {
            $0.buyers.subscriptions.billingFailure = .all
            $0.buyers.subscriptions.recover = .none
        }
        let reader = UpdatesReader(on: bench)
        try bench.own(Goods.pro)
        bench.store.perform(.cancelSubscription(3), user: 0)
        bench.run(for: .hours(24 * 120))
        bench.runUntilQuiet()
        #expect(reader.transactions.isEmpty)
    }

    // S15
    @Test func declinedApprovalEmitsNothing() throws {
        let bench = launched {
            $0.buyers.askToBuy = AskToBuy(
                share: .all, approve: .none, decline: .all, answerAfter: .constant(Span.minutes(5).nanoseconds))
            $0.behaviour.declinedApproval = .failed
        }
        let reader = UpdatesReader(on: bench)
        _ = try bench.purchase(Goods.coins)
        bench.run(for: .hours(30))
        bench.runUntilQuiet()
        #expect(reader.transactions.isEmpty)
    }

    // S16
    @Test func renewalsWhileClosedArriveAtTheLaunch() throws {
        let bench = TestDevice.inServices()
        bench.launchWithoutObserver()
        try bench.own(Services.pro)
        bench.device.terminate()
        bench.run(for: .hours(24 * 70))
        bench.launchWithoutObserver()
        let reader = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(reader.products == [Services.pro, Services.pro])
        #expect(reader.transactions.allSatisfy { $0.reason == .renewal })
        #expect(Set(reader.transactions.map(\.originalID)).count == 1)
    }

    // S90
    @Test(arguments: ClientRules.OtherAPI.allCases)
    func purchaseOfTheQueueIsListedAndAnUpdateAsTheKnobSays(_ knob: ClientRules.OtherAPI) throws {
        let bench = launched { $0.behaviour.queuePurchaseUpdates = knob }
        let reader = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        bench.add(Shopper(finishes: false))
        bench.buyToTheEnd(Goods.hat)
        #expect(reader.products == (knob == .emitted ? [Goods.hat] : []))
        #expect(try bench.products { Transaction.unfinished } == [Goods.hat])
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.hat])
    }

    // S90: the first request for the record failed, and the device knows what it has bought all the same.
    @Test func purchaseOfTheQueueIsListedWithoutTheStoresRecord() throws {
        var told = 0
        for seed in 1...UInt64(20) {
            let bench = launched {
                $0.seed = seed
                $0.link[.reset] = .percent(50)
            }
            bench.process.enter(.launch) { Task { for await _ in Transaction.currentEntitlements {} } }
            let shopper = Shopper(finishes: false)
            bench.add(shopper)
            bench.runUntilQuiet()
            bench.buyToTheEnd(Goods.hat)
            if shopper.told(.purchased).isEmpty { continue }
            told += 1
            #expect(try bench.products { Transaction.currentEntitlements } == [Goods.hat], "seed \(seed)")
        }
        #expect(told > 5)
    }

    // S90: what the queue heard of before StoreKit 2 was first used; nothing comes afterwards.
    @Test func leftoverOfTheQueueIsListedAtTheFirstUse() throws {
        var told = 0
        for seed in 1...UInt64(20) {
            let bench = TestDevice {
                $0.seed = seed
                $0.hasOutsideActions = true
                $0.leaveUnfinished([Goods.hat])
                $0.link[.lostAnswer] = .percent(50)
            }
            let shopper = bench.launch(Shopper(finishes: false))
            bench.runUntilQuiet()
            if shopper.told(.purchased).isEmpty { continue }
            told += 1
            #expect(try bench.products { Transaction.unfinished } == [Goods.hat], "seed \(seed)")
        }
        #expect(told > 5)
    }

    // S91
    @Test(arguments: ClientRules.OtherAPI.allCases)
    func purchaseComesByTheQueueAsTheKnobSays(_ knob: ClientRules.OtherAPI) throws {
        let bench = launched { $0.behaviour.purchaseOnQueue = knob }
        let shopper = Shopper(finishes: false)
        bench.add(shopper)
        let bought = try bench.purchase(Goods.hat).transaction
        bench.runUntilQuiet()
        let heard = shopper.told(.purchased).compactMap(\.transactionIdentifier)
        #expect(heard == (knob == .emitted ? ["\(bought.id)"] : []))
    }

    // S92
    @Test func eitherAPIFinishesForBoth() throws {
        let bench = launched { $0.behaviour.purchaseOnQueue = .emitted }
        let shopper = Shopper(finishes: false)
        bench.add(shopper)
        _ = try bench.purchase(Goods.coins)
        let known = try #require(shopper.told(.purchased).last)
        bench.process.enter(.launch) { bench.queue.finishTransaction(known) }
        bench.runUntilQuiet()
        #expect(try bench.products { Transaction.unfinished }.isEmpty)
        bench.buyToTheEnd(Goods.hat)
        try bench.value { for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() } }
        bench.device.terminate()
        bench.launchWithoutObserver()
        let late = Shopper(finishes: false)
        bench.add(late)
        bench.runUntilQuiet()
        #expect(late.told.isEmpty)
    }

    // S94
    @Test func accountTokenIsTheUserNameIfItIsAUUID() throws {
        let bench = launched()
        bench.add(Shopper(finishes: false))
        let token = UUID()
        bench.buy(Goods.hat, username: token.uuidString)
        bench.runUntilQuiet()
        #expect(try bench.list { Transaction.unfinished }.map(\.appAccountToken) == [token])
    }
}
