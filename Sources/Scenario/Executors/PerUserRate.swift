// The executor per-user-rate.
// Plain values; any thread.

import Simulation

/// Every user begins the journey at a rate, from the entry's start on, and begins none after `duration`. A journey that is
/// due while the user's one before is still under way is dropped.
package struct PerUserRate: LoadExecutor {
    package static let name = "per-user-rate"
    package static let summary =
        "Every user starts the journey at a fixed rate; a start is dropped while the user's last journey still runs."
    package static let keys: [ScenarioKey<PerUserRate>] = [
        .users,
        .rate(
            \.rate, "How often each user starts the journey, such as 6/m, 1/s or 10/h.",
            drawing: ["2/m", "10/m", "30/m"]),
        .duration(\.duration),
    ]

    package var users: Int?
    private var rate = ArrivalRate(arrivals: 1, period: .seconds(1))
    private var duration = Span.zero

    package init() {}

    package mutating func settle(_ entry: EntryNodes) -> Bool {
        entry.allows(arrivals: rate.arrivals(within: duration), by: "rate")
    }

    package var schedule: LoadSchedule { .timetables(rate, within: duration) }
}
