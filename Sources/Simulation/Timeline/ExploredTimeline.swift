// A virtual clock that runs events in other orders than the one they were scheduled in.
// Guard: as `VirtualClock`.

import Foundation

/// The events of one small cell, where whatever is due within a window may change places.
///
/// Events of one source keep their order. An event that is overtaken runs later than it was due, as if it had been
/// held up, but by no more than the window; time never goes back.
package final class ExploredTimeline: VirtualClock, @unchecked Sendable {
    private let orders: EventOrders
    private let window: Int64
    @exclusivity(unchecked) private var time: Int64 = 0
    private var nextSequence: UInt64 = 1
    /// The messages, then a line for each other source. Thousands of events wait where an app asks for much at once:
    /// a choice looks at the first of each line, not at each event.
    private var lines = [EventLine()]
    private var places: [EventSource: Int] = [.message: messages]
    private static let messages = 0

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
        let rank = EventRank(due: due, sequence: nextSequence)
        nextSequence += 1
        let place = place(of: source)
        lines[place].insert(at: rank, body)
        return Ticket(sequence: rank.sequence, slot: place, wallEvent: nil)
    }

    private func place(of source: EventSource) -> Int {
        if let place = places[source] { return place }
        places[source] = lines.count
        lines.append(EventLine())
        return lines.count - 1
    }

    package override func cancel(_ ticket: Ticket) {
        // Freed once it is out: what is freed may schedule something more.
        _ = lines[ticket.slot].remove(sequence: ticket.sequence)
    }

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
            guard let next = choose() else {
                if !outside.await(patience) { return isDone() }
                continue
            }
            let event = lines[next.line].remove(at: next.position)
            let due = event.rank.due
            if due >= Self.limit {
                hasReachedLimit = true
                return false
            }
            time = max(time, due)
            eventCount += 1
            event.body?()
            if !goesOn() { return false }
        }
        return true
    }

    package override func dropEvents() {
        // One by one: what is freed may schedule something more.
        while let line = lines.firstIndex(where: { $0.count > 0 }) { _ = lines[line].remove(at: 0) }
    }

    /// The line and the position of the event that runs next; nil if none waits.
    private func choose() -> (line: Int, position: Int)? {
        guard let earliest = lines.compactMap(\.first).min() else { return nil }
        let horizon = earliest.due + window
        var firsts: [(rank: EventRank, line: Int)] = []
        for line in lines.indices where line != Self.messages {
            if let rank = lines[line].first, rank.due <= horizon { firsts.append((rank, line)) }
        }
        firsts.sort { $0.rank < $1.rank }
        let count = firsts.count + lines[Self.messages].count(through: horizon)
        let taken = orders.isOpen && count > 1 ? orders.choose(among: count) : 0
        // In the order in which they are due: a message before the first of another line, that first, and so on.
        for (index, first) in firsts.enumerated() {
            let place = index + lines[Self.messages].count(before: first.rank)
            if taken == place { return (first.line, 0) }
            if taken < place { return (Self.messages, taken - index) }
        }
        return (Self.messages, taken - firsts.count)
    }
}
