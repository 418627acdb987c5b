// The payment daemon: one payment at a time, finishes that reach the store, delivery to observers only.

import DeviceSupport
import Testing

@testable import Simulation

@Suite struct DaemonTests {
    // R10: the second sheet appears when the first payment has its outcome.
    @Test func paymentsAreProcessedOneAfterTheOther() {
        let bench = TestDevice {
            $0.buyers.decideAfter = .span(.seconds(10))
            $0.link.latency = .span(.seconds(1))
        }
        let recorder = bench.launch(observing: true)
        for product in [Goods.coins, Goods.hat, Goods.gems] { bench.buy(product) }
        bench.runUntilQuiet()
        let sheets = bench.statement().attempts.compactMap(\.sheetAt)
        #expect(sheets == [1, 13, 25].map { .start + .seconds($0) })
        // All three are purchasing from the start (R12).
        #expect(recorder.told.prefix(3).allSatisfy { $0.state == .purchasing })
        #expect(recorder.told(.purchased).map(\.product) == [Goods.coins, Goods.hat, Goods.gems])
    }

    // R10: the same payment n times makes n transactions.
    @Test func equalPaymentsAreSeparateTransactions() {
        let bench = TestDevice()
        let recorder = bench.launch()
        for _ in 0..<5 { bench.buy(Goods.pass) }
        bench.runUntilQuiet()
        #expect(Set(recorder.told.map(\.handle)).count == 5)
        #expect(bench.statement().charges.count == 5)
    }

