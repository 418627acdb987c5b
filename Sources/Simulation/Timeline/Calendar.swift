// The simulated calendar.
// Pure.

package import Foundation

extension Instant {
    /// The run's start on the simulated calendar: the first second of 2026, universal time.
    private static let epoch: TimeInterval = 1_767_225_600

    package var date: Date { Date(timeIntervalSince1970: Self.epoch + Double(nanoseconds) / 1e9) }
}
