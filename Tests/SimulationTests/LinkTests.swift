// The network between device and store: lost requests, lost answers, offline spells.

import DeviceSupport
import Simulation
import Testing

@Suite struct LinkTests {
    // The request never arrived: nothing at the store, and the app cannot tell.
    @Test func lostRequestHasNoEffectAndTimesOut() throws {
        let bench = TestDevice {
            $0.link[.lostRequest] = .all
            $0.link.requestTimeout = .seconds(30)
        }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let last = try #require(recorder.events.last)
        #expect(recorder.told.last?.failure == .timedOut)
        #expect(last.at == .start + .seconds(30))
        let books = bench.statement()
        #expect(books.attempts.isEmpty && books.charges.isEmpty)
        // The payment and the synchronisation of the launch.
        #expect(bench.device.counts[.lostRequest] == 2)
        #expect(bench.device.counts[.lostAnswer] == 0)
        #expect(bench.device.requestFailures.count == 2)
    }

    // The worst case: charged, and the app is told that it failed.
    @Test func lostAnswerChargesAndTimesOut() {
        let bench = TestDevice { $0.link[.lostAnswer] = .all }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .timedOut)
        #expect(bench.device.counts[.lostAnswer] == 2)
        #expect(bench.statement().charges.count == 1)
    }

    // Charged as behind a lost answer, and the app hears of a failure without waiting for it.
    @Test func resetConnectionChargesAndFailsAtOnce() throws {
        let bench = TestDevice {
            $0.link[.reset] = .all
            $0.link.latency = .span(.milliseconds(40))
        }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let last = try #require(recorder.events.last)
        #expect(recorder.told.last?.failure == .network(code: -1005))
        #expect(last.at == .start + .milliseconds(80))
        #expect(bench.statement().charges.count == 1)
        // The payment and the synchronisation of the launch.
        #expect(bench.device.counts[.reset] == 2 && bench.device.counts[.lostAnswer] == 0)
        #expect(bench.device.requestFailures.count == 2)
    }

    @Test func chargeBehindAResetArrivesOnceTheLinkIsHealed() {
        let bench = TestDevice { $0.link[.reset] = .all }
        bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        bench.device.terminate()
        bench.device.beginSettling()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.failed, .purchased])
        #expect(bench.statement().charges.count == 1)
    }

    // R5: what was charged behind a lost answer arrives at the next launch that reaches the store.
    @Test func chargeBehindALostAnswerArrivesOnceTheLinkIsHealed() {
        let bench = TestDevice { $0.link[.lostAnswer] = .all }
        bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        bench.device.terminate()
        bench.device.beginSettling()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.failed, .purchased])
        #expect(bench.statement().charges.count == 1)
    }

    // The sheet was open when the run ended, and the buyer paid afterwards: no further launch would ask for it.
    @Test func pendingLostAnswerArrivesOnceTheLinkIsHealed() {
        let bench = TestDevice {
            $0.link[.lostAnswer] = .all
            $0.buyers.decideAfter = .span(.seconds(2))
        }
        bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .seconds(1))
        bench.device.terminate()
        bench.device.beginSettling()
        let second = bench.launch()
        bench.runUntilQuiet()
        #expect(second.told.map(\.state) == [.purchasing, .purchased])
        #expect(bench.device.counts[.lostAnswer] == 1, "the synchronisation's, in the first launch")
        #expect(bench.statement().charges.count == 1)
    }

    @Test func latencyCountsInBothDirections() {
        let bench = TestDevice { $0.link.latency = .span(.milliseconds(40)) }
        let recorder = bench.launch(observing: false)
        bench.process.request(.products(request: 1, identifiers: []))
        bench.runUntilQuiet()
        #expect(recorder.events.map(\.at) == [.start + .milliseconds(80)])
    }

    @Test(arguments: [5, 30])
    func requestsAndAnswersAreLostInTheirShares(_ percent: Double) {
        let bench = TestDevice {
            $0.link[.lostRequest] = .percent(percent)
            $0.link[.lostAnswer] = .percent(percent)
        }
        bench.launch(observing: false)
        for request in 1...10_000 { bench.process.request(.products(request: request, identifiers: [])) }
        bench.runUntilQuiet()
        let counts = bench.device.counts
        #expect(counts.requests == 10_000)
        let share = percent / 100
        #expect(abs(Double(counts[.lostRequest]) / 10_000 - share) < 0.02)
        // Only what arrived can be lost on the way back.
        #expect(abs(Double(counts[.lostAnswer]) / 10_000 - share * (1 - share)) < 0.02)
        #expect(bench.device.requestFailures.count == counts[.lostRequest] + counts[.lostAnswer])
    }

    // What arrived, and whose answer was not lost already.
    @Test func connectionsAreResetInTheirShare() {
        let bench = TestDevice {
            $0.link[.lostAnswer] = .percent(30)
            $0.link[.reset] = .percent(30)
        }
        bench.launch(observing: false)
        for request in 1...10_000 { bench.process.request(.products(request: request, identifiers: [])) }
        bench.runUntilQuiet()
        let counts = bench.device.counts
        #expect(abs(Double(counts[.lostAnswer]) / 10_000 - 0.3) < 0.02)
        #expect(abs(Double(counts[.reset]) / 10_000 - 0.3 * 0.7) < 0.02)
        #expect(bench.device.requestFailures.count == counts[.lostAnswer] + counts[.reset])
    }

    @Test func offlineDeviceFailsRequestsAtOnce() {
        let bench = TestDevice { $0.link.offline = OfflineSpells(share: .all, duration: .span(.seconds(1))) }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.restore()
        bench.runUntilQuiet()
        #expect(recorder.told.last?.failure == .offline)
        // R29.
        #expect(recorder.restoreEnds == [.restoreFailed(.offline)])
        #expect(StoreFailure.offline == .network(code: -1009))
        #expect(bench.timeline.now == .start)
        #expect(bench.device.counts[.offline] == 3)
        #expect(bench.statement().attempts.isEmpty)
    }

    // Asked every minute for a week on each of twenty devices.
    @Test(arguments: [1, 10, 50, 90])
    func offlineSpellsFillTheirShareOfTheTime(_ percent: Double) {
        let bench = TestDevice {
            $0.users = 20
            $0.link.offline = OfflineSpells(share: .percent(percent), duration: .spans(.seconds(30), .minutes(10)))
        }
        for device in bench.devices { bench.launch(observing: false, on: device) }
        let minutes = 7 * 24 * 60
        for device in bench.devices {
            func ask(_ left: Int) {
                if left == 0 { return }
                device.process?.request(.products(request: 1, identifiers: []))
                bench.timeline.schedule(after: .minutes(1)) { ask(left - 1) }
            }
            ask(minutes)
        }
        bench.run(for: .minutes(Int64(minutes) + 1))
        let offline = bench.devices.reduce(0) { $0 + $1.counts[.offline] }
        let share = 100 * Double(offline) / Double(minutes * 20)
        #expect(abs(share - percent) < max(0.5, percent * 0.1))
    }

    // An answer that finds the device offline is as good as lost.
    @Test func answerToAnOfflineDeviceIsLost() {
        let bench = TestDevice {
            $0.link.latency = .span(.hours(1))
            $0.link.offline = OfflineSpells(share: .percent(50), duration: .span(.hours(1)))
            $0.users = 100
        }
        let recorders = bench.devices.map { bench.launch(observing: false, on: $0) }
        // Every device is online at the start; some hours later half of them are.
        bench.run(for: .hours(12))
        for device in bench.devices { device.process?.request(.products(request: 1, identifiers: [])) }
        bench.runUntilQuiet()
        let answers = recorders.compactMap { $0.events.first?.event }
        #expect(answers.count == 100)
        let counts = [
            answers.count { $0 == .products(request: 1, found: [], invalid: [], bench.device.edition) },
            answers.count { $0 == .productsFailed(request: 1, .offline) },
            answers.count { $0 == .productsFailed(request: 1, .timedOut) },
        ]
        #expect(counts.allSatisfy { $0 > 5 } && counts.reduce(0, +) == 100)
    }

    @Test func healedLinkNeverLosesMessages() {
        let bench = TestDevice {
            $0.link[.lostRequest] = .percent(50)
            $0.link[.lostAnswer] = .percent(50)
            $0.link[.reset] = .percent(50)
            $0.link.offline = OfflineSpells(share: .percent(90), duration: .span(.hours(1)))
        }
        bench.device.beginSettling()
        let recorder = bench.launch(observing: false)
        for request in 1...500 { bench.process.request(.products(request: request, identifiers: [])) }
        bench.runUntilQuiet()
        #expect(
            recorder.events.map(\.event)
                == (1...500).map { .products(request: $0, found: [], invalid: [], bench.device.edition) })
        #expect(bench.device.requestFailures.isEmpty)
    }

    // Every request is answered exactly once, whatever happens to it.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyRequestIsAnsweredOnce(_ seed: UInt64) {
        let bench = TestDevice {
            $0.seed = seed
            $0.link.latency = .uniform(0, 500_000_000)
            $0.link[.lostRequest] = .percent(20)
            $0.link[.lostAnswer] = .percent(20)
            $0.link[.reset] = .percent(20)
            $0.link.offline = OfflineSpells(share: .percent(30), duration: .span(.seconds(20)))
            $0.store.capacity = StoreCapacity(workers: 1, serviceTime: .span(.milliseconds(3)), queueLimit: 4)
            $0.store.errors.products = .percent(10)
        }
        let recorder = bench.launch(observing: false)
        for request in 1...1_000 {
            bench.timeline.schedule(after: .milliseconds(Int64(request) * 7)) {
                bench.process.request(.products(request: request, identifiers: []))
            }
        }
        bench.run(for: .minutes(5))
        let answered = recorder.events.map { entry -> Int in
            switch entry.event {
            case .products(let request, _, _, _), .productsFailed(let request, _): request
            default: 0
            }
        }
        #expect(answered.sorted() == Array(1...1_000))
    }
}
