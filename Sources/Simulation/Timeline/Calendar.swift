// The simulated calendar.
// Pure.

package import Foundation

extension Instant {
    /// The run's start on the simulated calendar: the first second of 2026, universal time.
    static let epochSeconds: Int64 = 1_767_225_600

    package var date: Date { Date(timeIntervalSince1970: Double(Self.epochSeconds) + Double(nanoseconds) / 1e9) }
}
