// Real time: the only place that reads it.
// Any thread.

internal import CRuntime
import Foundation

/// The machine's monotonic clock, for the wall timeline and for costs that are real under either clock.
package enum HostClock {
    /// Nanoseconds since an arbitrary moment; never goes back.
    package static var nanoseconds: Int64 {
        stampede_real_nanoseconds(CLOCK_MONOTONIC)
    }

    /// The date, as a point of the simulated calendar; its beginning, if the machine's clock is older than that.
    package static var calendar: Instant {
        let now = stampede_real_nanoseconds(CLOCK_REALTIME)
        return max(.start, Instant(nanoseconds: now - Instant.epochSeconds * 1_000_000_000))
    }
}
