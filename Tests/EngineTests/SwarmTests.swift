// A swarm finds, tells apart, makes small and remembers; its result depends on nothing but its plan.

import ClientKit
import Engine
import Hosting
import Judgement
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@Suite struct SwarmTests {
    private static func swarm(
        _ client: any StoreClient.Type, runs: Int = 12, workers: Int = 1, kept: [SwarmPlan.Kept] = [],
        shrinks: Bool = false
    ) throws -> SwarmResult {
        try Swarm(SwarmSample.plan(client, runs: runs, workers: workers, kept: kept, shrinks: shrinks)).perform()
    }

    private static func facts(_ result: SwarmResult) -> [String] {
        result.findings.map {
            "\($0.conduct.identifier) \($0.scenarios) \($0.first) \($0.evidence.sentence)\n\($0.text)"
        }
    }

    @Test func swarmFindsTheSameForAnyWorkerCount() throws {
        let one = try Self.swarm(IAPManagerForTests.type)
        let three = try Self.swarm(IAPManagerForTests.type, workers: 3)
        #expect(one.scenarios == 12 && three.scenarios == 12)
        #expect(!one.findings.isEmpty)
        #expect(Self.facts(one) == Self.facts(three))
    }

    @Test func referencePassesTheSwarm() throws {
        let result = try Self.swarm(ReferenceClient.self, runs: 60)
        #expect(result.findings.isEmpty && result.faults.isEmpty, "\(Self.facts(result)) \(result.faults)")
        #expect(result.scenarios == 60 && result.unjudged == 0)
    }

    // Each finding once, and each scenario shows what it is kept for.
    @Test func everySwarmFindingHasAScenarioThatShowsIt() throws {
        let result = try Self.swarm(IAPManagerForTests.type, runs: 8, shrinks: true)
        #expect(Set(result.findings.map(\.conduct)).count == result.findings.count)
        for finding in result.findings {
            #expect(finding.isMinimal && finding.users >= 1 && finding.steps >= 1)
            let scenario = try Scenario.text(finding.text, catalog: SwarmSample.catalog)
            #expect(scenario.client.name == IAPManagerForTests.type.name)
            let found = run(scenario, IAPManagerForTests.type)
            #expect(found.violations[finding.conduct.rule, default: 0] > 0, "\(finding.text)")
            #expect(scenario.stepCount == finding.steps && scenario.population.users == finding.users)
        }
    }

    @Test func swarmTriesKeptFindingsFirst() throws {
        let found = try Self.swarm(IAPManagerForTests.type)
        let kept = found.findings.map { SwarmPlan.Kept(conduct: $0.conduct, text: $0.text) }
        // The same client: all of it is still there, and nothing is new.
        let again = try Self.swarm(IAPManagerForTests.type, kept: kept)
        #expect(again.kept.allSatisfy { $0.evidence != nil && $0.problem == nil })
        #expect(again.findings.isEmpty)
        #expect(again.kept.map(\.scenarios) == found.findings.map(\.scenarios))
        // A better one: all of it is gone.
        let fixed = try Self.swarm(ReferenceClient.self, kept: kept)
        #expect(fixed.kept.count == kept.count && fixed.kept.allSatisfy { $0.evidence == nil })
        #expect(fixed.findings.isEmpty)
    }

    @Test func swarmReportsAKeptScenarioThatCannotBeRead() throws {
        let conduct = try #require(Self.swarm(IAPManagerForTests.type).findings.first).conduct
        let result = try Self.swarm(
            ReferenceClient.self, runs: 1, kept: [SwarmPlan.Kept(conduct: conduct, text: "name: Nothing else\n")])
        #expect(result.kept.first?.problem?.sentence.contains("missing key") == true)
    }

    @Test func stoppedSwarmReturnsItsFindingsSoFar() throws {
        let swarm = Swarm(SwarmSample.plan(IAPManagerForTests.type, runs: 1_000_000, shrinks: true))
        swarm.board.stop.make(.interrupt)
        let result = try swarm.perform()
        #expect(result.wasStopped && result.scenarios < 1_000_000)
        #expect(result.findings.allSatisfy { !$0.isMinimal })
    }

    // A store that charges twice is a fault of ours, and every scenario says which one.
    @Test func swarmReportsABrokenStoreAsAHarnessFault() throws {
        let plain = SwarmSample.plan(ReferenceClient.self, runs: 6)
        let plan = SwarmPlan(
            client: plain.client, clientOptions: [:], storeDefects: [.chargesTwice], drawing: plain.drawing, seed: 1,
            runs: 6, workers: 1, read: plain.read)
        let faults = try Swarm(plan).perform().faults
        #expect(faults.contains { $0.fault.sentence.contains("charged 2 times") })
        #expect(faults.allSatisfy { $0.text.hasPrefix("name: Swarm 1, scenario \($0.number)\n") })
        #expect(faults.allSatisfy { $0.text.contains("\nclient: reference\n") })
    }
}
