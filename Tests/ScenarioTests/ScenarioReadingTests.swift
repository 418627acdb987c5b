// A valid scenario becomes the values it says, and what it leaves out has its defaults.

import Foundation
import Metrics
import Simulation
import Testing

@testable import Scenario

@Suite struct ScenarioReadingTests {
    @Test func readerReadsEverySection() throws {
        let read = try scenario(validText)
        #expect(read.name == "Valid")
        #expect(read.clock == .wall)
        #expect(read.seed == 42)
        #expect(read.client == ClientChoice(name: "iap-manager", options: ["verify": "true", "retries": "3"]))
        #expect(read.source == validText)
        #expect(read.path == "x.yml")
        #expect(read.population.users == 100_000)
        #expect(read.population.owns.map(\.product) == [2])
        #expect(read.population.unfinishedAtStart.map(\.share) == [.percent(2)])
        #expect(read.app.flushDelay == .milliseconds(10))
        #expect(read.app.patience == .minutes(2))
        #expect(read.app.mainQueueLimit == .milliseconds(80))
        #expect(read.app.hangLimit == .seconds(9))
        #expect(read.app.memoryLimit == 1_536 << 20)
        #expect(read.app.crashLimit == 7)
        #expect(read.crashes.map(\.moment) == [.anyEffect, .effect(17)])
        #expect(read.crashes.map(\.share) == [.percent(3), .percent(1)])
        #expect(read.thresholds.count == 5)
        #expect(read.thresholdsInForce(for: "reference") == read.thresholds)
    }

    @Test func readerReadsStoreNetworkAndBuyerConditions() throws {
        let read = try scenario(validText)
        let store = read.store.conditions
        #expect(store.capacity?.workers == 400)
        #expect(store.capacity?.serviceTime == .logNormal(median: 40_000_000, p99: 400_000_000))
        #expect(store.capacity?.queueLimit == 20_000)
        #expect(store.outages.map(\.answer) == [.slow(by: .seconds(2)), .timeout])
        #expect(store.outages.map(\.start) == [.start + .minutes(4), .start + .minutes(9)])
        #expect(store.errors.purchase.map(\.error) == [.store(.paymentInvalid), .store(.cloudServiceRevoked)])
        #expect(read.validator.latency == .spans(.milliseconds(50), .seconds(2)))
        #expect(read.validator.errors == .percent(1.5))
        #expect(read.validator.outages.map(\.answer) == [.slow(by: .seconds(3))])
        #expect(read.network[.lostRequest] == .percent(0.3))
        #expect(read.network.offline?.duration == .spans(.seconds(10), .minutes(3)))
        #expect(read.network.requestTimeout == .seconds(30))
        #expect(read.buyers.decideAfter == .spans(.milliseconds(800), .seconds(9)))
        #expect(read.buyers.paymentsDisallowed == .percent(1))
    }

    // Two entries name 52,000 users, and the last two share the 48,000 that are left.
    @Test func readerDividesUsersAmongLoadEntries() throws {
        let load = try scenario(validText).load
        #expect(load.map(\.users) == [50_000, 2_000, 24_000, 24_000])
        #expect(load.map(\.name) == ["storm", "shopper", "late", "crowd"])
        #expect(load.map(\.journey) == [0, 1, 1, 0])
        let rate = ArrivalRate(arrivals: 50, period: .seconds(1))
        #expect(load[0].executor.schedule == .arrivals(.constant(rate, within: .minutes(2))))
        #expect(load[1].executor.schedule == .repeating(times: .max, within: .minutes(10)))
        #expect(load[1].startAfter == .seconds(30))
        #expect(load[2].executor.schedule == .repeating(times: 3, within: .minutes(10)))
        #expect(load[3].executor.schedule == .repeating(times: 1, within: nil))
    }

    @Test(
        arguments: [
            ("buy", .request(.purchase)), ("restore", .request(.restore)), ("fetch_products", .request(.fetch)),
            ("any", .any),
        ] as [(String, Pending)])
    func waitForOutcomeUsesTheNamesOfSteps(word: String, pending: Pending) throws {
        let text = validText.replacingOccurrences(of: "outcome: restore", with: "outcome: \(word)")
        #expect(try scenario(text).journeys[0].steps[3].kind == .waitFor(pending, atMost: .seconds(10)))
        let asked = RequestKind.allCases.filter(pending.includes)
        #expect(asked.map(\.step) == (word == "any" ? ["fetch_products", "buy", "restore"] : [word]))
    }

