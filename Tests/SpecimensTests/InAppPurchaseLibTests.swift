// The library with a receipt validator, with its flaws: each must be told for what it is.

import CatalogFile
import Engine
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct InAppPurchaseLibTests {
    private static let catalog = Result {
        try CatalogFile.load(
            path: PackageFolder.url.appendingPathComponent("Scenarios/catalogs/Silver.storekit").path)
    }

    private static let conditions = [
        "network: {latency: 20ms..60ms}", "buyers: {decide_after: 200ms..600ms}", "validator: {latency: 100ms..300ms}",
        "app: {patience: 10s, relaunch_after: 500ms}",
    ]

    private func journey(_ steps: [String], sections: [String] = []) throws -> RunResult {
        let scenario = try Scenario.journey(
            steps, users: 20,
            sections: Self.conditions.filter { given in
                !sections.contains { $0.prefix { $0 != ":" } == given.prefix { $0 != ":" } }
            } + sections, catalog: try Self.catalog.get())
        let result = run(scenario, SilverShop.self)
        #expect(result.collector.faultCount == 0, "\(result.story)")
        return result
    }

    private func expectAllExpectationsMet(_ result: RunResult, _ count: Int) {
        #expect(result.expectations == [count, count], "\(result.story)")
    }

    // MARK: What works

    @Test func silverShopDeliversEverySoldProduct() throws {
        let result = try journey([
            "launch", "fetch_products", "buy: 10_silver", "expect: {answered: purchased}", "think: 1s",
            "buy: 100_silver", "think: 1s", "buy: no_ads", "think: 1s", "buy: monthly", "think: 1s",
            "buy: season_pass", "think: 1s",
            "expect: {holds: {10_silver: 10, 100_silver: 100}, owns: [no_ads, monthly, season_pass]}",
            "use: 100_silver", "expect: {holds: {100_silver: 99}}", "terminate", "launch", "use: all",
            "expect: {holds: {10_silver: 0, 100_silver: 0}, owns: [no_ads, monthly, season_pass]}",
        ])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 80)
    }

    @Test func silverShopsPurchaseWaitsForTheProducts() throws {
        let result = try journey(["launch", "buy: 10_silver", "expect: {answered: purchased}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopAnswersACancelAsCancelled() throws {
        let result = try journey(
            ["launch", "fetch_products", "buy: no_ads", "expect: {answered: cancelled}"],
            sections: ["buyers: {cancel: 100%}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopValidatesAndDeliversARedelivery() throws {
        let result = try journey(
            ["launch", "think: 2s", "expect: {holds: {100_silver: 100}, owns: no_ads}"],
            sections: ["population: {users: 20, unfinished_at_start: {100_silver: 100%, no_ads: 100%}}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    // MARK: What its design loses

    @Test func silverShopDeliversTwiceAfterACrashBeforeTheFinish() throws {
        let result = try journey(
            ["launch", "fetch_products", "buy: 10_silver", "think: 2s"],
            sections: ["faults: {crash: {share: 100%, at: before_finish}}"])
        #expect(result.violations[.duplicateDelivery] == 20, "\(result.story)")
        #expect(result.violations[.lostPurchase] == nil)
        // What is owned cannot be had twice.
        let owned = try journey(
            ["launch", "fetch_products", "buy: no_ads", "think: 2s"],
            sections: ["faults: {crash: {share: 100%, at: before_finish}}"])
        #expect(owned.violations[.duplicateDelivery] == nil)
    }

    // Two that are told together share a validation, and with it one announcement; both are finished.
    @Test func silverShopDeliversTwoPendingPurchasesOnce() throws {
        let result = try journey(["buy_outside: 10_silver", "buy_outside: 10_silver", "launch", "think: 2s"])
        #expect(result.violations == [.lostPurchase: 20], "\(result.story)")
    }

    // The second comes when the first has been delivered.
    @Test func silverShopDeliversBothOfTwoConsecutivePurchases() throws {
        let result = try journey([
            "launch", "buy_outside: 10_silver", "think: 2s", "buy_outside: 10_silver", "think: 2s",
            "expect: {holds: {10_silver: 20}}",
        ])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopKeepsAPurchasePendingThroughAnOutage() throws {
        let result = try journey(
            [
                "launch", "fetch_products", "buy: 10_silver", "expect: {answered: failed, holds: {10_silver: 0}}",
                "think: 20s", "fetch_products", "think: 2s", "expect: {holds: {10_silver: 0}}",
                "terminate", "launch", "think: 2s", "expect: {holds: {10_silver: 10}}",
            ], sections: ["validator: {outages: [{at: 0s, for: 15s, answer: error}]}"])
        // The user was told that it had failed, and was charged.
        #expect(result.violations == [.wrongAnswer: 20], "\(result.story)")
        expectAllExpectationsMet(result, 60)
    }

    // The announcement names the product, and not how many.
    @Test func silverShopDeliversOneForAnyQuantity() throws {
        let result = try journey(["launch", "fetch_products", "buy: {product: 10_silver, quantity: 3}", "think: 1s"])
        #expect(result.violations == [.wrongProduct: 20], "\(result.story)")
        #expect(result.story.contains("10 of 30 goods"))
    }

    // Both are let through, because StoreKit has shown neither yet.
    @Test func silverShopsSecondPurchaseReplacesTheFirstsCallback() throws {
        let result = try journey([
            "launch", "fetch_products", "together: [{buy: 10_silver}, {buy: no_ads}]", "think: 2s", "terminate",
        ])
        #expect(result.violations[.unansweredRequest] == 20, "\(result.story)")
    }

    @Test func silverShopIgnoresARefund() throws {
        let result = try journey([
            "launch", "fetch_products", "buy: no_ads", "think: 1s", "refund: no_ads", "think: 2s",
            "expect: {owns: no_ads}",
        ])
        #expect(result.violations == [.staleEntitlement: 20], "\(result.story)")
    }

    // MARK: Refusals

    @Test func silverShopRefusesAnUnsoldProduct() throws {
        let result = try journey([
            "launch", "fetch_products", "buy: {unknown_product: com.example.gold}", "expect: {answered: refused}",
        ])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopRefusesDisallowedPayments() throws {
        let result = try journey(
            ["launch", "fetch_products", "buy: 10_silver", "expect: {answered: refused}"],
            sections: ["buyers: {payments_disallowed: 100%}"])
        #expect(result.violations.isEmpty && result.count(.purchases) == 0)
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopRefusesAPurchaseWhileAnotherIsPurchasing() throws {
        let result = try journey(
            [
                "launch", "fetch_products", "buy: {product: 10_silver, wait: false}", "think: 100ms", "buy: no_ads",
                "expect: {answered: refused}", "wait_for: {outcome: buy, at_most: 10s}",
                "expect: {answered: purchased}",
            ], sections: ["buyers: {decide_after: 2s}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 40)
    }

    @Test func uninitializedSilverShopRefusesEverything() throws {
        let bench = try SilverBench()
        _ = bench.device.launch()
        var refused: [IAPError?] = []
        bench.enter {
            InAppPurchase.purchase(productIdentifier: "a", quantity: 1) { refused.append($0.iapError) }
            InAppPurchase.refresh { refused.append($0.iapError) }
            InAppPurchase.restorePurchases { refused.append($0.iapError) }
            InAppPurchase.finishTransactions(for: "a")
            InAppPurchase.stop()
        }
        #expect(refused == Array(repeating: .libraryNotInitialized, count: 3))
        #expect(bench.ask { InAppPurchase.getProducts().isEmpty && !InAppPurchase.hasAlreadyPurchased() } == true)
        #expect(bench.ask { InAppPurchase.hasActivePurchase(for: "a") } == false)
    }

    // MARK: Restoring

    @Test func silverShopsRestoreValidatesAFreshReceipt() throws {
        let result = try journey([
            "launch", "restore", "expect: {answered: nothing_to_restore}", "buy: no_ads", "think: 1s", "buy: monthly",
            "think: 1s", "buy: 10_silver", "think: 6s", "reinstall", "launch", "restore",
            "expect: {answered: restored, owns: [no_ads, monthly], holds: {10_silver: 0}}",
        ])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 40)
    }

    @Test func silverShopsRestoreFailsWithTheValidator() throws {
        let result = try journey(
            ["launch", "restore", "think: 6s", "buy: no_ads", "think: 1s", "restore", "expect: {answered: failed}"],
            sections: ["validator: {outages: [{at: 8s, for: 1h, answer: error}]}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    @Test func silverShopsRestoreFailsWithTheReceiptRequest() throws {
        let result = try journey(
            ["launch", "restore", "expect: {answered: failed}"], sections: ["buyers: {cancel_restore: 100%}"])
        // It does not tell a cancel from any other failure.
        #expect(result.violations == [.cancelAsError: 20], "\(result.story)")
        expectAllExpectationsMet(result, 20)
    }

    // MARK: Other shops

    // It sells whatever the catalog has, and survives what it cannot handle.
    @Test(arguments: [
        "quickstart", "crash-anywhere", "subscriptions", "delivery-chaos", "deferred-approvals", "many-devices",
        "refunds", "concurrent-purchases", "interrupted-purchases", "validator-outage",
    ])
    func silverShopWorksWithEveryCatalog(name: String) throws {
        let result = run(try Scenario.shipped(name, users: 100), SilverShop.self)
        #expect(result.collector.faultCount == 0 && result.violations[.clientCrash] == nil, "\(result.story)")
        #expect(result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
        #expect(result.collector.tally.measurements[.validationDuration].response != nil)
    }

    // Device, store and validator on lanes of their own, and callbacks on any queue.
    @Test(arguments: [SilverShop.self, ReferenceClient.self] as [any StoreClient.Type])
    func receiptsAreValidatedUnderTheWallClock(client: any StoreClient.Type) throws {
        var scenario = try Scenario.journey(
            ["launch", "fetch_products", "buy: 100_silver", "expect: {answered: purchased}", "restore", "terminate"],
            users: 40,
            sections: [
                "network: {latency: 1ms..20ms}", "buyers: {decide_after: 1ms..50ms}",
                "validator: {latency: 1ms..30ms}",
            ], catalog: try Self.catalog.get())
        scenario.clock = .wall
        scenario.store.behaviour.callbackQueue = .random
        let result = run(scenario, client, options: ["validation": "server"], workers: 2)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        #expect(result.expectations == [40, 40] && result.unjudgedUsers == 0)
        #expect((result.collector.tally.measurements[.validationDuration].response?.count ?? 0) >= 40)
    }

    @Test func silverShopBringsOneGoodForUnknownProducts() {
        #expect(SilverShop.goods(perPurchaseOf: "com.example.silver.10_silver") == 10)
        #expect(SilverShop.goods(perPurchaseOf: "com.example.silver.100_silver") == 100)
        #expect(SilverShop.goods(perPurchaseOf: Shop.lives) == 1)
        #expect(SilverShop.goods(perPurchaseOf: "") == 1)
    }
}
