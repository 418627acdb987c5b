// A store under load and out of order: capacity, queue, refusal, outages.

import DeviceSupport
import Simulation
import Testing

@Suite struct StoreLoadTests {
    /// Asks for a product from each of `users` devices at the same instant; when and how each was answered.
    private func answers(_ users: Int, _ change: (inout TestConditions) -> Void) -> [(at: Instant, isError: Bool)] {
        let bench = TestDevice {
            $0.users = users
            change(&$0)
        }
        let recorders = bench.devices.map { bench.launch(observing: false, on: $0) }
        for device in bench.devices {
            device.process?.request(.products(request: 1, identifiers: [Goods.identifier(Goods.coins)]))
        }
        bench.runUntilQuiet()
        return recorders.compactMap { recorder in
            guard let entry = recorder.events.first else { return nil }
            if case .productsFailed = entry.event { return (entry.at, true) }
            return (entry.at, false)
        }
    }

    @Test func storeWithoutCapacityAnswersAtOnce() {
        let answers = answers(50) { _ in }
        #expect(answers.count == 50)
        #expect(answers.allSatisfy { $0.at == .start && !$0.isError })
    }

    // Two workers, a second each, three may wait: five are served, two at a time; the rest is refused at once.
    @Test func storeRefusesRequestsBeyondItsQueue() {
        let answers = answers(8) {
            $0.store.capacity = StoreCapacity(workers: 2, serviceTime: .span(.seconds(1)), queueLimit: 3)
        }
        #expect(answers.map(\.isError) == [false, false, false, false, false, true, true, true])
        let seconds = answers.map { $0.at.nanoseconds / 1_000_000_000 }
        #expect(seconds == [1, 1, 2, 2, 3, 0, 0, 0])
    }

    @Test func storeServesEveryRequestThatItsQueueHolds() {
        let answers = answers(300) {
            $0.store.capacity = StoreCapacity(workers: 1, serviceTime: .span(.milliseconds(10)), queueLimit: 299)
        }
        #expect(answers.allSatisfy { !$0.isError })
        #expect(answers.map(\.at) == (1...300).map { .start + .milliseconds(Int64($0) * 10) })
    }

    // A worker that has become free takes the next request, also after the queue has been empty.
    @Test func freedWorkerServesTheNextRequest() {
        let bench = TestDevice {
            $0.store.capacity = StoreCapacity(workers: 1, serviceTime: .span(.seconds(1)), queueLimit: 0)
        }
        let recorder = bench.launch(observing: false)
        for request in 1...5 {
            bench.process.request(.products(request: request, identifiers: []))
            bench.runUntilQuiet()
        }
        #expect(
            recorder.events.map(\.event)
                == (1...5).map { .products(request: $0, found: [], invalid: [], bench.device.edition) })
        #expect(bench.timeline.now == .start + .seconds(5))
    }

    @Test func outageAnswersWithAnErrorWhileItLasts() {
        let outage = StoreOutage(start: .start + .seconds(10), duration: .seconds(5), answer: .error)
        #expect(!outage.covers(.start + .milliseconds(9_999)))
        #expect(outage.covers(.start + .seconds(10)))
        #expect(outage.covers(.start + .milliseconds(14_999)))
        #expect(!outage.covers(.start + .seconds(15)))

        let bench = TestDevice { $0.store.outages = [outage] }
        let recorder = bench.launch(observing: false)
        for request in [9, 12, 16] {
            bench.timeline.schedule(after: .seconds(Int64(request))) {
                bench.process.request(.products(request: request, identifiers: []))
            }
        }
        bench.run(for: .seconds(20))
        let expected: [DaemonEvent] = [
            .products(request: 9, found: [], invalid: [], bench.device.edition),
            .productsFailed(request: 12, .store(.unknown)),
            .products(request: 16, found: [], invalid: [], bench.device.edition),
        ]
        #expect(recorder.events.map(\.event) == expected)
    }

    // No answer: the device gives up after its own timeout.
    @Test func outageMayLeaveRequestsUnanswered() throws {
        let bench = TestDevice {
            $0.store.outages = [StoreOutage(start: .start, duration: .hours(1), answer: .timeout)]
            $0.link.requestTimeout = .seconds(7)
        }
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        let last = try #require(recorder.events.last)
        #expect(last.at == .start + .seconds(7))
        #expect(recorder.told.last?.failure == .timedOut)
        #expect(bench.statement().charges.isEmpty)
    }

    @Test func outageMayOnlyDelayAnswers() {
        let answers = answers(1) {
            $0.store.outages = [StoreOutage(start: .start, duration: .hours(1), answer: .slow(by: .seconds(3)))]
        }
        #expect(answers.map(\.at) == [.start + .seconds(3)])
        #expect(answers.allSatisfy { !$0.isError })
    }

    // A slow store under load: the delay is added to the service time, and holds the worker.
    @Test func slowStoreKeepsItsWorkersBusy() {
        let answers = answers(2) {
            $0.store.capacity = StoreCapacity(workers: 1, serviceTime: .span(.seconds(1)), queueLimit: 9)
            $0.store.outages = [StoreOutage(start: .start, duration: .hours(1), answer: .slow(by: .seconds(3)))]
        }
        #expect(answers.map(\.at) == [.start + .seconds(4), .start + .seconds(8)])
    }

    @Test func productErrorsOccurInTheirShare() {
        let failed = answers(1_000) { $0.store.errors.products = .percent(30) }.count { $0.isError }
        #expect((240...360).contains(failed))
    }

    // The final settling meets no outage, no error and no queue.
    @Test func healedLinkIsServedInSpiteOfOutageAndQueue() {
        let bench = TestDevice {
            $0.store.outages = [StoreOutage(start: .start, duration: .hours(1), answer: .error)]
            $0.store.capacity = StoreCapacity(workers: 1, serviceTime: .span(.hours(1)), queueLimit: 0)
            $0.store.errors.purchase = [.init(error: .store(.unknown), share: .all)]
            $0.link.offline = OfflineSpells(share: .all, duration: .span(.hours(1)))
        }
        bench.device.beginSettling()
        let recorder = bench.launch()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(recorder.told.map(\.state) == [.purchasing, .purchased])
        #expect(bench.timeline.now == .start)
    }
}
