// The executor constant-arrival-rate.
// Plain values; any thread.

import Simulation

/// Journeys begin at a rate, whether or not earlier ones have ended.
package struct ConstantArrivalRate: LoadExecutor {
    package static let name = "constant-arrival-rate"
    package static let summary = "Journeys begin at a rate, whether or not earlier ones have ended."

    private static let rate = ExecutorKey.rate(
        "Arrivals: a rate, such as 500/s, 30/m or 10/h.", draw: ["20/m", "1/s", "5/s"])
    package static let keys = [rate.declared, ExecutorKey.duration.declared, ExecutorKey.maxUsers.declared]

    private var rate: ArrivalRate
    private let duration: Span

    package init?(_ fields: ExecutorFields) {
        let duration = fields.read(.duration)
        guard let rate = fields.read(Self.rate), let duration,
            fields.allows(arrivals: rate.arrivals(within: duration), by: Self.rate)
        else { return nil }
        self.rate = rate
        self.duration = duration
    }

    package var schedule: LoadSchedule { .arrivals(.constant(rate, within: duration)) }

    package func scaled(to users: Int, from before: Int) -> ConstantArrivalRate {
        var copy = self
        copy.rate = rate.scaled(by: users, over: before)
        return copy
    }
}
