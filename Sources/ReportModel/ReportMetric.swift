// One metric in a report, and how what was measured is told there.
// Plain values.

package import Metrics

/// What was measured of one metric. Of the optional members, those of its kind are set.
package struct ReportMetric: Codable, Sendable, Equatable {
    package var name: String
    /// Of a part of a metric, the metric's.
    package var base: String?
    /// Of a part of a metric: it looks at a part of the run's time. Nil: at all of it.
    package var isOfWindow: Bool?
    /// Of a part of a metric: its place among those that the scenario names; those without samples are left out.
    package var place: Int?
    /// Of a part of a metric that looks at a part of the run's time: from when to when, since the start.
    package var fromNs: Int64?
    package var toNs: Int64?
    package var kind: MetricKind
    package var unit: ReportUnit
    /// Trend: from the planned start.
    package var response: Trend?
    /// Trend: from the actual start.
    package var service: Trend?
    /// Trend: the response times by how what they measure ended, under the names of the outcomes; nil where that is not
    /// told apart.
    package var outcomes: [String: Trend]?
    /// Trend: answers that came at the very instant, without the store; they are no samples. Nil when there were none.
    package var instant: Int?
    /// Counter.
    package var count: Int?
    /// Counter: per second of simulated time.
    package var perSecond: Double?
    /// Counter: the counts under each tag.
    package var tags: [String: Int]?
    /// Counter of failures: the counts at each stage.
    package var stages: [String: Int]?
    /// Rate.
    package var passes: Int?
    package var total: Int?
    /// Gauge.
    package var value: Double?
    package var min: Double?
    package var max: Double?
    /// Gauge: what the value is, where it is so much for each of so many.
    package var quotient: Quotient?

    /// A distribution of durations, in nanoseconds.
    package struct Trend: Codable, Sendable, Equatable {
        package var count: Int
        package var avg: Double
        /// What the average is of, exact.
        package var sum: ExactSum
        package var min: Int64
        package var med: Int64
        package var max: Int64
        package var p90: Int64
        package var p95: Int64
        package var p99: Int64
        package var p999: Int64
        /// Samples above 24 h, which percentiles take for 24 h; nil when there were none.
        package var overflow: Int?
        /// HdrHistogram's V2 compressed encoding, so that reports can be merged without loss.
        package var histogram: String
    }
}

extension ReportMetric {
    /// - Parameter seconds: of simulated time; what counts per second refer to.
    /// - Returns: nil when nothing was measured.
    package init?(_ measured: Measured, seconds: Double) {
        guard measured.isMeasured else { return nil }
        self.init(name: measured.name, kind: measured.metric.kind, unit: ReportUnit(of: measured.metric))
        if let place = measured.place {
            (base, self.place) = (measured.metric.name, place)
            isOfWindow = measured.window.map { _ in true }
            if let window = measured.window, window.upperBound > 0 {
                (fromNs, toNs) = (window.lowerBound, window.upperBound)
            }
        }
        if measured.instant > 0 { instant = measured.instant }
        switch measured.reading(seconds: seconds) {
        case nil: break
        case .trend:
            response = measured.response.flatMap(Trend.init)
            service = measured.service.flatMap(Trend.init)
            for outcome in PaymentOutcome.allCases {
                guard let trend = measured.response(of: outcome).flatMap(Trend.init) else { continue }
                outcomes = (outcomes ?? [:]).merging([outcome.rawValue: trend]) { $1 }
            }
        case .counter(let count, let perSecond):
            (self.count, self.perSecond) = (count, perSecond)
            if !measured.tags.isEmpty { tags = measured.tags }
            if !measured.stages.isEmpty { stages = measured.stages }
        case .rate(let passes, let total): (self.passes, self.total) = (passes, total)
        case .gauge(let value, let low, let high):
            (self.value, min, max) = (value, low, high)
            quotient = measured.gauge.flatMap { $0.quotient.value == nil ? nil : $0.quotient }
        }
    }
}

extension ReportMetric.Trend {
    /// Nil without samples.
    package init?(_ histogram: DurationHistogram) {
        let buckets = histogram.buckets
        func percentile(_ percentile: Double) -> Int64? { histogram.value(atPercentile: percentile, in: buckets) }
        guard let average = histogram.average, let minimum = histogram.minimum, let maximum = histogram.maximum,
            let med = percentile(50), let p90 = percentile(90), let p95 = percentile(95), let p99 = percentile(99),
            let p999 = percentile(99.9)
        else { return nil }
        self.init(
            count: buckets.total, avg: average, sum: ExactSum(histogram.sum), min: minimum, med: med, max: maximum,
            p90: p90, p95: p95, p99: p99, p999: p999, overflow: histogram.overflow > 0 ? histogram.overflow : nil,
            histogram: buckets.base64)
    }
}

extension ReportUnit {
    package init(_ unit: MetricUnit) {
        switch unit {
        case .time: self = .nanoseconds
        case .bytes: self = .bytes
        case .none: self = .count
        }
    }

    /// What a metric's own figures are in.
    package init(of metric: MetricName) { self = metric.kind == .rate ? .fraction : ReportUnit(metric.unit) }
}
