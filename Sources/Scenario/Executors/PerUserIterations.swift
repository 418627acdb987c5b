// The executor per-user-iterations.
// Plain values; any thread.

package import Simulation

/// Every user does the journey so many times, and begins none after `maxDuration`.
package struct PerUserIterations: LoadExecutor {
    package static let name = "per-user-iterations"
    package static let summary = "Every user does the journey so many times, one after the other."

    private static let iterations = ExecutorKey.count(
        "iterations", 1...Int64(ScenarioLimits.iterationsMax), "How often each user does the journey.", default: 1
    ) { .scalar("\($0.number(1...3))") }
    package static let keys = [
        ExecutorKey.users.declared, iterations.declared, ExecutorKey.maxDuration.declared,
    ]

    private let iterations: Int
    private let maxDuration: Span

    package init(iterations: Int, maxDuration: Span) {
        self.iterations = iterations
        self.maxDuration = maxDuration
    }

    package init?(_ fields: ExecutorFields) {
        let maxDuration = fields.read(.maxDuration)
        guard let iterations = fields.read(Self.iterations), let maxDuration else { return nil }
        self.init(iterations: iterations, maxDuration: maxDuration)
    }

    package var schedule: LoadSchedule { .repeating(times: iterations, within: maxDuration) }
}
