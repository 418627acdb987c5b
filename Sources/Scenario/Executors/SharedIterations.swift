// The executor shared-iterations.
// Plain values; any thread.

import Simulation

/// So many journeys in all: whichever user is free does the next one, and none is begun after `maxDuration`.
package struct SharedIterations: LoadExecutor {
    package static let name = "shared-iterations"
    package static let summary = "A fixed number of journeys in all; the next free user takes the next journey."
    package static let keys: [ScenarioKey<SharedIterations>] = [
        .users,
        .count(
            "iterations", \.iterations, in: 1...ScenarioLimits.sharedIterationsMax,
            "How many journeys in all.", required: true,
            drawing: .drawn { .scalar("\($0.number(1...(2 * $0.users)))") }, example: "10"),
        .maxDuration(\.maxDuration),
    ]

    package var users: Int?
    private var iterations = 1
    private var maxDuration = Span.minutes(10)

    package init() {}

    package var schedule: LoadSchedule { .shared(iterations: iterations, within: maxDuration) }

    /// In proportion, to the nearest whole number, and at least one.
    package func scaled(to users: Int, from before: Int) -> SharedIterations {
        var copy = self
        copy.iterations = max(1, (iterations * users + before / 2) / before)
        return copy
    }
}
