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

    /// Nanoseconds since 1970 by the machine's date.
    static var date: Int64 { stampede_real_nanoseconds(CLOCK_REALTIME) }
}
