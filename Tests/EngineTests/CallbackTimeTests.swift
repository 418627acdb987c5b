// Which callbacks are timed.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Testing

@Suite struct CallbackTimeTests {
    private func samples(users: Int) throws -> Int {
        let scenario = try Scenario.journey(
            ["launch", "fetch_products", "buy: extra_lives", "buy: superpowers"], users: users,
            sections: ["network: {latency: 50ms}", "buyers: {decide_after: 1s}"])
        return run(scenario).collector.tally.measurements[.observerCallbackTime].response?.count ?? 0
    }

    // One in sixteen, and of sixteen users who do the same each another one: so that no callback is timed more often
    // than the others, not even the first of each launch.
    @Test func everyCallbackIsTimedOnceInSixteenUsers() throws {
        let ofAll = try samples(users: 16)
        #expect(ofAll > 2 && ofAll % 16 != 0, "\(ofAll): of a multiple of sixteen nothing can be told")
        #expect(try samples(users: 48) == 3 * ofAll)
        // The first user alone: each connection's first callback, and every sixteenth after it.
        #expect(try samples(users: 1) < ofAll)
    }
}
