// The helper of 2012: what it forgets, swallows and shows must be told for what it is.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct PurchaseHelperTests {
    private func run(
        _ steps: [String], sections: [String] = [], options: [String: String] = [:],
        change: (inout Scenario) -> Void = { _ in }
    ) throws -> RunResult {
        try journey(PurchaseHelperClient.self, steps, sections: sections, options: options, change: change)
    }

    private static let owners = "population: {users: 20, owns: {unlock_maps: 100%}}"
    private static let leftOver = "population: {users: 20, unfinished_at_start: {unlock_maps: 100%}}"

    // MARK: Selling

    @Test func purchaseHelperSellsOneProductOnce() throws {
        let result = try run([
            "launch", "fetch_products", "buy: {product: extra_lives, quantity: 2}", "expect: {answered: refused}",
            "buy: {product: unlock_maps, quantity: 3}", "expect: {answered: purchased, owns: unlock_maps}",
            "buy: unlock_maps", "expect: {answered: refused}", "terminate",
        ])
        #expect(result.meetsAllExpectations)
        #expect(result.count(.purchases) == 20)
        #expect(
            Set(result.violations.keys) == [.unobservedLaunch, .observerLeft, .finishedBeforeDelivery],
            "\(result.story)")
    }

    @Test func purchaseHelperSellsNothingWithoutANonConsumable() throws {
        let result = try journey(
            PurchaseHelperClient.self,
            ["launch", "fetch_products", "buy: coins", "expect: {answered: refused}", "restore", "terminate"],
            catalog: Shop.catalog([("com.example.coins", .consumable)]))
        #expect(result.meetsAllExpectations)
        #expect(result.count(.purchases) == 0)
    }

    @Test func purchaseHelperFailsDisallowedPayments() throws {
        let result = try run(
            ["launch", "buy: unlock_maps", "expect: {answered: failed}"],
            sections: ["buyers: {payments_disallowed: 100%}"])
        #expect(result.meetsAllExpectations && result.count(.purchases) == 0)
    }

    @Test func purchaseHelperShowsACancelAsAnError() throws {
        let result = try run(
            ["launch", "buy: unlock_maps", "expect: {answered: failed}", "terminate"],
            sections: ["buyers: {cancel: 100%}"])
        #expect(result.violations[.cancelAsError] == 20)
        #expect(result.meetsAllExpectations)
    }

    // MARK: Observing

    @Test func purchaseHelperDoesNotObserveAtLaunch() throws {
        let result = try run(["launch", "think: 1s", "terminate"], sections: [Self.leftOver])
        // The journey's launch and the last one.
        #expect(result.violations[.unobservedLaunch] == 40)
        #expect(result.violations[.stuckTransaction] == 20 && result.violations[.lostPurchase] == 20)
        #expect(result.sentences(.lostPurchase).allSatisfy { $0.contains("StoreKit never delivered it") })
    }

    @Test func purchaseHelperLeavesAPurchaseUntilTheNextAttempt() throws {
        let result = try run(
            ["launch", "think: 1s", "expect: {not_owns: unlock_maps}", "buy: unlock_maps", "think: 1s"]
                + ["expect: {owns: unlock_maps}", "terminate"], sections: [Self.leftOver])
        #expect(result.violations[.stuckTransaction] == nil && result.violations[.lostPurchase] == nil)
        #expect(result.meetsAllExpectations)
    }

    @Test func purchaseHelperLeavesALateApprovalUntilTheNextAttempt() throws {
        let steps = [
            "launch", "{buy: {product: unlock_maps, wait: false}}", "think: 1s", "terminate", "think: 20s", "launch",
            "think: 1s", "expect: {not_owns: unlock_maps}",
        ]
        let buyers = "buyers: {ask_to_buy: {share: 100%, approve: 100%, decline: 0%, answer_after: 5s}}"
        let waiting = try run(steps + ["terminate"], sections: [buyers])
        #expect(waiting.violations[.stuckTransaction] == 20 && waiting.meetsAllExpectations, "\(waiting.story)")
        let attempt = ["buy: unlock_maps", "think: 10s", "expect: {owns: unlock_maps}", "terminate"]
        let found = try run(steps + attempt, sections: [buyers])
        #expect(found.violations[.lostPurchase] == nil && found.meetsAllExpectations, "\(found.story)")
    }

    @Test func purchaseHelperAddsItsObserverForEveryPurchase() throws {
        let result = try run(
            ["launch", "buy: unlock_maps", "buy: unlock_maps", "buy: unlock_maps", "terminate"],
            sections: ["buyers: {cancel: 100%}"])
        // Two additions too many, and the termination that finds them.
        #expect(result.violations[.observerLeak] == 40 && result.violations[.observerLeft] == 20)
        #expect(result.sentences(.observerLeak).allSatisfy { $0.contains("the same observer for the 2nd time") })
    }

    // MARK: Losing

    @Test func purchaseHelperLosesThePurchaseBetweenFinishAndFlag() throws {
        var effect = 1
        var lost: [Int] = []
        var crashed = false
        repeat {
            let result = try run(["launch", "buy: unlock_maps", "think: 1s"]) {
                $0.crashes = [CrashFault(share: .percent(40), moment: .effect(effect))]
            }
            crashed = result.count(.crashes) > 0
            if result.sentences(.lostPurchase).contains(where: { $0.contains("without granting it") }) {
                lost.append(effect)
            }
            effect += 1
        } while crashed && effect < 30
        // The flag is one effect, after the finish; its synchronisation comes with it.
        #expect(lost.count == 1, "\(lost) of \(effect - 2) effects")
    }

    @Test func purchaseHelperFinishesBeforeItSetsTheFlag() throws {
        let result = try run(["launch", "buy: unlock_maps", "think: 1s", "terminate"])
        #expect(result.violations[.finishedBeforeDelivery] == 20)
        #expect(result.violations[.lostPurchase] == nil)
    }

    @Test func purchaseHelperNeverAnswersARestore() throws {
        let result = try run(["launch", "restore", "think: 2s", "terminate"], sections: [Self.owners])
        #expect(result.violations[.restoreUnreported] == 20)
        // Once something observes, what the restore brings arrives, and is finished and forgotten.
        let observed = try run(
            ["launch", "buy: unlock_maps", "restore", "think: 2s", "expect: {not_owns: unlock_maps}", "terminate"],
            sections: [Self.owners, "app: {patience: 3s}"]
        ) { $0.store.conditions.errors.purchase = [.init(error: .store(.unknown), share: .all)] }
        #expect(observed.violations[.restoreIncomplete] == 20, "\(observed.story)")
        #expect(observed.violations[.restoreUnreported] == 20)
        #expect(observed.violations[.stuckTransaction] == nil && observed.meetsAllExpectations)
    }

    @Test func purchaseHelperRepairsAReinstallByARepurchase() throws {
        let result = try run(
            [
                "launch", "buy: unlock_maps", "think: 1s", "terminate", "reinstall", "launch",
                "expect: {not_owns: unlock_maps}", "buy: unlock_maps", "think: 1s",
                "expect: {answered: purchased, owns: unlock_maps}", "terminate",
            ])
        #expect(result.meetsAllExpectations && result.violations[.lostPurchase] == nil)
        // The second time nothing is charged.
        #expect(result.count(.purchases) == 20)
    }

    // MARK: The assertion

    @Test func failedAssertionIsTheClientsCrash() throws {
        let result = try run(
            ["launch", "buy: unlock_maps", "think: 1s", "terminate"], options: ["product_id": "withdrawn"])
        #expect(result.violations[.clientCrash] == 20)
        #expect(result.collector.faultCount == 0 && result.unjudgedUsers == 0)
        #expect(result.sentences(.clientCrash).allSatisfy { $0.contains("an assertion of the client failed") })
    }
}
