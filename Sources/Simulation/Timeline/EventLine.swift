// The events of one source on a timeline that tries other orders.
// Confined to the timeline.

/// When an event is due, and the order among those due at once.
struct EventRank: Comparable {
    let due: Int64
    let sequence: UInt64

    static func < (left: EventRank, right: EventRank) -> Bool {
        left.due != right.due ? left.due < right.due : left.sequence < right.sequence
    }
}

/// Events that still have to run, in the order in which they are due: position 0 is the earliest.
struct EventLine {
    struct Event {
        let rank: EventRank
        fileprivate(set) var body: (() -> Void)?
    }

    private var events: [Event] = []
    /// Where the earliest is. Before it are places whose events were taken out, so that the rest need not move each time.
    private var start = 0

    var count: Int { events.count - start }
    /// The rank of the earliest.
    var first: EventRank? { count == 0 ? nil : events[start].rank }

    mutating func insert(at rank: EventRank, _ body: @escaping () -> Void) {
        events.insert(Event(rank: rank, body: body), at: start + count(before: rank))
    }

    mutating func remove(at position: Int) -> Event {
        if position > 0 { return events.remove(at: start + position) }
        let event = events[start]
        events[start].body = nil
        start += 1
        if start >= count { compact() }
        return event
    }

    /// Nil if it is not there any more.
    mutating func remove(sequence: UInt64) -> Event? {
        guard let place = events[start...].firstIndex(where: { $0.rank.sequence == sequence }) else { return nil }
        return remove(at: place - start)
    }

    private mutating func compact() {
        events.removeFirst(start)
        start = 0
    }

    /// How many are due until `due`, that moment included.
    func count(through due: Int64) -> Int { count(before: EventRank(due: due, sequence: .max)) }

    /// How many precede `rank`.
    func count(before rank: EventRank) -> Int {
        var low = start
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].rank < rank { low = middle + 1 } else { high = middle }
        }
        return low - start
    }
}
