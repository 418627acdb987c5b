// Durations counted into buckets three significant digits wide.
// Value type, owned by one tally; copy it to read it elsewhere.

internal import Histogram

/// How long something took, over many samples.
///
/// Unit 1 ns, range 0 to 24 h: 311 kB. A callback of 300 ns and a wait of ten hours are both kept to three
/// digits, which a unit of one microsecond, for half the memory, would not do. Count, minimum, maximum and sum are kept
/// exactly beside the buckets.
package struct DurationHistogram: Sendable {
    /// 24 h in nanoseconds. Longer samples are counted here, and in `overflow`.
    package static let highest = HistogramLayout.fine.highest

    private var counts = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: UInt64(highest), numberOfSignificantValueDigits: .three)

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

    package init() {}

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
        if value > Self.highest {
            overflow += 1
            value = Self.highest
        }
        let isInRange = counts.record(UInt64(value))
        assert(isInRange, "\(value) ns does not fit below \(Self.highest)")
    }

    /// As if every sample of `other` had been recorded here.
    package mutating func merge(_ other: DurationHistogram) {
        // Both sides have one layout and hold nothing above `highest`, so the library's merge cannot trap.
        counts.add(other.counts)
        count += other.count
        overflow += other.overflow
        underflow += other.underflow
        sum += other.sum
        exactMinimum = min(exactMinimum, other.exactMinimum)
        exactMaximum = max(exactMaximum, other.exactMaximum)
    }

    /// The smallest value that `percentile` per cent of the samples do not exceed, to three digits.
    ///
    /// The rank is HdrHistogram's for Java. Never outside the exact minimum and maximum.
    ///
    /// - Returns: nanoseconds; nil without samples.
    package func value(atPercentile percentile: Double) -> Int64? {
        precondition((0...100).contains(percentile), "percentile \(percentile)")
        guard count > 0 else { return nil }
        let value = Int64(clamping: counts.valueAtPercentile(percentile))
        return max(exactMinimum, min(value, min(exactMaximum, Self.highest)))
    }

    /// What thresholds and reports read; nil without samples.
    package var reading: TrendReading? {
        guard let average, let minimum, let maximum else { return nil }
        let snapshot = self
        return TrendReading(count: count, average: average, minimum: Double(minimum), maximum: Double(maximum)) {
            Double(snapshot.value(atPercentile: $0) ?? 0)
        }
    }

    /// Every bucket in use, from low to high: a value of the bucket and its samples.
    var recorded: [(value: UInt64, count: UInt64)] {
        counts.recordedValues().map { (value: $0.value, count: $0.count) }
    }
}
