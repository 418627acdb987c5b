// The net holds: each planted mistake is caught by its rule, the careful client by none, broken stores by the
// simulation's own invariants.

import Audit
import Engine
import Foundation
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

    /// What each mistake must be called, and what may be found beside it: consequences, not inventions.
    private static func verdict(on mistake: Mistake) -> (must: Set<AuditRule>, may: Set<AuditRule>) {
        switch mistake {
        case .none: return ([], [])
        case .finishesBeforeDelivering: return ([.finishedBeforeDelivery], [.lostPurchase])
        case .neverFinishes: return ([.stuckTransaction], [])
        case .deliversTwice: return ([.duplicateDelivery], [])
        case .deliversOnFailed: return ([.duplicateDelivery], [.unpaidDelivery])
        case .wrongProduct: return ([.wrongProduct], [])
        case .ignoresQuantity: return ([.wrongProduct], [])
        case .noObserverAtLaunch: return ([.unobservedLaunch], [.stuckTransaction, .lostPurchase, .restoreUnreported])
        case .addsObserverTwice, .keepsObserverAtTermination: return ([.observerLeak], [])
        case .swallowsAnswer: return ([.unansweredRequest], [])
        case .answersTwice: return ([.answeredTwice], [])
        case .saysPurchasedWhenFailed, .saysFailedWhenPurchased: return ([.wrongAnswer], [])
        case .showsCancelAsError: return ([.cancelAsError], [])
        case .restoreCreditsConsumable: return ([.restoreOverreach], [])
        case .restoreIgnored: return ([.restoreIncomplete], [])
        case .restoreNotReported: return ([.restoreUnreported], [])
        case .finishesPurchasing: return ([.clientCrash, .illegalFinish], [])
        case .assertionFailed: return ([.clientCrash], [])
        case .dropsRedeliveries: return ([.lostPurchase], [.finishedBeforeDelivery])
        case .forgetsWhatItDelivered: return ([.duplicateDelivery], [])
        case .wipesGoodsAtLaunch: return ([.lostPurchase], [.restoreIncomplete])
        case .leavesItsQueue: return ([.leftItsQueue], [])
        case .ignoresRevocations: return ([.staleEntitlement], [])
        }
    }

    private static func found(_ mistake: Mistake, seed: UInt64 = 1) throws -> RunResult {
        var scenario = try scenario(seed: seed)
        // Only a crash between goods and finish shows that nothing is remembered.
        if mistake == .forgetsWhatItDelivered || mistake == .none {
            scenario.crashes.append(CrashFault(share: .percent(15), moment: .beforeFinish))
        }
        // Only what was given back shows whether the app takes it back.
        if mistake == .ignoresRevocations || mistake == .none {
            scenario.buyers.refunds = RefundHabits(share: .percent(40), after: .constant(0))
        }
        return run(scenario, MutableClient.self, options: ["mistake": mistake.rawValue])
    }

    @Test(arguments: Mistake.allCases)
    func mistakeIsCaughtByItsRule(mistake: Mistake) throws {
        let result = try Self.found(mistake)
        let (must, may) = Self.verdict(on: mistake)
        let rules = Set(result.violations.keys)
        #expect(must.subtracting(rules).isEmpty, "missed of \(rules)")
        #expect(rules.subtracting(must).subtracting(may).isEmpty, "\(result.story)")
        #expect(result.collector.faultCount == 0, "\(result.story)")
        #expect(result.unjudgedUsers == 0)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func carefulClientIsNeverBlamed(seed: UInt64) throws {
        let result = try Self.found(.none, seed: seed)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }

    @Test func everyRuleIsShownByAMistake() {
        let shown = Mistake.allCases.reduce(into: Set<AuditRule>()) { rules, mistake in
            let (must, may) = Self.verdict(on: mistake)
            rules.formUnion(must.union(may))
        }
        #expect(shown == Set(AuditRule.allCases))
    }

    // Printed, because it is the figure that says how far the audit can be trusted.
    @Test func precisionAndRecallArePerfect() throws {
        var (hits, misses, inventions) = (0, 0, 0)
        for mistake in Mistake.allCases {
            let (must, may) = Self.verdict(on: mistake)
            let rules = Set(try Self.found(mistake, seed: 7).violations.keys)
            hits += rules.intersection(must.union(may)).count
            misses += must.subtracting(rules).count
            inventions += rules.subtracting(must).subtracting(may).count
            let names = rules.map(\.rawValue).sorted().joined(separator: ", ")
            print("\(mistake.rawValue.padding(toLength: 28, withPad: " ", startingAt: 0)) \(names)")
        }
        let precision = Double(hits) / Double(max(1, hits + inventions))
        let recall = Double(hits) / Double(max(1, hits + misses))
        print("precision \(precision), recall \(recall)")
        #expect(precision == 1 && recall == 1)
    }

    // MARK: Broken stores

    @Test(arguments: [StoreDefect.chargesTwice, .forgetsCharge, .redeliversFinished])
    func brokenStoreIsAFaultOfTheHarness(defect: StoreDefect) throws {
        let scenario = try Self.scenario()
        let result = run(scenario) { $0.storeDefects = [defect] }
        #expect(result.collector.faultCount > 0)
        #expect(result.verdict(result.judge(scenario.thresholdsInForce)).status == .harnessFault)
        let sound = run(scenario)
        #expect(sound.verdict(sound.judge(scenario.thresholdsInForce)).status == .passed, "\(sound.story)")
    }
}
