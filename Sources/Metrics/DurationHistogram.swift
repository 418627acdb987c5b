// Durations counted into buckets three significant digits wide.
// Value type, owned by one tally; copy it to read it elsewhere.

import Files

/// How long something took, over many samples.
///
/// Unit 1 ns, range 0 to 24 h: 305 kB. A callback of 300 ns and a wait of ten hours are both kept to three
/// digits, which a unit of one microsecond, for half the memory, would not do. Count, minimum, maximum and sum are kept
/// exactly beside the buckets.
package struct DurationHistogram: Sendable {
    /// 24 h in nanoseconds. Longer samples are counted here, and in `overflow`.
    package static let highest = HistogramLayout.fine.highest

    /// A copy for each: that of all of them is behind a check whether it is there yet, for each sample anew.
    private let layout: HistogramLayout
    /// Samples of each bucket.
    private var counts: [Int]
    /// A bit for each block of 64 buckets of which one may hold a sample: most never do, and need not be looked at.
    private var used = InlineArray<10, UInt64>(repeating: 0)

    /// Samples of all kinds.
    package private(set) var count = 0
    /// Samples above `highest`. `maximum` and `sum` know their true length, percentiles say 24 h.
    package private(set) var overflow = 0
    /// Samples below zero, from a clock that went back; counted as zero.
    package private(set) var underflow = 0
    /// Exact, in nanoseconds. 128 bits: no run is long enough to overflow it.
    package private(set) var sum: Int128 = 0
    private var exactMinimum = Int64.max
    private var exactMaximum: Int64 = 0

    package init() {
        layout = .fine
        counts = [Int](repeating: 0, count: layout.count)
    }

    init(of nanoseconds: Int64) {
        self.init()
        record(nanoseconds)
    }

    /// As files hold it; nil for what no run writes.
    package init?(
        _ buckets: HistogramBuckets, sum: ExactSum, minimum: Int64, maximum: Int64, overflow: Int, underflow: Int = 0
    ) {
        guard buckets.layout == .fine, (0...buckets.total).contains(overflow), (0...buckets.total).contains(underflow)
        else { return nil }
        self.init()
        for bucket in buckets.buckets {
            counts[bucket.index] = bucket.count
            use(bucket.index)
        }
        (count, self.overflow, self.underflow) = (buckets.total, overflow, underflow)
        (self.sum, exactMinimum, exactMaximum) = (sum.value, minimum, maximum)
    }

    /// In nanoseconds, exact; nil without samples.
    package var minimum: Int64? { count > 0 ? exactMinimum : nil }
    package var maximum: Int64? { count > 0 ? exactMaximum : nil }
    package var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// Takes one sample, in nanoseconds. Allocates nothing.
    @inline(__always)
    package mutating func record(_ nanoseconds: Int64) {
        var value = nanoseconds
        if value < 0 {
            underflow += 1
            value = 0
        }
        count += 1
        sum += Int128(value)
        if value < exactMinimum { exactMinimum = value }
        if value > exactMaximum { exactMaximum = value }
        if value > layout.highest {
            overflow += 1
            value = layout.highest
        }
        let index = layout.index(of: value)
        counts[index] += 1
        use(index)
    }

    @inline(__always)
    private mutating func use(_ index: Int) { used[index >> 12] |= 1 << UInt64((index >> 6) & 63) }

    /// As if every sample of `other` had been recorded here. More than the largest number of them count as that number,
    /// and then the buckets say nothing.
    package mutating func merge(_ other: DurationHistogram) {
        count.add(other.count)
        // Wrapping, because that is faster; no bucket wraps, since none has more samples than there are in all.
        if count < .max { for index in counts.indices { counts[index] &+= other.counts[index] } }
        for word in used.indices { used[word] |= other.used[word] }
        overflow.add(other.overflow)
        underflow.add(other.underflow)
        sum += other.sum
        exactMinimum = min(exactMinimum, other.exactMinimum)
        exactMaximum = max(exactMaximum, other.exactMaximum)
    }

    /// The smallest value that `percentile` per cent of the samples do not exceed, to three digits.
    ///
    /// The rank is HdrHistogram's for Java. Never outside the exact minimum and maximum.
    ///
    /// - Returns: nanoseconds; nil without samples.
    package func value(atPercentile percentile: Double) -> Int64? { value(atPercentile: percentile, in: buckets) }

    /// The buckets in use.
    package var buckets: HistogramBuckets {
        var buckets: [HistogramBuckets.Bucket] = []
        var (index, reached) = (0, 0)
        while reached < count && index < counts.count {
            if counts[index] > 0 { buckets.append(HistogramBuckets.Bucket(index: index, count: counts[index])) }
            reached += counts[index]
            index += 1
        }
        return HistogramBuckets(layout: layout, buckets: buckets)
    }

    /// The same as `value(atPercentile:)` of the histogram whose buckets are given: the walk over them is short,
    /// that over all the buckets there are is long.
    package func value(atPercentile percentile: Double, in buckets: HistogramBuckets) -> Int64? {
        guard let value = buckets.value(atPercentile: percentile), count > 0 else { return nil }
        return percentile == 0 ? exactMinimum : max(exactMinimum, min(value, min(exactMaximum, layout.highest)))
    }
}

extension DurationHistogram {
    /// Packs what was recorded, and is empty then, in the memory that it has.
    mutating func unload(into packer: inout Packer) {
        packer.put(count)
        packer.put(overflow)
        packer.put(underflow)
        packer.put(plain: sum)
        packer.put(Int(exactMinimum))
        packer.put(Int(exactMaximum))
        var last = -1
        for word in used.indices {
            var blocks = used[word]
            used[word] = 0
            while blocks != 0 {
                let first = (word << 6 | blocks.trailingZeroBitCount) << 6
                blocks &= blocks - 1
                for index in first..<min(first + 64, counts.count) where counts[index] != 0 {
                    packer.put(index - last)
                    packer.put(counts[index])
                    counts[index] = 0
                    last = index
                }
            }
        }
        packer.put(0)
        (count, overflow, underflow, sum) = (0, 0, 0, 0)
        (exactMinimum, exactMaximum) = (.max, 0)
    }

    /// As if what another one has packed had been recorded here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        count.add(try unpacker.number())
        overflow.add(try unpacker.number())
        underflow.add(try unpacker.number())
        sum += try unpacker.plain(Int128.self)
        exactMinimum = min(exactMinimum, Int64(try unpacker.number()))
        exactMaximum = max(exactMaximum, Int64(try unpacker.number()))
        var index = -1
        while true {
            let step = try unpacker.number()
            if step == 0 { return }
            guard (1..<(counts.count - index)).contains(step) else { throw TornValue() }
            index += step
            counts[index] &+= try unpacker.number()
            use(index)
        }
    }
}

extension DurationHistogram: Codable {
    private struct Coded: Codable {
        var histogram: HistogramBuckets
        var sum: ExactSum
        var minimum: Int64
        var maximum: Int64
        var overflow: Int
        var underflow: Int
    }

    package init(from decoder: any Decoder) throws {
        let coded = try Coded(from: decoder)
        self = try decoder.sound(
            DurationHistogram(
                coded.histogram, sum: coded.sum, minimum: coded.minimum, maximum: coded.maximum,
                overflow: coded.overflow, underflow: coded.underflow))
    }

    package func encode(to encoder: any Encoder) throws {
        try Coded(
            histogram: buckets, sum: ExactSum(sum), minimum: exactMinimum, maximum: exactMaximum, overflow: overflow,
            underflow: underflow
        ).encode(to: encoder)
    }
}
