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
    @Test func probeShowsTheRuleOnlyWithinItsEventLimit() throws {
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

    // A run that would never end is not judged: to shrink to one would be to show nothing, and slowly.
    @Test(arguments: [true, false])
    func probeShowsNothingInARunWithoutAnEnd(thinks: Bool) throws {
        let scenario = try Scenario.text(
            """
            name: Endless
            store: {catalog: x.storekit}
            population: {users: 5}
            app: {relaunch_after: 0s}
            faults: {crash: {share: 10%, at: any_effect}}
            load: [{journey: j, executor: constant-users, for: 10s}]
            journeys: {j: [{buy: extra_lives}\(thinks ? ", {think: 1s}" : "")]}
            """)
        let probe = RuleProbe(rule: .lostPurchase, client: IAPManagerClient.self, isStopped: { false })
        #expect((probe.eventsUntilShown(scenario, [:], eventsMax: .max) != nil) == thinks)
    }
}
