// Planted mistakes in scenarios that nobody wrote for them: how many it takes until each is found.

import Engine
import Judgement
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct SwarmMutantTests {
    private static let limit = 500

    private static let mistakes: [Mistake] = [
        .dropsRedeliveries, .deliversTwice, .deliversOnFailed, .wrongProduct, .finishesBeforeDelivering, .neverFinishes,
        .swallowsAnswer, .answersTwice, .saysPurchasedWhenFailed, .restoreNotReported, .addsObserverTwice,
        .ignoresRevocations,
    ]

    /// The number of scenarios, from 1, until one breaks a rule that the mistake is about.
    private static func scenarios(until mistake: Mistake, seed: UInt64) throws -> Int? {
        let rules = Mutant(mistake).breaks
        let portion = 5
        for start in stride(from: 0, to: limit, by: portion) {
            // A swarm with a seed of its own for each portion: the next scenarios of one swarm would do as well.
            let plan = SwarmSample.plan(
                MutableClient.self, options: ["mistake": mistake.rawValue], runs: portion,
                seed: seed &* 1_000 &+ UInt64(start))
            let found = try Swarm(plan).perform().findings.filter { rules.contains($0.conduct.rule) }
            if let first = found.map(\.first).min() { return start + first + 1 }
        }
        return nil
    }

    @Test func swarmDoesNotReportWarningsAsFindings() throws {
        let options = ["mistake": Mistake.showsCancelAsError.rawValue]
        let plan = SwarmSample.plan(MutableClient.self, options: options, runs: 60, seed: 1)
        let findings = try Swarm(plan).perform().findings
        #expect(!findings.contains { $0.conduct.rule == .cancelAsError })
        // There is something to warn of.
        let result = run(try Scenario.shipped("quickstart", users: 60), MutableClient.self, options: options)
        #expect(
            result.collector.warningCounts.keys.contains(.cancelAsError) && result.collector.violationCounts.isEmpty)
    }

    @Test func swarmFindsEveryPlantedMistakeWithin500Scenarios() throws {
        var needed: [(mistake: Mistake, scenarios: Int)] = []
        for mistake in Self.mistakes {
            for seed in [1, 2] as [UInt64] {
                let count = try Self.scenarios(until: mistake, seed: seed)
                #expect(count != nil, "\(mistake) was not found in \(Self.limit) scenarios, seed \(seed)")
                if let count { needed.append((mistake, count)) }
            }
        }
        let sorted = needed.map(\.scenarios).sorted()
        let worst = needed.max { $0.scenarios < $1.scenarios }
        print(
            "scenarios until a planted mistake is found: median \(sorted[sorted.count / 2]), worst "
                + "\(worst.map { "\($0.scenarios) (\($0.mistake))" } ?? "none")")
        #expect(Set(Self.mistakes.flatMap { Mutant($0).breaks }).count >= 10)
    }
}
