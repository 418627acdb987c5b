// The executor constant-users.
// Plain values; any thread.

import Simulation

/// Every user repeats the journey, and begins none after `duration`.
package struct ConstantUsers: LoadExecutor {
    package static let name = "constant-users"
    package static let summary = "Every user repeats the journey until the time is over."
    package static let keys: [ScenarioKey<ConstantUsers>] = [.users, .duration(\.duration)]
    package static let repeatsForItsTime = true

    package var users: Int?
    private var duration = Span.zero

    package init() {}

    package var schedule: LoadSchedule { .repeating(times: .max, within: duration) }
}
