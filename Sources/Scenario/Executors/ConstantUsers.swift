// The executor constant-users.
// Plain values; any thread.

import Simulation

/// Every user repeats the journey, and begins none after `duration`.
package struct ConstantUsers: LoadExecutor {
    package static let name = "constant-users"
    package static let summary = "Every user repeats the journey for as long as the time lasts."
    package static let keys = [ExecutorKey.users.declared, ExecutorKey.duration.declared]
    package static let repeatsForItsTime = true

    private let duration: Span

    package init?(_ fields: ExecutorFields) {
        guard let duration = fields.read(.duration) else { return nil }
        self.duration = duration
    }

    package var schedule: LoadSchedule { .repeating(times: .max, within: duration) }
}
