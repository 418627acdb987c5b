// Two purchase APIs on one launch: which of their receivers hears of what.

import DeviceSupport
import Simulation
import Testing

@Suite struct ReceiversTests {
    /// The queue's receiver listens from the launch on, the second API's as soon as it is asked to.
    private let bench: TestDevice
    private let queue: Recorder
    private let second: Recorder

    init() {
        bench = TestDevice { $0.hasOutsideActions = true }
        queue = bench.launch()
        second = Recorder(bench.timeline)
        let (process, second) = (bench.process, second)
        _ = process.receiver(of: .second) { second }
        bench.runUntilQuiet()
    }

    private func listen() {
        bench.process.request(.listen(.second))
        bench.runUntilQuiet()
    }

    private func buy(_ product: ProductIndex) throws -> TransactionValue {
        bench.buy(product)
        bench.runUntilQuiet()
        return try #require(queue.told(.purchased).last)
    }

    @Test func eachAPIHasItsOwnReceiver() {
        #expect(bench.process.receiver(of: .paymentQueue) { Recorder(bench.timeline) } === queue)
        #expect(bench.process.receiver(of: .second) { Recorder(bench.timeline) } === second)
    }

    @Test func everyListenerReceivesUpdates() throws {
        listen()
        let bought = try buy(Goods.hat)
        #expect(second.told == queue.told)
        bench.finish(bought)
        bench.runUntilQuiet()
        #expect(queue.removed == [bought.handle] && second.removed == queue.removed)
    }

    // R3.
    @Test func unfinishedPurchasesWaitForALaterListener() throws {
        let bought = try buy(Goods.coins)
        #expect(second.events.isEmpty)
        let before = queue.events.count
        listen()
        #expect(second.told.map(\.handle) == [bought.handle] && second.told(.purchased).count == 1)
        // The other one has been told.
        #expect(queue.events.count == before)
    }

    @Test func laterListenerMissesRevocations() throws {
        bench.finish(try buy(Goods.hat))
        bench.runUntilQuiet()
        bench.store.perform(.refund(Goods.hat), user: 0)
        bench.runUntilQuiet()
        listen()
        func isRevocation(_ entry: (at: Instant, event: DaemonEvent)) -> Bool {
            if case .revoked = entry.event { true } else { false }
        }
        #expect(queue.events.count(where: isRevocation) == 1 && second.events.allSatisfy { !isRevocation($0) })
        // The next one it hears of.
        bench.finish(try buy(Goods.boots))
        bench.runUntilQuiet()
        bench.store.perform(.refund(Goods.boots), user: 0)
        bench.runUntilQuiet()
        #expect(queue.events.count(where: isRevocation) == 2 && second.events.count(where: isRevocation) == 1)
    }

    @Test func onlyTheQueueReceivesAnswers() throws {
        listen()
        bench.process.request(.products(request: 1, identifiers: [Goods.identifier(Goods.coins)]))
        bench.process.request(.restore(applicationUsername: nil))
        bench.runUntilQuiet()
        #expect(queue.restoreEnds == [.restoreFinished] && second.events.isEmpty)
        #expect(queue.events.contains { if case .products = $0.event { true } else { false } })
    }

    @Test func stoppedListenerReceivesNothing() throws {
        listen()
        bench.process.request(.unlisten(.second))
        bench.runUntilQuiet()
        _ = try buy(Goods.coins)
        #expect(second.events.isEmpty && queue.told(.purchased).count == 1)
    }

    @Test func suspendedAppsListenersReceiveUpdatesLater() throws {
        listen()
        bench.device.enterBackground()
        bench.buy(Goods.coins)
        bench.runUntilQuiet()
        #expect(second.events.isEmpty)
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(second.told(.purchased).count == 1 && queue.told(.purchased).count == 1)
    }

    @Test func crashEndsEveryReceiver() throws {
        listen()
        bench.buy(Goods.coins)
        bench.device.crash()
        let told = (queue.events.count, second.events.count)
        bench.runUntilQuiet()
        #expect((queue.events.count, second.events.count) == told)
        #expect(queue.hasEnded && second.hasEnded)
        // Of the crashed launch nothing listens any more.
        let next = bench.launch()
        bench.runUntilQuiet()
        #expect(next.told(.purchased).count == 1 && second.told(.purchased).isEmpty)
    }
}
