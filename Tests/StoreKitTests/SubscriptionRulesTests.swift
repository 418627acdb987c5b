// R25, R46 to R48: subscriptions bought again, renewed, changed, and not paid.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct SubscriptionRulesTests {
    private static let month = Services.month

    /// An app that has bought a subscription, and finishes everything unless told otherwise.
    private func subscribed(
        to product: String = Services.pro, finishes: Bool = true, _ change: (inout TestConditions) -> Void = { _ in }
    ) -> (bench: TestDevice, shopper: Shopper) {
        let bench = TestDevice.inServices(change)
        let shopper = bench.launch(Shopper(finishes: finishes))
        bench.buyToTheEnd(product)
        return (bench, shopper)
    }

    private func days(_ count: Int64) -> Span { .hours(24 * count) }

    /// Products of what was told as purchased.
    private func products(_ shopper: Shopper) -> [String] {
        shopper.told.filter { $0.state == .purchased }.map(\.productIdentifier)
    }

    private func identifiers(_ shopper: Shopper) -> [String] {
        shopper.told.filter { $0.state == .purchased }.compactMap(\.identifier)
    }

    private func expiry(_ bench: TestDevice, _ identifier: String?) -> Instant? {
        bench.device.receipt?.purchases.first { $0.transactionIdentifier == identifier }?.expiresDate
    }

    // MARK: Bought again, R25

    // R25: a failure that says why underneath, or the current transaction.
    @Test(arguments: StoreBehaviour.ActiveSubscription.allCases)
    func repurchaseOfAnActiveSubscriptionFollowsTheKnob(_ knob: StoreBehaviour.ActiveSubscription) throws {
        let (bench, shopper) = subscribed { $0.behaviour.activeSubscription = knob }
        bench.buyToTheEnd(Services.pro)
        let last = try #require(shopper.told.last)
        switch knob {
        case .failed:
            let error = try #require(last.transaction.error as? SKError)
            let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(shopper.states == [.purchasing, .purchased, .purchasing, .failed])
            #expect(error.code == .unknown && cause.domain == "ASDServerErrorDomain" && cause.code == 3532)
        case .currentTransaction:
            #expect(shopper.states == [.purchasing, .purchased, .purchasing, .purchased])
            #expect(last.identifier == shopper.told[1].identifier)
        }
        #expect(bench.queue.transactions.isEmpty && bench.charges() == 1)
    }

    // R25: once it has expired it is bought like anything else.
    @Test func expiredSubscriptionCanBeBoughtAgain() {
        let (bench, shopper) = subscribed { $0.buyers.subscriptions.cancel = .all }
        bench.run(for: Self.month + .hours(1))
        bench.buyToTheEnd(Services.pro)
        #expect(products(shopper) == [Services.pro, Services.pro] && Set(identifiers(shopper)).count == 2)
        #expect(bench.charges() == 2)
    }

    // R25, R48: the end of a period that was replaced is not the end of a later subscription.
    @Test func subscriptionBoughtAgainLastsItsWholePeriod() {
        let (bench, shopper) = subscribed {
            $0.catalog = Services.catalog(codes: [Services.code("week", [.existing])])
            $0.buyers.subscriptions.cancel = .all
            $0.behaviour.activeSubscription = .failed
        }
        bench.perform(.redeemOffer(Services.index(Services.pro), name: "week"))
        bench.run(for: days(10))
        bench.buyToTheEnd(Services.pro)
        #expect(shopper.states.last == .purchased)
        // The first month is over, the second is not.
        bench.run(for: days(25))
        bench.buyToTheEnd(Services.pro)
        #expect(shopper.states.last == .failed)
        bench.run(for: days(10))
        bench.buyToTheEnd(Services.pro)
        #expect(shopper.states.last == .purchased && bench.charges() == 4)
    }

    // MARK: Renewals, R46

    // R46: new transactions, without a payment of the app's, and all of one subscription to the receipt.
    @Test func renewalIsANewTransactionOfTheSameSubscription() throws {
        let (bench, shopper) = subscribed()
        bench.run(for: days(100))
        #expect(shopper.states == [.purchasing] + Array(repeating: .purchased, count: 4))
        #expect(products(shopper) == Array(repeating: Services.pro, count: 4))
        #expect(Set(identifiers(shopper)).count == 4)
        let receipt = try #require(bench.device.receipt)
        #expect(receipt.purchases.map(\.transactionIdentifier).sorted() == identifiers(shopper).sorted())
        #expect(Set(receipt.purchases.map(\.originalTransactionIdentifier)) == [identifiers(shopper)[0]])
        #expect(bench.charges() == 4)
    }

    // R46
    @Test(arguments: StoreBehaviour.RenewalOriginal.allCases)
    func renewalsOriginalFollowsTheKnob(_ knob: StoreBehaviour.RenewalOriginal) throws {
        let (bench, shopper) = subscribed { $0.behaviour.renewalOriginal = knob }
        bench.run(for: days(70))
        let renewals = shopper.told(.purchased).dropFirst()
        #expect(renewals.count == 2)
        for renewal in renewals {
            let original = renewal.original?.transactionIdentifier
            #expect(original == (knob == .set ? identifiers(shopper)[0] : nil))
        }
    }

    // R46: what was renewed meanwhile arrives with the launch, together.
    @Test func renewalsWaitForTheNextLaunch() {
        let (bench, first) = subscribed()
        bench.device.terminate()
        bench.run(for: days(100))
        let shopper = bench.launch(Shopper(finishes: true))
        bench.runUntilQuiet()
        #expect(shopper.batches.map(\.count) == [3])
        #expect(shopper.states.allSatisfy { $0 == .purchased })
        #expect(Set(identifiers(shopper)).isDisjoint(with: identifiers(first)))
    }

    // R46: or with the return to the foreground.
    @Test func renewalsWaitForTheForeground() {
        let (bench, shopper) = subscribed()
        bench.device.enterBackground()
        bench.run(for: days(70))
        #expect(identifiers(shopper).count == 1)
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(Set(identifiers(shopper)).count == 3)
    }

    // R46: they are finished like every purchase, or come back.
    @Test func renewalsMustBeFinished() {
        let (bench, _) = subscribed(finishes: false) { $0.buyers.subscriptions.cancel = .percent(0) }
        bench.run(for: days(70))
        for _ in 0..<2 {
            let shopper = bench.relaunch()
            bench.runUntilQuiet()
            #expect(Set(identifiers(shopper)).count == 3)
        }
        bench.relaunch(Shopper(finishes: true))
        bench.runUntilQuiet()
        let last = bench.relaunch()
        bench.runUntilQuiet()
        #expect(last.told.isEmpty)
    }

    // R8, R46: whoever has not opened the app for long gets them all at once.
    @Test func thousandsOfRenewalsArriveInOneBatch() {
        let (bench, _) = subscribed { $0.store.timeRate = .renewal(.seconds(2)) }
        bench.device.terminate()
        bench.run(for: .seconds(4_001))
        let shopper = Shopper()
        bench.launch(shopper)
        bench.run(for: .milliseconds(500))
        #expect(shopper.batches.count == 1 && shopper.told.count >= 2_000)
        #expect(Set(identifiers(shopper)).count == shopper.told.count)
    }

    // MARK: Changes within a group, R47

    // R47: effective now, and the old one is over.
    @Test func upgradeBeginsAtOnce() throws {
        let (bench, shopper) = subscribed(to: Services.pro)
        bench.run(for: days(10))
        bench.buyToTheEnd(Services.plus)
        #expect(products(shopper) == [Services.pro, Services.plus])
        bench.run(for: days(31))
        #expect(products(shopper) == [Services.pro, Services.plus, Services.plus])
        let books = bench.store.closeAccount(user: 0).transactions
        #expect(books.map(\.isUpgraded) == [true, false, false])
        #expect(books.allSatisfy { $0.subscriptionStart == books[0].id })
    }

    // R47: until the period ends nothing is told, or the current transaction.
    @Test(arguments: StoreBehaviour.Downgrade.allCases)
    func downgradeBeginsWithTheNextPeriod(_ knob: StoreBehaviour.Downgrade) {
        let (bench, shopper) = subscribed(to: Services.plus) { $0.behaviour.downgrade = knob }
        bench.run(for: days(10))
        bench.buyToTheEnd(Services.lite)
        #expect(identifiers(shopper).count == (knob == .silence ? 1 : 2) && Set(identifiers(shopper)).count == 1)
        let later = bench.relaunch(Shopper(finishes: true))
        bench.run(for: days(19))
        #expect(later.told.isEmpty)
        bench.run(for: days(2))
        #expect(products(later) == [Services.lite] && later.told(.purchasing).isEmpty)
        #expect(bench.charges() == 2)
    }

    // R47: what runs is what is told, not what was asked for.
    @Test func downgradeMayDeliverTheCurrentTransaction() {
        let (bench, shopper) = subscribed(to: Services.plus) { $0.behaviour.downgrade = .currentTransaction }
        bench.run(for: days(10))
        bench.buyToTheEnd(Services.lite)
        #expect(products(shopper) == [Services.plus, Services.plus])
    }

    // R47: to the same level at once if it is as long, else with the next period.
    @Test(arguments: [(Services.twin, true), (Services.year, false)])
    func crossgradeAtTheSameLevelDependsOnTheLength(_ product: String, _ isAtOnce: Bool) {
        let (bench, shopper) = subscribed(to: Services.pro)
        bench.run(for: days(10))
        bench.buyToTheEnd(product)
        #expect(products(shopper) == (isAtOnce ? [Services.pro, product] : [Services.pro]))
        bench.run(for: days(21))
        #expect(products(shopper).last == product)
    }

    // R47: the same from the page that manages subscriptions, where no payment asks for it.
    @Test(arguments: [(Services.plus, true), (Services.lite, false)])
    func changeOutsideTheAppFollowsTheSameRules(_ product: String, _ isAtOnce: Bool) {
        let (bench, shopper) = subscribed(to: Services.pro)
        bench.perform(.changeSubscription(to: Services.index(product)))
        bench.runUntilQuiet()
        #expect(products(shopper) == (isAtOnce ? [Services.pro, product] : [Services.pro]))
        bench.run(for: days(31))
        #expect(products(shopper).last == product && shopper.told(.purchasing).count == 1)
    }

    // R46: cancelled outside the app it ends with its period, without a word.
    @Test func cancelledSubscriptionEndsWithItsPeriod() throws {
        let (bench, shopper) = subscribed()
        bench.perform(.cancelSubscription(Services.index(Services.pro)))
        bench.run(for: days(90))
        #expect(identifiers(shopper).count == 1)
        #expect(expiry(bench, identifiers(shopper).first) == .start + Self.month)
    }

    // MARK: Billing, R48

    private func unpaid(grace: Bool, recover: Share = .all, after: Span) -> (bench: TestDevice, shopper: Shopper) {
        let (bench, shopper) = subscribed {
            $0.buyers.subscriptions.billingFailure = .all
            $0.buyers.subscriptions.recover = recover
            $0.buyers.subscriptions.recoverAfter = .span(after)
            $0.store.hasGracePeriod = grace
        }
        bench.run(for: Self.month + .hours(1))
        return (bench, shopper)
    }

    // R48: the queue says nothing of a renewal that cannot be paid.
    @Test(arguments: [false, true])
    func failedRenewalDeliversNothing(_ hasGrace: Bool) throws {
        let (bench, shopper) = unpaid(grace: hasGrace, after: days(5))
        #expect(shopper.states == [.purchasing, .purchased] && bench.queue.transactions.isEmpty)
        // The entitlement goes on through the grace period, and only through that.
        let end = try #require(expiry(bench, identifiers(shopper).first))
        #expect(end == .start + Self.month + (hasGrace ? days(16) : .zero))
    }

    // R48: paid after all it is a new transaction. The billing date moves out of retry, and not out of grace.
    @Test(arguments: [(false, 5, 35), (true, 5, 30), (true, 20, 50)] as [(Bool, Int64, Int64)])
    func recoveredRenewalIsANewTransaction(_ hasGrace: Bool, _ recovery: Int64, _ start: Int64) throws {
        let (bench, shopper) = unpaid(grace: hasGrace, after: days(recovery))
        bench.run(for: days(recovery))
        #expect(shopper.states == [.purchasing, .purchased, .purchased])
        #expect(Set(identifiers(shopper)).count == 2)
        #expect(expiry(bench, identifiers(shopper).last) == .start + days(start) + Self.month)
        // The grace period ends when it is paid.
        let served = hasGrace ? min(days(recovery), days(16)) : .zero
        #expect(expiry(bench, identifiers(shopper).first) == .start + Self.month + served)
    }

    // R48: after sixty days nobody tries any more, and it is bought anew.
    @Test func unrecoveredSubscriptionEnds() {
        let (bench, shopper) = unpaid(grace: false, recover: .none, after: days(1))
        bench.run(for: days(70))
        #expect(identifiers(shopper).count == 1)
        bench.buyToTheEnd(Services.pro)
        #expect(products(shopper) == [Services.pro, Services.pro])
        #expect(bench.charges() == 2)
    }
}
