// What was measured of one metric, or of the part of it that a threshold names.
// Plain values.

import Files

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
    /// Counter of failures: the counts at each stage.
    package var stages: [String: Int] = [:]
    /// Trend: response times by how what they measure ended, in the order of the outcomes; empty where that is not told
    /// apart.
    package private(set) var outcomes: [DurationHistogram?] = []
    /// Trend: what would be samples of no length, because the store had no part in the answer. They are none.
    package var instant = 0
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
        for (stage, count) in other.stages { stages[stage, default: 0].add(count) }
        for outcome in PaymentOutcome.allCases {
            if let theirs = other.response(of: outcome) { merge(theirs, of: outcome) }
        }
        instant.add(other.instant)
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
        Self.unload(&tags, into: &packer)
        Self.unload(&stages, into: &packer)
        packer.put(outcomes.count)
        for place in outcomes.indices { Self.unload(&outcomes[place], into: &packer) }
        packer.put(instant)
        packer.put(plain: gauge)
        (count, passes, total, instant, gauge) = (0, 0, 0, 0, nil)
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
        other.tags = try Self.counts(&unpacker)
        other.stages = try Self.counts(&unpacker)
        let told = try unpacker.count()
        guard told <= PaymentOutcome.allCases.count else { throw TornValue() }
        if told > 0 { makeRoomForOutcomes() }
        for place in 0..<told { try Self.load(&outcomes[place], &unpacker) }
        other.instant = try unpacker.number()
        other.gauge = try unpacker.plain(Gauge?.self)
        merge(other)
    }

    private static func unload(_ counts: inout [String: Int], into packer: inout Packer) {
        packer.put(counts.count)
        if counts.isEmpty { return }
        for (name, count) in counts {
            packer.put(name)
            packer.put(count)
        }
        counts.removeAll(keepingCapacity: true)
    }

    private static func counts(_ unpacker: inout Unpacker) throws(TornValue) -> [String: Int] {
        var counts: [String: Int] = [:]
        for _ in 0..<(try unpacker.count()) { counts[try unpacker.text()] = try unpacker.number() }
        return counts
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
        if ([response, service] + outcomes).contains(where: { $0?.count == .max }) { return .histogram(name) }
        return counts.contains(.max) ? .metric(name) : nil
    }

    /// Every number of it.
    package var counts: [Int] { [count, passes, total, instant] + tags.values + stages.values }

    /// Whether there is anything to tell of it.
    package var isMeasured: Bool { instant > 0 || reading(seconds: 0) != nil }

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

// MARK: By outcome

extension Measured {
    /// Nil without any.
    package func response(of outcome: PaymentOutcome) -> DurationHistogram? {
        outcomes.isEmpty ? nil : outcomes[outcome.place]
    }

    mutating func record(_ nanoseconds: Int64, of outcome: PaymentOutcome) {
        makeRoomForOutcomes()
        if outcomes[outcome.place]?.record(nanoseconds) == nil {
            outcomes[outcome.place] = DurationHistogram(of: nanoseconds)
        }
    }

    package mutating func merge(_ other: DurationHistogram, of outcome: PaymentOutcome) {
        makeRoomForOutcomes()
        Self.merge(other, into: &outcomes[outcome.place])
    }

    private mutating func makeRoomForOutcomes() {
        if outcomes.isEmpty { outcomes = PaymentOutcome.allCases.map { _ in nil } }
    }
}

extension PaymentOutcome {
    fileprivate var place: Int {
        switch self {
        case .success: 0
        case .failure: 1
        case .deferred: 2
        }
    }
}
