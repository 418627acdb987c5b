// Points and lengths of time on the timeline.
// Pure values in integer nanoseconds: no clock, any thread.

/// A length of time, in nanoseconds. May be negative only as the result of a subtraction.
package struct Span: Sendable, Hashable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Span(nanoseconds: 0)
    package static func microseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000) }
    package static func milliseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000) }
    package static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000_000) }
    package static func minutes(_ count: Int64) -> Span { .seconds(count * 60) }
    package static func hours(_ count: Int64) -> Span { .seconds(count * 3_600) }

    package static func < (left: Span, right: Span) -> Bool { left.nanoseconds < right.nanoseconds }
    package static func + (left: Span, right: Span) -> Span { Span(nanoseconds: left.nanoseconds + right.nanoseconds) }
    package static func - (left: Span, right: Span) -> Span { Span(nanoseconds: left.nanoseconds - right.nanoseconds) }
}

/// A point on the timeline: nanoseconds since the run began, under either clock.
package struct Instant: Sendable, Hashable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The start of the run.
    package static let start = Instant(nanoseconds: 0)
    /// Later than everything that can be scheduled.
    package static let never = Instant(nanoseconds: .max)

    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
    package static func + (left: Instant, right: Span) -> Instant {
        Instant(nanoseconds: left.nanoseconds + right.nanoseconds)
    }
    package static func - (left: Instant, right: Instant) -> Span {
        Span(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
}
