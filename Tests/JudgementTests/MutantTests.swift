// The net holds: each planted mistake is caught by its rule, the careful client by none, broken stores by the
// simulation's own invariants.

import ClientKit
import Engine
import Foundation
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct MutantTests {
    /// Everything once: purchases that succeed, fail and are cancelled, crashes after the charge, a reinstall, restores.
    private static func scenario(seed: UInt64 = 1) throws -> Scenario {
        var scenario = try Scenario.text(
            """
            name: Mutants
            seed: \(seed)
            store:
              catalog: shop.storekit
              errors: {purchase: {payment_invalid: 15%}}
            network: {latency: 20ms..80ms}
            buyers: {decide_after: 200ms..900ms, cancel: 15%}
            population: {users: 40, owns: {unlock_maps: 40%}}
            app: {patience: 20s, relaunch_after: 500ms..1s}
            load: [{journey: all, executor: at-once}]
            journeys:
              all:
                - launch
                - fetch_products
                - restore
                - repeat:
                    times: 3
                    steps:
                      - buy: {product: extra_lives, quantity: {1: 50%, 3: 50%}}
                      - use: extra_lives
                - buy: unlock_maps
                - reinstall
                - launch
                - restore
                - think: 1s
                - terminate
            faults: {crash: {share: 15%, at: after_charge}}

            """)
        scenario.seed = seed
        return scenario
    }

    /// What shows a mistake: mostly everything once.
    private static func scenario(for mistake: Mistake, seed: UInt64) throws -> Scenario {
        var scenario: Scenario
        switch mistake {
        case .ignoresExpiry, .grantsAgainAtLaunch:
            scenario = try .shipped("subscriptions", users: 60)
            scenario.thresholds = []
        case .stopsListening, .leavesLoop, .locksAtReturn, .locksWhatIsNotSold: scenario = try afternoon()
        case _ where mistake.isOfStoreKit2:
            scenario = try .shipped("unverified-purchases", users: 60)
            scenario.thresholds = []
        case .putsPromotionsOff, .doesNotHearPromotions, .restoresAtLaunch, .refreshesReceiptAtLaunch,
            .deafAfterBackground, .hearsLateAfterBackground, .paysAgainWhenRemoved, .paysAtLaunch,
            .saysCancelledWhenFailed, .saysDeferredWhenFailed, .refusesAlways, .busyAfterCancel, .showsNothing,
            .saysFetchFailed, .saysFailedRestoreIsNothing, .showsCancelledRestoreAsError:
            scenario = try conduct()
        // What was sold a moment ago an app may still show.
        case .showsCachedProducts: scenario = try conduct(pause: "2h")
        case .paysAgainAtOnce, .fetchesAgainAtOnce:
            scenario = try conduct()
            scenario.network.offline = OfflineSpells(share: .percent(40), duration: .span(.seconds(60)))
        default: scenario = try self.scenario()
        }
        scenario.seed = seed
        return scenario
    }

    /// An afternoon with an app: promoted purchases, the background, restores that fail or are cancelled, a product that
    /// is withdrawn.
    private static func conduct(pause: String = "20s") throws -> Scenario {
        try Scenario.text(
            """
            name: Conduct
            store:
              catalog: shop.storekit
              errors: {purchase: {payment_invalid: 20%}, restore: 30%}
              withdraw: [{product: superpowers, at: 30s}]
            network: {latency: 20ms..80ms}
            buyers: {decide_after: 200ms..900ms, cancel: 30%, cancel_restore: 30%}
            population: {users: 40, owns: {unlock_maps: 40%}}
            app: {patience: 20s}
            load: [{journey: all, executor: at-once}]
            journeys:
              all:
                - launch
                - fetch_products
                - buy: extra_lives
                - use: all
                - think: 3s
                - promoted_purchase: superpowers
                - think: 10s
                - use: all
                - background: 3s
                - think: 5s
                - restore
                - think: \(pause)
                - buy: extra_lives
                - use: all
                - fetch_products
                - think: 5s
                - terminate

            """)
    }

    /// An afternoon with an app of StoreKit 2: forged transactions, the background, a product that is withdrawn.
    private static func afternoon() throws -> Scenario {
        try Scenario.text(
            """
            name: Afternoon
            store: {catalog: shop.storekit, withdraw: [{product: unlock_maps, at: 15s}]}
            network: {latency: 20ms..80ms}
            buyers: {decide_after: 200ms..900ms}
            faults: {verification: {forged: 40%}}
            population: {users: 40, owns: {unlock_maps: 40%}}
            load: [{journey: all, executor: at-once}]
            journeys:
              all:
                - launch
                - buy: unlock_maps
                - think: 20s
                - background: 3s
                - think: 20s
                - buy: extra_lives
                - use: all
                - think: 5s
                - terminate

            """)
    }

    // Where only some breach, so that what follows from it does not show as well.
    private static func found(_ mistake: Mistake, seed: UInt64 = 1) throws -> RunResult {
        var scenario = try scenario(for: mistake, seed: seed)
        switch mistake {
        case .none:
            scenario.crashes.append(CrashFault(share: .percent(15), moment: .beforeFinish))
            scenario.buyers.refunds = RefundHabits(share: .percent(40), after: .constant(0))
            scenario.buyers.askToBuy = AskToBuy(
                share: .percent(30), approve: .percent(60), decline: .percent(40), answerAfter: .constant(1_000_000_000)
            )
        // Only a crash between goods and finish shows that nothing is remembered.
        case .forgetsWhatItDelivered:
            scenario.crashes.append(CrashFault(share: .percent(15), moment: .beforeFinish))
        // Only what was given back shows whether the app takes it back, and only after a restore has brought it.
        case .ignoresRevocations:
            scenario.buyers.refunds = RefundHabits(share: .percent(80), after: .constant(1_000_000_000))
        // A crash just then loses the purchase, and the rule is about those that it does not.
        case .finishesBeforeDelivering:
            scenario.crashes = []
        case .deliversOnDeferred:
            scenario.crashes = []
            scenario.buyers.askToBuy = AskToBuy(
                share: .all, approve: .none, decline: .all, answerAfter: .constant(1_000_000_000))
        // Where something else has paid for a product, its goods may be of that.
        case .holdsUnverified: scenario.delivery.verification.forged = .all
        case .clearsUnfinished: scenario.delivery.verification.fails = .percent(50)
        case .neverReturns:
            scenario.app.hangLimit = .milliseconds(300)
        case .blocksMainQueue:
            scenario = try brief
            scenario.app.mainQueueLimit = .milliseconds(20)
        default: break
        }
        let client: any StoreClient.Type = mistake.isOfStoreKit2 ? MutableShop.self : MutableClient.self
        return run(scenario, client, options: ["mistake": mistake.rawValue])
    }

    /// In real time, and not much of it.
    private static var brief: Scenario {
        get throws {
            var scenario = try Scenario.journey(
                ["launch", "fetch_products", "buy: extra_lives", "terminate"], users: 3,
                sections: ["network: {latency: 1ms}", "buyers: {decide_after: 1ms}"])
            scenario.clock = .wall
            return scenario
        }
    }

    // A fourth seed is that of the table below, which asks the same.
    @Test(arguments: Mistake.allCases, 1...3 as ClosedRange<UInt64>)
    func mistakeIsCaughtByItsRule(mistake: Mistake, seed: UInt64) throws {
        // A hung client costs its test a thread, and seeds change nothing about it.
        if mistake == .neverReturns, seed > 1 { return }
        let result = try Self.found(mistake, seed: seed)
        let mutant = Mutant(mistake)
        let rules = Set(result.violations.keys)
        #expect(mutant.breaks.subtracting(rules).isEmpty, "missed of \(rules)")
        #expect(rules.subtracting(mutant.breaks).subtracting(mutant.implies.rules).isEmpty, "\(result.story)")
        #expect(result.collector.faultCount == 0, "\(result.story)")
        #expect(result.unjudgedUsers == 0 || result.isHalted)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func carefulClientHasNoFinding(seed: UInt64) throws {
        let others = [try Self.conduct(), try Scenario.shipped("subscriptions", users: 60)].map { scenario in
            var scenario = scenario
            scenario.seed = seed
            return run(scenario, MutableClient.self)
        }
        let careful = try [Mistake.trustsUnverified, .stopsListening].map { mistake in
            var scenario = try Self.scenario(for: mistake, seed: seed)
            scenario.buyers.cancel = .percent(30)
            return run(scenario, MutableShop.self)
        }
        for result in [try Self.found(.none, seed: seed)] + careful + others {
            #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        }
    }

    // What ends the process cannot be tried in the tests' own: `CrashTests` has it.
    @Test(arguments: AuditRule.allCases.filter { $0 != .clientExit && $0 != .clientMemory })
    func everyRuleHasAMutantThatBreaksItAlone(rule: AuditRule) {
        #expect(Mistake.allCases.contains { Mutant($0).breaks == [rule] && Mutant($0).implies.rules.isEmpty })
    }

    // Printed, because these are the figures that say how far the audit can be trusted.
    @Test func auditsPrecisionAndRecallAreOne() throws {
        var table = RecallTable()
        for mistake in Mistake.allCases {
            table.add(Mutant(mistake), found: Set(try Self.found(mistake, seed: 7).violations.keys))
        }
        for name in PackageFolder.scenarios {
            for seed in [11, 12] as [UInt64] {
                var scenario = try Scenario.shipped(name, users: 40)
                scenario.seed = seed
                scenario.clock = .virtual
                table.addReference(run(scenario).violations)
            }
        }
        print(table.text)
        #expect(table.precision == 1 && table.recall == 1 && table.referenceAccusations == 0)
    }

    // MARK: Broken stores

    @Test(arguments: [
        (StoreDefect.chargesTwice, "was charged 2 times"), (.forgetsCharge, "the ledger has no charge for it"),
        (.redeliversFinished, "but the store delivered it again"),
        (.forgetsTransaction, "but there is no such transaction"),
        (.notesTransactionTwice, "two transactions have the identifier"),
    ])
    func brokenStoreIsAHarnessFault(defect: StoreDefect, fault: String) throws {
        let scenario = try Self.scenario()
        let result = run(scenario) { $0.storeDefects = [defect] }
        #expect(result.collector.faultCount > 0)
        #expect(result.collector.faults.allSatisfy { $0.fault.sentence.contains(fault) }, "\(result.collector.faults)")
        #expect(result.verdict(result.judge(scenario.thresholdsInForce(for: "reference"))).status == .harnessFault)
        let sound = run(scenario)
        #expect(
            sound.verdict(sound.judge(scenario.thresholdsInForce(for: "reference"))).status == .passed, "\(sound.story)"
        )
    }
}
