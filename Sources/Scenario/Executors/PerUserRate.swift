// The executor per-user-rate.
// Plain values; any thread.

import Simulation

/// Every user begins the journey at a rate, from the entry's start on, and begins none after `duration`. A journey that is
/// due while the user's one before is still under way is dropped.
package struct PerUserRate: LoadExecutor {
    package static let name = "per-user-rate"
    package static let summary =
        "Every user begins the journey at a rate of its own; while it is still at the one before, the next is dropped."

    private static let rate = ExecutorKey.rate(
        "How often each user begins the journey: a rate, such as 6/m, 1/s or 10/h.", draw: ["2/m", "10/m", "30/m"])
    package static let keys = [ExecutorKey.users.declared, rate.declared, ExecutorKey.duration.declared]

    private let rate: ArrivalRate
    private let duration: Span

    package init?(_ fields: ExecutorFields) {
        let duration = fields.read(.duration)
        guard let rate = fields.read(Self.rate), let duration,
            fields.allows(arrivals: rate.arrivals(within: duration), by: Self.rate)
        else { return nil }
        self.rate = rate
        self.duration = duration
    }

    package var schedule: LoadSchedule { .timetables(rate, within: duration) }
}
