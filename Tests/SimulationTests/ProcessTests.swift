// App processes: the fence, crashes at every moment, background, reinstallation.

import DeviceSupport
import Simulation
import Testing

@Suite struct ProcessTests {
    /// A client's script: after each purchase told, write the goods and finish.
    private func attachScript(_ bench: TestDevice, _ recorder: Recorder) {
        let process = bench.process
        recorder.onEvent = { event in
            guard case .updated(let batch) = event else { return }
            for transaction in batch where transaction.state == .purchased {
                bench.device.write([StorageChange("goods.\(transaction.handle)", .flag(true))], from: process)
                if process.passes(.finish) {
                    process.request(.finish(handle: transaction.handle, state: transaction.state))
                }
            }
        }
    }

    // Two purchases make four effects: write, finish, write, finish. A crash before the k-th leaves k - 1.
    @Test(arguments: 1...5)
    func crashBeforeAnEffectKeepsTheEarlierEffects(_ effect: Int) {
        let bench = TestDevice { $0.crashFaults = [CrashFault(share: .all, moment: .effect(effect))] }
        attachScript(bench, bench.launch())
        bench.buy(Goods.coins)
        bench.buy(Goods.gems)
        bench.runUntilQuiet()
        let writes = bench.device.storage.values.keys.count { $0.hasPrefix("goods.") }
        let finishes = bench.statement().transactions.count { $0.finishedAt != nil }
        #expect(writes == min(effect, 4) / 2)
        #expect(finishes == (effect - 1) / 2)
        #expect(writes + finishes == min(effect - 1, 4))
        #expect(bench.device.counts.crashes == (effect <= 4 ? 1 : 0))
        let crashes = bench.device.events.compactMap { record in
            if case .crashed(let effect) = record.event { effect } else { nil }
        }
        let missed = MissedEffect(number: Int32(effect), effect: effect.isMultiple(of: 2) ? .finish : .storageWrite)
        #expect(crashes == (effect <= 4 ? [missed] : []))
    }

    // The Swift code of a dead process runs on; nothing of it counts.
    @Test func deadProcessHasNoEffects() {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.runUntilQuiet()
        let dead = bench.process
        var crashes = 0
        bench.device.onCrash = { crashes += 1 }
        bench.device.crash()
        let events = bench.device.events
        let requests = bench.device.counts.requests

        #expect(!dead.isAlive && bench.device.process == nil)
        for effect in [Effect.storeKitCall, .finish, .storageWrite, .answer] { #expect(!dead.passes(effect)) }
        bench.device.write([StorageChange("a", .integer(1))], from: dead)
        dead.enter(.launch) { Issue.record("a dead process runs no client code") }
        dead.raise(.emptyProductIdentifier)
        dead.request(.listen(.paymentQueue))
        bench.runUntilQuiet()
        #expect(bench.device.events == events)
        #expect(bench.device.counts.requests == requests)
        #expect(bench.device.storage.values.isEmpty)
        #expect(recorder.events.isEmpty)
        #expect(crashes == 1)
    }

    @Test func eventsUnderWayToADeadProcessAreDropped() {
        let bench = TestDevice { $0.link.latency = .span(.seconds(1)) }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .milliseconds(500))
        let before = recorder.events.count
        bench.device.crash()
        bench.runUntilQuiet()
        #expect(recorder.events.count == before)
        #expect(bench.statement().charges.count == 1)
    }

