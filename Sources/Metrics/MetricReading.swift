// One metric, read for a threshold or a report.

/// What was measured of one metric. A metric that was not measured has no reading at all.
package enum MetricReading: Sendable {
    /// No rate where no time has passed.
    case counter(count: Int, perSecond: Double?)
    case rate(passes: Int, total: Int)
    /// Never without samples.
    case trend(DurationHistogram)
    case gauge(value: Double, min: Double, max: Double)
}
