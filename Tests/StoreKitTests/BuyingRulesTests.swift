// The contract's rules on buying: R10 to R16.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct BuyingRulesTests {
    // R10: the sheet of the second payment waits for the outcome of the first.
    @Test func paymentsRunSerially() {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.seconds(5)) }
        let shopper = bench.launch()
        for _ in 0..<3 { bench.buy(Goods.pass) }
        #expect(shopper.told.isEmpty)
        bench.run(for: .seconds(11))
        #expect(shopper.told(.purchasing).count == 3)
        #expect(shopper.told(.purchased).count == 2)
    }

    // R10: as many transactions as calls, each with a copy of the payment as it was.
    @Test func eachAddMakesATransactionWithACopyOfThePayment() {
        let bench = TestDevice()
        let shopper = bench.launch()
        let payment = SKMutablePayment()
        payment.productIdentifier = Goods.pass
        for quantity in 1...3 {
            payment.quantity = quantity
            bench.queue.add(payment)
        }
        payment.productIdentifier = Goods.unknown
        bench.runUntilQuiet()
        let bought = shopper.told(.purchased)
        #expect(Set(bought.map(ObjectIdentifier.init)).count == 3)
        #expect(bought.map(\.payment.quantity) == [1, 2, 3])
        #expect(bought.allSatisfy { $0.payment.productIdentifier == Goods.pass })
    }

    // A task that works for a request says so, wherever it runs; against: another task.
    @Test(arguments: [true, false])
    func taskPaysForTheRequestThatItWasMadeFor(isOnLane: Bool) throws {
        let bench = TestDevice()
        bench.launch()
        let queue = bench.queue
        bench.start {
            @Sendable func ask() {
                let payment = SKMutablePayment()
                payment.productIdentifier = Goods.coins
                queue.add(payment)
                SKProductsRequest(productIdentifiers: [Goods.coins]).start()
            }
            let request = TaskRequest(number: 7)
            if isOnLane {
                await TaskRequest.$current.withValue(request) { await MainActor.run { ask() } }
            } else {
                TaskRequest.$current.withValue(request) { ask() }
            }
            ask()
        }
        bench.runUntilQuiet()
        let asked = bench.device.events.compactMap { record -> Int32?? in
            switch record.event {
            case .paymentAdded(let note): note.asked
            case .productsStarted(_, let asked): asked
            default: nil
            }
        }
        #expect(asked == [7, 7, nil, nil])
    }

    // R11.
    @Test(
        arguments: [
            ("", 1, .emptyProductIdentifier), (Goods.coins, 0, .quantityBelowOne), (Goods.coins, -1, .quantityBelowOne),
        ] as [(String, Int, ClientException)])
    func impossiblePaymentRaises(_ identifier: String, _ quantity: Int, _ exception: ClientException) {
        let bench = TestDevice()
        bench.launch()
        bench.buy(identifier, quantity: quantity)
        #expect(bench.device.process == nil)
        #expect(bench.exceptions == [exception])
        #expect(bench.device.events.allSatisfy { if case .paymentAdded = $0.event { false } else { true } })
    }

    // R11.
    @Test(arguments: [(1, true), (10, true), (11, false)])
    func tenIsTheLargestQuantity(_ quantity: Int, _ isBought: Bool) {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.buy(Goods.coins, quantity: quantity)
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, isBought ? .purchased : .failed])
        if !isBought {
            #expect((shopper.told.last?.transaction.error as? SKError)?.code == .paymentInvalid)
        }
    }

    // R11: documented as a limit; what happens beyond it is not.
    @Test(arguments: StoreBehaviour.QuantityAboveTen.allCases)
    func quantityAboveTenFollowsTheKnob(_ knob: StoreBehaviour.QuantityAboveTen) {
        let bench = TestDevice { $0.behaviour.quantityAboveTen = knob }
        let shopper = bench.launch()
        bench.buy(Goods.coins, quantity: 11)
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, knob == .accepted ? .purchased : .failed])
        #expect(shopper.told.last?.transaction.payment.quantity == 11)
    }

    // R11: without a harness it traps, as an exception that nobody catches does.
    @Test func impossiblePaymentTrapsOutsideAHarness() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run { SKPaymentQueue.default().add(SKPayment()) }
        }
    }

    // R12.
    @Test func purchasingComesBeforeTheOutcome() {
        let bench = TestDevice()
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.callbacks == ["updated", "updated", "removed"])
        #expect(shopper.states == [.purchasing, .purchased])
    }

    // R12.
    @Test func unknownProductIsAnInvalidPayment() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.unknown)
        #expect(shopper.states == [.purchasing, .failed])
        #expect((shopper.told.last?.transaction.error as? SKError)?.code == .paymentInvalid)
    }

    // R12: `canMakePayments` is advice; `add` does not ask it.
    @Test func disabledPaymentsAreNotAllowed() {
        let bench = TestDevice {
            $0.arePaymentsAllowed = false
            $0.buyers.paymentsDisallowed = .all
        }
        let shopper = bench.launch()
        #expect(!bench.inside { SKPaymentQueue.canMakePayments() })
        bench.buyToTheEnd(Goods.coins)
        #expect((shopper.told.last?.transaction.error as? SKError)?.code == .paymentNotAllowed)
    }

    // R12.
    @Test func canMakePaymentsAsksTheDevice() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        #expect(bench.inside { SKPaymentQueue.canMakePayments() })
    }

    // R13, over everything that can go wrong: each transaction of each launch goes a legal way.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func transactionStatesFollowLegalTransitions(_ seed: UInt64) {
        let bench = TestDevice {
            $0.seed = seed
            $0.own([Goods.hat])
            $0.leaveUnfinished([Goods.coins])
            $0.buyers.cancel = .percent(20)
            $0.buyers.decideAfter = .uniform(0, 3_000_000_000)
            $0.link.latency = .uniform(0, 400_000_000)
            $0.link[.lostAnswer] = .percent(10)
            $0.link[.lostRequest] = .percent(10)
            $0.store.errors.purchase = [.init(error: .store(.unknown), share: .percent(10))]
        }
        var stream = RandomStream(seed: seed, user: 0, purpose: .journey)
        for _ in 0..<30 {
            let shopper = Shopper(finishes: stream.hits(.percent(50)))
            bench.launch(shopper)
            for _ in 0..<stream.below(6) {
                bench.buy([Goods.coins, Goods.hat, Goods.pass, Goods.unknown][Int(stream.below(4))])
                if stream.hits(.percent(20)) { bench.queue.restoreCompletedTransactions() }
                bench.run(for: .milliseconds(Int64(stream.below(4_000))))
            }
            if stream.hits(.percent(50)) { bench.runUntilQuiet() }
            bench.device.crash()
            var last: [ObjectIdentifier: SKPaymentTransactionState] = [:]
            for told in shopper.told {
                let object = ObjectIdentifier(told.transaction)
                let isLegal =
                    switch (last[object], told.state) {
                    case (nil, _), (.purchasing, _): true
                    case (let before?, let now): before == now
                    }
                #expect(isLegal, "from \(String(describing: last[object]?.rawValue)) to \(told.state.rawValue)")
                last[object] = told.state
            }
            #expect(shopper.states.allSatisfy { (0...3).contains($0.rawValue) })
        }
    }

    // R14.
    @Test func transactionFieldsAreSetAsTheStateRequires() throws {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.store.errors.purchase = []
        }
        let shopper = bench.launch()
        var seen: [SKPaymentTransactionState] = []
        shopper.onUpdate = { transactions in
            for transaction in transactions {
                seen.append(transaction.transactionState)
                let isComplete = transaction.transactionState == .purchased || transaction.transactionState == .restored
                #expect((transaction.transactionIdentifier != nil) == isComplete)
                #expect((transaction.transactionDate != nil) == isComplete)
                #expect((transaction.error != nil) == (transaction.transactionState == .failed))
                #expect((transaction.original != nil) == (transaction.transactionState == .restored))
            }
        }
        bench.buy(Goods.coins)
        bench.buy(Goods.unknown)
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(Set(seen) == [.purchasing, .purchased, .failed, .restored])
    }

    // R14: the run begins with 2026.
    @Test func transactionDatesAreOnTheSimulatedCalendar() throws {
        let bench = TestDevice { $0.buyers.decideAfter = .span(.hours(24)) }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let date = try #require(shopper.told.last?.transaction.transactionDate)
        #expect(ISO8601DateFormatter().string(from: date) == "2026-01-02T00:00:00Z")
    }

    // R15.
    @Test func transactionKeepsOneObjectUntilItsRemoval() {
        let bench = TestDevice()
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.coins)
        let objects = shopper.told.map(\.transaction) + shopper.removed
        #expect(objects.count == 3)
        #expect(Set(objects.map(ObjectIdentifier.init)).count == 1)
        // It is dead to the queue, and still says what it was.
        #expect(objects[0].transactionState == .purchased)
    }

    // R15.
    @Test func relaunchMakesNewObjectsWithTheSameIdentifiers() throws {
        let bench = TestDevice()
        let first = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let second = bench.relaunch()
        bench.runUntilQuiet()
        let old = try #require(first.told.last)
        let new = try #require(second.told.last)
        #expect(old.transaction !== new.transaction)
        #expect(old.identifier == new.identifier)
    }

    // R16: StoreKit's own domain.
    @Test(arguments: StoreErrorCode.allCases)
    func storeErrorsAreSKErrors(_ code: StoreErrorCode) throws {
        let bench = TestDevice { $0.store.errors.purchase = [.init(error: .store(code), share: .all)] }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let error = try #require(shopper.told.last?.transaction.error)
        #expect((error as? SKError)?.code.rawValue == code.rawValue)
        #expect((error as NSError).domain == SKErrorDomain)
        #expect(!error.localizedDescription.isEmpty)
    }

    // R16: the URL loading system's domain, which no `as? SKError` takes.
    @Test(arguments: [(true, -1009), (false, -1001)])
    func networkErrorsAreNotSKErrors(_ isOffline: Bool, _ code: Int) throws {
        let bench = TestDevice {
            if isOffline {
                $0.link.offline = OfflineSpells(share: .all, duration: .span(.hours(1)))
            } else {
                $0.link[.lostRequest] = .all
            }
        }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let error = try #require(shopper.told.last?.transaction.error)
        #expect(error as? SKError == nil)
        let converted = error as NSError
        #expect(converted.domain == NSURLErrorDomain && converted.code == code)
        // One object each time it is asked for.
        #expect(shopper.told.last?.transaction.error.map { $0 as NSError } === converted)
    }
}
