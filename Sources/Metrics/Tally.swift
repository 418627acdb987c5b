// What one worker measures while it measures.
// Owned by one worker or serial queue, not thread-safe; merged into another when its work is done.

package import Files

/// Records the measurements of a part of a run.
///
/// Recording allocates nothing after the first sample of a metric. With every trend in use a tally holds 7 MB of
/// histograms: one a worker, not one a cell.
package final class Tally {
    @exclusivity(unchecked) package private(set) var measurements = Measurements()
    /// What each part of a metric looks at, part by part.
    private let rules: [SelectionRule]
    /// Indices of the parts by the raw value of their metric, so that metrics without any cost nothing.
    private let places: [[Int]]

    /// - Parameter rules: the parts of metrics to keep besides the metrics, in the order of the scenario.
    package init(selections rules: [SelectionRule] = []) {
        self.rules = rules
        var places = [[Int]](repeating: [], count: MetricName.allCases.count)
        for (place, selection) in rules.map(\.selection).enumerated() {
            places[selection.metric.rawValue].append(place)
            measurements.parts.append(
                Measured(selection.metric, part: selection.fullName, place: place, window: selection.window))
        }
        self.places = places
    }

    // MARK: What happened
    // Where there are parts of metrics, a sample also counts in those that its origin belongs to; else it is not evaluated.

    /// A response time: from the planned start of what it measures.
    package func record(
        _ metric: MetricName, nanoseconds: Int64, of origin: @autoclosure () -> SampleOrigin? = nil
    ) {
        checkKind(metric, .trend)
        if measurements.metrics[metric.rawValue].response?.record(nanoseconds) == nil {
            measurements.metrics[metric.rawValue].response = DurationHistogram(of: nanoseconds)
        }
        if rules.isEmpty { return }
        each(metric, origin()) { part in
            if part.response?.record(nanoseconds) == nil { part.response = DurationHistogram(of: nanoseconds) }
        }
    }

    /// How long a purchase took, by how it ended too.
    package func record(
        purchase nanoseconds: Int64, _ outcome: PaymentOutcome, of origin: @autoclosure () -> SampleOrigin? = nil
    ) {
        record(.purchaseDuration, nanoseconds: nanoseconds, of: origin())
        measurements.metrics[MetricName.purchaseDuration.rawValue].record(nanoseconds, of: outcome)
    }

    /// Answered at the very instant, without the store: counted, and no sample but of what is about such answers.
    package func instant(_ metric: MetricName, of origin: @autoclosure () -> SampleOrigin? = nil) {
        checkKind(metric, .trend)
        measurements.metrics[metric.rawValue].instant += 1
        if rules.isEmpty { return }
        guard var origin = origin() else { return }
        for place in places[metric.rawValue] where rules[place].answer == nil && rules[place].fits(origin) {
            measurements.parts[place].instant += 1
        }
        origin.isInstant = true
        each(metric, origin) { part in if part.response?.record(0) == nil { part.response = DurationHistogram(of: 0) } }
    }

    /// A service time: from the actual start, so without the wait before it.
    package func recordService(_ metric: MetricName, nanoseconds: Int64) {
        checkKind(metric, .trend)
        if measurements.metrics[metric.rawValue].service?.record(nanoseconds) != nil { return }
        measurements.metrics[metric.rawValue].service = DurationHistogram(of: nanoseconds)
    }

    /// The stages of one purchase, as metrics and by how long it took.
    package func record(_ purchase: PurchaseStages, of origin: @autoclosure () -> SampleOrigin? = nil) {
        record(.purchaseSending, nanoseconds: purchase.sending, of: origin())
        record(.purchaseProcessing, nanoseconds: purchase.processing, of: origin())
        record(.purchaseDeciding, nanoseconds: purchase.deciding, of: origin())
        record(.purchaseReceiving, nanoseconds: purchase.receiving, of: origin())
        measurements.stages.record(purchase)
    }

    /// Makes a counter measured, with 0 so far.
    package func declare(_ metric: MetricName) {
        checkKind(metric, .counter)
        measurements.metrics[metric.rawValue].isCounted = true
        for place in places[metric.rawValue] { measurements.parts[place].isCounted = true }
    }

    package func count(
        _ metric: MetricName, by amount: Int = 1, of origin: @autoclosure () -> SampleOrigin? = nil
    ) {
        checkKind(metric, .counter)
        precondition(amount >= 0, "\(metric.name) counted by \(amount)")
        measurements.metrics[metric.rawValue].count += amount
        measurements.metrics[metric.rawValue].isCounted = true
        if rules.isEmpty { return }
        for place in places[metric.rawValue] { measurements.parts[place].isCounted = true }
        each(metric, origin()) { $0.count += amount }
    }

    /// Counts under a tag, such as the kind of a fault, and in the metric as a whole.
    package func count(
        _ metric: MetricName, tag: String, by amount: Int = 1, of origin: @autoclosure () -> SampleOrigin? = nil
    ) {
        count(metric, by: amount, of: origin()?.labelled(tag))
        measurements.metrics[metric.rawValue].tags[tag, default: 0] += amount
    }

    /// Counts a purchase that failed, by the error that the app was told and by the stage.
    package func count(
        failed code: String, at stage: FailureStage, of origin: @autoclosure () -> SampleOrigin? = nil
    ) {
        let metric = MetricName.purchasesFailed
        count(metric, tag: code, of: origin()?.failed(at: stage))
        measurements.metrics[metric.rawValue].stages[stage.rawValue, default: 0] += 1
    }

    package func rate(_ metric: MetricName, passed: Bool, of origin: @autoclosure () -> SampleOrigin? = nil) {
        checkKind(metric, .rate)
        measurements.metrics[metric.rawValue].total += 1
        if passed { measurements.metrics[metric.rawValue].passes += 1 }
        if rules.isEmpty { return }
        each(metric, origin()) { part in
            part.total += 1
            if passed { part.passes += 1 }
        }
    }

    private func each(_ metric: MetricName, _ origin: SampleOrigin?, _ record: (inout Measured) -> Void) {
        guard let origin else { return }
        for place in places[metric.rawValue] where rules[place].fits(origin) { record(&measurements.parts[place]) }
    }

    /// Sets a level; the lowest and highest levels are kept too.
    package func gauge(_ metric: MetricName, value: Double) {
        checkKind(metric, .gauge)
        precondition(value.isFinite, "\(metric.name) is \(value)")
        let before = measurements[metric].gauge
        measurements.metrics[metric.rawValue].gauge = Measured.Gauge(
            value, minimum: min(before?.minimum ?? value, value), maximum: max(before?.maximum ?? value, value))
    }

    /// Sets a level that is so much for each of so many; nothing where there are none.
    package func gauge(_ metric: MetricName, _ quotient: Quotient) {
        checkKind(metric, .gauge)
        guard let value = quotient.value else { return }
        measurements.metrics[metric.rawValue].gauge = Measured.Gauge(
            value, minimum: value, maximum: value, quotient: quotient)
    }

    /// As if every sample of the histogram had been recorded as a response time.
    package func merge(_ metric: MetricName, _ histogram: DurationHistogram) {
        checkKind(metric, .trend)
        Measured.merge(histogram, into: &measurements.metrics[metric.rawValue].response)
    }

    /// As if this tally had measured what `other` measured.
    package func merge(_ other: Tally) {
        precondition(other !== self, "a tally merged into itself")
        precondition(rules == other.rules, "tallies with other sub-metrics cannot be merged")
        measurements.merge(other.measurements)
    }

    /// Packs what was measured since the last time, and goes on measuring in the memory that it has.
    package func unload(into packer: inout Packer) { measurements.unload(into: &packer) }

    /// As if this tally had measured what another one of the same run has packed.
    package func load(_ unpacker: inout Unpacker) throws(TornValue) { try measurements.load(&unpacker) }

    private func checkKind(_ metric: MetricName, _ kind: MetricKind) {
        assert(metric.kind == kind, "\(metric.name) is a \(metric.kind.rawValue), not a \(kind.rawValue)")
    }

    // MARK: Over time
    // Nanoseconds since the start of the run.

    /// Places in time what is counted elsewhere.
    package func place(_ metric: MetricName, at nanoseconds: Int64) {
        measurements.series.count(metric, at: nanoseconds)
    }

    package func place(purchaseDuration: Int64, at nanoseconds: Int64) {
        measurements.series.record(purchaseDuration: purchaseDuration, at: nanoseconds)
    }

    /// Merges another series.
    package func place(_ other: TimeSeries) { measurements.series.merge(other) }

    /// A user who was active in this stretch of time.
    package func place(activeFrom start: Int64, to end: Int64) { measurements.series.active(from: start, to: end) }

    package func measureLevels(until end: Int64) { measurements.measureLevels(until: end) }
}
