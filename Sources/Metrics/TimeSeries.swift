// What happened when: counts, active users and durations in intervals of simulated time.
// A value, owned by one tally.

import Files

/// A run in intervals of a 64th of a second; of a 32nd, a 16th … one second, two, four … where there would be too many of
/// them. Memory has a bound, whatever the length of the run.
///
/// Everything in it is commutative, and so is the doubling: however the parts of a run are merged, the result is the
/// same.
package struct TimeSeries: Sendable {
    /// Metrics that are counted at the instant they happen: those that are drawn over time.
    package static let counted = MetricName.allCases.filter { $0.kind == .counter && $0.row.plot != nil }
    package static let intervalsMax = 600
    /// In nanoseconds.
    package static let intervalFirst: Int64 = 15_625_000

    /// Of one interval, in files.
    private static let ticksMax = Int64.max / intervalFirst / 1_024

    /// The interval is 2^doublings of the first.
    private var doublings = 0
    /// By the raw value of the metric, interval after interval; those of `counted` alone are filled. A denser table would
    /// have to be looked up, which costs more than counting.
    private var counts = [[Int]](repeating: [], count: MetricName.allCases.count)
    private var durations: [IntervalDurations?] = []
    private var active = Occupancy()
    /// Nil unless a queue is measured.
    private var queue: Occupancy?

    package init() {}

    /// In nanoseconds.
    package var interval: Int64 { Self.intervalFirst << doublings }

    // MARK: Recording

    /// - Parameter nanoseconds: since the start of the run.
    @inline(__always)
    package mutating func count(_ metric: MetricName, at nanoseconds: Int64) {
        assert(metric.kind == .counter && metric.row.plot != nil, "\(metric.name) is not counted in time")
        let column = metric.rawValue
        let place = place(of: nanoseconds)
        if place >= counts[column].count { grow(&counts[column], to: place + 1, with: 0) }
        counts[column][place] += 1
    }

    /// A purchase that ended then.
    package mutating func record(purchaseDuration: Int64, at nanoseconds: Int64) {
        let place = place(of: nanoseconds)
        grow(&durations, to: place + 1, with: nil)
        if durations[place] == nil { durations[place] = IntervalDurations() }
        durations[place]?.record(purchaseDuration)
    }

    /// A user who was active in this stretch of time.
    package mutating func active(from start: Int64, to end: Int64) {
        guard end > start else { return }
        let last = place(of: end)
        active.add(from: start, to: end, first: place(of: start), last: last, interval: interval)
    }

    /// Makes the store's queue measured, empty so far.
    package mutating func declareQueue() { if queue == nil { queue = Occupancy() } }

    /// A request that waited in the store's queue for this stretch of time.
    package mutating func queued(from start: Int64, to end: Int64) {
        guard end > start else { return }
        let last = place(of: end)
        let first = place(of: start)
        let length = interval
        queue?.add(from: start, to: end, first: first, last: last, interval: length)
    }

    @inline(__always)
    private mutating func place(of nanoseconds: Int64) -> Int {
        let ticks = Int(max(0, nanoseconds) / Self.intervalFirst)
        while ticks >> doublings >= Self.intervalsMax { double() }
        return ticks >> doublings
    }

    private func grow<Value>(_ values: inout [Value], to count: Int, with value: Value) {
        while values.count < count { values.append(value) }
    }

    // MARK: Doubling and merging

    private mutating func double() {
        counts = counts.map { Self.paired($0, empty: 0, Self.sum) }
        durations = Self.paired(durations, empty: nil, IntervalDurations.merged)
        let length = interval
        active.double(interval: length)
        queue?.double(interval: length)
        doublings += 1
    }

    /// Two intervals to one.
    static func paired<Value>(_ values: [Value], empty: Value, _ sum: (Value, Value) -> Value) -> [Value] {
        stride(from: 0, to: values.count, by: 2).map { first in
            sum(values[first], first + 1 < values.count ? values[first + 1] : empty)
        }
    }

    /// As if what `other` was told had been told here.
    package mutating func merge(_ other: TimeSeries) {
        var other = other
        while other.doublings < doublings { other.double() }
        while doublings < other.doublings { double() }
        for metric in Self.counted {
            Self.add(other.counts[metric.rawValue], to: &counts[metric.rawValue], Self.sum)
        }
        Self.add(other.durations, to: &durations, IntervalDurations.merged)
        active.merge(other.active)
        if let theirs = other.queue {
            declareQueue()
            queue?.merge(theirs)
        }
    }

    static func add<Value>(_ other: [Value], to own: inout [Value], _ sum: (Value, Value) -> Value) {
        for (place, value) in other.enumerated() {
            if place < own.count { own[place] = sum(own[place], value) } else { own.append(value) }
        }
    }

    /// Packs what was recorded, and is empty then, in the memory and with the intervals that it has.
    mutating func unload(into packer: inout Packer) {
        packer.put(doublings)
        for metric in Self.counted {
            let column = metric.rawValue
            for (place, count) in counts[column].enumerated() where count != 0 {
                packer.put(place + 1)
                packer.put(count)
            }
            packer.put(0)
            counts[column].removeAll(keepingCapacity: true)
        }
        for place in durations.indices where durations[place]?.isEmpty == false {
            packer.put(place + 1)
            durations[place]?.unload(into: &packer)
        }
        packer.put(0)
        active.unload(into: &packer)
        packer.put(queue != nil)
        queue?.unload(into: &packer)
    }

    /// As if what another one has packed had been recorded here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        var other = TimeSeries()
        other.doublings = try unpacker.number()
        guard (0..<Int.bitWidth).contains(other.doublings) else { throw TornValue() }
        while doublings < other.doublings { double() }
        let shift = doublings - other.doublings
        for metric in Self.counted {
            let column = metric.rawValue
            while let place = try Self.place(&unpacker, shift) {
                grow(&counts[column], to: place + 1, with: 0)
                counts[column][place].add(try unpacker.number())
            }
        }
        while let place = try Self.place(&unpacker, shift) {
            grow(&durations, to: place + 1, with: nil)
            if durations[place] == nil { durations[place] = IntervalDurations() }
            try durations[place]?.load(&unpacker)
        }
        other.active = try Occupancy(&unpacker)
        if try unpacker.flag() { other.queue = try Occupancy(&unpacker) }
        merge(other)
    }

    /// The interval that comes next, in intervals that are so many times doubled; nil after the last.
    private static func place(_ unpacker: inout Unpacker, _ shift: Int) throws(TornValue) -> Int? {
        let number = try unpacker.number()
        guard (0...intervalsMax).contains(number) else { throw TornValue() }
        return number == 0 ? nil : (number - 1) >> shift
    }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        var sum = one
        sum.add(other)
        return sum
    }

    /// Whether there is more in an interval than a number holds.
    var isFull: Bool { counts.contains { $0.contains(.max) } || durations.contains { $0?.isFull ?? false } }

    // MARK: Reading

    /// Intervals with anything in them, and those before.
    package var intervalCount: Int {
        (counts.map(\.count) + [durations.count, active.intervalCount, queue?.intervalCount ?? 0]).max() ?? 0
    }

    /// How often it happened in each interval.
    package func counts(of metric: MetricName) -> [Int] {
        let row = counts[metric.rawValue]
        return row + [Int](repeating: 0, count: intervalCount - row.count)
    }

    /// How many users were active in each interval, on average over its length.
    package var activeUsers: [Double] { levels(times(active)) }

    /// How many requests waited in the store's queue in each interval, on average over its length; nil unless that was
    /// measured.
    package var queueDepths: [Double]? { queue.map { levels(times($0)) } }

    private func levels(_ times: [ExactSum]) -> [Double] { times.map { Double($0.value) / Double(interval) } }

    /// What was there through a run of so many nanoseconds: on average, and in the emptiest and the fullest interval
    /// that lies in it. Nil when nothing was measured.
    package func activeUsers(until end: Int64) -> Measured.Gauge? { level(active, until: end) }
    package func queueDepth(until end: Int64) -> Measured.Gauge? { queue.flatMap { level($0, until: end) } }

    private func times(_ occupancy: Occupancy) -> [ExactSum] {
        occupancy.times(count: intervalCount, interval: interval)
    }

    private func level(_ occupancy: Occupancy, until end: Int64) -> Measured.Gauge? {
        guard end > 0 else { return nil }
        let times = times(occupancy)
        let levels = levels(times)
        let average = Double(times.reduce(0) { $0 + $1.value }) / Double(end)
        // The last interval may not be over, and then says nothing of the fewest; those after it are empty.
        let whole = end / interval
        let fewest = whole > levels.count ? 0 : levels.prefix(Int(whole)).min()
        return Measured.Gauge(average, minimum: fewest ?? average, maximum: max(levels.max() ?? average, average))
    }

    /// How long the purchases took that ended in each interval; nil where none did.
    package var purchaseDurations: [HistogramBuckets?] {
        (0..<intervalCount).map { $0 < durations.count ? durations[$0]?.buckets : nil }
    }
}

