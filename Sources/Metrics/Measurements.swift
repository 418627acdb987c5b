// Everything that was measured, as one value.
// Owned by one tally, or read from a report.

import Files

/// What a worker, a run or several runs measured.
///
/// Parts of a run and reports of runs are merged in the same way: sums of whole numbers, minima and maxima, so that the
/// order does not show.
package struct Measurements: Sendable {
    /// By the raw value of the metric's name.
    var metrics = MetricName.allCases.map { Measured($0) }
    /// The parts of metrics that thresholds name.
    var parts: [Measured] = []
    /// What happened when.
    package var series = TimeSeries()
    package var stages = StageTable()

    package init() {}

    package subscript(metric: MetricName) -> Measured { metrics[metric.rawValue] }

    /// A metric, or a part of one as thresholds write it; nil for a part that is not kept.
    package func named(_ name: String) -> Measured? {
        MetricName(name: name).map { self[$0] } ?? parts.first { $0.name == name }
    }

    /// Whatever was measured: the metrics in the order of their cases, then the parts in that of the scenario.
    package var measured: [Measured] {
        let sorted = parts.sorted { ($0.place ?? 0, $0.name) < ($1.place ?? 0, $1.name) }
        return (metrics + sorted).filter(\.isMeasured)
    }

    /// As if this had measured what `other` measured.
    package mutating func merge(_ other: Measurements) {
        for measured in other.metrics + other.parts { merge(measured) }
        series.merge(other.series)
        stages.merge(other.stages)
    }

    /// As if this metric, or this part of one, had been measured here.
    package mutating func merge(_ measured: Measured) {
        if measured.place == nil {
            metrics[measured.metric.rawValue].merge(measured)
        } else if let own = parts.firstIndex(where: { $0.name == measured.name }) {
            parts[own].merge(measured)
        } else {
            parts.append(measured)
        }
    }

    /// Packs what was measured, and has measured nothing then, in the memory that it has.
    mutating func unload(into packer: inout Packer) {
        for place in metrics.indices { metrics[place].unload(into: &packer) }
        for place in parts.indices { parts[place].unload(into: &packer) }
        series.unload(into: &packer)
        stages.unload(into: &packer)
    }

    /// As if what another one with the same parts has packed had been measured here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        for place in metrics.indices { try metrics[place].load(&unpacker) }
        for place in parts.indices { try parts[place].load(&unpacker) }
        try series.load(&unpacker)
        try stages.load(&unpacker)
    }

    /// Turns what was there over time into levels of the run, once everything is known.
    ///
    /// - Parameter end: of the run, in nanoseconds since its start.
    package mutating func measureLevels(until end: Int64) {
        let (users, depth) = (series.activeUsers(until: end), series.queueDepth(until: end))
        if let users { metrics[MetricName.usersActive.rawValue].gauge = users }
        if let depth { metrics[MetricName.storeQueueDepth.rawValue].gauge = depth }
    }

    /// A sum that does not fit its number.
    package enum Excess: Sendable, Equatable {
        case metric(String)
        case histogram(String)
        case series
        case stages
    }

    /// The first such sum; nil as long as everything is known.
    package var excess: Excess? {
        for measured in metrics + parts { if let excess = measured.excess { return excess } }
        if series.isFull { return .series }
        return stages.isFull ? .stages : nil
    }
}

extension Measurements: Codable {
    private enum Key: CodingKey {
        case measured, series, stages
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for measured in try container.decode([Measured].self, forKey: .measured) { merge(measured) }
        series = try container.decode(TimeSeries.self, forKey: .series)
        stages = try container.decode(StageTable.self, forKey: .stages)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(measured, forKey: .measured)
        try container.encode(series, forKey: .series)
        try container.encode(stages, forKey: .stages)
    }
}
