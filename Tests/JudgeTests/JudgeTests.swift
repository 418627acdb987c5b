// A sample of the trial that the table of the guide comes from: no correct client is accused, and the lists hold what
// they promise.

import BrokenClients
import ClientKit
import Engine
import Judgement
import Judges
import Judging
import Reporting
import RunSupport
import Scenario
import StoreKit2Broken
import StoreKit2Unusual
import Testing
import UnusualClients

private let correct = Judges.correct
private let broken = Judges.broken

@Suite struct JudgeTests {
    /// What of a run is an accusation.
    private static func accusations(_ result: RunResult) -> [AuditRule] {
        Array(result.collector.violationCounts.keys)
    }

    // Pairwise: each client in a scenario or two, each scenario with several clients.
    @Test(arguments: correct.indices)
    func auditDoesNotAccuseCorrectClients(place: Int) throws {
        let names = PackageFolder.scenarios.filter { !$0.contains("/") }
        for name in [names[place % names.count], names[(place * 7 + 3) % names.count]] {
            var scenario = try Scenario.shipped(name, users: 20)
            scenario.clock = .virtual
            let result = run(scenario, correct[place].client)
            #expect(Self.accusations(result).isEmpty, "\(name): \(result.story)")
            #expect(result.collector.faultCount == 0)
        }
    }

    @Test(arguments: correct.indices)
    func auditDoesNotAccuseCorrectClientsInDrawnScenarios(place: Int) throws {
        let plan = SwarmSample.plan(correct[place].client, runs: 6, seed: UInt64(place) + 1)
        let result = try Swarm(plan).perform()
        let found = result.findings
        #expect(found.isEmpty, "\(found.map { "\($0.evidence.sentence)\n\($0.text)" })")
        #expect(result.faults.isEmpty, "\(result.faults.map { "\($0.fault.sentence)\n\($0.text)" })")
    }

    // What is used up is gone a turn of the main queue later: not lost.
    @Test func goodsMayBeUsedOneMainQueueTurnLater() throws {
        let scenario = try Scenario.shipped("concurrent-purchases", users: 60)
        let result = run(scenario, LateUseShop.self)
        #expect(result.violations.isEmpty, "\(result.story)")
        // Every one of them went.
        let goods = try Scenario.journey(
            ["launch", "buy: extra_lives", "use: extra_lives", "think: 2s", "expect: {holds: {extra_lives: 0}}"],
            users: 5)
        let used = run(goods, LateUseShop.self)
        #expect(used.violations.isEmpty && used.expectations == [5, 5], "\(used.story)")
    }

    @Test func judgeListsAreCompleteAndCiteSources() {
        #expect(correct.count >= 20)
        #expect(broken.count >= 60 && (blindJudges + storeKit2BrokenJudges).count * 3 >= broken.count)
        #expect(storeKit2BrokenJudges.count >= 30 && storeKit2UnusualJudges.count >= 20)
        let names = (correct + broken).map { judge in judge.name }
        #expect(Set(names).count == names.count)
        for judge in broken {
            #expect(
                judge.source.contains("/") || judge.source.hasPrefix("Apple, "), "\(judge.name) cites \(judge.source)")
            #expect(!judge.mechanism.isEmpty && judge.mechanism.hasSuffix("."))
        }
    }
}

private final class LateUseShop: UnusualShop {
    override class var name: String { "late-use" }

    override func use(_ productIdentifier: String) {
        environment.main.async { [self] in later(productIdentifier) }
    }

    private func later(_ productIdentifier: String) { super.use(productIdentifier) }
}
