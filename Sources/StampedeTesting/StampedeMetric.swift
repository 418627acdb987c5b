// One metric of a run.
// Values; any thread.

import Foundation
import Metrics
import ReportModel
import Reporting

/// The measured figures of one metric; `stampede list metrics` lists the metrics.
///
/// Reading a figure that the metric's kind does not have throws: `try run.metric("purchase_duration").p95`.
public struct StampedeMetric: Sendable {
    let metric: ReportMetric

    public var name: String { metric.name }

    // MARK: Durations, from the planned start

    public var min: Duration { get throws { .nanoseconds(try trend("min").min) } }
    public var average: Duration { get throws { .nanoseconds(Int64(try trend("average").avg.rounded())) } }
    public var median: Duration { get throws { .nanoseconds(try trend("median").med) } }
    public var p90: Duration { get throws { .nanoseconds(try trend("p90").p90) } }
    public var p95: Duration { get throws { .nanoseconds(try trend("p95").p95) } }
    public var p99: Duration { get throws { .nanoseconds(try trend("p99").p99) } }
    public var p999: Duration { get throws { .nanoseconds(try trend("p999").p999) } }
    public var max: Duration { get throws { .nanoseconds(try trend("max").max) } }

    // MARK: Counters, rates, gauges

    /// The count of a counter, or the number of samples of durations.
    public var count: Int {
        get throws {
            if let response = metric.response { return response.count }
            return try figure(metric.count, "count")
        }
    }
    /// The count of a counter for each second of simulated time.
    public var perSecond: Double { get throws { try figure(metric.perSecond, "perSecond") } }
    /// The share of a rate that holds, from 0 to 1.
    public var rate: Double {
        get throws {
            let total = try figure(metric.total, "rate")
            return Double(try figure(metric.passes, "rate")) / Double(total)
        }
    }
    /// The value of a gauge at the end.
    public var value: Double { get throws { try figure(metric.value, "value") } }

    private func trend(_ name: String) throws -> ReportMetric.Trend { try figure(metric.response, name) }

    private func figure<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else {
            throw StampedeTestError.noSuchFigure(name, ofMetric: metric.name, kind: metric.kind.rawValue)
        }
        return value
    }
}
