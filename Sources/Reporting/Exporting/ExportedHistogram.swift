// A distribution of durations in the few buckets that collections of metrics keep.
// Plain values; any thread.

import Metrics
import ReportModel

/// Counts between bounds that are the same in every run.
///
/// Classic buckets and no quantiles: those of several machines cannot be added up, buckets with the same bounds can, and
/// a run that is cut into parts is watched as a whole. What the report says to three digits, these say to a bound.
package struct ExportedHistogram: Sendable, Equatable {
    /// In nanoseconds, each within its bucket: 1, 2.5 and 5 of every power of ten from a microsecond, as callbacks take
    /// it, to the hours of an approval.
    package static let bounds: [Int64] = (0...10).flatMap { exponent in
        let unit = (0..<exponent).reduce(Int64(1_000)) { power, _ in power * 10 }
        return [unit, unit / 2 * 5, unit * 5]
    }

    /// Of each bound those above the one before, and at last those above all bounds.
    package let counts: [Int]
    package let count: Int
    /// Exact, in nanoseconds.
    package let sum: Int128
    package let minimum: Int64
    package let maximum: Int64

    /// Nil for a histogram that no run has written.
    init?(_ trend: ReportMetric.Trend) {
        guard let buckets = HistogramBuckets(base64: trend.histogram) else { return nil }
        var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
        var place = 0
        for bucket in buckets.buckets {
            // By its smallest value, so that a sample at a bound is within it; of those above it, one that is nearer than a
            // thousandth is, too.
            let value = buckets.layout.values(at: bucket.index).lowerBound
            while place < Self.bounds.count, Self.bounds[place] < value { place += 1 }
            counts[place] += bucket.count
        }
        (self.counts, count, self.sum) = (counts, buckets.total, trend.sum.value)
        (minimum, maximum) = (trend.min, trend.max)
    }
}
