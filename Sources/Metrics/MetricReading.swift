// One metric, read for a threshold or a report.

/// What was measured of one metric. A metric that was not measured has no reading at all.
package enum MetricReading: Sendable {
    /// No rate where no time has passed.
    case counter(count: Int, perSecond: Double?)
    case rate(passes: Int, total: Int)
    case trend(TrendReading)
    case gauge(value: Double, min: Double, max: Double)
}

/// A distribution of durations in nanoseconds. `count` is never zero.
package struct TrendReading: Sendable {
    package let count: Int
    package let average: Double
    package let minimum: Double
    package let maximum: Double
    /// The value at a percentile in 0...100.
    package let percentile: @Sendable (Double) -> Double

    package init(
        count: Int, average: Double, minimum: Double, maximum: Double,
        percentile: @escaping @Sendable (Double) -> Double
    ) {
        precondition(count > 0, "a trend without samples has no reading")
        self.count = count
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
        self.percentile = percentile
    }
}
