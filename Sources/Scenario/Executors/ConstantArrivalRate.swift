// The executor constant-arrival-rate.
// Plain values; any thread.

import Simulation

/// Journeys begin at a rate, whether or not earlier ones have ended.
package struct ConstantArrivalRate: LoadExecutor {
    package static let name = "constant-arrival-rate"
    package static let summary = "Journeys start at a fixed rate, whether or not earlier journeys have ended."
    package static let keys: [ScenarioKey<ConstantArrivalRate>] = [
        .rate(\.rate, "How often a journey starts, such as 500/s, 30/m or 10/h.", drawing: ["20/m", "1/s", "5/s"]),
        .duration(\.duration), .maxUsers,
    ]

    package var users: Int?
    private var rate = ArrivalRate(arrivals: 1, period: .seconds(1))
    private var duration = Span.zero

    package init() {}

    package mutating func settle(_ entry: EntryNodes) -> Bool {
        entry.allows(arrivals: rate.arrivals(within: duration), by: "rate")
    }

    package var schedule: LoadSchedule { .arrivals(.constant(rate, within: duration)) }

    package func scaled(to users: Int, from before: Int) -> ConstantArrivalRate {
        var copy = self
        copy.rate = rate.scaled(by: users, over: before)
        return copy
    }
}
