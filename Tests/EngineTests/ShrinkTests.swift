// Shrinking: small enough to read, and it still shows what it was shrunk for.

import ClientKit
import Engine
import Hosting
import Judgement
import RunSupport
import Scenario
import Simulation
import Specimens
import Synchronization
import Testing
import Text

/// A bug, and a large scenario that shows it among many others.
struct PlantedBug: CustomTestStringConvertible, Sendable {
    let client: any StoreClient.Type
    let scenario: String
    let rule: AuditRule

    var testDescription: String { "\(client.name) in \(scenario): \(rule.rawValue)" }

    static let all: [PlantedBug] = [
        PlantedBug(client: IAPManagerClient.self, scenario: "crash-anywhere", rule: .lostPurchase),
        PlantedBug(client: IAPManagerClient.self, scenario: "launch-redelivery", rule: .lostPurchase),
        PlantedBug(client: IAPManagerClient.self, scenario: "flaky-network", rule: .unansweredRequest),
        PlantedBug(client: StoreObserverClient.self, scenario: "crash-anywhere", rule: .duplicateDelivery),
        PlantedBug(client: PayAPIClient.self, scenario: "concurrent-purchases", rule: .wrongProduct),
        PlantedBug(client: PayAPIClient.self, scenario: "product-fetch-burst", rule: .unansweredRequest),
        PlantedBug(client: PayAPIClient.self, scenario: "quickstart", rule: .observerLeak),
        PlantedBug(client: PurchaseHelperClient.self, scenario: "purchase-flow", rule: .cancelAsError),
        PlantedBug(client: PurchaseHelperClient.self, scenario: "deferred-approvals", rule: .stuckTransaction),
        PlantedBug(client: PurchaseHelperClient.self, scenario: "delivery-chaos", rule: .restoreIncomplete),
        PlantedBug(client: SilverShop.self, scenario: "purchase-flow", rule: .wrongProduct),
        PlantedBug(client: SilverShop.self, scenario: "refunds", rule: .staleEntitlement),
    ]
}

@Suite struct ShrinkTests {
    private func shrink(_ bug: PlantedBug, workers: Int = 2) throws -> (Shrunk?, Scenario) {
        let (shrinker, large) = try shrinker(bug, workers: workers)
        return (try shrinker.perform(), large)
    }

    private func shrinker(_ bug: PlantedBug, workers: Int = 2) throws -> (Shrinker, Scenario) {
        let large = try Scenario.shipped(bug.scenario, users: 400)
        let catalog = large.store.catalog
        let outline = try #require(ScenarioOutline(text: large.source))
        let task = ShrinkTask(
            rule: bug.rule, client: bug.client, clientOptions: [:], seed: large.seed,
            population: large.population.users, outline: outline, workers: workers,
            read: { try? Scenario.text($0, catalog: catalog) })
        return (Shrinker(task), large)
    }

    @Test(arguments: PlantedBug.all)
    func plantedBugIsShrunkToAtMostEightSteps(_ bug: PlantedBug) throws {
        let (found, large) = try shrink(bug)
        let shrunk = try #require(found)
        #expect(shrunk.isMinimal && shrunk.users <= 2 && shrunk.steps <= 8, "\(shrunk.text)")
        let small = try Scenario.text(shrunk.text, catalog: large.store.catalog)
        #expect(small.client.name == bug.client.name && small.seed == shrunk.seed && small.clock == .virtual)
        for _ in 0..<20 {
            #expect((run(small, bug.client).violations[bug.rule] ?? 0) > 0, "\(shrunk.text)")
        }
        // The careful client passes it: it is the bug that the scenario shows.
        #expect(run(small).violations.isEmpty, "\(shrunk.text)")
    }

