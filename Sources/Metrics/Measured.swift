// What was measured of one metric, or of the part of it that a threshold names.
// Plain values.

/// Of the members, those of the metric's kind are used. All are commutative: however parts of a run are merged, the
/// result is the same to the last bit.
package struct Measured: Sendable, Codable {
    package let metric: MetricName
    /// The metric's, or that of the part, as thresholds write it.
    package let name: String
    /// Of a part: where it stands among those that the scenario names. Nil for a whole metric.
    package private(set) var place: Int?
    /// Of a part that looks at a part of the run: when what it measures began, in nanoseconds since the start. Where
    /// only the length is known, it ends at 0.
    package private(set) var window: Range<Int64>?

    /// Trend: response times, from the planned start of what is measured.
    package var response: DurationHistogram?
    /// Trend: service times, from the actual start.
    package var service: DurationHistogram?
    /// Counter.
    package var count = 0
    /// Counter: whether it was ever counted or declared. What was not measured is absent, not zero.
    package var isCounted = false
    /// Counter: the counts under each tag, such as the kind of a fault.
    package var tags: [String: Int] = [:]
    /// Rate: how many of all came true.
    package var passes = 0
    package var total = 0
    package var gauge: Gauge?

    /// - Parameters:
    ///   - part, place: of a part of the metric.
    package init(_ metric: MetricName, part: String? = nil, place: Int? = nil, window: Range<Int64>? = nil) {
        (self.metric, self.place, self.window) = (metric, place, window)
        name = part ?? metric.name
    }

    /// A level, with the lowest and the highest that it had.
    package struct Gauge: Sendable, Codable {
        /// As it was set last; of several, the highest, because which of them was last is not known.
        var last: Double
        var minimum: Double
        var maximum: Double
        /// What the level is, where it is so much for each of so many: then merged levels are that of all of these.
        package var quotient: Quotient

        package init(_ value: Double, minimum: Double, maximum: Double, quotient: Quotient = Quotient()) {
            (last, self.minimum, self.maximum, self.quotient) = (value, minimum, maximum, quotient)
        }

        var value: Double { quotient.value ?? last }

        mutating func merge(_ other: Gauge) {
            last = max(last, other.last)
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            quotient.sum.value += other.quotient.sum.value
            quotient.weight.value += other.quotient.weight.value
        }
    }

    mutating func merge(_ other: Measured) {
        // They differ only where a file does not say so exactly: then the one that knows of more.
        if let theirs = other.place, let ours = place { place = max(ours, theirs) }
        if let theirs = other.window, let ours = window {
            let isLess = theirs.upperBound == ours.upperBound && theirs.lowerBound >= ours.lowerBound
            window = theirs.upperBound < ours.upperBound || isLess ? ours : theirs
        }
        Self.merge(other.response, into: &response)
        Self.merge(other.service, into: &service)
        count.add(other.count)
        isCounted = isCounted || other.isCounted
        for (tag, count) in other.tags { tags[tag, default: 0].add(count) }
        passes.add(other.passes)
        total.add(other.total)
        guard let theirs = other.gauge else { return }
        if gauge == nil { gauge = theirs } else { gauge?.merge(theirs) }
    }

    /// Packs what was measured, and has measured nothing then, in the memory that it has.
    mutating func unload(into packer: inout Packer) {
        Self.unload(&response, into: &packer)
        Self.unload(&service, into: &packer)
        packer.put(count)
        packer.put(passes)
        packer.put(total)
        packer.put(isCounted)
        packer.put(tags.count)
        for (tag, count) in tags {
            packer.put(tag)
            packer.put(count)
        }
        packer.put(plain: gauge)
        (count, passes, total, gauge) = (0, 0, 0, nil)
        tags.removeAll(keepingCapacity: true)
    }

    /// As if what another one has packed had been measured here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        var other = Measured(metric)
        try Self.load(&response, &unpacker)
        try Self.load(&service, &unpacker)
        other.count = try unpacker.number()
        other.passes = try unpacker.number()
        other.total = try unpacker.number()
        other.isCounted = try unpacker.flag()
        for _ in 0..<(try unpacker.count()) { other.tags[try unpacker.text()] = try unpacker.number() }
        other.gauge = try unpacker.plain(Gauge?.self)
        merge(other)
    }

    private static func unload(_ histogram: inout DurationHistogram?, into packer: inout Packer) {
        let isThere = histogram?.count ?? 0 > 0
        packer.put(isThere)
        if isThere { histogram?.unload(into: &packer) }
    }

    private static func load(_ histogram: inout DurationHistogram?, _ unpacker: inout Unpacker) throws(TornValue) {
        guard try unpacker.flag() else { return }
        if histogram == nil { histogram = DurationHistogram() }
        try histogram?.load(&unpacker)
    }

    static func merge(_ other: DurationHistogram?, into own: inout DurationHistogram?) {
        guard let other, other.count > 0 else { return }
        if own == nil { own = other } else { own?.merge(other) }
    }

    /// What has no number, because the sum does not fit; nil as long as everything fits.
    var excess: Measurements.Excess? {
        if response?.count == .max || service?.count == .max { return .histogram(name) }
        return ([count, passes, total] + tags.values).contains(.max) ? .metric(name) : nil
    }

    package var isMeasured: Bool { reading(seconds: 0) != nil }

    /// What was measured; nil when nothing was.
    ///
    /// - Parameter seconds: the length of the run, for rates per second. What a window cuts out of it counts; where that
    ///   is nothing, there is no rate.
    package func reading(seconds: Double) -> MetricReading? {
        switch metric.kind {
        case .trend: return response.flatMap { $0.count > 0 ? .trend($0) : nil }
        case .counter:
            guard isCounted else { return nil }
            let length = window.map { window in
                max(0, min(seconds, Double(window.upperBound) / 1e9) - Double(window.lowerBound) / 1e9)
            }
            let seconds = length ?? seconds
            return .counter(count: count, perSecond: seconds > 0 ? Double(count) / seconds : nil)
        case .rate: return total > 0 ? .rate(passes: passes, total: total) : nil
        case .gauge: return gauge.map { .gauge(value: $0.value, min: $0.minimum, max: $0.maximum) }
        }
    }
}
