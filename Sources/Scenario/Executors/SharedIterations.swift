// The executor shared-iterations.
// Plain values; any thread.

import Simulation

/// So many journeys in all: whichever user is free does the next one, and none is begun after `maxDuration`.
package struct SharedIterations: LoadExecutor {
    package static let name = "shared-iterations"
    package static let summary = "So many journeys in all, the next one for whichever user is free."

    private static let iterations = ExecutorKey.requiredCount(
        "iterations", 1...ScenarioLimits.sharedIterationsMax, "Journeys in all, the next one for whoever is free.",
        example: "10"
    ) { .scalar("\($0.number(1...(2 * $0.users)))") }
    package static let keys = [
        ExecutorKey.users.declared, iterations.declared, ExecutorKey.maxDuration.declared,
    ]

    private var iterations: Int
    private let maxDuration: Span

    package init?(_ fields: ExecutorFields) {
        let maxDuration = fields.read(.maxDuration)
        guard let iterations = fields.read(Self.iterations), let maxDuration else { return nil }
        self.iterations = iterations
        self.maxDuration = maxDuration
    }

    package var schedule: LoadSchedule { .shared(iterations: iterations, within: maxDuration) }

    /// In proportion, to the nearest whole number, and at least one.
    package func scaled(to users: Int, from before: Int) -> SharedIterations {
        var copy = self
        copy.iterations = max(1, (iterations * users + before / 2) / before)
        return copy
    }
}