    // Only who comes after five seconds meets the outage: with everybody at once nobody would.
    @Test(
        arguments: [
            "ramping-users, start_users: 40, stages: [{over: 30s, to: 40}]",
            "constant-arrival-rate, rate: 5/s, for: 20s, max_users: 40",
            "per-user-rate, rate: 15/m, for: 20s, users: 40",
        ])
    func shrinkReducesLoadEntriesToOneUser(executor: String) throws {
        let large = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 3s", "terminate"], users: 40, load: "executor: \(executor)",
            sections: ["validator: {outages: [{at: 5s, for: 1h, answer: error}]}"])
        let task = ShrinkTask(
            rule: .wrongAnswer, client: SilverShop.self, clientOptions: [:], seed: large.seed, population: 40,
            outline: try #require(ScenarioOutline(text: large.source)), workers: 2, read: { try? Scenario.text($0) })
        let stop = Stop()
        let shrinker = Shrinker(task) { _ in stop.now() }
        stop.shrinker = shrinker
        let shrunk = try #require(try shrinker.perform())
        #expect(shrunk.users == 1 && shrunk.moves.first?.hasPrefix("40 → 1 users") == true, "\(shrunk.text)")
    }

    @Test func shrunkTextIsTheSameForAnyWorkerCount() throws {
        let bug = PlantedBug.all[0]
        let texts = try [1, 3].map { try shrink(bug, workers: $0).0?.text }
        #expect(texts[0] == texts[1] && texts[0] != nil)
    }

    @Test func unbrokenRuleIsNotShrunk() throws {
        let bug = PlantedBug(client: ReferenceClient.self, scenario: "purchase-flow", rule: .lostPurchase)
        let (shrinker, _) = try shrinker(bug)
        #expect(try shrinker.perform() == nil)
        // The unchanged scenario is run, and nothing is looked for in smaller ones.
        #expect(shrinker.attempts == 1)
    }

    @Test func stoppedShrinkerReturnsItsBestSoFar() throws {
        let large = try Scenario.shipped("crash-anywhere", users: 400)
        let catalog = large.store.catalog
        let task = ShrinkTask(
            rule: .lostPurchase, client: IAPManagerClient.self, clientOptions: [:], seed: 1, population: 400,
            outline: try #require(ScenarioOutline(text: large.source)), workers: 2,
            read: { try? Scenario.text($0, catalog: catalog) })
        let stop = Stop()
        let shrinker = Shrinker(task) { _ in stop.now() }
        stop.shrinker = shrinker
        let shrunk = try #require(try shrinker.perform())
        #expect(!shrunk.isMinimal && shrunk.moves.count == 1)
        #expect(
            run(try Scenario.text(shrunk.text, catalog: catalog), IAPManagerClient.self).violations[.lostPurchase]
                != nil)
    }

    private final class Stop: @unchecked Sendable {  // Guard: one thread.
        weak var shrinker: Shrinker?
        func now() { shrinker?.stop.make(.interrupt) }
    }
}

@Suite struct ScenarioOutlineTests {
    @Test(arguments: PackageFolder.scenarios)
    func outlineOfEveryShippedScenarioReadsBackTheSame(name: String) throws {
        let scenario = try Scenario.shipped(name, users: 100)
        let outline = try #require(ScenarioOutline(text: scenario.source))
        #expect(ScenarioOutline(text: outline.text) == outline)
        let again = try Scenario.text(outline.text, catalog: scenario.store.catalog)
        #expect(again.journeys == (try Scenario.text(scenario.source, catalog: scenario.store.catalog)).journeys)
        #expect(again.name == scenario.name && again.description == scenario.description)
    }

    @Test(arguments: ["yes", "1e3", "null", "", "a: b", "- x", "'quoted'", "# no comment", "ü 😀", "0x10", "~"])
    func outlineQuotesTextsThatLookLikeOtherYAML(text: String) {
        let outline = ScenarioOutline.mapping([.init("name", .scalar(text)), .init("list", .list([.scalar(text)]))])
        #expect(ScenarioOutline(text: outline.text) == outline, "\(outline.text)")
    }

    @Test func outlineKeysCanBeReadSetAndRemoved() throws {
        var outline = try #require(ScenarioOutline(text: "a: 1\nb: {c: [x, y]}\n"))
        #expect(outline["b"]?["c"] == .list([.scalar("x"), .scalar("y")]) && outline["d"] == nil)
        outline["a"] = nil
        outline["d"] = .scalar("new")
        #expect(ScenarioOutline(text: outline.text) == outline && outline["a"] == nil && outline["d"] == .scalar("new"))
    }
}
