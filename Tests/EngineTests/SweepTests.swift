// Sweeps: what they number, what they try, and that they find what is there.

import ClientKit
import Hosting
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@testable import Engine

@Suite struct SweepTests {
    private func sweep(
        _ scenario: Scenario, _ client: any StoreClient.Type = ReferenceClient.self, depth: Int = 1,
        interleavings: Int = 0, window: Span = .zero, workers: Int = 2
    ) throws -> [JourneySweep] {
        let options = RunOptions(scenario: scenario, client: client, workers: workers)
        return try Sweep(SweepPlan(options: options, depth: depth, interleavings: interleavings, window: window))
            .perform()
    }

    private static let oneBuy = ["launch", "fetch_products", "buy: extra_lives", "use: all", "terminate"]
    private static let twoBuys = [
        "launch", "fetch_products", "together: [{buy: extra_lives}, {buy: superpowers}]", "think: 1s", "terminate",
    ]

    // Depth 0: the journey as it is.
    @Test func sweepTriesEveryPlaceInEveryWay() throws {
        let found = try #require(sweep(Scenario.journey(Self.oneBuy)).first)
        let places = found.undisturbed.places
        let effects = places.count { if case .effect = $0.kind { true } else { false } }
        #expect(effects > 5 && places.count > effects)
        let ways = FaultKind.placed(at: .message).count
        #expect(found.singles.count == effects + ways * (places.count - effects))
        #expect(Set(found.singles.map(\.mishap)).count == found.singles.count)
        #expect(found.done == found.planned && found.planned == 1 + found.singles.count)
        #expect(try #require(sweep(Scenario.journey(Self.oneBuy), depth: 0).first).planned == 1)
    }

    @Test func referencePassesASweepOfDepthTwo() throws {
        for name in ["quickstart", "purchase-flow", "restore-storm", "launch-redelivery"] {
            for found in try sweep(Scenario.shipped(name, users: 4), depth: 2) {
                #expect(found.stories.isEmpty && found.faults.isEmpty, "\(name): \(found.stories)")
                #expect(found.done == found.planned && found.deeper.map(\.mishaps) == [2])
                #expect(found.planned > 30)
            }
        }
    }

    @Test func sweepFindsACrashBetweenFinishAndDelivery() throws {
        let scenario = try Scenario.journey(Self.oneBuy)
        let plan = SweepPlan(options: RunOptions(scenario: scenario, client: IAPManagerClient.self, workers: 2))
        let found = try #require(try Sweep(plan).perform().first)
        let lost = try #require(found.stories.first { $0.rule == .lostPurchase })
        #expect(lost.trial.mishaps.count == 1)
        let evidence = try #require(lost.evidence)
        #expect(evidence.sentence.contains("without granting it") && evidence.sentence.contains("the app crashed"))
        // The same trial tells the same story again, also from its text.
        let again = try #require(TrialCase(text: lost.trial.text))
        let told = try #require(try Sweep(plan).tell(again, journey: 0))
        #expect(told.findings.contains { $0.sentence == evidence.sentence })
        #expect(told.stories.first.map { Narrator($0).timeline } == evidence.timeline.lines)
    }

