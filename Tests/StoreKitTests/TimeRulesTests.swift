// The contract's rules on when things come: removals, the end of a restore, receipts of several accounts, withdrawals.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct TimeRulesTests {
    // R17: an app that counts its queue right after it has finished a restored transaction still finds it there.
    @Test func restoredTransactionLeavesTheQueueAMomentAfterItsFinish() {
        let bench = TestDevice { $0.own([Goods.hat]) }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        bench.queue.finishTransaction(shopper.told(.restored)[0])
        bench.run(for: .milliseconds(19))
        #expect(bench.queue.transactions.count == 1 && shopper.removed.isEmpty)
        bench.run(for: .milliseconds(182))
        #expect(bench.queue.transactions.isEmpty && shopper.removed.count == 1)
    }

    // R17: a finish on its way is the system's, not the app's.
    @Test func finishOutlivesTheAppThatCalledIt() {
        let bench = TestDevice { $0.delivery.finishDelay = .span(.seconds(5)) }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        #expect(shopper.told(.purchased).count == 1)
        bench.device.terminate()
        bench.device.reinstall()
        bench.run(for: .seconds(10))
        let later = bench.launch()
        bench.runUntilQuiet()
        #expect(later.told.isEmpty)
        #expect(bench.store.closeAccount(user: 0).transactions.allSatisfy { $0.finishedAt != nil })
    }

    // R28: the end is a message of its own.
    @Test func restoreEndArrivesOneMessageAfterItsTransactions() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.link.latency = .span(.milliseconds(300))
        }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions()
        bench.run(for: .milliseconds(700))
        #expect(shopper.callbacks == ["updated"])
        bench.run(for: .milliseconds(300))
        #expect(shopper.callbacks == ["updated", "restoreFinished"])
    }

    // R54: what is no longer sold is unknown to requests, and to payments.
    @Test func withdrawnProductIsInvalid() {
        let bench = TestDevice {
            $0.store.withdrawals = [Withdrawal(product: 0, at: .start + .seconds(10))]
        }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .seconds(10))
        bench.buyToTheEnd(Goods.coins)
        bench.buyToTheEnd(Goods.hat)
        #expect(shopper.told(.purchased).map(\.payment.productIdentifier) == [Goods.coins, Goods.hat])
        let failed = shopper.told(.failed)
        #expect(failed.count == 1 && (failed.first?.error as? SKError)?.code == .paymentInvalid)
    }

    // R57.
    @Test func eachAccountFindsItsReceiptAgain() throws {
        let timeline = VirtualTimeline()
        let conditions = TestConditions()
        let store = SimulatedAppStore(
            lane: timeline, catalog: conditions.catalog, conditions: conditions.store, behaviour: conditions.behaviour,
            buyers: conditions.buyers, seed: 1, cell: 0, users: 0..<1, hasSecondAccounts: true)
        store.openAccount(user: 0, owned: [], unfinished: [1])
        let device = conditions.makeDevice(lane: timeline, store: store)
        let shopper = Shopper(finishes: true)
        func visit() {
            let process = device.launch()
            process.enter(.launch) { SKPaymentQueue.default().add(shopper) }
            var isQuiet = false
            device.whenQuiet { isQuiet = true }
            #expect(timeline.run(until: { isQuiet }, patience: .zero))
            device.terminate()
        }
        visit()
        let receipt = try #require(device.receipt)
        device.switchAccount()
        visit()
        #expect(device.receipt == nil)
        device.switchAccount()
        #expect(device.receipt?.purchases == receipt.purchases)
    }
}
