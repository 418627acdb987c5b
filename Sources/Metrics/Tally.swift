// What one worker measured.
// Owned by one worker or serial queue, not thread-safe; merged into another when its work is done.

/// The measurements of a part of a run.
///
/// Everything in it is commutative: however the parts of a run are merged, the result is the same. Recording allocates
/// nothing after the first sample of a metric. With every trend in use a tally holds 29 histograms, 9 MB: one a
/// worker, not one a cell.
package final class Tally {
    private struct Counter {
        var count = 0
        /// Whether it was ever counted or declared: what nobody measured is absent, not zero.
        var isMeasured = false
    }

    private struct Rate {
        var passes = 0
        var total = 0
    }

    private struct Gauge {
        var value: Double
        var minimum: Double
        var maximum: Double
    }

    // Indexed by the raw value of the metric's name.
    @exclusivity(unchecked) private var responses: [DurationHistogram?]
    @exclusivity(unchecked) private var services: [DurationHistogram?]
    @exclusivity(unchecked) private var counters: [Counter]
    @exclusivity(unchecked) private var tags: [[String: Int]]
    @exclusivity(unchecked) private var rates: [Rate]
    @exclusivity(unchecked) private var gauges: [Gauge?]
    /// What happened when.
    @exclusivity(unchecked) package private(set) var series = TimeSeries()
    @exclusivity(unchecked) package private(set) var stages = StageTable()
    @exclusivity(unchecked) private var selections: SelectionTable

    /// - Parameter selections: the sub-metrics to keep besides the metrics.
    package init(selections rules: [SelectionRule] = []) {
        selections = SelectionTable(rules)
        let count = MetricName.allCases.count
        responses = Array(repeating: nil, count: count)
        services = Array(repeating: nil, count: count)
        counters = Array(repeating: Counter(), count: count)
        tags = Array(repeating: [:], count: count)
        rates = Array(repeating: Rate(), count: count)
        gauges = Array(repeating: nil, count: count)
    }

    /// A response time: from the planned start of what it measures.
    package func record(_ metric: MetricName, nanoseconds: Int64) {
        checkKind(metric, .trend)
        if responses[metric.rawValue]?.record(nanoseconds) != nil { return }
        var histogram = DurationHistogram()
        histogram.record(nanoseconds)
        responses[metric.rawValue] = histogram
    }

    /// A service time: from the actual start, so without the wait before it.
    package func recordService(_ metric: MetricName, nanoseconds: Int64) {
        checkKind(metric, .trend)
        if services[metric.rawValue]?.record(nanoseconds) != nil { return }
        var histogram = DurationHistogram()
        histogram.record(nanoseconds)
        services[metric.rawValue] = histogram
    }

    /// Places in time what is counted elsewhere. Nanoseconds since the start of the run, here and below.
    package func place(_ metric: MetricName, at nanoseconds: Int64) { series.count(metric, at: nanoseconds) }

    package func place(purchaseDuration: Int64, at nanoseconds: Int64) {
        series.record(purchaseDuration: purchaseDuration, at: nanoseconds)
    }

    // MARK: With their origin
    // As above, and in the sub-metrics it belongs to. Where there are none, nobody asks for the origin.

    package func record(_ metric: MetricName, nanoseconds: Int64, of origin: @autoclosure () -> SampleOrigin) {
        record(metric, nanoseconds: nanoseconds)
        if !selections.isEmpty { selections.record(metric, nanoseconds, origin()) }
    }

    package func record(_ purchase: PurchaseStages, of origin: @autoclosure () -> SampleOrigin) {
        record(purchase)
        if selections.isEmpty { return }
        let origin = origin()
        for (metric, part) in zip(PurchaseStages.metrics, purchase.parts) { selections.record(metric, part, origin) }
    }

    package func count(_ metric: MetricName, by amount: Int = 1, of origin: @autoclosure () -> SampleOrigin) {
        count(metric, by: amount)
        if !selections.isEmpty { selections.count(metric, amount, origin()) }
    }

    package func count(
        _ metric: MetricName, tag: String, by amount: Int = 1, of origin: @autoclosure () -> SampleOrigin
    ) {
        count(metric, tag: tag, by: amount)
        if selections.isEmpty { return }
        var origin = origin()
        origin.label = tag
        selections.count(metric, amount, origin)
    }

    package func rate(_ metric: MetricName, passed: Bool, of origin: @autoclosure () -> SampleOrigin) {
        rate(metric, passed: passed)
        if !selections.isEmpty { selections.rate(metric, passed, origin()) }
    }

    // MARK: Over time

    /// Takes over what happened when, as somebody else saw it.
    package func place(_ other: TimeSeries) { series.merge(other) }

    /// A user who was active in this stretch of time.
    package func place(activeFrom start: Int64, to end: Int64) { series.active(from: start, to: end) }

    /// The stages of one purchase, as metrics and by how long it took.
    package func record(_ purchase: PurchaseStages) {
        record(.purchaseSending, nanoseconds: purchase.sending)
        record(.purchaseProcessing, nanoseconds: purchase.processing)
        record(.purchaseDeciding, nanoseconds: purchase.deciding)
        record(.purchaseReceiving, nanoseconds: purchase.receiving)
        stages.record(purchase)
    }

    /// Makes a counter measured, with 0 so far.
    package func declare(_ metric: MetricName) {
        checkKind(metric, .counter)
        counters[metric.rawValue].isMeasured = true
    }

    package func count(_ metric: MetricName, by amount: Int = 1) {
        checkKind(metric, .counter)
        precondition(amount >= 0, "\(metric.name) counted by \(amount)")
        let index = metric.rawValue
        counters[index] = Counter(count: counters[index].count + amount, isMeasured: true)
    }

    /// Counts under a tag, such as the kind of a fault, and in the metric as a whole.
    package func count(_ metric: MetricName, tag: String, by amount: Int = 1) {
        count(metric, by: amount)
        tags[metric.rawValue][tag, default: 0] += amount
    }

    package func rate(_ metric: MetricName, passed: Bool) {
        checkKind(metric, .rate)
        rates[metric.rawValue].total += 1
        if passed { rates[metric.rawValue].passes += 1 }
    }

    /// Sets a level; the lowest and highest levels are kept too.
    package func gauge(_ metric: MetricName, value: Double) {
        checkKind(metric, .gauge)
        precondition(value.isFinite, "\(metric.name) is \(value)")
        guard let gauge = gauges[metric.rawValue] else {
            gauges[metric.rawValue] = Gauge(value: value, minimum: value, maximum: value)
            return
        }
        gauges[metric.rawValue] = Gauge(
            value: value, minimum: min(gauge.minimum, value), maximum: max(gauge.maximum, value))
    }

    /// Sets a level that was measured over time.
    package func gauge(_ metric: MetricName, _ level: TimeSeries.Level) {
        checkKind(metric, .gauge)
        gauges[metric.rawValue] = Gauge(value: level.average, minimum: level.minimum, maximum: level.maximum)
    }

    /// As if this tally had measured what `other` measured.
    ///
    /// Which of two gauges was set last is not known, so the larger of their values is kept.
    package func merge(_ other: Tally) {
        precondition(other !== self, "a tally merged into itself")
        selections.merge(other.selections)
        series.merge(other.series)
        stages.merge(other.stages)
        for index in counters.indices {
            Self.merge(other.responses[index], into: &responses[index])
            Self.merge(other.services[index], into: &services[index])
            counters[index].count += other.counters[index].count
            if other.counters[index].isMeasured { counters[index].isMeasured = true }
            tags[index].merge(other.tags[index], uniquingKeysWith: +)
            rates[index].passes += other.rates[index].passes
            rates[index].total += other.rates[index].total
            guard let theirs = other.gauges[index] else { continue }
            guard let ours = gauges[index] else {
                gauges[index] = theirs
                continue
            }
            gauges[index] = Gauge(
                value: max(ours.value, theirs.value), minimum: min(ours.minimum, theirs.minimum),
                maximum: max(ours.maximum, theirs.maximum))
        }
    }

    /// As if every sample of the histogram had been recorded as a response time.
    package func merge(_ metric: MetricName, _ histogram: DurationHistogram) {
        checkKind(metric, .trend)
        if histogram.count > 0 { Self.merge(histogram, into: &responses[metric.rawValue]) }
    }

    private static func merge(_ other: DurationHistogram?, into own: inout DurationHistogram?) {
        guard let other else { return }
        if own == nil { own = other } else { own?.merge(other) }
    }

    private func checkKind(_ metric: MetricName, _ kind: MetricKind) {
        assert(metric.kind == kind, "\(metric.name) is a \(metric.kind.rawValue), not a \(kind.rawValue)")
    }
}