extension TimeSeries: Codable {
    /// What files hold: an element for each interval in every row.
    package struct Rows: Sendable, Codable {
        /// In nanoseconds.
        package var interval: Int64
        /// By the name of the metric.
        package var counts: [String: [Int]]
        package var purchaseDurations: [HistogramBuckets?]
        /// Time of all users who were active, in nanoseconds.
        package var active: [ExactSum]
        /// Time of all requests in the store's queue, in nanoseconds; nil where it was not measured.
        package var queue: [ExactSum]?

        package init(
            interval: Int64, counts: [String: [Int]], purchaseDurations: [HistogramBuckets?], active: [ExactSum],
            queue: [ExactSum]?
        ) {
            (self.interval, self.counts, self.purchaseDurations) = (interval, counts, purchaseDurations)
            (self.active, self.queue) = (active, queue)
        }
    }

    package var rows: Rows {
        Rows(
            interval: interval,
            counts: Dictionary(uniqueKeysWithValues: Self.counted.map { ($0.name, counts(of: $0)) }),
            purchaseDurations: purchaseDurations, active: times(active), queue: queue.map(times))
    }

    /// Nil for what no run writes.
    package init?(_ rows: Rows) {
        let ticks = rows.interval / Self.intervalFirst
        let count = rows.active.count
        let lengths = [rows.purchaseDurations.count, rows.queue?.count ?? count] + rows.counts.values.map(\.count)
        let times = rows.active + (rows.queue ?? [])
        guard count <= Self.intervalsMax, lengths.allSatisfy({ $0 == count }), ticks.nonzeroBitCount == 1,
            (1...Self.ticksMax).contains(ticks), rows.interval == ticks * Self.intervalFirst,
            Set(rows.counts.keys) == Set(Self.counted.map(\.name)),
            rows.counts.values.allSatisfy({ $0.allSatisfy { $0 >= 0 } }), times.allSatisfy({ $0.value >= 0 }),
            rows.purchaseDurations.allSatisfy({ $0.map(\.layout) ?? .coarse == .coarse })
        else { return nil }
        doublings = ticks.trailingZeroBitCount
        for metric in Self.counted { counts[metric.rawValue] = rows.counts[metric.name] ?? [] }
        durations = rows.purchaseDurations.map { $0.map(IntervalDurations.init) }
        active = Occupancy(times: rows.active)
        queue = rows.queue.map { Occupancy(times: $0) }
    }

