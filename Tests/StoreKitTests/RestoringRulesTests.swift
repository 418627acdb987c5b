// The contract's rules on restoring: R26 to R31.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct RestoringRulesTests {
    private func restored(
        username: String? = nil, _ change: (inout TestConditions) -> Void
    ) -> (bench: TestDevice, shopper: Shopper) {
        let bench = TestDevice(change)
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions(withApplicationUsername: username)
        bench.runUntilQuiet()
        return (bench, shopper)
    }

    // R26.
    @Test func onlyFinishedNonConsumablesAndSubscriptionsAreRestored() {
        let (_, shopper) = restored { $0.own([Goods.coins, Goods.hat, Goods.pass, Goods.pro]) }
        #expect(shopper.told(.restored).map(\.payment.productIdentifier) == [Goods.hat, Goods.pro])
    }

    // R26.
    @Test func unfinishedPurchasesAreNotRestored() {
        let (_, shopper) = restored { $0.leaveUnfinished([Goods.hat]) }
        #expect(shopper.states == [.purchased])
        #expect(shopper.restoresFinished == 1)
    }

    // R27.
    @Test func restoredTransactionIsNewAndCarriesTheOriginal() throws {
        let (bench, shopper) = restored { $0.own([Goods.hat, Goods.pro]) }
        let transactions = shopper.told(.restored)
        #expect(transactions.count == 2)
        var identifiers: Set<String> = []
        for transaction in transactions {
            let original = try #require(transaction.original)
            #expect(original.payment.productIdentifier == transaction.payment.productIdentifier)
            #expect(identifiers.insert(try #require(transaction.transactionIdentifier)).inserted)
            #expect(identifiers.insert(try #require(original.transactionIdentifier)).inserted)
            #expect(original.transactionDate == Date(timeIntervalSince1970: 1_767_225_600))
        }
        #expect(bench.charges() == 2)
    }

    // R27: not every phone sets it.
    @Test(arguments: ClientRules.RestoredOriginal.allCases)
    func restoredOriginalFollowsTheKnob(_ knob: ClientRules.RestoredOriginal) throws {
        let (bench, shopper) = restored {
            $0.own([Goods.hat])
            $0.behaviour.restoredOriginal = knob
            $0.behaviour.ownedRepurchase = .restored
        }
        bench.queue.finishTransaction(try #require(shopper.told(.restored).last))
        bench.buyToTheEnd(Goods.hat)
        #expect(shopper.told(.restored).count == 2)
        for transaction in shopper.told(.restored) {
            #expect((transaction.original == nil) == (knob == .missing))
            #expect(transaction.transactionIdentifier != nil && transaction.transactionDate != nil)
        }
    }

    // R27: each completed transaction of a product counts, but a free re-purchase was none.
    @Test func freeRepurchasesAreNotRestored() throws {
        let bench = TestDevice { $0.own([Goods.hat]) }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.hat)
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(shopper.told(.restored).count == 1)
    }

    // R28: all of `updatedTransactions`, then exactly one end.
    @Test(arguments: [(false, ["updated", "restoreFinished"]), (true, ["updated", "restoreFailed"])])
    func restoredTransactionsComeBeforeExactlyOneEnd(_ fails: Bool, _ callbacks: [String]) {
        let (bench, shopper) = restored {
            $0.own([Goods.hat, Goods.pro])
            if fails { $0.store.errors.restore = .all }
        }
        #expect(shopper.callbacks == callbacks)
        // Partial success: some of them, and still a failure.
        #expect(shopper.told.count == (fails ? 1 : 2))
        #expect(bench.queue.transactions.count == shopper.told.count)
    }

    // R28: 0…n calls of `updatedTransactions`, then the end.
    @Test(arguments: [Span.zero, .milliseconds(100)])
    func restoredTransactionsMayArriveOneByOne(_ latency: Span) {
        let bench = TestDevice {
            $0.own([Goods.hat, Goods.pro])
            $0.link.latency = .span(latency)
            $0.behaviour.restoreInParts = .oneByOne
        }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions()
        bench.run(for: .milliseconds(250))
        #expect(shopper.callbacks == (latency == .zero ? ["updated", "updated", "restoreFinished"] : ["updated"]))
        bench.runUntilQuiet()
        #expect(shopper.callbacks == ["updated", "updated", "restoreFinished"])
        #expect(shopper.told(.restored).count == 2 && bench.queue.transactions.count == 2)
    }

    // R28: what has not been told when the app ends is told to the next launch.
    @Test func restoreInPartsOutlivesTheApp() {
        let bench = TestDevice {
            $0.own([Goods.hat, Goods.pro])
            $0.link.latency = .span(.milliseconds(100))
            $0.behaviour.restoreInParts = .oneByOne
        }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions()
        bench.run(for: .milliseconds(250))
        #expect(shopper.told(.restored).count == 1)
        bench.device.terminate()
        let next = bench.launch()
        bench.runUntilQuiet()
        #expect(Set(next.told(.restored).map(\.payment.productIdentifier)).count == 2)
    }

    // R28.
    @Test func restoreOfNothingHasOnlyTheEndCallback() {
        let (_, shopper) = restored { $0.own([Goods.coins]) }
        #expect(shopper.callbacks == ["restoreFinished"])
    }

    // R29.
    @Test func cancelledPasswordFailsTheRestoreAsCancelled() throws {
        let (_, shopper) = restored {
            $0.own([Goods.hat])
            $0.buyers.cancelRestore = .all
        }
        #expect(shopper.callbacks == ["restoreFailed"])
        #expect((shopper.restoreErrors.first as? SKError)?.code == .paymentCancelled)
    }

    // R29: or it ends as if there had been nothing to restore. The receipt stays as it was either way.
    @Test(arguments: ClientRules.CancelledRestore.allCases)
    func cancelledRestoreEndsAsTheKnobSays(_ knob: ClientRules.CancelledRestore) {
        let (bench, shopper) = restored {
            $0.own([Goods.hat])
            $0.buyers.cancelRestore = .all
            $0.behaviour.cancelledRestore = knob
        }
        #expect(shopper.callbacks == [knob == .finished ? "restoreFinished" : "restoreFailed"])
        #expect(bench.device.receipt == nil)
    }

    // R29.
    @Test func offlineRestoreFailsWithANetworkError() throws {
        let (_, shopper) = restored {
            $0.link.offline = OfflineSpells(share: .all, duration: .span(.hours(1)))
        }
        let error = try #require(shopper.restoreErrors.first)
        #expect((error as NSError).domain == NSURLErrorDomain && (error as NSError).code == -1009)
        #expect(shopper.callbacks == ["restoreFailed"])
    }

    // R30.
    @Test func restoredTransactionsAreRedeliveredUntilFinished() {
        let (bench, _) = restored { $0.own([Goods.hat]) }
        let second = bench.relaunch(Shopper(finishes: true))
        bench.runUntilQuiet()
        #expect(second.states == [.restored])
        #expect(second.removed.count == 1)
        let third = bench.relaunch()
        bench.runUntilQuiet()
        #expect(third.told.isEmpty)
    }

    // R30.
    @Test func secondRestoreDeliversNewTransactions() {
        let (bench, shopper) = restored { $0.own([Goods.hat]) }
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(shopper.told(.restored).count == 2)
        #expect(bench.queue.transactions.count == 2)
    }

    // R30.
    @Test func overlappingRestoresAreRejected() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.buyers.decideAfter = .span(.seconds(2))
        }
        let shopper = bench.launch()
        for _ in 0..<3 { bench.queue.restoreCompletedTransactions() }
        bench.runUntilQuiet()
        #expect(shopper.callbacks == ["restoreFailed", "restoreFailed", "updated", "restoreFinished"])
    }

    // R30.
    @Test(
        arguments: [
            (
                ClientRules.SecondRestore.rejected, ["restoreFailed", "updated", "restoreFinished"],
                SKError.Code.unknown
            ),
            (.cancelled, ["restoreFailed", "updated", "restoreFinished"], .paymentCancelled),
            (.joined, ["updated", "restoreFinished"], nil),
        ] as [(ClientRules.SecondRestore, [String], SKError.Code?)])
    func overlappingRestoreEndsAsTheKnobSays(
        _ knob: ClientRules.SecondRestore, _ callbacks: [String], _ code: SKError.Code?
    ) {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.buyers.decideAfter = .span(.seconds(2))
            $0.behaviour.secondRestore = knob
        }
        let shopper = bench.launch()
        for _ in 0..<2 { bench.queue.restoreCompletedTransactions() }
        bench.runUntilQuiet()
        #expect(shopper.callbacks == callbacks)
        #expect(shopper.restoreErrors.map { ($0 as? SKError)?.code } == (code.map { [$0] } ?? []))
    }

    // R30: the app that asked first has died meanwhile.
    @Test func restoreJoinedAfterACrashReceivesTheEnd() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.buyers.decideAfter = .span(.seconds(2))
            $0.behaviour.secondRestore = .joined
        }
        bench.launch()
        bench.queue.restoreCompletedTransactions()
        bench.run(for: .milliseconds(500))
        bench.device.crash()
        let shopper = bench.launch()
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(shopper.restoresFinished == 1 && shopper.told(.restored).count == 1)
    }

    // R31: filtering is a knob.
    @Test(arguments: [(false, 1), (true, 0)])
    func userNameFiltersARestoreOnlyIfTheScenarioSaysSo(_ filters: Bool, _ count: Int) {
        let (_, shopper) = restored(username: "ann") {
            $0.own([Goods.hat])
            $0.behaviour.restoreFiltersUsername = filters
        }
        #expect(shopper.told(.restored).count == count)
        #expect(shopper.restoresFinished == 1)
    }

    // R31.
    @Test func restoredTransactionKeepsThePaymentsUserName() {
        let bench = TestDevice { $0.behaviour.restoreFiltersUsername = true }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buy(Goods.hat, username: "ann")
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions(withApplicationUsername: "ann")
        bench.runUntilQuiet()
        #expect(shopper.told(.restored).map(\.payment.applicationUsername) == ["ann"])
    }
}
