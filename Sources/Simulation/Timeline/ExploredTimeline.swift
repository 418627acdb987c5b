// A virtual clock that runs events in other orders than the one they were scheduled in.
// Guard: as `VirtualClock`.

import Foundation

/// The events of one small cell, where whatever is due within a window may change places.
///
/// Events of one source keep their order. An event that is overtaken runs later than it was due, as if it had been
/// held up; time never goes back.
package final class ExploredTimeline: VirtualClock, @unchecked Sendable {
    private struct Event {
        let due: Int64
        let sequence: UInt64
        let source: EventSource
        let body: () -> Void
    }

    private let orders: EventOrders
    private let window: Int64
    @exclusivity(unchecked) private var time: Int64 = 0
    private var nextSequence: UInt64 = 1
    /// In order of (due, sequence): there are few of them at a time.
    private var events: [Event] = []

    package init(_ orders: EventOrders, window: Span) {
        self.orders = orders
        self.window = window.nanoseconds
    }

    package override var now: Instant { Instant(nanoseconds: time) }
    package override var plannedNow: Instant { now }

    @discardableResult
    package override func schedule(after delay: Span = .zero, _ body: __owned @escaping () -> Void) -> Ticket {
        schedule(after: delay, from: .harness, body)
    }

    @discardableResult
    package override func schedule(
        after delay: Span = .zero, from source: EventSource, _ body: __owned @escaping () -> Void
    ) -> Ticket {
        precondition(delay >= .zero, "an event \(delay.nanoseconds) ns in the past")
        let due = min(time + min(delay.nanoseconds, Self.limit), Self.limit)
        let event = Event(due: due, sequence: nextSequence, source: source, body: body)
        nextSequence += 1
        let place = events.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
        events.insert(event, at: place)
        return Ticket(sequence: event.sequence, slot: 0, wallEvent: nil)
    }

    package override func cancel(_ ticket: Ticket) { events.removeAll { $0.sequence == ticket.sequence } }

    package override func send(after delay: Span = .zero, _ body: __owned @escaping @Sendable () -> Void) {
        schedule(after: delay, from: .harness, body)
    }

    package override func send(
        after delay: Span = .zero, from source: EventSource, _ body: __owned @escaping @Sendable () -> Void
    ) {
        schedule(after: delay, from: source, body)
    }

    override func runEvents(until isDone: () -> Bool) -> Bool {
        while !isDone() {
            if outside.areThere { for body in outside.take() { schedule(body) } }
            guard !events.isEmpty else {
                if !outside.await(patience) { return isDone() }
                continue
            }
            let event = events.remove(at: choose())
            if event.due >= Self.limit {
                hasReachedLimit = true
                return false
            }
            time = max(time, event.due)
            eventCount += 1
            event.body()
            if !goesOn() { return false }
        }
        return true
    }

    package override func dropEvents() {
        // One by one: what is freed may schedule something more.
        while let last = events.popLast() { _ = last }
    }

    /// The place of the event that runs next.
    private func choose() -> Int {
        guard orders.isOpen, events.count > 1 else { return 0 }
        let horizon = max(time, events[0].due) + window
        var places: [Int] = []
        var sources: Set<EventSource> = []
        for (place, event) in events.enumerated() {
            if event.due > horizon { break }
            if event.source.isUnordered || sources.insert(event.source).inserted { places.append(place) }
        }
        return places.count == 1 ? 0 : places[orders.choose(among: places.count)]
    }
}