    package init(from decoder: any Decoder) throws { self = try decoder.sound(TimeSeries(Rows(from: decoder))) }

    package func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }
}

/// The purchase durations of one interval, in buckets of a sixteenth of an octave.
private struct IntervalDurations: Sendable {
    private var counts = [UInt32](repeating: 0, count: size)
    /// The buckets that hold anything lie between these: few of all, and there are many intervals to go through.
    private var first = size
    private var last = -1
    private static let size = HistogramLayout.coarse.count
    private static let layout = HistogramLayout.coarse

    init() {}

    /// More samples than the number holds count as that number.
    init(_ buckets: HistogramBuckets) {
        for bucket in buckets.buckets { add(UInt32(clamping: bucket.count), at: bucket.index) }
    }

    /// Whether nothing was recorded since the last unloading.
    var isEmpty: Bool { last < first }

    /// Whether a bucket has more samples than its number holds.
    var isFull: Bool { counts.contains(.max) }

    @inline(__always)
    mutating func record(_ nanoseconds: Int64) {
        let index = Self.layout.index(of: min(max(0, nanoseconds), Self.layout.highest))
        add(1, at: index)
    }

    static func merged(_ one: IntervalDurations?, _ other: IntervalDurations?) -> IntervalDurations? {
        guard var sum = one, let other else { return one ?? other }
        if other.isEmpty { return sum }
        for place in other.first...other.last where other.counts[place] > 0 { sum.add(other.counts[place], at: place) }
        return sum
    }

    @inline(__always)
    private mutating func add(_ count: UInt32, at place: Int) {
        first = min(first, place)
        last = max(last, place)
        let (total, isTooMuch) = counts[place].addingReportingOverflow(count)
        counts[place] = isTooMuch ? .max : total
    }

    /// Packs what was recorded, and is empty then.
    mutating func unload(into packer: inout Packer) {
        for place in first..<max(first, last + 1) where counts[place] != 0 {
            packer.put(place + 1)
            packer.put(Int(counts[place]))
            counts[place] = 0
        }
        packer.put(0)
        (first, last) = (Self.size, -1)
    }

    /// As if what another one has packed had been recorded here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        while true {
            let place = try unpacker.number() - 1
            if place < 0 { return }
            guard place < counts.count else { throw TornValue() }
            add(UInt32(clamping: try unpacker.number()), at: place)
        }
    }

    var buckets: HistogramBuckets {
        HistogramBuckets(
            layout: Self.layout,
            buckets: (first..<max(first, last + 1)).filter { counts[$0] > 0 }.map {
                HistogramBuckets.Bucket(index: $0, count: Int(counts[$0]))
            })
    }
}
