// The executor per-user-iterations.
// Plain values; any thread.

package import Simulation

/// Every user does the journey so many times, and begins none after `maxDuration`.
package struct PerUserIterations: LoadExecutor {
    package static let name = "per-user-iterations"
    package static let summary = "Every user runs the journey a fixed number of times, one after the other."
    package static let keys: [ScenarioKey<PerUserIterations>] = [
        .users,
        .count(
            "iterations", \.iterations, in: 1...Int64(ScenarioLimits.iterationsMax),
            "How often each user runs the journey.", drawing: .drawn { .scalar("\($0.number(1...3))") }),
        .maxDuration(\.maxDuration),
    ]

    package var users: Int?
    private var iterations: Int
    private var maxDuration: Span

    package init() { self.init(iterations: 1, maxDuration: .minutes(10)) }

    package init(iterations: Int, maxDuration: Span) {
        self.iterations = iterations
        self.maxDuration = maxDuration
    }

    package var schedule: LoadSchedule { .repeating(times: iterations, within: maxDuration) }
}
