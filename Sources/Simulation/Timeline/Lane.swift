// Where events run: one at a time, ordered by (due, sequence).
// A lane's methods are called on the lane itself, except `send`, which any lane may call.

package import Foundation

/// A serial place on the timeline. Under the virtual clock all lanes of a cell are one and the same event loop;
/// under the wall clock each lane is a serial Dispatch queue.
///
/// A class rather than a protocol: calls through a class's table are as cheap as an event may be,
/// and an existential measured several times dearer.
package class Lane: @unchecked Sendable {  // Guard: each subclass says its own.
    package init(threadCalls: ThreadCalls? = nil) { self.threadCalls = threadCalls }

    /// Where the calls into client code of the one thread that runs this lane are noted; nil without a watch.
    /// Unmanaged, because every call would count references; the lane's owner retains it.
    @exclusivity(unchecked) package final var callSlot = CallSlot.ofProcess.map { Unmanaged.passUnretained($0) }
    /// The same where any thread may run it.
    package final let threadCalls: ThreadCalls?

    /// The current time. Never goes back on one lane.
    package var now: Instant { preconditionFailure("a lane is virtual or wall") }

    /// The dates of its instants.
    package var calendar: TimelineCalendar { .simulated }

    /// The current date.
    package final var date: Date { calendar.date(of: now) }

    /// When the running event was meant to run. Equal to `now` under the virtual clock.
    package var plannedNow: Instant { preconditionFailure("a lane is virtual or wall") }

    /// Whether the caller runs on this lane.
    package var isCurrent: Bool { preconditionFailure("a lane is virtual or wall") }

    /// Whether time jumps from event to event, and one thread runs them all.
    package final var isVirtual: Bool { !(self is WallLane) }

    // Closures are taken over, not shared (`__owned`): a pair of reference counts less for every event.

    /// Runs `body` on this lane once `delay` has passed; with no delay, after everything that is already due.
    @discardableResult
    package func schedule(after delay: Span = .zero, _ body: __owned @escaping () -> Void) -> Ticket {
        preconditionFailure("a lane is virtual or wall")
    }

    /// Like `schedule(after:_:)`.
    /// Where other orders are tried, the event may change places with events of other sources.
    @discardableResult
    package func schedule(
        after delay: Span = .zero, from source: EventSource, _ body: __owned @escaping () -> Void
    ) -> Ticket {
        schedule(after: delay, body)
    }

    /// Cancels an event, which then never runs. Cancelling an event that ran, or cancelling twice, does nothing.
    package func cancel(_ ticket: Ticket) { preconditionFailure("a lane is virtual or wall") }

    /// `schedule` for callers on another lane of the same cell: what crosses is a value or is guarded by its own lane.
    package func send(after delay: Span = .zero, _ body: __owned @escaping @Sendable () -> Void) {
        preconditionFailure("a lane is virtual or wall")
    }

    /// Like `send(after:_:)`. Where other orders are tried, the event may change places with events of other sources.
    package func send(
        after delay: Span = .zero, from source: EventSource, _ body: __owned @escaping @Sendable () -> Void
    ) {
        send(after: delay, body)
    }

    /// `send` for callers that are on no lane at all: client code that went to a queue of its own.
    package func sendFromOutside(_ body: @escaping @Sendable () -> Void) {
        preconditionFailure("a lane is virtual or wall")
    }
}

/// A scheduled event, to cancel it by.
package struct Ticket {
    let sequence: UInt64
    let slot: Int
    let wallEvent: WallEvent?
}
