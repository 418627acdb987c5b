// Restores and synchronisation at the App Store.

import DeviceSupport
import Simulation
import Testing

@Suite struct RestoringTests {
    // R26, R27: finished non-consumables and auto-renewables; new identifiers, the old ones as originals.
    @Test func restoreBringsFinishedRestorables() throws {
        let bench = TestDevice {
            $0.owned = [Goods.coins, Goods.hat, Goods.pass, Goods.pro]
            $0.unfinished = [Goods.boots]
        }
        let recorder = bench.launch()
        bench.runUntilQuiet()
        bench.restore()
        bench.runUntilQuiet()
        let restored = recorder.told(.restored)
        #expect(restored.map(\.product) == [Goods.hat, Goods.pro])
        let books = bench.statement()
        #expect(restored.map(\.originalID) == [books.transactions[1].id, books.transactions[3].id])
        let known = Set(books.transactions.map(\.id))
        for transaction in restored { #expect(!known.contains(try #require(transaction.id))) }
        #expect(Set(restored.map(\.id)).count == 2)
        #expect(books.charges.count == 5)
    }

    // R28: nothing to restore is the end alone.
    @Test(arguments: [[], [Goods.coins, Goods.pass]])
    func restoreOfNothingStillFinishes(_ owned: [ProductIndex]) {
        let bench = TestDevice { $0.owned = owned }
        let recorder = bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        #expect(recorder.events.map(\.event) == [.restoreFinished])
    }

    // R30: each restore makes its own transactions.
    @Test func storeMakesNewTransactionsForASecondRestore() {
        let bench = TestDevice { $0.owned = [Goods.hat] }
        let recorder = bench.launch()
        for _ in 0..<2 {
            bench.restore()
            bench.runUntilQuiet()
        }
        #expect(recorder.told(.restored).count == 2)
        #expect(Set(recorder.told.map(\.id)).count == 2)
        #expect(recorder.restoreEnds == [.restoreFinished, .restoreFinished])
    }

    // R30.
    @Test func overlappingRestoreFails() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.link.latency = .span(.milliseconds(50))
        }
        let recorder = bench.launch()
        bench.restore()
        bench.restore()
        bench.runUntilQuiet()
        #expect(recorder.restoreEnds == [.restoreFailed(.store(.unknown)), .restoreFinished])
        #expect(recorder.told(.restored).count == 1)
    }

    // R28: partial success delivers some and still fails.
    @Test func failedRestoreHasDeliveredAboutHalf() {
        let bench = TestDevice {
            $0.owned = [Goods.hat, Goods.pro, Goods.boots]
            $0.store.errors.restore = .all
        }
        let recorder = bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        #expect(recorder.told(.restored).map(\.product) == [Goods.hat, Goods.pro])
        #expect(recorder.restoreEnds == [.restoreFailed(.store(.unknown))])
    }

    // R29.
    @Test func cancelledPasswordEndsTheRestore() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.buyers.cancelRestore = .all
        }
        let recorder = bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        #expect(recorder.events.map(\.event) == [.restoreFailed(.store(.paymentCancelled))])
    }

    // R31, both knobs; and without a name everything is restored.
    @Test(arguments: [(false, "ann", 2), (true, "ann", 1), (true, "bob", 0), (true, nil, 2)])
    func userNameFiltersARestoreIfTheKnobSaysSo(_ filters: Bool, _ username: String?, _ count: Int) {
        let bench = TestDevice { $0.behaviour.restoreFiltersUsername = filters }
        let recorder = bench.launch()
        recorder.onEvent = { event in
            guard case .updated(let batch) = event else { return }
            for transaction in batch where transaction.state == .purchased { bench.finish(transaction) }
        }
        bench.buy(Goods.hat, username: "ann")
        bench.buy(Goods.boots)
        bench.runUntilQuiet()
        bench.restore(username: username)
        bench.runUntilQuiet()
        #expect(recorder.told(.restored).count == count)
    }

    // R30: a restore that is answered after a relaunch is still on the queue of the account.
    @Test func restoreAnsweredAfterARelaunchIsDelivered() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.link.latency = .span(.seconds(1))
        }
        bench.launch()
        bench.restore()
        bench.run(for: .milliseconds(500))
        bench.device.crash()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told(.restored).map(\.product) == [Goods.hat])
        // Who did not ask is not told of the end.
        #expect(second.restoreEnds.isEmpty)
    }

    // R30: restored transactions stay until they are finished.
    @Test func daemonRedeliversRestoredTransactionsUntilFinished() throws {
        let bench = TestDevice { $0.owned = [Goods.hat] }
        bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        bench.device.terminate()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.restored])
        bench.finish(try #require(second.told.first))
        bench.runUntilQuiet()
        bench.device.terminate()
        #expect(launchedQuietly(bench).told.isEmpty)
    }

    // R5: what the store knows to be unfinished arrives at a launch, and is admitted once.
    @Test func synchronisationDeliversUnknownUnfinishedPurchases() {
        let bench = TestDevice { $0.unfinished = [Goods.coins, Goods.hat] }
        let recorder = launchedQuietly(bench)
        #expect(recorder.told.map(\.product) == [Goods.coins, Goods.hat])
        #expect(recorder.told.allSatisfy { $0.state == .purchased && $0.token == nil })
        bench.device.terminate()
        #expect(launchedQuietly(bench).told.count == 2)
        #expect(bench.device.events.count { if case .admitted = $0.event { true } else { false } } == 2)
    }

    @Test func synchronisationSkipsFinishedPurchases() {
        let bench = TestDevice { $0.owned = [Goods.coins, Goods.hat] }
        #expect(launchedQuietly(bench).told.isEmpty)
    }

    private func launchedQuietly(_ bench: TestDevice) -> Recorder {
        let recorder = bench.launch()
        bench.runUntilQuiet()
        return recorder
    }
}
