// The reference client survives everything: where it does not, it or the simulation is wrong.

import Engine
import Judgement
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct ReferenceTests {
    private static let shipped: [(name: String, users: Int)] = [
        ("quickstart", 150), ("product-fetch-burst", 150), ("purchase-flow", 150), ("launch-redelivery", 150),
        ("restore-storm", 150), ("flaky-network", 150), ("crash-anywhere", 60),
        ("deferred-approvals", 150), ("interrupted-purchases", 150),
        ("subscriptions", 100), ("refunds", 100), ("delivery-chaos", 150), ("many-devices", 150),
        ("promoted-purchases", 150), ("validator-outage", 150),
        ("concurrent-purchases", 150), ("store-outage", 150), ("release-day", 400), ("soak", 40),
        ("million-users", 150), ("second-purchases", 150), ("plan-changes", 100), ("background-purchases", 150),
        ("unverified-purchases", 150), ("echoed-purchases", 100), ("offline-launches", 100),
        ("billing-retry", 100), ("slow-approvals", 100), ("closed-refunds", 100), ("member-offers", 100),
        ("late-logins", 100), ("migration/to-storekit2", 100),
        ("performance/virtual-speed", 60), ("performance/throughput", 8), ("performance/fan-out", 150),
        ("performance/idle-users", 60),
    ]

    private func expectClean(_ result: RunResult) {
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        #expect(result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
    }

    @Test(arguments: shipped, [1, 2, 3] as [UInt64])
    func referencePassesEveryShippedScenario(item: (name: String, users: Int), seed: UInt64) throws {
        var scenario = try Scenario.shipped(item.name, users: item.users)
        scenario.seed = seed
        scenario.clock = .virtual
        expectClean(run(scenario, options: scenario.client.options))
    }

    // Everywhere, though nothing but the last of them asks for it: with a validator that fails in every way.
    @Test(arguments: shipped)
    func referencePassesEveryShippedScenarioWithAValidator(item: (name: String, users: Int)) throws {
        var scenario = try Scenario.shipped(item.name, users: item.users)
        scenario.clock = .virtual
        scenario.validator.latency = .spans(.milliseconds(20), .seconds(2))
        scenario.validator.errors = .percent(15)
        scenario.validator.outages = [
            StoreOutage(start: .start + .seconds(2), duration: .seconds(3), answer: .timeout),
            StoreOutage(start: .start + .seconds(8), duration: .seconds(5), answer: .error),
        ]
        let result = run(scenario, options: ["validation": "server"])
        expectClean(result)
        let validations = result.collector.tally.measurements[.validationDuration].response?.count ?? 0
        // What is restored has been confirmed before.
        #expect(
            (validations > 0)
                == (result.count(.deliveries) > 0 && !item.name.hasSuffix("restore-storm")
                    && item.name != "performance/fan-out"))
    }

    // Whoever tries one with few users sees it pass: what they say nothing about is not judged. With 200 it is `.ci/run`'s.
    @Test(arguments: shipped.map(\.name).filter { !$0.contains("/") })
    func referencePassesShippedScenariosWithFewUsers(name: String) throws {
        let scenario = try Scenario.shipped(name, users: 50)
        let result = run(scenario, options: scenario.client.options)
        // The memory of this process is that of all tests.
        let thresholds = scenario.thresholdsInForce(for: "reference").filter { !$0.metric.dependsOnHost }
        let verdict = result.verdict(result.judge(thresholds))
        #expect(verdict.exitCode == 0, "\(verdict.sentences)")
    }

    // A new scenario file has to be added above.
    @Test func everyShippedScenarioIsListed() throws {
        let listed = Set(Self.shipped.map(\.name))
        #expect(Set(PackageFolder.scenarios) == listed)
    }

    /// Every knob at every value but its standard, as a scenario sets it.
    private static let knobs: [String] = KeyTables.sections().filter { $0.path == KeyTables.knobs }.flatMap(\.keys)
        .flatMap { key in
            let values = key.kind == "duration" ? ["1m"] : key.kind.split(separator: " | ").map(String.init)
            return values.filter { $0 != key.standard }.map { "\(key.name): \($0)" }
        }

    @Test(
        arguments: [
            "quickstart", "launch-redelivery", "flaky-network", "crash-anywhere", "deferred-approvals",
            "interrupted-purchases", "subscriptions", "refunds", "many-devices",
        ], knobs)
    func referencePassesEveryStoreBehaviour(name: String, knob: String) throws {
        let scenario = """
            name: Knob
            store: {catalog: shop.storekit, behaviour: {\(knob)}}
            population: {users: 1}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch]}

            """
        let behaviour = try Scenario.text(scenario).store.behaviour
        #expect(behaviour != StoreBehaviour())
        // A cell of users. Swarms draw the same knobs, with every kind of journey.
        expectClean(run(try Scenario.shipped(name, users: 32)) { $0.behaviour = behaviour })
    }

    // Requests and answers get lost everywhere, quantities differ, apps crash after the charge: payments are answered
    // with purchases of another quantity.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func referenceDeliversQuantitiesDespiteLostAnswersAndCrashes(seed: UInt64) throws {
        var scenario = try Scenario.journey(
            [
                "launch", "{fetch_products: {wait: true}}",
                "repeat: {times: 8, steps: [{buy: {product: extra_lives, quantity: 1..5}}, {use: all}, {think: 10ms..3s}]}",
                "restore", "terminate",
            ], users: 40,
            sections: [
                "network: {latency: 5ms..900ms, lose_request: 15%, lose_answer: 30%, request_timeout: 2s}",
                "buyers: {decide_after: 10ms..2s, cancel: 5%}", "app: {patience: 6s, relaunch_after: 10ms..300ms}",
                "faults: {crash: [{share: 15%, at: after_charge}, {share: 10%, at: before_finish}, {share: 1%, at: any_effect}]}",
            ])
        scenario.seed = seed
        expectClean(run(scenario))
    }

    @Test func referenceDeliversAnotherQuantityAsCharged() throws {
        // One is charged and its answer lost; the next payment, for five, gets the purchase of one.
        for seed in 1...20 as ClosedRange<UInt64> {
            var scenario = try Scenario.journey(
                [
                    "launch", "fetch_products", "buy: {product: extra_lives, quantity: 1}",
                    "buy: {product: extra_lives, quantity: 5}", "think: 1s",
                ], users: 20,
                sections: [
                    "network: {latency: 5ms..50ms, lose_answer: 40%, request_timeout: 1s}",
                    "app: {patience: 500ms}",
                ])
            scenario.seed = seed
            expectClean(run(scenario))
        }
    }

    // An app that was closed between the two is told that something was taken back before it is told of the purchase.
    @Test func referenceGivesUpAPurchaseRevokedBeforeDelivery() throws {
        let scenario = try Scenario.journey(
            [
                "buy_outside: unlock_maps", "refund: unlock_maps", "launch", "think: 50ms", "terminate", "launch",
                "think: 5s", "expect: {not_owns: unlock_maps}",
            ], sections: ["network: {latency: 20ms}", "faults: {delivery: {batches: merged}}"])
        let result = run(scenario)
        expectClean(result)
        #expect(result.expectations == [1, 1] && result.count(.deliveries) > 0)
    }

    // Found by the whole scenario: a subscription that is taken back in the moment it is delivered on another device.
    @Test(arguments: [1_486, 2_394])
    func referenceFirstFinishesAPurchaseRevokedAtDelivery(user: Int) throws {
        expectClean(run(try Scenario.shipped("many-devices", users: 3_000), onlyUser: user))
    }

    // MARK: Every place to crash

    enum Situation: String, CaseIterable {
        case launch, fetch, buy, restore, redelivery, validation

        var steps: [String] {
            switch self {
            case .launch: ["launch", "think: 1s", "terminate"]
            case .fetch: ["launch", "fetch_products", "terminate"]
            case .buy, .validation:
                ["launch", "fetch_products", "buy: {product: extra_lives, quantity: 2}", "use: all", "terminate"]
            case .restore: ["reinstall", "launch", "restore", "think: 1s", "restore", "terminate"]
            case .redelivery: ["launch", "think: 1s", "buy: extra_lives", "think: 1s", "terminate"]
            }
        }
    }

    /// With every launch crashing at its k-th effect, and with the first ones only.
    @Test(arguments: Situation.allCases, [100, 40])
    func referenceSurvivesACrashBeforeEveryEffect(situation: Situation, percent: Double) throws {
        var effect = 1
        var crashes = 0
        repeat {
            var scenario = try Scenario.journey(
                situation.steps,
                sections: [
                    "network: {latency: 20ms..60ms}", "buyers: {decide_after: 300ms}",
                    "population: {users: \(percent == 100 ? 1 : 12), owns: {unlock_maps: 100%}, unfinished_at_start: {superpowers: 50%, extra_lives: \(situation == .redelivery ? 100 : 0)%}}",
                    "app: {relaunch_after: 100ms..400ms, patience: 5s}",
                ])
            scenario.crashes = [CrashFault(share: .percent(percent), moment: .effect(effect))]
            if situation == .validation { scenario.validator.errors = .percent(50) }
            let result = run(scenario, options: situation == .validation ? ["validation": "server"] : [:])
            expectClean(result)
            crashes = result.count(.crashes)
            effect += 1
        } while crashes > 0 && effect < 60
        #expect(effect > 3 && effect < 60, "tried \(effect - 2) effects")
    }

    // The purchase waits for the validator, which is out: nothing is delivered unconfirmed, the user is told to wait,
    // and the goods come once it answers again, whether or not the app has been launched anew.
    @Test(arguments: [false, true])
    func referenceWaitsForTheValidator(isRelaunched: Bool) throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "buy: extra_lives", "expect: {answered: deferred, holds: {extra_lives: 0}}"]
                + (isRelaunched ? ["terminate", "think: 20s", "launch"] : ["think: 20s"])
                + ["think: 2s", "expect: {holds: {extra_lives: 1}}"], users: 20,
            sections: [
                "network: {latency: 20ms..60ms}", "buyers: {decide_after: 300ms}",
                "validator: {latency: 100ms, outages: [{at: 0s, for: 12s, answer: error}]}",
            ])
        let result = run(scenario, options: ["validation": "server"])
        expectClean(result)
        #expect(result.expectations == [40, 40])
    }

    // Longer and longer pauses: a validator that is out is not stormed.
    @Test func referenceRetriesTheValidatorWithGrowingPauses() throws {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "buy: extra_lives", "think: 5m", "terminate"],
            sections: ["validator: {outages: [{at: 0s, for: 1h, answer: error}]}"])
        let result = run(scenario, options: ["validation": "server"], onlyUser: 0)
        expectClean(result)
        let tries = result.collector.onlyUserTimeline.filter { $0.text == "the app sends its receipt to the validator" }
        #expect((8...18).contains(tries.count), "\(tries.count)")
    }

    @Test func referenceLosesNothingInACrashedRestore() throws {
        let scenario = try Scenario.journey(
            ["reinstall", "launch", "restore", "think: 1s", "restore", "think: 1s", "expect: {owns: unlock_maps}"],
            sections: [
                "population: {users: 60, owns: {unlock_maps: 100%}}", "network: {latency: 20ms..60ms}",
                "faults: {crash: {share: 50%, at: during_restore}}",
            ])
        let result = run(scenario)
        expectClean(result)
        #expect(result.count(.crashes) > 10)
    }
}
