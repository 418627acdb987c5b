// R49: what is taken back.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct RevocationRulesTests {
    private func bought(
        _ product: String, _ change: (inout TestConditions) -> Void = { _ in }
    ) -> (bench: TestDevice, attendant: Attendant) {
        let bench = TestDevice.inServices(change)
        let attendant = Attendant()
        bench.launchWithoutObserver()
        bench.queue.add(attendant)
        bench.buyToTheEnd(product)
        return (bench, attendant)
    }

    private func relaunch(_ bench: TestDevice, _ attendant: Attendant) {
        bench.device.terminate()
        bench.launchWithoutObserver()
        bench.queue.add(attendant)
        bench.runUntilQuiet()
    }

    private func cancellations(_ bench: TestDevice, _ product: String) -> [Instant?] {
        (bench.device.receipt?.purchases ?? []).filter { $0.productIdentifier == product }.map(\.cancellationDate)
    }

    // R49: non-consumables and auto-renewable subscriptions, once each.
    @Test(arguments: [
        (Services.hat, true), (Services.pro, true), (Services.coins, false), (Services.pass, false),
    ])
    func refundOfAnEntitlementIsReportedOnce(_ product: String, _ isTold: Bool) {
        let (bench, attendant) = bought(product)
        bench.run(for: .hours(1))
        bench.perform(.refund(Services.index(product)))
        bench.runUntilQuiet()
        let told = isTold ? ["revoked \(product)"] : []
        #expect(attendant.heard == told)
        relaunch(bench, attendant)
        #expect(attendant.heard == told)
    }

    // R49: the receipt knew it before.
    @Test func receiptIsUpdatedBeforeARefundIsReported() {
        let (bench, attendant) = bought(Services.hat) { $0.delivery.receiptLag = .span(.hours(1)) }
        bench.run(for: .hours(2))
        #expect(cancellations(bench, Services.hat) == [nil])
        let now = bench.timeline.now
        var seen: [Instant?] = []
        attendant.onRevocation = { seen = cancellations(bench, Services.hat) }
        bench.perform(.refund(Services.index(Services.hat)))
        bench.runUntilQuiet()
        #expect(seen == [now])
    }

    // R49
    @Test func closedAppReceivesARefundAtItsNextLaunch() {
        let (bench, attendant) = bought(Services.hat)
        bench.device.terminate()
        bench.perform(.refund(Services.index(Services.hat)))
        bench.run(for: .hours(1))
        #expect(attendant.heard.isEmpty)
        bench.launchWithoutObserver()
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        #expect(attendant.heard == ["revoked \(Services.hat)"])
    }

    // R49: documented for neither; only what is unfinished is on the queue to be told again.
    @Test(arguments: ClientRules.RefundUpdate.allCases)
    func refundedTransactionIsRedeliveredAsTheKnobSays(_ knob: ClientRules.RefundUpdate) {
        let bench = TestDevice.inServices { $0.behaviour.refundUpdate = knob }
        let shopper = bench.launch()
        bench.buyToTheEnd(Services.hat)
        bench.perform(.refund(Services.index(Services.hat)))
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, .purchased] + (knob == .updated ? [.purchased] : []))
    }

    // R49: a refunded subscription renews no more.
    @Test func refundedSubscriptionEnds() {
        let (bench, attendant) = bought(Services.pro)
        bench.perform(.refund(Services.index(Services.pro)))
        bench.run(for: Services.month + Services.month)
        #expect(attendant.states == [.purchasing, .purchased] && attendant.heard == ["revoked \(Services.pro)"])
        bench.buyToTheEnd(Services.pro)
        #expect(attendant.states.last == .purchased)
    }

    // R49, R50: a member who stops sharing takes theirs back; what the user bought themselves stays.
    @Test(arguments: [false, true])
    func endedFamilySharingKeepsTheUsersOwnPurchase(_ hasBought: Bool) {
        let (bench, attendant) = bought(hasBought ? Services.hat : Services.coins)
        bench.perform(.shareInFamily(Services.index(Services.hat)))
        bench.runUntilQuiet()
        #expect(attendant.heard.isEmpty)
        bench.run(for: .hours(1))
        bench.perform(.stopSharing(Services.index(Services.hat)))
        bench.runUntilQuiet()
        #expect(attendant.heard == ["revoked \(Services.hat)"])
        #expect(cancellations(bench, Services.hat).contains(nil) == hasBought)
    }

    // R49, R26: and no restore brings it back.
    @Test func refundedPurchaseIsNotRestored() {
        let (bench, attendant) = bought(Services.hat)
        bench.perform(.refund(Services.index(Services.hat)))
        bench.runUntilQuiet()
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(!attendant.states.contains(.restored))
        bench.buyToTheEnd(Services.hat)
        #expect(bench.charges() == 2)
    }
}
