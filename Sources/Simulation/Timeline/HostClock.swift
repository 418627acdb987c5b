// Real time: the only place that reads it.
// Any thread.

import Foundation

/// The machine's monotonic clock, for the wall timeline and for costs that are real under either clock.
package enum HostClock {
    /// Nanoseconds since an arbitrary moment; never goes back.
    package static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The date, as a point of the simulated calendar; its beginning, if the machine's clock is older than that.
    package static var calendar: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Int64(time.tv_sec) - Instant.epochSeconds
        return max(.start, Instant(nanoseconds: seconds * 1_000_000_000 + Int64(time.tv_nsec)))
    }
}
