// Two purchase APIs on one launch: which of their receivers hears of what.

import DeviceSupport
import Simulation
import Testing

@Suite struct ReceiversTests {
    /// The queue's receiver listens from the launch on, StoreKit 2's as soon as it is asked to.
    private let bench: TestDevice
    private let queue: Recorder
    private let storeKit2: Recorder

    init() {
        bench = TestDevice { $0.hasOutsideActions = true }
        queue = bench.launch()
        storeKit2 = Recorder(bench.timeline)
        let (process, storeKit2) = (bench.process, storeKit2)
        _ = process.receiver(of: .storeKit2) { storeKit2 }
        bench.runUntilQuiet()
    }

    private func listen() {
        bench.process.request(.listen(.storeKit2))
        bench.runUntilQuiet()
    }

    private func buy(_ product: ProductIndex) throws -> TransactionValue {
        bench.buy(product)
        bench.runUntilQuiet()
        return try #require(queue.told(.purchased).last)
    }

    private func perform(_ action: AccountAction) {
        bench.store.perform(action, user: 0)
        bench.runUntilQuiet()
    }

    /// What `Transaction.updates` would have, in order.
    private var updates: [StoreTransaction] {
        storeKit2.events.flatMap { entry -> [StoreTransaction] in
            if case .storeKit2(.updated(let facts)) = entry.event { return facts.map(\.purchase) }
            return []
        }
    }

    @Test func eachAPIHasItsOwnReceiver() {
        #expect(bench.process.receiver(of: .paymentQueue) { Recorder(bench.timeline) } === queue)
        #expect(bench.process.receiver(of: .storeKit2) { Recorder(bench.timeline) } === storeKit2)
    }

    @Test func everyListenerReceivesPurchasesMadeElsewhere() throws {
        listen()
        perform(.buyOutside(Goods.hat))
        #expect(updates.map(\.product) == [Goods.hat] && queue.told(.purchased).map(\.id) == updates.map(\.id))
    }

    // S90.
    @Test func purchaseOfTheQueueIsNoUpdate() throws {
        listen()
        bench.finish(try buy(Goods.hat))
        bench.runUntilQuiet()
        #expect(updates.isEmpty && queue.removed.count == 1)
    }

    // R3, S2.
    @Test func unfinishedPurchasesWaitForALaterListener() throws {
        let bought = try buy(Goods.coins)
        #expect(storeKit2.events.isEmpty)
        let before = queue.events.count
        listen()
        #expect(updates.map(\.id) == [bought.id])
        // The other one has been told.
        #expect(queue.events.count == before)
    }

    // S3, S12.
    @Test func laterListenerMissesRevocations() throws {
        bench.finish(try buy(Goods.hat))
        bench.runUntilQuiet()
        perform(.refund(Goods.hat))
        listen()
        #expect(updates.isEmpty)
        // The next one it hears of.
        bench.finish(try buy(Goods.boots))
        bench.runUntilQuiet()
        bench.process.request(.storeKit2(.synchronise(call: 1)))
        bench.runUntilQuiet()
        perform(.refund(Goods.boots))
        #expect(updates.map(\.product) == [Goods.boots] && updates[0].revokedAt != nil)
        let revocations = queue.events.count { if case .revoked = $0.event { true } else { false } }
        #expect(revocations == 2)
    }

    @Test func onlyTheQueueReceivesItsAnswers() throws {
        listen()
        bench.process.request(.products(request: 1, identifiers: [Goods.identifier(Goods.coins)]))
        bench.process.request(.restore(applicationUsername: nil))
        bench.runUntilQuiet()
        #expect(queue.restoreEnds == [.restoreFinished] && storeKit2.events.isEmpty)
        #expect(queue.events.contains { if case .products = $0.event { true } else { false } })
    }

    @Test func stoppedListenerReceivesNothing() throws {
        listen()
        bench.process.request(.unlisten(.storeKit2))
        bench.runUntilQuiet()
        perform(.buyOutside(Goods.hat))
        #expect(updates.isEmpty && queue.told(.purchased).count == 1)
    }

    @Test func suspendedAppsListenersReceiveUpdatesLater() throws {
        listen()
        bench.device.enterBackground()
        perform(.buyOutside(Goods.hat))
        #expect(updates.isEmpty && queue.told(.purchased).isEmpty)
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(updates.count == 1 && queue.told(.purchased).count == 1)
    }

    @Test func crashEndsEveryReceiver() throws {
        listen()
        bench.buy(Goods.coins)
        bench.device.crash()
        let told = (queue.events.count, storeKit2.events.count)
        bench.runUntilQuiet()
        #expect((queue.events.count, storeKit2.events.count) == told)
        #expect(queue.hasEnded && storeKit2.hasEnded)
        // Of the crashed launch nothing listens any more.
        let next = bench.launch()
        bench.runUntilQuiet()
        #expect(next.told(.purchased).count == 1 && updates.isEmpty)
    }
}