    // A lost request never reaches the store; behind a lost answer the store has charged.
    @Test func sweepLosesRequestAndAnswerAtTheNamedPlace() throws {
        let options = RunOptions(
            scenario: try Scenario.journey(Self.oneBuy), client: ReferenceClient.self, workers: 1)
        let sweep = Sweep(SweepPlan(options: options))
        let places = try #require(try sweep.perform().first).undisturbed.places
        let payment = try #require(
            places.first {
                if case .message(.store(.purchase)) = $0.kind { true } else { false }
            })
        func tell(_ mishap: Mishap) throws -> [String] {
            let story = try #require(sweep.tell(TrialCase(mishaps: [mishap]), journey: 0)?.stories.first)
            return Narrator(story).timeline.map(\.text)
        }
        let request = try tell(Mishap(.lostRequest, payment.number))
        #expect(request.contains("lost on the way: the payment for extra_lives"))
        #expect(!request.contains { $0.contains("App Store: charges") })
        let answer = try tell(Mishap(.lostAnswer, payment.number))
        let charged = try #require(answer.firstIndex { $0.contains("App Store: charges") })
        let lost = try #require(answer.firstIndex(of: "the answer is lost on the way: the payment for extra_lives"))
        #expect(charged < lost)
        let reset = try tell(Mishap(.reset, payment.number))
        let broken = "the connection is reset before the answer comes: the payment for extra_lives"
        let failure = try #require(reset.firstIndex { $0.contains("NSURLError -1005") })
        #expect(try #require(reset.firstIndex { $0.contains("App Store: charges") }) < failure)
        #expect(try #require(reset.firstIndex(of: broken)) < failure)
        #expect(try tell(Mishap(.crash, 1)).contains { $0.hasPrefix("the app crashes just before its effect 1, ") })
    }

    // The second crash of a pair is numbered in the journey that the first one has changed.
    @Test func secondMishapOfAPairFollowsTheFirst() throws {
        let found = try #require(sweep(Scenario.journey(["launch", "buy: extra_lives"]), depth: 2).first)
        let pairs = try #require(found.deeper.first)
        #expect(pairs.done == pairs.planned && pairs.planned > found.singles.count)
        // Every mishap of every trial has happened; one that had not would be a fault.
        #expect(found.faults.isEmpty)
    }

    @Test func sweepFindsTheSameForAnyWorkerCount() throws {
        let scenario = try Scenario.journey(Self.twoBuys)
        let results = try [1, 3].map { workers in
            try sweep(
                scenario, IAPManagerClient.self, depth: 2, interleavings: 300, window: .seconds(5), workers: workers
            )
            .map { found in
                found.stories.map { "\($0.rule) \($0.trials) \($0.trial.text) \($0.evidence?.sentence ?? "")" }
                    + found.singles.map { "\($0.mishap) \($0.rules)" }
                    + ["\(String(describing: found.interleavings)) \(found.deeper)"]
            }
        }
        #expect(results[0] == results[1])
    }

    @Test func stoppedSweepReportsItsProgress() throws {
        let options = RunOptions(scenario: try Scenario.journey(Self.oneBuy), client: ReferenceClient.self, workers: 2)
        let sweep = Sweep(SweepPlan(options: options, depth: 2))
        sweep.board.stop.make(.interrupt)
        let found = try #require(try sweep.perform().first)
        #expect(found.done == 1 && found.planned > 1)
    }

    // MARK: Orders

    @Test func referencePassesEveryOrderOfTwoPurchases() throws {
        let scenario = try Scenario.journey(
            Self.twoBuys, sections: ["network: {latency: 20ms}", "buyers: {decide_after: 100ms}"])
        let found = try #require(sweep(scenario, depth: 0, interleavings: 10_000, window: .milliseconds(10)).first)
        let orders = try #require(found.interleavings)
        #expect(orders.isExhaustive && orders.done > 200 && orders.failing == 0, "\(orders) \(found.stories)")
    }

    @Test func sweepFindsAnOverwrittenHandler() throws {
        let scenario = try Scenario.journey(Self.twoBuys)
        let found = try #require(sweep(scenario, IAPManagerClient.self, depth: 0, interleavings: 100).first)
        #expect(found.stories.contains { $0.rule == .unansweredRequest })
    }

    // Few orders: all of them, and as many as the limit leaves room for. Many: part of them by chance.
    @Test func sweepTriesAtMostTheGivenInterleavings() throws {
        let scenario = try Scenario.journey(Self.twoBuys)
        for limit in [1, 2, 10, 50] {
            let found = try #require(
                sweep(scenario, depth: 0, interleavings: limit, window: .seconds(60)).first?.interleavings)
            #expect(found.done == limit && !found.isExhaustive)
        }
    }

    @Test func exploredRunIsRepeatable() throws {
        let scenario = try Scenario.journey(
            Self.twoBuys, users: 200, sections: ["explore: {interleavings: 5s}", "network: {latency: 20ms}"])
        let first = run(scenario, IAPManagerClient.self)
        let second = run(scenario, IAPManagerClient.self, workers: 3)
        #expect(first.violations == second.violations && !first.violations.isEmpty)
        #expect(first.story == second.story)
        // One user of it alone sees the same.
        let shown = try #require(first.collector.evidence.values.joined().first)
        let alone = run(scenario, IAPManagerClient.self, onlyUser: shown.user)
        #expect(alone.collector.onlyUserTimeline == shown.evidence.timeline.lines)
        #expect(run(scenario).violations.isEmpty)
    }
}

@Suite struct TrialTextTests {
    @Test(arguments: ["nothing", "crash:17", "request:3,answer:5", "crash:2,crash:9", "order:0.2.1", "crash:1,order:4"])
    func trialTextReadsBackTheSame(text: String) throws {
        #expect(try #require(TrialCase(text: text)).text == text)
    }

    @Test(arguments: [
        "", "crash", "crash:", "crash:0", "crash:-1", "crash:x", "loss:3", "crash:1,", "order:a", "order:-1",
    ])
    func trialParserRefusesOtherTexts(text: String) { #expect(TrialCase(text: text) == nil) }
}
