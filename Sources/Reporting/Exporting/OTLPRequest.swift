// Metrics as an OpenTelemetry collector takes them: the body of a POST to /v1/metrics, in OTLP's JSON encoding.
// Pure; any thread.

package import Foundation

/// An ExportMetricsServiceRequest. The members are called as in the protocol; 64-bit numbers are texts there, and
/// members of enumerations numbers.
package struct OTLPRequest: Encodable, Sendable {
    let resourceMetrics: [ResourceMetrics]

    struct ResourceMetrics: Encodable, Sendable {
        let resource: Resource
        let scopeMetrics: [ScopeMetrics]
    }

    struct Resource: Encodable, Sendable { let attributes: [Attribute] }

    struct ScopeMetrics: Encodable, Sendable {
        let scope: Scope
        let metrics: [Metric]
    }

    struct Scope: Encodable, Sendable {
        let name: String
        let version: String
    }

    struct Attribute: Encodable, Sendable {
        struct Value: Encodable, Sendable { let stringValue: String }

        let key: String
        let value: Value

        init(_ key: String, _ value: String) { (self.key, self.value) = (key, Value(stringValue: value)) }
    }

    struct Metric: Encodable, Sendable {
        let name: String
        let description: String
        let unit: String
        var sum: Sum?
        var gauge: Gauge?
        var histogram: Histogram?
    }

    struct Gauge: Encodable, Sendable { let dataPoints: [NumberPoint] }

    struct Sum: Encodable, Sendable {
        let dataPoints: [NumberPoint]
        let aggregationTemporality = OTLPRequest.cumulative
        let isMonotonic = true
    }

    struct Histogram: Encodable, Sendable {
        let dataPoints: [HistogramPoint]
        let aggregationTemporality = OTLPRequest.cumulative
    }

    struct NumberPoint: Encodable, Sendable {
        let attributes: [Attribute]
        let startTimeUnixNano: String
        let timeUnixNano: String
        var asInt: String?
        var asDouble: Double?
    }

    struct HistogramPoint: Encodable, Sendable {
        let attributes: [Attribute]
        let startTimeUnixNano: String
        let timeUnixNano: String
        let count: String
        let sum: Double
        let bucketCounts: [String]
        let explicitBounds: [Double]
        let min: Double
        let max: Double
    }

    /// AGGREGATION_TEMPORALITY_CUMULATIVE: each request tells all since the start, so that one that is lost is made good by
    /// the next.
    private static let cumulative = 2

    /// - Parameter time: of what is told.
    package init(_ metrics: [ExportedMetric], of run: ExportedRun, at time: Date) {
        let span = (start: "\(run.startNanoseconds)", end: "\(time.nanoseconds)")
        resourceMetrics = [
            ResourceMetrics(
                resource: Resource(attributes: Self.resource(run)),
                scopeMetrics: [
                    ScopeMetrics(
                        scope: Scope(name: "stampede", version: run.version),
                        metrics: metrics.map { Self.metric($0, span) })
                ])
        ]
    }

    /// On one line.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// What a collector calls a metric: the report's name behind the program's. One that exports to Prometheus writes the
    /// dot as an underscore and adds the unit, and has the names of `PrometheusText` then.
    package static func name(of metric: ExportedMetric) -> String { "stampede." + metric.name }

    /// The seed as a text: an attribute has no number as large as the largest. An instance is what no other process tells
    /// metrics of, and without one those of several parts would be taken for one another's.
    private static func resource(_ run: ExportedRun) -> [Attribute] {
        var attributes = [
            Attribute("service.name", "stampede"), Attribute("service.version", run.version),
            Attribute("service.instance.id", run.labels.map(\.value).joined(separator: " ")),
        ]
        attributes += run.labels.map { Attribute("stampede.\($0.name)", $0.value) }
        attributes.append(Attribute("stampede.clock", run.clock))
        return attributes
    }

    private static func metric(_ metric: ExportedMetric, _ span: (start: String, end: String)) -> Metric {
        var told = Metric(name: name(of: metric), description: metric.help, unit: unit(of: metric))
        var numbers: [NumberPoint] = []
        var histograms: [HistogramPoint] = []
        for sample in metric.samples {
            let attributes = sample.label.map { [Attribute($0.name, $0.value)] } ?? []
            var number = NumberPoint(attributes: attributes, startTimeUnixNano: span.start, timeUnixNano: span.end)
            switch sample.value {
            case .count(let count): number.asInt = "\(count)"
            case .nanoseconds(let length): number.asDouble = Double(length) / 1e9
            case .number(let value): number.asDouble = value
            case .histogram(let histogram):
                histograms.append(
                    HistogramPoint(
                        attributes: attributes, startTimeUnixNano: span.start, timeUnixNano: span.end,
                        count: "\(histogram.count)", sum: Double(histogram.sum) / 1e9,
                        bucketCounts: histogram.counts.map { "\($0)" },
                        explicitBounds: ExportedHistogram.bounds.map { Double($0) / 1e9 },
                        min: Double(histogram.minimum) / 1e9, max: Double(histogram.maximum) / 1e9))
                continue
            }
            numbers.append(number)
        }
        switch metric.kind {
        case .counter: told.sum = Sum(dataPoints: numbers)
        case .gauge: told.gauge = Gauge(dataPoints: numbers)
        case .histogram: told.histogram = Histogram(dataPoints: histograms)
        }
        return told
    }

    /// In the Unified Code for Units of Measure, as the protocol wants it.
    private static func unit(of metric: ExportedMetric) -> String {
        switch metric.unit {
        case .none: ""
        case .seconds: "s"
        case .bytes: "By"
        case .ratio: "1"
        }
    }
}
