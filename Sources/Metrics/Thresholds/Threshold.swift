// A limit that a run must keep: `p(95) < 900ms` on one metric.
// Pure values; any thread.

/// The figure of a metric that a threshold looks at.
package enum ThresholdAggregate: Sendable, Hashable {
    case count
    /// Per second for a counter, a share of tries for a rate.
    case rate
    case value
    case average
    case minimum
    case median
    case maximum
    /// In 0...100.
    case percentile(Double)
}

package enum ThresholdComparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="

    package func holds(_ actual: Double, _ limit: Double) -> Bool {
        switch self {
        case .less: actual < limit
        case .lessOrEqual: actual <= limit
        case .greater: actual > limit
        case .greaterOrEqual: actual >= limit
        case .equal: actual == limit
        case .notEqual: actual != limit
        }
    }
}

/// When a threshold that does not hold ends the run.
package struct ThresholdAbort: Sendable, Equatable {
    /// It is not looked at before so much of the run has passed, in nanoseconds.
    package let delay: Int64

    package init(delay: Int64) { self.delay = delay }
}

/// What a threshold says of a run.
package enum ThresholdOutcome: Sendable, Equatable {
    case passed(actual: Double)
    case failed(actual: Double)
    /// Nothing was measured. Unknown does not pass.
    case unknown
    /// The run has fewer users than the threshold was written for, too few for it to say anything.
    ///
    /// - Parameter actual: nil where nothing was measured.
    case tooFewUsers(actual: Double?)
}

package struct Threshold: Sendable, Equatable {
    package let metric: MetricName
    /// What it is about, of all that the metric measured.
    package let tags: [MetricTag]
    package let aggregate: ThresholdAggregate
    package let comparison: ThresholdComparison
    /// Nanoseconds for times, bytes for sizes, a fraction for rates, else a plain number.
    package internal(set) var limit: Double
    /// The expression that is in force.
    package internal(set) var source: String
    /// How the scenario has it; nil where it is in force as written.
    package internal(set) var written: ThresholdWritten?
    /// Whether the run has so few users that it is not judged.
    package internal(set) var hasTooFewUsers = false
    /// The metric with its tags as written.
    package let key: String
    /// Only this part of the run, in nanoseconds since its start; nil: all of it.
    package var window: Range<Int64>?
    /// Whether the run is broken off as soon as it does not hold.
    package var abort: ThresholdAbort?

    package init(
        key: ThresholdKey, aggregate: ThresholdAggregate, comparison: ThresholdComparison, limit: Double,
        source: String
    ) {
        metric = key.metric
        tags = key.tags
        self.aggregate = aggregate
        self.comparison = comparison
        self.limit = limit
        self.source = source
        self.key = key.source
    }

    /// In force in every run whose scenario sets no threshold of its own on `violations`.
    package static let noViolations = Threshold(
        key: ThresholdKey(metric: .violations, tags: [], source: MetricName.violations.name),
        aggregate: .count, comparison: .equal, limit: 0, source: "count == 0")

    /// In force in runs that warnings fail too.
    package static let noWarnings = Threshold(
        key: ThresholdKey(metric: .warnings, tags: [], source: MetricName.warnings.name),
        aggregate: .count, comparison: .equal, limit: 0, source: "count == 0")

    /// What it is about: the metric with its tags and its window, if it has one.
    package var name: String { selection?.fullName ?? metric.name }

    /// Nil when it is about all that the metric measured.
    package var selection: MetricSelection? {
        tags.isEmpty && window == nil ? nil : MetricSelection(metric: metric, tags: tags, window: window)
    }

    /// Whether it can be judged before users are.
    package var isLive: Bool {
        metric.row.isLive && !tags.contains { MetricLabel(rawValue: $0.name)?.isOfBooks ?? false }
    }

    /// Judges what was measured. A reading of another kind than the metric's counts as none.
    package func evaluate(_ reading: MetricReading?) -> ThresholdOutcome {
        let actual = actual(in: reading).flatMap { $0.isNaN ? nil : $0 }
        if hasTooFewUsers { return .tooFewUsers(actual: actual) }
        guard let actual else { return needsManyUsers ? .tooFewUsers(actual: nil) : .unknown }
        return comparison.holds(actual, limit) ? .passed(actual: actual) : .failed(actual: actual)
    }

    private func actual(in reading: MetricReading?) -> Double? {
        switch (reading, aggregate) {
        case (.counter(let count, _), .count): Double(count)
        case (.counter(_, let perSecond), .rate): perSecond
        // A division is rounded once, and so was the limit: 19 of 20 equals 95 % exactly.
        case (.rate(let passes, let total), .rate): total > 0 ? Double(passes) / Double(total) : nil
        case (.gauge(let value, _, _), .value): value
        case (.gauge(_, let minimum, _), .minimum): minimum
        case (.gauge(_, _, let maximum), .maximum): maximum
        case (.trend(let trend), _): actual(in: trend)
        default: nil
        }
    }

    private func actual(in trend: DurationHistogram) -> Double? {
        switch aggregate {
        case .count: Double(trend.count)
        case .average: trend.average
        case .minimum: trend.minimum.map(Double.init)
        case .median: trend.value(atPercentile: 50).map(Double.init)
        case .maximum: trend.maximum.map(Double.init)
        case .percentile(let rank): trend.value(atPercentile: rank).map(Double.init)
        case .rate, .value: nil
        }
    }
}

extension MetricKind {
    /// The aggregates that make sense for metrics of this kind, as thresholds spell them.
    package var aggregateNames: [String] {
        switch self {
        case .trend: ["count", "avg", "min", "med", "max", "p(N)"]
        case .counter: ["count", "rate"]
        case .rate: ["rate"]
        case .gauge: ["value", "min", "max"]
        }
    }
}
