// S20 to S32: what the finite sequences of transactions list.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct SequenceRulesTests {
    // S20
    @Test func unfinishedListsWhatIsNotFinishedWhateverItsKind() throws {
        let bench = launched()
        for product in [Goods.coins, Goods.hat, Goods.pass] { _ = try bench.purchase(product) }
        try bench.own(Goods.pro)
        #expect(try bench.products { Transaction.unfinished } == [Goods.coins, Goods.hat, Goods.pass])
    }

    // S21
    @Test func unfinishedLagsBehindPurchaseAndFinish() throws {
        let bench = launched { $0.behaviour.unfinishedLag = .seconds(10) }
        _ = try bench.purchase(Goods.coins)
        #expect(try bench.products { Transaction.unfinished }.isEmpty)
        bench.run(for: .seconds(11))
        let coins = try bench.list { Transaction.unfinished }
        #expect(coins.map(\.productID) == [Goods.coins])
        bench.start { for transaction in coins { await transaction.finish() } }
        bench.runUntilQuiet()
        #expect(try bench.products { Transaction.unfinished } == [Goods.coins])
        bench.run(for: .seconds(11))
        #expect(try bench.products { Transaction.unfinished }.isEmpty)
    }

    // S22, S23
    @Test(arguments: [false, true])
    func finishedConsumablesAreListedAsTheKeySays(_ isListed: Bool) throws {
        let bench = launched { $0.behaviour.consumableHistory = isListed }
        for product in [Goods.coins, Goods.hat, Goods.pro] { try bench.own(product) }
        let last = try bench.purchase(Goods.coins).transaction
        let expected = (isListed ? [Goods.coins] : []) + [Goods.hat, Goods.pro, Goods.coins]
        #expect(try bench.products { Transaction.all } == expected)
        #expect(try bench.list { Transaction.all(for: Goods.coins) }.last?.id == last.id)
    }

    // S22
    @Test func refundedConsumableIsListed() throws {
        let bench = launched()
        try bench.own(Goods.coins)
        bench.store.perform(.refund(0), user: 0)
        bench.runUntilQuiet()
        let listed = try bench.list { Transaction.all }
        #expect(listed.map(\.productID) == [Goods.coins] && listed[0].revocationDate != nil)
    }

    // S24
    @Test func latestIsTheMostRecentOneAndNilIfThereIsNone() throws {
        let bench = launched()
        try bench.own(Goods.hat)
        bench.store.perform(.refund(1), user: 0)
        bench.runUntilQuiet()
        let latest = try bench.value { await Transaction.latest(for: Goods.hat)?.unsafePayloadValue }
        #expect(latest?.revocationDate != nil)
        #expect(try bench.value { await Transaction.latest(for: Goods.coins) == nil })
    }

    // S25
    @Test func entitlementsAreWhatEntitlesNow() throws {
        let bench = launched()
        for product in [Goods.coins, Goods.hat, Goods.pass, Goods.pro] { try bench.own(product) }
        _ = try bench.purchase("com.example.boots")
        // Finished or not makes no difference; consumables entitle to nothing.
        let all = [Goods.hat, Goods.pass, Goods.pro, "com.example.boots"]
        #expect(try bench.products { Transaction.currentEntitlements } == all)
        bench.store.perform(.refund(1), user: 0)
        bench.store.perform(.cancelSubscription(3), user: 0)
        bench.runUntilQuiet()
        #expect(try bench.products { Transaction.currentEntitlements } == Array(all.dropFirst()))
        bench.run(for: .hours(24 * 40))
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.pass, "com.example.boots"])
    }

    // S25
    @Test func replacedSubscriptionEntitlesNoMore() throws {
        let bench = TestDevice.inServices()
        bench.launchWithoutObserver()
        try bench.own(Services.lite)
        try bench.own(Services.pro)
        #expect(try bench.products { Transaction.currentEntitlements } == [Services.pro])
    }

    // S30
    @Test func eachFamilyMembersShareEntitles() throws {
        let bench = launched { $0.catalog = Goods.catalog(shareable: ["pro"]) }
        for _ in 0..<2 { bench.store.perform(.shareInFamily(3), user: 0) }
        bench.runUntilQuiet()
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.pro, Goods.pro])
        bench.store.perform(.stopSharing(3), user: 0)
        bench.runUntilQuiet()
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.pro])
    }

    // S27
    @Test func nonRenewingSubscriptionIsListedForEver() throws {
        let bench = launched()
        try bench.own(Goods.pass)
        bench.run(for: .hours(24 * 800))
        #expect(try bench.products { Transaction.currentEntitlements(for: Goods.pass) } == [Goods.pass])
    }

    // S28: an observer's synchronisation, which brings no record, is under way already.
    @Test func readBehindAnObserverWaitsForTheRecord() throws {
        let bench = launched { $0.owned = [1] }
        bench.add(Shopper())
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.hat])
    }

    // S28
    @Test(arguments: ClientRules.EntitlementsOffline.allCases)
    func offlineDeviceKnowsWhatTheKnobSays(_ knob: ClientRules.EntitlementsOffline) throws {
        let bench = launched {
            $0.own([Goods.hat])
            $0.behaviour.entitlementsOffline = knob
            $0.link.offline = OfflineSpells(share: .percent(50), duration: .constant(Span.hours(1).nanoseconds))
        }
        var known: [Bool: Int] = [:]
        for _ in 0..<60 {
            bench.device.terminate()
            bench.launchWithoutObserver()
            let isOnline = (bench.outcome { try await AppStore.sync() }).map { (try? $0.get()) != nil } ?? false
            let entitled = try bench.products { Transaction.currentEntitlements }
            if known[true] != nil || isOnline {
                #expect(entitled == (isOnline || knob == .cached ? [Goods.hat] : []))
                known[isOnline, default: 0] += 1
            }
            bench.run(for: .minutes(37))
        }
        #expect(known[true, default: 0] > 5 && known[false, default: 0] > 5)
    }

    // S28
    @Test func firstLaunchOfflineKnowsNothing() throws {
        let bench = launched {
            $0.own([Goods.hat])
            $0.link.offline = OfflineSpells(share: .all, duration: .constant(Span.hours(1).nanoseconds))
        }
        #expect(try bench.products { Transaction.currentEntitlements }.isEmpty)
        #expect(try bench.products { Transaction.all }.isEmpty)
    }

    // S31
    @Test func recordIsTheSignedInAccounts() throws {
        var conditions = TestConditions()
        conditions.hasSecondAccounts = true
        conditions.own([Goods.hat])
        let bench = TestDevice(conditions)
        bench.launchWithoutObserver()
        #expect(try bench.products { Transaction.currentEntitlements } == [Goods.hat])
        bench.device.terminate()
        bench.device.switchAccount()
        bench.launchWithoutObserver()
        #expect(try bench.products { Transaction.currentEntitlements }.isEmpty)
    }

    // S28: the record outlives a crash, and ends with the app.
    @Test func recordOutlivesACrashAndEndsWithTheApp() throws {
        let bench = launched { $0.own([Goods.hat]) }
        #expect(try bench.products { Transaction.all } == [Goods.hat])
        bench.device.crash()
        bench.launchWithoutObserver()
        #expect(try bench.products { Transaction.all } == [Goods.hat])
        bench.device.terminate()
        bench.device.reinstall()
        bench.launchWithoutObserver()
        // A new installation asks the store.
        #expect(try bench.products { Transaction.all } == [Goods.hat])
    }
}
