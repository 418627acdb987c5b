// S64 to S69, S75, S80 to S85: how subscriptions stand, the storefront, intents, `AppStore.sync`.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct StatusRulesTests {
    private func statuses(_ bench: TestDevice) throws -> [Product.SubscriptionInfo.Status] {
        try bench.value { try await Product.SubscriptionInfo.status(for: "group") }
    }

    private func relaunch(_ bench: TestDevice) {
        bench.device.terminate()
        bench.launchWithoutObserver()
    }

    // S64
    @Test func changedStatusIsEmitted() throws {
        let bench = launched()
        let states = Notes<Product.SubscriptionInfo.Status>()
        bench.start { for await status in Product.SubscriptionInfo.Status.updates { states.values.append(status) } }
        try bench.own(Goods.pro)
        _ = try statuses(bench)
        // The purchase itself has changed it.
        #expect(states.values.map(\.state) == [.subscribed])
        let before = states.values.count
        bench.store.perform(.cancelSubscription(3), user: 0)
        bench.runUntilQuiet()
        #expect(states.values.count == before + 1)
        #expect(try states.values.last?.renewalInfo.payloadValue.willAutoRenew == false)
    }

    // S64
    @Test(arguments: ClientRules.StatusAtStart.allCases)
    func firstReaderReceivesStatusesAsTheKnobSays(_ knob: ClientRules.StatusAtStart) throws {
        let bench = launched { $0.behaviour.statusAtStart = knob }
        try bench.own(Goods.pro)
        relaunch(bench)
        let states = Notes<Product.SubscriptionInfo.RenewalState>()
        bench.start {
            for await status in Product.SubscriptionInfo.Status.updates { states.values.append(status.state) }
        }
        bench.runUntilQuiet()
        #expect(states.values == (knob == .emitted ? [.subscribed] : []))
    }

    // S65
    @Test func statusIsEmptyWithoutASubscription() throws {
        let bench = launched()
        #expect(try statuses(bench).isEmpty)
        try bench.own(Goods.pro)
        #expect(try statuses(bench).map(\.state) == [.subscribed])
        relaunch(bench)
        #expect(try statuses(bench).map(\.state) == [.subscribed])
    }

    // S66, S67
    @Test func endedSubscriptionHasItsReason() throws {
        let bench = launched()
        try bench.own(Goods.pro)
        bench.store.perform(.cancelSubscription(3), user: 0)
        bench.run(for: .hours(24 * 40))
        relaunch(bench)
        let status = try #require(try statuses(bench).first)
        #expect(status.state == .expired)
        #expect(try status.renewalInfo.payloadValue.expirationReason == .autoRenewDisabled)
    }

    // S66, S68
    @Test(arguments: [false, true])
    func unpaidRenewalIsRetriedWithOrWithoutGrace(_ hasGrace: Bool) throws {
        let bench = launched {
            $0.store.hasGracePeriod = hasGrace
            $0.buyers.subscriptions.billingFailure = .all
            $0.buyers.subscriptions.recover = .none
        }
        let bought = try bench.own(Goods.pro)
        bench.run(for: .hours(24 * 35))
        relaunch(bench)
        let status = try #require(try statuses(bench).first)
        #expect(status.state == (hasGrace ? .inGracePeriod : .inBillingRetryPeriod))
        let renewal = try status.renewalInfo.payloadValue
        #expect(renewal.isInBillingRetry && (renewal.gracePeriodExpirationDate != nil) == hasGrace)
        // An app that compares dates alone takes the service away.
        let transaction = try status.transaction.payloadValue
        #expect(transaction.id == bought.id && transaction.expirationDate == bought.expirationDate)
        let entitled = try bench.products { Transaction.currentEntitlements }
        #expect(entitled == (hasGrace ? [Goods.pro] : []))
    }

    // S66
    @Test func refundedSubscriptionIsRevoked() throws {
        let bench = launched()
        try bench.own(Goods.pro)
        bench.store.perform(.refund(3), user: 0)
        relaunch(bench)
        #expect(try statuses(bench).first?.state == .revoked)
    }

    // S69
    @Test(arguments: [(days: 80, isOne: true), (days: 100, isOne: false)])
    func gapsUpTo60DaysCountAsContinuous(_ days: Int64, _ isOne: Bool) throws {
        let bench = launched()
        let first = try bench.own(Goods.pro)
        // It ends after a month.
        bench.store.perform(.cancelSubscription(3), user: 0)
        bench.run(for: .hours(24 * days))
        let second = try bench.own(Goods.pro)
        let renewal = try #require(try statuses(bench).first).renewalInfo.payloadValue
        #expect(renewal.recentSubscriptionStartDate == (isOne ? first : second).purchaseDate)
    }

    // S58, S67
    @Test func preferenceNamesTheNextPeriodsProduct() throws {
        let bench = TestDevice.inServices()
        bench.launchWithoutObserver()
        try bench.own(Services.pro)
        _ = try bench.purchase(Services.lite)
        relaunch(bench)
        let group = try #require(try bench.value { try await Product.products(for: [Services.pro])[0] }.subscription)
        let renewal = try #require(try bench.value { try await group.status.first }).renewalInfo.payloadValue
        #expect(renewal.currentProductID == Services.pro && renewal.autoRenewPreference == Services.lite)
    }

    // MARK: Storefront

    // S75
    @Test func storefrontIsTheAccountsAndItsChangesAreEmitted() throws {
        let bench = launched()
        let moves = Notes<String>()
        bench.start { for await storefront in Storefront.updates { moves.values.append(storefront.countryCode) } }
        _ = UpdatesReader(on: bench)
        bench.runUntilQuiet()
        #expect(try bench.value { await Storefront.current?.countryCode } == "USA")
        bench.store.perform(.changeStorefront(StorefrontValue(countryCode: "FRA")!), user: 0)  // A literal.
        bench.runUntilQuiet()
        #expect(moves.values == ["FRA"])
        #expect(try bench.value { await Storefront.current?.countryCode } == "FRA")
    }

    // MARK: Intents

    // S84
    @Test func tapInTheStoreIsAnIntent() throws {
        let bench = launched()
        let intents = Notes<String>()
        bench.device.tapPromotedProduct(1)
        bench.start { for await intent in PurchaseIntent.intents { intents.values.append(intent.id) } }
        bench.runUntilQuiet()
        #expect(intents.values == [Goods.hat])
        bench.device.tapPromotedProduct(0)
        bench.runUntilQuiet()
        #expect(intents.values == [Goods.hat, Goods.coins])
    }

    // S84
    @Test func eachTapPaysForOnePurchase() throws {
        let bench = launched()
        bench.start { for await intent in PurchaseIntent.intents { _ = try? await intent.product.purchase() } }
        bench.device.tapPromotedProduct(0)
        bench.device.tapPromotedProduct(0)
        bench.runUntilQuiet()
        try bench.own(Goods.coins)
        let promoted = bench.device.events.compactMap { record -> Bool? in
            if case .paymentAdded(let note) = record.event { note.isPromoted } else { nil }
        }
        #expect(promoted == [true, true, false])
    }

    // S84
    @Test(arguments: [false, true])
    func purchaseThatTheUserAskedTheAppForIsNoIntents(_ isAnswered: Bool) throws {
        let bench = launched()
        bench.start { for await _ in PurchaseIntent.intents {} }
        bench.device.tapPromotedProduct(0)
        bench.runUntilQuiet()
        let request = TaskRequest(number: 7)
        if isAnswered { request.answer() }
        try bench.value {
            try await TaskRequest.$current.withValue(request) { _ = try await TestDevice.purchase(Goods.coins) }
        }
        let added = bench.device.events.compactMap { record in
            if case .paymentAdded(let note) = record.event { note } else { nil }
        }
        #expect(added.map(\.isPromoted) == [isAnswered] && added.map(\.asked) == [isAnswered ? nil : 7])
    }

    // S85
    @Test func observerIsAskedInsteadOfAnIntent() throws {
        let bench = launched()
        let intents = Notes<String>()
        let attendant = Attendant()
        bench.queue.add(attendant)
        bench.start { for await intent in PurchaseIntent.intents { intents.values.append(intent.id) } }
        bench.runUntilQuiet()
        bench.device.tapPromotedProduct(1)
        bench.runUntilQuiet()
        #expect(intents.values.isEmpty && attendant.heard == ["promoted \(Goods.hat)"])
    }

    // MARK: Synchronising

    // S80, S82, S83
    @Test func synchronisationBringsTheRecordUpToDate() throws {
        let bench = launched()
        try bench.value { try await AppStore.sync() }
        #expect(try bench.products { Transaction.currentEntitlements }.isEmpty)
        bench.store.perform(.shareInFamily(1), user: 0)
        try bench.value { try await AppStore.sync() }
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.hat])
    }

    // S82
    @Test(arguments: [false, true])
    func synchronisationRepeatsUpdatesAsTheKnobSays(_ repeats: Bool) throws {
        let bench = launched {
            $0.leaveUnfinished([Goods.coins])
            $0.behaviour.syncEmitsUnfinished = repeats
        }
        let reader = UpdatesReader(on: bench, finishes: false)
        bench.runUntilQuiet()
        try bench.value { try await AppStore.sync() }
        bench.runUntilQuiet()
        #expect(reader.products.count == (repeats ? 2 : 1))
    }

    // S80
    @Test func cancelledPasswordIsAnError() {
        let bench = launched { $0.buyers.cancelRestore = .all }
        guard case .failure(let error)? = bench.outcome({ try await AppStore.sync() }),
            case .userCancelled? = error as? StoreKitError
        else {
            Issue.record("a cancelled synchronisation ends otherwise")
            return
        }
    }

    // S81
    @Test(arguments: ClientRules.SyncOffline.allCases)
    func offlineSynchronisationFailsAsTheKnobSays(_ knob: ClientRules.SyncOffline) throws {
        let bench = launched {
            $0.behaviour.syncOffline = knob
            $0.link.offline = OfflineSpells(share: .all, duration: .constant(Span.hours(1).nanoseconds))
        }
        guard case .failure(let error)? = bench.outcome({ try await AppStore.sync() }) else {
            Issue.record("offline, a synchronisation ends well")
            return
        }
        switch (knob, error as? StoreKitError) {
        case (.userCancelled, .userCancelled?), (.networkError, .networkError?): break
        default: Issue.record("\(knob): \(error)")
        }
    }
}
