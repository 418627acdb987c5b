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
        let body: () -> Void
    }

    /// The latest first, so that the earliest is taken out without moving the rest.
    private var events: [Event] = []

    var count: Int { events.count }
    /// The rank of the earliest.
    var first: EventRank? { events.last?.rank }

    mutating func insert(_ event: Event) { events.insert(event, at: events.count - count(before: event.rank)) }

    mutating func remove(at position: Int) -> Event { events.remove(at: events.count - 1 - position) }

    mutating func remove(sequence: UInt64) { events.removeAll { $0.rank.sequence == sequence } }

    /// How many are due until `due`, that moment included.
    func count(through due: Int64) -> Int { count(before: EventRank(due: due, sequence: .max)) }

    /// How many precede `rank`.
    func count(before rank: EventRank) -> Int {
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].rank < rank { high = middle } else { low = middle + 1 }
        }
        return events.count - low
    }
}