    // R20, R21: the store hears of the finish, however often it must be told.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func finishesReachTheStoreThroughABadLink(_ seed: UInt64) {
        let bench = TestDevice {
            $0.seed = seed
            $0.unfinished = [Goods.coins, Goods.hat, Goods.gems]
            $0.link[.lostRequest] = .percent(60)
            $0.link[.lostAnswer] = .percent(60)
        }
        // Launched until the store has been reached.
        while true {
            let recorder = bench.launch()
            bench.runUntilQuiet()
            for transaction in recorder.told { bench.finish(transaction) }
            bench.runUntilQuiet()
            bench.device.terminate()
            if !recorder.told.isEmpty { break }
        }
        #expect(bench.statement().transactions.allSatisfy { $0.finishedAt != nil })
    }

    // R20, R21: the store has heard of the finish, and is asked again; after a reset without waiting for a timeout.
    @Test(arguments: [FaultKind.lostAnswer, .reset], [1, 2, 3] as [UInt64])
    func unansweredFinishIsReportedAgain(_ fault: FaultKind, seed: UInt64) throws {
        let bench = TestDevice {
            $0.seed = seed
            $0.unfinished = [Goods.coins]
            $0.link[fault] = .percent(50)
        }
        var asked = 0
        while asked == 0 {
            let recorder = bench.launch()
            bench.runUntilQuiet()
            let counts = bench.device.counts
            let start = bench.timeline.now
            for transaction in recorder.told { bench.finish(transaction) }
            bench.runUntilQuiet()
            if recorder.told.isEmpty {
                bench.device.terminate()
                continue
            }
            asked = bench.device.counts.requests - counts.requests
            let failed = bench.device.counts[fault] - counts[fault]
            #expect(failed == asked - 1)
            let pauses = (0..<failed).map { min(2 << $0, 60) + (fault == .reset ? 0 : 30) }.reduce(0, +)
            #expect(bench.timeline.now == start + .seconds(Int64(pauses)))
        }
        #expect(bench.statement().transactions.allSatisfy { $0.finishedAt != nil })
    }

    @Test func unconfirmedFinishStopsRedelivery() throws {
        let bench = TestDevice {
            // Long enough for a purchase; then nothing gets an answer for an hour.
            $0.store.outages = [StoreOutage(start: .start + .seconds(1), duration: .hours(1), answer: .error)]
        }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(2))
        bench.finish(try #require(recorder.told.last))
        bench.run(for: .minutes(59))
        bench.device.terminate()
        bench.run(for: .seconds(62))
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.isEmpty)
        #expect(bench.statement().transactions.allSatisfy { $0.finishedAt != nil })
    }

    // R17: observers hear of the removal; R21: and never again of the transaction.
    @Test func finishedTransactionIsRemovedForGood() throws {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let bought = try #require(recorder.told.last)
        bench.finish(bought)
        bench.finish(bought)
        bench.runUntilQuiet()
        #expect(recorder.removed == [bought.handle])
        bench.device.terminate()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.isEmpty)
    }

    // R5: what the app has finished a moment before does not come again, whichever event of that moment comes first.
    @Test func finishedTransactionIsNotRepeatedInTheForeground() throws {
        var repeated = 0
        for seed in 0..<40 as Range<UInt64> {
            let orders = EventOrders(chance: RandomStream(seed: seed, user: 0, purpose: .order))
            var conditions = TestConditions()
            conditions.unfinished = [Goods.coins]
            let bench = TestDevice(conditions, on: ExploredTimeline(orders, window: .milliseconds(2)))
            let recorder = bench.launch()
            bench.runUntilQuiet()
            let unfinished = try #require(recorder.told.last)
            bench.device.enterBackground()
            bench.device.enterForeground()
            var toldBefore = 0
            bench.device.schedule(after: .milliseconds(99), from: .app(of: bench.device.number)) {
                toldBefore = recorder.told.count
                bench.finish(unfinished)
            }
            bench.runUntilQuiet()
            #expect(recorder.told.count == toldBefore, "seed \(seed)")
            repeated += toldBefore - 1
        }
        #expect(repeated == 0)
    }

    // R5: what was still on its way to the app at the foreground was not delivered before.
    @Test func deliveryOnItsWayIsNotRepeatedInTheForeground() {
        for seed in 0..<60 as Range<UInt64> {
            let orders = EventOrders(chance: RandomStream(seed: seed, user: 0, purpose: .order))
            var conditions = TestConditions()
            conditions.hasOutsideActions = true
            let bench = TestDevice(conditions, on: ExploredTimeline(orders, window: .milliseconds(500)))
            let recorder = bench.launch()
            recorder.onEvent = { event in
                if case .updated(let batch) = event { for transaction in batch { bench.finish(transaction) } }
            }
            bench.runUntilQuiet()
            bench.store.perform(.buyOutside(0), user: 0)
            bench.device.schedule(after: .milliseconds(1)) {
                bench.device.enterBackground()
                bench.device.enterForeground()
            }
            bench.runUntilQuiet()
            #expect(recorder.told.count == 1, "seed \(seed)")
        }
    }

    // R18: the daemon itself never removes what is being paid for.
    @Test func purchasingTransactionCannotBeFinished() throws {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.seconds(10)) }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        bench.finish(try #require(recorder.told.last))
        bench.runUntilQuiet()
        #expect(recorder.removed.isEmpty)
        #expect(recorder.told.last?.state == .purchased)
    }

    // R3, R9: without an observer nothing is heard; R4: the next one hears what is unfinished.
    @Test func unobservedQueueDeliversNothing() {
        let bench = TestDevice()
        let recorder = bench.launch(observing: false)
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.events.isEmpty)
        bench.process.request(.listen(.paymentQueue))
        bench.runUntilQuiet()
        #expect(recorder.told.map(\.state) == [.purchased])
        bench.process.request(.unlisten(.paymentQueue))
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        #expect(recorder.told.count == 1)
    }

    // R5, R18: a purchase that was under way when the app was killed is told at the next launch as it stands.
    @Test func purchaseInterruptedByAKillIsDeliveredAtTheNextLaunch() {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.minutes(1)) }
        bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        bench.device.crash()
        let second = bench.launch()
        bench.run(for: .seconds(1))
        #expect(second.told.map(\.state) == [.purchasing])
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.purchasing, .purchased])
    }

    // R5: failures too, until finished.
    @Test func failuresAreDeliveredAgainUntilFinished() throws {
        let bench = TestDevice { $0.buyers.cancel = .all }
        bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        for _ in 0..<2 {
            bench.device.terminate()
            let recorder = bench.launch()
            bench.runUntilQuiet()
            #expect(recorder.told.map(\.failure) == [.store(.paymentCancelled)])
            if bench.process.number == 3 { bench.finish(try #require(recorder.told.first)) }
        }
        bench.runUntilQuiet()
        bench.device.terminate()
        let last = bench.launch()
        bench.runUntilQuiet()
        #expect(last.told.isEmpty)
    }

    // R54 at the boundary: both lists, in the order asked.
    @Test func productsResponseSplitsKnownAndUnknown() {
        let bench = TestDevice()
        let recorder = bench.launch(observing: false)
        let asked = [Goods.identifier(Goods.hat), "com.example.nothing", Goods.identifier(Goods.coins)]
        bench.process.request(.products(request: 4, identifiers: asked))
        bench.runUntilQuiet()
        let expected = DaemonEvent.products(
            request: 4, found: [Goods.hat, Goods.coins], invalid: ["com.example.nothing"], bench.device.edition)
        #expect(recorder.events.map(\.event) == [expected])
    }
}
