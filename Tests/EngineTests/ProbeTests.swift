// Attempts of a shrinker are bounded, and can be stopped.

import ClientKit
import Judgement
import RunSupport
import Scenario
import Specimens
import Testing

@testable import Engine

@Suite struct ProbeTests {
    private static func probe(isStopped: Bool = false) -> RuleProbe {
        RuleProbe(rule: .lostPurchase, client: IAPManagerClient.self, isStopped: { isStopped })
    }

    // Whoever looks for the rule waits so long and no longer.
    @Test func ruleIsShownWithinItsEventsOrNotAtAll() throws {
        let scenario = try Scenario.shipped("crash-anywhere", users: 100)
        let events = try #require(Self.probe().eventsUntilShown(scenario, [:], eventsMax: .max))
        #expect(events > 1)
        #expect(Self.probe().eventsUntilShown(scenario, [:], eventsMax: events) == events)
        #expect(Self.probe().eventsUntilShown(scenario, [:], eventsMax: events - 1) == nil)
    }

    @Test func stoppedProbeShowsNothing() throws {
        let scenario = try Scenario.shipped("crash-anywhere", users: 100)
        #expect(Self.probe(isStopped: true).eventsUntilShown(scenario, [:], eventsMax: .max) == nil)
    }
}
