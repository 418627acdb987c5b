// The virtual clock: discrete events of one cell, run by one worker as fast as it can.
// Guard: as `VirtualClock`.

import Foundation

/// One cell's events in order of (due, sequence).
package final class VirtualTimeline: VirtualClock, @unchecked Sendable {
    // Checked by design, not at run time: one thread touches these, and none of the loop's calls keeps a reference to
    // them while a body runs. The run-time check of exclusive access cost about a twentieth of everything.
    @exclusivity(unchecked) private var time: Int64 = 0
    @exclusivity(unchecked) private var nextSequence: UInt64 = 1
    @exclusivity(unchecked) private var future = EventHeap(capacity: 256)
    /// Events due at this very instant, in the order they were scheduled: they need no heap,
    /// because whatever the heap holds for this instant was scheduled before time came to it.
    @exclusivity(unchecked) private var present = EventRing(capacity: 128)
    @exclusivity(unchecked) private var slots = SlotTable()
    package init() { super.init() }

    package override var now: Instant { Instant(nanoseconds: time) }
    package override var plannedNow: Instant { Instant(nanoseconds: time) }

    @discardableResult
    package override func schedule(after delay: Span = .zero, _ body: __owned @escaping () -> Void) -> Ticket {
        precondition(delay >= .zero, "an event \(delay.nanoseconds) ns in the past")
        let sequence = nextSequence
        nextSequence &+= 1
        let slot = slots.store(body, sequence: sequence)
        // Saturating at the limit, where the run ends anyway: no sum of waits overflows.
        let due = min(time &+ min(delay.nanoseconds, Self.limit), Self.limit)
        let entry = HeapEntry(due: due, sequence: sequence, slot: slot)
        if delay == .zero { present.append(entry) } else { future.push(entry) }
        return Ticket(sequence: sequence, slot: slot, wallEvent: nil)
    }

    package override func cancel(_ ticket: Ticket) {
        _ = slots.take(ticket.slot, sequence: ticket.sequence)
    }

    package override func send(after delay: Span = .zero, _ body: __owned @escaping @Sendable () -> Void) {
        schedule(after: delay, body)
    }

    override func runEvents(until isDone: () -> Bool) -> Bool {
        while !isDone() {
            if outside.areThere { for body in outside.take() { schedule(body) } }
            guard let entry = popNext() else {
                if !outside.await(patience) { return isDone() }
                continue
            }
            guard let body = slots.take(entry.slot, sequence: entry.sequence) else { continue }
            if entry.due >= Self.limit {
                hasReachedLimit = true
                return false
            }
            precondition(entry.due >= time, "time went back from \(time) to \(entry.due)")
            time = entry.due
            eventCount &+= 1
            body()
            if !goesOn() { return false }
        }
        return true
    }

    package override func dropEvents() {
        // One by one: what is freed may schedule something more.
        while let entry = popNext() { _ = slots.take(entry.slot, sequence: entry.sequence) }
    }

    private func popNext() -> HeapEntry? {
        // Whatever the heap holds for now is older than anything in the ring.
        if future.count > 0, present.isEmpty || future.first.due <= time { return future.popFirst() }
        return present.popFirst()
    }
}

/// A growing ring of entries: the events of the present instant.
private struct EventRing: ~Copyable {
    private var entries: UnsafeMutablePointer<HeapEntry>
    private var capacity: Int
    private var head = 0
    private var count = 0

    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "\(capacity) is no power of two")
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
    }

    deinit { entries.deallocate() }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ entry: HeapEntry) {
        if count == capacity { grow() }
        entries[(head + count) & (capacity - 1)] = entry
        count += 1
    }

    mutating func popFirst() -> HeapEntry? {
        if count == 0 { return nil }
        let entry = entries[head]
        head = (head + 1) & (capacity - 1)
        count -= 1
        return entry
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<HeapEntry>.allocate(capacity: capacity * 2)
        for offset in 0..<count { larger[offset] = entries[(head + offset) & (capacity - 1)] }
        entries.deallocate()
        entries = larger
        head = 0
        capacity *= 2
    }
}

/// The closures of scheduled events. A slot is reused; the sequence tells its owners apart.
private struct SlotTable: ~Copyable {
    private struct Slot {
        var sequence: UInt64
        var body: (() -> Void)?
        var nextFree: Int
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var capacity: Int
    private var firstFree = -1
    private var used = 0

    init() {
        capacity = 256
        slots = .allocate(capacity: capacity)
    }

    deinit {
        slots.deinitialize(count: used)
        slots.deallocate()
    }

    mutating func store(_ body: __owned @escaping () -> Void, sequence: UInt64) -> Int {
        if firstFree >= 0 {
            let index = firstFree
            firstFree = slots[index].nextFree
            slots[index].sequence = sequence
            slots[index].body = body
            return index
        }
        if used == capacity { grow() }
        (slots + used).initialize(to: Slot(sequence: sequence, body: body, nextFree: -1))
        used += 1
        return used - 1
    }

    /// The closure, if the slot still belongs to that event.
    mutating func take(_ index: Int, sequence: UInt64) -> (() -> Void)? {
        guard slots[index].sequence == sequence else { return nil }
        let body = slots[index].body.take()
        slots[index].sequence = 0
        slots[index].nextFree = firstFree
        firstFree = index
        return body
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: slots, count: used)
        slots.deallocate()
        slots = larger
        capacity *= 2
    }
}
