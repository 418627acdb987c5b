// How many of something there were, over time: users at their journeys, requests in a queue.
// A value, part of a time series.

import Files

/// Stretches of time, added up in intervals. Commutative, as all of a series is.
struct Occupancy: Sendable {
    /// By how many more than in the interval before there are that last all through it.
    private var change: [Int] = []
    /// Time of those that do not last all through an interval, in nanoseconds. Negative where a stretch that was
    /// counted through to an end turned out shorter.
    private var part: [Int128] = []

    init() {}

    /// As files hold it: the time in each interval.
    init(times: [ExactSum]) {
        part = times.map(\.value)
        change = times.map { _ in 0 }
    }

    /// - Parameters:
    ///   - first, last: the intervals in which the stretch begins and ends.
    ///   - interval: their length in nanoseconds.
    mutating func add(from start: Int64, to end: Int64, first: Int, last: Int, interval: Int64) {
        while change.count < last + 2 { change.append(0) }
        while part.count < last + 2 { part.append(0) }
        // Whole from the interval after the first on, up to the one before the last; the rest of both are parts.
        part[first] += Int128(Int64(first + 1) * interval - start)
        change[first + 1] += 1
        part[last] += Int128(end - Int64(last) * interval)
        change[last] -= 1
    }

    /// Two intervals to one.
    ///
    /// - Parameter interval: their length so far.
    mutating func double(interval: Int64) {
        var part = TimeSeries.paired(part, empty: 0, +)
        // Who is there for good from the second of two intervals on was not there in the first.
        for place in stride(from: 1, to: change.count, by: 2) {
            part[place / 2] -= Int128(change[place]) * Int128(interval)
        }
        self.part = part
        change = TimeSeries.paired(change, empty: 0, +)
    }

    mutating func merge(_ other: Occupancy) {
        TimeSeries.add(other.change, to: &change, +)
        TimeSeries.add(other.part, to: &part, +)
    }

    /// Packs what was added, and is empty then.
    mutating func unload(into packer: inout Packer) {
        packer.put(change.count)
        for place in change.indices where change[place] != 0 || part[place] != 0 {
            packer.put(place + 1)
            packer.put(change[place])
            packer.put(plain: part[place])
        }
        packer.put(0)
        change.removeAll(keepingCapacity: true)
        part.removeAll(keepingCapacity: true)
    }

    /// What another one has packed.
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        let count = try unpacker.number()
        // A stretch may end in the interval after the last.
        guard (0...(TimeSeries.intervalsMax + 1)).contains(count) else { throw TornValue() }
        change = Array(repeating: 0, count: count)
        part = Array(repeating: 0, count: count)
        while true {
            let place = try unpacker.number() - 1
            if place < 0 { return }
            guard place < count else { throw TornValue() }
            change[place] = try unpacker.number()
            part[place] = try unpacker.plain(Int128.self)
        }
    }

    /// Intervals up to the last in which there was one.
    var intervalCount: Int {
        var used = 0
        var whole = 0
        for place in change.indices {
            whole += change[place]
            if whole != 0 || part[place] != 0 { used = place + 1 }
        }
        return used
    }

    /// The time of all in each of so many intervals, in nanoseconds.
    func times(count: Int, interval: Int64) -> [ExactSum] {
        var whole = 0
        return (0..<count).map { place in
            guard place < change.count else { return ExactSum(0) }
            whole += change[place]
            return ExactSum(Int128(whole) * Int128(interval) + part[place])
        }
    }
}
