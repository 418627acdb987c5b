// What a run tells other people's collections of metrics, whatever form it then takes.
// Plain values; any thread.

package import Engine
package import Foundation
import Metrics
import ReportModel

/// One metric with all its samples. Forms differ in how they spell its name: see `PrometheusText` and `OTLPRequest`.
package struct ExportedMetric: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// It only grows, and adds up over runs.
        case counter
        case gauge
        case histogram
    }

    package enum Unit: Sendable {
        case none, seconds, bytes
        /// From 0 to 1.
        case ratio
    }

    package enum Value: Sendable, Equatable {
        case count(Int)
        case nanoseconds(Int64)
        case number(Double)
        case histogram(ExportedHistogram)
    }

    package struct Sample: Sendable, Equatable {
        /// What tells it from the others of its metric; nil where there is one.
        package let label: Label?
        package let value: Value
    }

    package struct Label: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The report's, without unit.
    package let name: String
    package let kind: Kind
    package let unit: Unit
    /// One sentence or more, on one line.
    package let help: String
    /// At least one, each with another label.
    package private(set) var samples: [Sample]

    init(_ name: String, _ kind: Kind, _ unit: Unit = .none, _ help: String, _ samples: [Sample]) {
        precondition(!samples.isEmpty, "\(name) has no samples")
        (self.name, self.kind, self.unit, self.help) = (name, kind, unit, help)
        self.samples = []
        for sample in samples { add(sample) }
    }

    init(_ name: String, _ kind: Kind, _ unit: Unit = .none, _ help: String, _ value: Value) {
        self.init(name, kind, unit, help, [Sample(label: nil, value: value)])
    }

    /// Of those with one label the first stays: collections refuse a second.
    private mutating func add(_ sample: Sample) {
        if !samples.contains(where: { $0.label == sample.label }) { samples.append(sample) }
    }

    fileprivate mutating func add(_ more: [Sample]) { for sample in more { add(sample) } }
}

extension [ExportedMetric] {
    /// With one metric for each name, in the order of their first ones.
    var gathered: [ExportedMetric] {
        var places: [String: Int] = [:]
        var gathered: [ExportedMetric] = []
        for metric in self {
            if let place = places[metric.name] {
                gathered[place].add(metric.samples)
            } else {
                places[metric.name] = gathered.count
                gathered.append(metric)
            }
        }
        return gathered
    }
}

/// Which run it is that tells: the same in all its samples, and with that apart from those of other runs.
package struct ExportedRun: Sendable, Equatable {
    package let scenario: String
    package let client: String
    package let seed: UInt64
    /// Nil for a run that is no part of another.
    package let shard: Shard?
    package let version: String
    /// `virtual` or `wall`.
    package let clock: String
    package let startedAt: Date

    package init(
        scenario: String, client: String, seed: UInt64, shard: Shard?, version: String = StampedeVersion.current,
        clock: String, startedAt: Date
    ) {
        (self.scenario, self.client, self.seed, self.shard) = (scenario, client, seed, shard)
        (self.version, self.clock, self.startedAt) = (version, clock, startedAt)
    }

    /// In an order that stays.
    var labels: [ExportedMetric.Label] {
        var labels = [("scenario", scenario), ("client", client), ("seed", "\(seed)")]
        if let shard { labels.append(("shard", shard.text)) }
        return labels.map { ExportedMetric.Label(name: $0, value: $1) }
    }

    var startNanoseconds: Int64 { startedAt.nanoseconds }
}

extension Date {
    /// Since 1970, to the microsecond: a date is no more exact.
    var nanoseconds: Int64 { Int64((timeIntervalSince1970 * 1e6).rounded()) * 1_000 }
}