    @Test(
        arguments: [
            (.beforeFinish, 1, 0), (.afterCharge, 0, 0), (.anyEffect, 0, 0),
        ] as [(CrashFault.Moment, Int, Int)])
    func crashFaultsOccurAtTheirMoment(_ moment: CrashFault.Moment, _ writes: Int, _ finishes: Int) {
        let bench = TestDevice { $0.crashFaults = [CrashFault(share: .all, moment: moment)] }
        let recorder = bench.launch()
        attachScript(bench, recorder)
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(bench.device.counts.crashes == 1)
        #expect(bench.device.storage.values.keys.count { $0.hasPrefix("goods.") } == writes)
        // After the charge the app has heard of nothing but the start.
        if moment == .afterCharge { #expect(recorder.told.map(\.state) == [.purchasing]) }
        let books = bench.statement()
        #expect(books.charges.count == 1)
        #expect(books.transactions.count { $0.finishedAt != nil } == finishes)
    }

    @Test func crashDuringARestoreEndsItSilently() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.crashFaults = [CrashFault(share: .all, moment: .duringRestore)]
        }
        let recorder = bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        #expect(bench.device.counts.crashes == 1)
        #expect(recorder.events.isEmpty)
        // R30: what was restored waits on the queue; the end is nobody's any more (R28).
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.restored])
        #expect(second.restoreEnds.isEmpty)
    }

    @Test func crashesOccurInTheirShare() {
        let bench = TestDevice { $0.crashFaults = [CrashFault(share: .percent(25), moment: .anyEffect)] }
        for _ in 0..<2_000 {
            bench.launch(observing: false)
            if bench.process.passes(.answer) { bench.device.terminate() }
        }
        #expect((420...580).contains(bench.device.counts.crashes))
    }

    @Test func settlingInjectsNoCrash() {
        let bench = TestDevice {
            $0.owned = [Goods.hat]
            $0.crashFaults = [.anyEffect, .beforeFinish, .afterCharge, .duringRestore, .effect(1)].map {
                CrashFault(share: .all, moment: $0)
            }
        }
        bench.device.beginSettling()
        attachScript(bench, bench.launch())
        bench.buy(Goods.coins)
        bench.restore()
        bench.runUntilQuiet()
        #expect(bench.device.counts.crashes == 0)
        #expect(bench.statement().transactions.allSatisfy { $0.finishedAt != nil })
    }

    // What raises on Apple's systems ends the process.
    @Test(arguments: ClientException.allCases)
    func exceptionIsRecordedAndEndsTheProcess(_ exception: ClientException) {
        let bench = TestDevice()
        bench.launch()
        bench.process.raise(exception)
        #expect(bench.device.process == nil)
        #expect(bench.device.events.map(\.event) == [.launched, .raised(exception), .crashed(before: nil)])
    }

    @Test func launchesAreNumbered() {
        let bench = TestDevice()
        for number in 1...3 {
            bench.launch(observing: false)
            #expect(bench.process.number == number)
            bench.device.terminate()
        }
        #expect(bench.device.events.map(\.process) == [1, 1, 2, 2, 3, 3])
    }

    // MARK: Background

    // R5: a suspended app hears nothing; back in the foreground it hears what it missed, once, and what is unfinished.
    @Test func backgroundedAppReceivesEventsInTheForeground() {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.runUntilQuiet()
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        bench.buy(Goods.coins)
        bench.device.enterBackground()
        bench.runUntilQuiet()
        let before: [TransactionState] = [.purchasing, .purchased]
        #expect(recorder.told.map(\.state) == before)
        bench.device.enterForeground()
        #expect(recorder.told.map(\.state) == before + [.purchasing, .purchased])
        bench.runUntilQuiet()
        #expect(recorder.told.map(\.state) == before + [.purchasing, .purchased, .purchased])
        #expect(recorder.told.last?.id == recorder.told[1].id)
    }

    // R5: what the app finishes just after its return, with an answer that was held back for it, does not come again.
    @Test func finishAtTheForegroundStopsTheRedelivery() {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.runUntilQuiet()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.device.schedule(after: .milliseconds(20)) { bench.finish(recorder.told[1]) }
        bench.runUntilQuiet()
        #expect(recorder.told.map(\.state) == [.purchasing, .purchased])
    }

    @Test func crashInTheBackgroundLosesHeldEvents() {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.runUntilQuiet()
        bench.device.enterBackground()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        bench.device.crash()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(recorder.events.isEmpty)
        #expect(second.told.map(\.state) == [.purchased])
    }

    // MARK: Reinstallation

    @Test func reinstallErasesStorageAndRedeliversUnfinished() throws {
        let bench = TestDevice()
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.buy(identifier: "com.example.unheard-of")
        bench.runUntilQuiet()
        let bought = try #require(recorder.told(.purchased).first)
        bench.device.write([StorageChange("a", .integer(1))], from: bench.process)
        bench.device.writeFile("file", .init([1]), from: bench.process)
        bench.device.terminate()
        bench.device.reinstall()
        #expect(bench.device.storage.values.isEmpty)
        #expect(bench.device.storage.file("file") == nil)
        let second = bench.launch()
        bench.runUntilQuiet()
        // The store knows the purchase; the failure was this device's alone.
        #expect(second.told.map(\.id) == [bought.id])
        #expect(second.told.first?.token == nil)
    }

    @Test func reinstallForgetsRestoredTransactions() {
        let bench = TestDevice { $0.owned = [Goods.hat] }
        bench.launch()
        bench.restore()
        bench.runUntilQuiet()
        bench.device.terminate()
        bench.device.reinstall()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.isEmpty)
    }
}
