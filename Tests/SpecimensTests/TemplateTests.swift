// What users start from must be sound, and honest about what it leaves to them.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct TemplateTests {
    @Test(
        arguments: [
            "quickstart", "product-fetch-burst", "purchase-flow", "launch-redelivery", "restore-storm", "flaky-network",
            "crash-anywhere", "deferred-approvals", "interrupted-purchases", "concurrent-purchases", "delivery-chaos",
            "promoted-purchases", "refunds", "many-devices", "subscriptions",
        ])
    func templatePassesShippedScenarios(name: String) throws {
        let result = run(try Scenario.shipped(name, users: 100), TemplateClient.self)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }

    @Test func templateDeliversAPromotedPurchase() throws {
        let steps = ["launch", "promoted_purchase: unlock_maps", "think: 5s", "expect: {owns: unlock_maps}"]
        let result = try journey(TemplateClient.self, steps)
        #expect(result.violations.isEmpty && result.meetsAllExpectations, "\(result.story)")
    }

    @Test func templateHidesWithdrawnProducts() throws {
        let result = try journey(
            TemplateClient.self, ["launch", "fetch_products", "think: 10s", "fetch_products", "terminate"]
        ) { $0.store.conditions.withdrawals = [Withdrawal(product: 0, at: .start + .seconds(5))] }
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    @Test func templateAnswersEveryRequest() throws {
        let result = try journey(
            TemplateClient.self,
            [
                "launch", "fetch_products", "buy: {product: extra_lives, quantity: 3}",
                "expect: {answered: purchased, holds: {extra_lives: 3}}", "use: all",
                "expect: {holds: {extra_lives: 0}}",
                "buy: {unknown_product: com.appcoda.fakegame.retired}", "expect: {answered: refused}",
                "restore", "expect: {answered: nothing_to_restore}", "buy: unlock_maps", "terminate", "think: 1s",
                "reinstall", "launch", "restore", "expect: {answered: restored, owns: unlock_maps}", "terminate",
            ])
        #expect(result.violations.isEmpty && result.meetsAllExpectations, "\(result.story)")
    }

    // The goods and the record of them are one write: no crash doubles or loses anything.
    @Test(arguments: ["before_finish", "after_charge", "any_effect"])
    func templateSurvivesCrashes(moment: String) throws {
        let result = try journey(
            TemplateClient.self,
            ["launch", "fetch_products", "buy: {product: extra_lives, quantity: 2}", "use: all", "think: 2s"],
            sections: ["faults: {crash: {share: 50%, at: \(moment)}}"])
        #expect(result.count(.crashes) > 0)
        #expect(result.violations.isEmpty, "\(result.story)")
    }
}
