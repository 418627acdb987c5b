// One metric in a report, and how it is read from a tally.
// Plain values.

package import Metrics

/// What was measured of one metric. Of the optional members, those of its kind are set.
package struct ReportMetric: Codable, Sendable, Equatable {
    package var name: String
    /// Of a part of a metric, the metric's.
    package var base: String?
    /// Of a part of a metric: it looks at a part of the run's time. Nil: at all of it.
    package var isOfWindow: Bool?
    package var kind: MetricKind
    package var unit: ReportUnit
    /// Trend: from the planned start.
    package var response: Trend?
    /// Trend: from the actual start.
    package var service: Trend?
    /// Counter.
    package var count: Int?
    /// Counter: per second of simulated time.
    package var perSecond: Double?
    /// Counter: the counts under each tag.
    package var tags: [String: Int]?
    /// Rate.
    package var passes: Int?
    package var total: Int?
    /// Gauge.
    package var value: Double?
    package var min: Double?
    package var max: Double?

    package init(name: String, kind: MetricKind, unit: ReportUnit) {
        self.name = name
        self.kind = kind
        self.unit = unit
    }

    /// A distribution of durations, in nanoseconds.
    package struct Trend: Codable, Sendable, Equatable {
        package var count: Int
        package var avg: Double
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

        package init(
            count: Int, avg: Double, min: Int64, med: Int64, max: Int64, p90: Int64, p95: Int64, p99: Int64,
            p999: Int64, overflow: Int? = nil, histogram: String
        ) {
            self.count = count
            self.avg = avg
            self.min = min
            self.med = med
            self.max = max
            self.p90 = p90
            self.p95 = p95
            self.p99 = p99
            self.p999 = p999
            self.overflow = overflow
            self.histogram = histogram
        }
    }
}

extension ReportMetric {
    /// Everything measured, sorted by name.
    ///
    /// - Parameters:
    ///   - simulatedSeconds: what counts per second refer to.
    ///   - host: true for the metrics that depend on the machine, false for the others.
    package static func all(from tally: Tally, simulatedSeconds: Double, host: Bool) -> [ReportMetric] {
        MetricName.allCases.filter { $0.dependsOnHost == host }
            .compactMap { metric(named: $0, from: tally, simulatedSeconds: simulatedSeconds) }
            .sorted { $0.name < $1.name }
    }

    /// The parts of metrics that the scenario names and of which anything was measured, in its order. Nil without any.
    ///
    /// - Parameters: as above.
    package static func parts(from tally: Tally, simulatedSeconds: Double, host: Bool) -> [ReportMetric]? {
        let parts = tally.keptSelections.filter { $0.metric.dependsOnHost == host }.compactMap { selection in
            tally.reading(selection, seconds: simulatedSeconds).map { reading in
                var part = ReportMetric(
                    name: selection.fullName, kind: selection.metric.kind, unit: ReportUnit(selection.metric.unit))
                part.base = selection.metric.name
                if selection.window != nil { part.isOfWindow = true }
                part.read(reading, responses: tally.responses(selection))
                return part
            }
        }
        return parts.isEmpty ? nil : parts
    }

    private static func metric(named name: MetricName, from tally: Tally, simulatedSeconds: Double) -> ReportMetric? {
        guard let reading = tally.reading(name, seconds: simulatedSeconds) else { return nil }
        var metric = ReportMetric(name: name.name, kind: name.kind, unit: ReportUnit(name.unit))
        metric.read(reading, responses: tally.responses(name))
        metric.service = tally.services(name).flatMap(Trend.init)
        let tags = tally.tagCounts(name)
        if !tags.isEmpty { metric.tags = Dictionary(tags.map { ($0.tag, $0.count) }, uniquingKeysWith: +) }
        return metric
    }

    private mutating func read(_ reading: MetricReading, responses: DurationHistogram?) {
        switch reading {
        case .trend:
            response = responses.flatMap(Trend.init)
        case .counter(let count, let perSecond):
            self.count = count
            self.perSecond = perSecond
        case .rate(let passes, let total):
            unit = .fraction
            self.passes = passes
            self.total = total
        case .gauge(let value, let low, let high):
            self.value = value
            min = low
            max = high
        }
    }
}

extension ReportMetric.Trend {
    /// Nil without samples.
    package init?(_ histogram: DurationHistogram) {
        guard let average = histogram.average, let minimum = histogram.minimum, let maximum = histogram.maximum else {
            return nil
        }
        self.init(
            histogram.buckets, average: average, minimum: minimum, maximum: maximum, overflow: histogram.overflow)
    }

    /// Nil without samples.
    init?(_ buckets: HistogramBuckets, average: Double, minimum: Int64, maximum: Int64, overflow: Int) {
        func percentile(_ percentile: Double) -> Int64? {
            buckets.value(atPercentile: percentile, minimum: minimum, maximum: maximum)
        }
        guard let med = percentile(50), let p90 = percentile(90), let p95 = percentile(95), let p99 = percentile(99),
            let p999 = percentile(99.9)
        else { return nil }
        self.init(
            count: buckets.total, avg: average, min: minimum, med: med, max: maximum, p90: p90, p95: p95, p99: p99,
            p999: p999, overflow: overflow > 0 ? overflow : nil, histogram: buckets.base64)
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
}
