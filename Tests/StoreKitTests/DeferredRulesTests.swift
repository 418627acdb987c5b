// R35 to R41: purchases that wait for an approval, and purchases that are interrupted.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct DeferredRulesTests {
    private func asking(
        approve: Share = .all, decline: Share = .none, after: Span = .minutes(5),
        _ change: (inout TestConditions) -> Void = { _ in }
    ) -> TestDevice {
        TestDevice {
            $0.buyers.askToBuy = AskToBuy(
                share: .all, approve: approve, decline: decline, answerAfter: .constant(after.nanoseconds))
            change(&$0)
        }
    }

    // R35
    @Test func purchaseThatNeedsApprovalIsDeferred() throws {
        let bench = asking()
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.states == [.purchasing, .deferred])
        let transaction = try #require(shopper.told.last?.transaction)
        #expect(transaction.transactionIdentifier == nil && transaction.error == nil)
        #expect(bench.queue.transactions.count == 1)
    }

    // R36
    @Test func approvalCompletesTheDeferredTransaction() throws {
        let bench = asking()
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .minutes(6))
        #expect(shopper.states == [.purchasing, .deferred, .purchased])
        #expect(shopper.told[1].transaction === shopper.told[2].transaction)
        #expect(bench.charges() == 1)
    }

    // R36
    @Test func approvalMayArriveInALaterLaunch() {
        let bench = asking()
        bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.device.terminate()
        bench.run(for: .minutes(6))
        let shopper = bench.launch(Shopper(finishes: true))
        bench.runUntilQuiet()
        #expect(shopper.told(.purchased).count == 1)
        #expect(bench.charges() == 1)
    }

    // R36: dropped after a day, and nobody is told.
    @Test func unansweredApprovalRequestIsDroppedSilently() {
        let bench = asking(approve: .none)
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .hours(23))
        let second = bench.relaunch()
        bench.runUntilQuiet()
        #expect(second.states == [.deferred])
        bench.run(for: .hours(2))
        let later = bench.relaunch()
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, .deferred])
        #expect(later.states.isEmpty && later.removed.isEmpty)
        #expect(bench.charges() == 0)
    }

    // R37: silence, or a failure.
    @Test(arguments: StoreBehaviour.DeclinedApproval.allCases)
    func declinedApprovalEndsAsTheKnobSays(_ knob: StoreBehaviour.DeclinedApproval) {
        let bench = asking(approve: .none, decline: .all) { $0.behaviour.declinedApproval = knob }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .minutes(6))
        switch knob {
        case .silence: #expect(shopper.states == [.purchasing, .deferred])
        case .failed: #expect(shopper.states == [.purchasing, .deferred, .failed])
        }
        #expect(bench.charges() == 0)
    }

    // R38
    @Test(arguments: [true, false])
    func deferredTransactionIsRedeliveredAsTheKnobSays(_ isRedelivered: Bool) {
        let bench = asking { $0.behaviour.deferredRedelivery = isRedelivered }
        bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let shopper = bench.relaunch()
        bench.run(for: .seconds(1))
        #expect(shopper.states == (isRedelivered ? [.deferred] : []))
    }

    // R38: nobody is there to answer, whoever the account belongs to.
    @Test func paymentMayAskToStayDeferred() {
        let bench = TestDevice()
        let shopper = bench.launch()
        let payment = SKMutablePayment()
        payment.productIdentifier = Goods.coins
        payment.simulatesAskToBuyInSandbox = true
        bench.queue.add(payment)
        bench.run(for: .hours(100))
        #expect(shopper.states == [.purchasing, .deferred])
        #expect(bench.charges() == 0)
    }

    // R19: documented for no state but failed, purchased and restored; here it does nothing.
    @Test func finishingADeferredTransactionDoesNothing() {
        let bench = asking()
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .minutes(6))
        #expect(shopper.states == [.purchasing, .deferred, .purchased])
    }

    // MARK: Interrupted purchases

    private func interrupted(
        share: Share = .all, resolve: Share = .all, _ change: (inout TestConditions) -> Void = { _ in }
    ) -> TestDevice {
        TestDevice {
            $0.buyers.interrupted = Interruption(
                share: share, resolve: resolve, resolveAfter: .constant(Span.minutes(2).nanoseconds))
            change(&$0)
        }
    }

    // R40: failed, then a new transaction for the same product and quantity.
    @Test func interruptedPurchaseFailsAndReturnsAsANewTransaction() throws {
        let bench = interrupted()
        let shopper = bench.launch(Shopper(finishes: true))
        bench.buy(Goods.coins, quantity: 3)
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, .failed])
        bench.run(for: .minutes(3))
        #expect(shopper.states == [.purchasing, .failed, .purchased])
        let bought = try #require(shopper.told.last?.transaction)
        #expect(bought !== shopper.told[1].transaction)
        #expect(bought.payment.quantity == 3 && bought.payment.productIdentifier == Goods.coins)
        #expect(bench.charges() == 1)
    }

    // R40
    @Test(arguments: StoreBehaviour.InterruptionError.allCases)
    func interruptionErrorFollowsTheKnob(_ knob: StoreBehaviour.InterruptionError) throws {
        let bench = interrupted { $0.behaviour.interruptionError = knob }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let error = try #require(shopper.told(.failed).first?.error as? SKError)
        switch knob {
        case .paymentCancelled: #expect(error.code == .paymentCancelled)
        case .unknown:
            let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(error.code == .unknown && cause.domain == "ASDServerErrorDomain" && cause.code == 2024)
        }
    }

    // R40: failure and purchase back to back, the failure first.
    @Test func interruptionFailureMayArriveWithItsResolution() {
        let bench = interrupted { $0.behaviour.interruptionFailure = .withResolution }
        let shopper = bench.launch()
        bench.buy(Goods.coins)
        bench.run(for: .minutes(1))
        #expect(shopper.states == [.purchasing])
        bench.run(for: .minutes(2))
        #expect(shopper.states == [.purchasing, .failed, .purchased])
    }

    // R40: it may never be mended; R41: until then nothing can be bought.
    @Test func everyPurchaseFailsUntilTheInterruptionIsResolved() {
        let bench = interrupted(resolve: .none)
        let shopper = bench.launch(Shopper(finishes: true))
        for _ in 0..<3 { bench.buyToTheEnd(Goods.coins) }
        bench.run(for: .hours(30))
        #expect(shopper.told(.failed).count == 3 && shopper.told(.purchased).isEmpty)
        #expect(bench.charges() == 0)
    }

    // R41: also those that would not have run into it.
    @Test func interruptionFailsEveryLaterPurchase() throws {
        let bench = interrupted(share: .percent(20), resolve: .none)
        let shopper = bench.launch(Shopper(finishes: true))
        for _ in 0..<40 { bench.buyToTheEnd(Goods.coins) }
        let outcomes = shopper.states.filter { $0 != .purchasing }
        let first = try #require(outcomes.firstIndex(of: .failed))
        #expect(first > 0 && first < 30)
        #expect(outcomes[first...].allSatisfy { $0 == .failed })
    }

    // MARK: Errors from elsewhere

    // R14
    @Test func failedTransactionMayHaveNoError() throws {
        let bench = TestDevice { $0.store.errors.purchase = [.init(error: .noError, share: .all)] }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let failed = try #require(shopper.told(.failed).first)
        #expect(failed.error == nil)
    }

    // R16
    @Test func cancelMayArriveWithAnUndocumentedCode() throws {
        let bench = TestDevice { $0.store.errors.purchase = [.init(error: .undocumentedCancel, share: .all)] }
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        let error = try #require(shopper.told(.failed).first?.error)
        let cause = try #require((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect((error as NSError).code == 907 && (error as NSError).domain == SKErrorDomain)
        #expect(cause.domain == "AMSErrorDomain" && cause.code == 6)
    }
}
