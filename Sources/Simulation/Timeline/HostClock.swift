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
}