    @Test func stepsCarryTheirPaths() throws {
        let journeys = try scenario(validText).journeys
        #expect(journeys.map(\.name) == ["storm", "shopper"])
        #expect(journeys[0].steps[2] == Step(kind: .restore(waits: false), path: "journeys.storm[2]"))
        #expect(journeys[0].steps[3].kind == .waitFor(.request(.restore), atMost: .seconds(10)))
        guard case .expect(let expectation) = journeys[0].steps[5].kind else { throw Unexpected() }
        #expect(expectation.owns == [2])
        #expect(expectation.holds == [Expectation.Holding(product: 0, count: 2)])
        #expect(expectation.answered == .restored)
        let fetch = FetchStep(identifiers: ["com.appcoda.fakegame.extra_lives", "not.in.catalog"], waits: true)
        #expect(journeys[1].steps[1].kind == .fetchProducts(fetch))
        guard case .repeated(.uniform(1, 4), let steps) = journeys[1].steps[2].kind else { throw Unexpected() }
        #expect(steps[1].path == "journeys.shopper[2].repeat.steps[1]")
        let weights = [ProductWeight(product: 0, weight: 7), ProductWeight(product: 1, weight: 3)]
        #expect(steps[1].kind == .buy(BuyStep(target: .oneOf(weights), quantity: .uniform(1, 3), waits: true)))
        guard case .together(let together) = journeys[1].steps[3].kind else { throw Unexpected() }
        #expect(together[2].kind == .buy(BuyStep(target: .unknown("raw.id"), quantity: .constant(1), waits: false)))
        guard case .choose(let branches) = journeys[1].steps[4].kind else { throw Unexpected() }
        #expect(branches.map(\.weight) == [7, 3])
    }

    private struct Unexpected: Error {}

    @Test func omittedKeysHaveDefaults() throws {
        let read = try scenario(small())
        #expect(read.clock == .virtual)
        #expect(read.seed == 1)
        #expect(read.client == .reference)
        #expect(read.load.map(\.users) == [10])
        #expect(read.network == LinkConditions())
        #expect(read.thresholds.isEmpty)
        #expect(read.thresholdsInForce(for: "reference") == [.noViolations])
        let tagged = try scenario(small(extra: "thresholds: {\"violations{rule:lost-purchase}\": count == 0}"))
        #expect(
            tagged.thresholdsInForce(for: "reference").map(\.key) == ["violations", "violations{rule:lost-purchase}"])
    }

    @Test func mergeKeysFillOmittedKeys() throws {
        let text = """
            name: Merged
            store: {catalog: a.storekit}
            population: {users: 10}
            load:
              - &base {journey: j, executor: per-user-iterations, iterations: 7, users: 2}
              - {<<: *base, name: more, users: 3}
              - {<<: [{name: third}, *base]}
            journeys:
              j: &steps [launch, terminate]
              k: *steps
            """
        let read = try scenario(text)
        #expect(read.load.map(\.users) == [2, 3, 2])
        #expect(read.load.map(\.name) == ["j", "more", "third"])
        #expect(read.load[1].executor.schedule == .repeating(times: 7, within: .minutes(10)))
        #expect(read.journeys[1].steps[1].path == "journeys.k[1]")
    }

    @Test func starsAndQuestionMarksInTextsSurvive() throws {
        let text = small().replacing("name: Small", with: "name: \"*Who* bought what?\"\ndescription: a * b ? c*")
        let read = try scenario(text)
        #expect(read.name == "*Who* bought what?")
        #expect(read.description == "a * b ? c*")
    }

    @Test(arguments: ["\u{FEFF}", "# comment\n", "---\n"])
    func harmlessFileBeginningsAreRead(prefix: String) throws {
        #expect(try scenario(prefix + small()).name == "Small")
    }

    @Test func windowsLineEndsAreRead() throws {
        #expect(try scenario(small().replacing("\n", with: "\r\n")).name == "Small")
    }
}