extension Tally {
    /// What was measured; nil when nothing was.
    ///
    /// - Parameter seconds: the length of the time measured, for rates per second; 0 gives 0 per second.
    package func reading(_ metric: MetricName, seconds: Double) -> MetricReading? {
        let index = metric.rawValue
        switch metric.kind {
        case .trend:
            return responses[index]?.reading.map { .trend($0) }
        case .counter:
            guard counters[index].isMeasured else { return nil }
            let count = counters[index].count
            return .counter(count: count, perSecond: seconds > 0 ? Double(count) / seconds : nil)
        case .rate:
            let rate = rates[index]
            return rate.total > 0 ? .rate(passes: rate.passes, total: rate.total) : nil
        case .gauge:
            return gauges[index].map { .gauge(value: $0.value, min: $0.minimum, max: $0.maximum) }
        }
    }

    /// What was measured of a part of a metric; nil when nothing was, or when the part is not kept.
    ///
    /// A part of a counter that is measured and that nothing fell into reads 0.
    ///
    /// - Parameter seconds: the length of the run; what a window cuts out of it counts for rates per second.
    package func reading(_ selection: MetricSelection, seconds: Double) -> MetricReading? {
        guard let part = selections[selection] else { return nil }
        switch selection.metric.kind {
        case .trend: return part.histogram?.reading.map { .trend($0) }
        case .counter:
            guard counters[selection.metric.rawValue].isMeasured else { return nil }
            let length = selection.window.map { window in
                max(0, min(seconds, Double(window.upperBound) / 1e9) - Double(window.lowerBound) / 1e9)
            }
            let seconds = length ?? seconds
            return .counter(count: part.count, perSecond: seconds > 0 ? Double(part.count) / seconds : nil)
        case .rate: return part.total > 0 ? .rate(passes: part.passes, total: part.total) : nil
        case .gauge: return nil
        }
    }

    /// The response times of a part of a trend; nil without samples.
    package func responses(_ selection: MetricSelection) -> DurationHistogram? { selections[selection]?.histogram }

    /// The parts of metrics that are kept, in the order in which they were asked for.
    package var keptSelections: [MetricSelection] { selections.all }

    /// The response times of a trend; nil without samples.
    package func responses(_ metric: MetricName) -> DurationHistogram? { responses[metric.rawValue] }

    /// The service times of a trend; nil when none were recorded.
    package func services(_ metric: MetricName) -> DurationHistogram? { services[metric.rawValue] }

    /// The counts under each tag, sorted by tag.
    package func tagCounts(_ metric: MetricName) -> [(tag: String, count: Int)] {
        tags[metric.rawValue].sorted { $0.key < $1.key }.map { (tag: $0.key, count: $0.value) }
    }
}
