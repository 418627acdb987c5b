// The dates of a timeline.
// Pure.

package import Foundation

/// Which date the start of a timeline has.
package struct TimelineCalendar: Sendable, Equatable {
    /// Nanoseconds since 1970.
    private let start: Int64

    private init(start: Int64) { self.start = start }

    /// Simulated time begins with the first second of 2026, universal time, in every run.
    package static let simulated = TimelineCalendar(start: simulatedSeconds * 1_000_000_000)
    static let simulatedSeconds: Int64 = 1_767_225_600

    /// Real time: an instant has the machine's date, which client code reads too.
    ///
    /// - Parameter instant: which one is now.
    static func real(at instant: Instant) -> TimelineCalendar {
        TimelineCalendar(start: HostClock.date - instant.nanoseconds)
    }

    func instant(of date: Date) -> Instant {
        Instant(nanoseconds: Int64((date.timeIntervalSince1970 * 1e3).rounded()) * 1_000_000 - start)
    }

    package func date(of instant: Instant) -> Date {
        // Seconds and their parts by themselves: a sum of nanoseconds is too large to be exact.
        let (seconds, rest) = start.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Date(timeIntervalSince1970: Double(seconds) + Double(instant.nanoseconds + rest) / 1e9)
    }
}
