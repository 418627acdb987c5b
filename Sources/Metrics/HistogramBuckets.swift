// The buckets in use of a histogram: what its encoding holds, and all that a renderer needs.
// Plain values; any thread.

package struct HistogramBuckets: Sendable, Equatable {
    package struct Bucket: Sendable, Equatable {
        package let index: Int
        /// Never zero.
        package let count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }
    }

    package let layout: HistogramLayout
    /// From low to high.
    package let buckets: [Bucket]
    /// Samples of all buckets.
    package let total: Int

    package init(layout: HistogramLayout, buckets: [Bucket]) {
        self.layout = layout
        self.buckets = buckets
        total = buckets.reduce(0) { $0 + $1.count }
    }

    /// The smallest value that `percentile` per cent of the samples do not exceed, to the digits of the layout.
    ///
    /// The rank is HdrHistogram's for Java.
    ///
    /// - Returns: nanoseconds; nil without samples.
    package func value(atPercentile percentile: Double) -> Int64? {
        precondition((0...100).contains(percentile), "percentile \(percentile)")
        guard let last = buckets.last else { return nil }
        let rank = max(1, (max(0, percentile.nextDown) * Double(total) / 100).rounded(.up))
        var reached = 0
        for bucket in buckets {
            reached += bucket.count
            if Double(reached) >= rank { return layout.values(at: bucket.index).upperBound }
        }
        return layout.values(at: last.index).upperBound
    }
}
