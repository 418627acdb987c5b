// What was measured, read again from a report that tells of it.
// Pure; any thread.

import Metrics
import ReportModel
import Text

/// Reports of earlier versions hold averages where later ones have exact sums beside them: these sums are then rounded.
struct ReportMeasurements {
    let source: ReportMerge.Source
    private var report: Report { source.report }

    func read() throws(MergeError) -> Measurements {
        var measurements = Measurements()
        for (metrics, parts) in [(report.metrics, report.subMetrics), (report.host.metrics, report.host.subMetrics)] {
            for metric in metrics { try add(metric, to: &measurements) }
            for (place, part) in (parts ?? []).enumerated() { try add(part, at: place, to: &measurements) }
        }
        if let told = report.series {
            guard let series = series(told) else { throw error(.unreadable("the series")) }
            measurements.series = series
        }
        let bands = report.stages.compactMap(band)
        guard bands.count == report.stages.count, let stages = StageTable(bands) else {
            throw error(.unreadable("the table of stages"))
        }
        measurements.stages = stages
        return measurements
    }

    private func error(_ problem: MergeError.Problem) -> MergeError {
        MergeError(path: source.path, problem: problem)
    }

    // MARK: Metrics

    /// - Parameter place: of a part of a metric, in the report.
    private func add(
        _ told: ReportMetric, at place: Int? = nil, to measurements: inout Measurements
    ) throws(MergeError) {
        guard let metric = MetricName(name: told.base ?? told.name), told.kind == metric.kind,
            told.unit == ReportUnit(of: metric), (told.base == nil) == (place == nil)
        else { throw error(.unreadable("the metric \(told.name)")) }
        var measured = Measured(metric, part: told.name, place: place.map { told.place ?? $0 }, window: window(told))
        measured.response = try histogram(told.response, of: told.name)
        measured.service = try histogram(told.service, of: told.name)
        (measured.count, measured.isCounted) = (told.count ?? 0, told.count != nil)
        (measured.tags, measured.stages, measured.instant) = (told.tags ?? [:], told.stages ?? [:], told.instant ?? 0)
        for (name, trend) in told.outcomes ?? [:] {
            guard let outcome = PaymentOutcome(rawValue: name),
                let histogram = try histogram(trend, of: "\(told.name){\(MetricLabel.outcome.rawValue):\(name)}")
            else { throw error(.unreadable("the metric \(told.name)")) }
            measured.merge(histogram, of: outcome)
        }
        (measured.passes, measured.total) = (told.passes ?? 0, told.total ?? 0)
        if let value = told.value, let low = told.min, let high = told.max {
            measured.gauge = Measured.Gauge(
                value, minimum: low, maximum: high, quotient: told.quotient ?? quotient(of: metric, value))
        }
        let isKnown = measurements.named(told.name)?.isMeasured ?? false
        let isCount = measured.counts.allSatisfy { $0 >= 0 }
        let areStages = measured.stages.keys.allSatisfy { FailureStage(rawValue: $0) != nil }
        guard measured.isMeasured, !isKnown, isCount, areStages, measured.passes <= measured.total else {
            throw error(.unreadable("the metric \(told.name)"))
        }
        measurements.merge(measured)
    }

    private func histogram(_ told: ReportMetric.Trend?, of name: String) throws(MergeError) -> DurationHistogram? {
        guard let told else { return nil }
        guard let buckets = HistogramBuckets(base64: told.histogram), buckets.total == told.count,
            let sum = told.sum ?? ExactSum(average: told.avg, of: Double(told.count)),
            let histogram = DurationHistogram(
                buckets, sum: sum, minimum: told.min, maximum: told.max, overflow: told.overflow ?? 0)
        else { throw error(.unreadable("the histogram of \(name)")) }
        return histogram
    }

    /// Where the report does not say when it was, its length.
    private func window(_ told: ReportMetric) -> Range<Int64>? {
        if let from = told.fromNs, let to = told.toNs, from >= 0, from <= to { return from..<to }
        guard told.isOfWindow ?? false else { return nil }
        guard let count = told.count, let rate = told.perSecond else { return 0..<0 }
        // Of nothing at all even the length is not known, and any gives the same rate.
        return -max(1, Int64(exactly: (Double(count) / rate * 1e9).rounded()) ?? 1)..<0
    }

    /// What a level was worked out from, where the report does not say so. A cost per purchase or user is that of all of
    /// them, a share of the time that of all the time.
    private func quotient(of metric: MetricName, _ value: Double) -> Quotient {
        let weight: Double =
            switch metric.row.weight {
            case .purchases: count(of: .purchases)
            case .users: Double(report.run.users) * 1_000
            case .launches: count(of: .launches) * 1_000
            case .realTime: report.host.durationSeconds * 1e9
            case .processorTime: report.host.durationSeconds * Double(report.host.cores) * 100
            case nil: 0
            }
        guard let sum = ExactSum(average: value, of: weight), let weight = ExactSum(average: weight, of: 1) else {
            return Quotient()
        }
        return Quotient(sum, over: weight)
    }

    private func count(of metric: MetricName) -> Double {
        Double(report.metrics.first { $0.name == metric.name }?.count ?? 0)
    }

    // MARK: Over time

    private func series(_ told: Report.Series) -> TimeSeries? {
        let levels = [told.usersActive] + [told.storeQueueDepth].compactMap(\.self)
        let histograms = told.purchaseDuration.histogram.map { $0.flatMap(HistogramBuckets.init(base64:)) }
        guard let active = times(told.usersActive, told.usersActiveNs, told.intervalNs),
            let queue = times(told.storeQueueDepth ?? [], told.storeQueueDepthNs, told.intervalNs), told.intervals > 0,
            active.count == told.intervals, levels.allSatisfy({ $0.count == told.intervals }),
            zip(histograms, told.purchaseDuration.histogram).allSatisfy({ ($0 == nil) == ($1 == nil) })
        else { return nil }
        return TimeSeries(
            TimeSeries.Rows(
                interval: told.intervalNs, counts: told.counts, purchaseDurations: histograms, active: active,
                queue: told.storeQueueDepth.map { _ in queue }))
    }

    private func times(_ levels: [Double], _ exact: [ExactSum]?, _ interval: Int64) -> [ExactSum]? {
        if let exact { return exact }
        let times = levels.compactMap { ExactSum(average: $0, of: Double(interval)) }
        return times.count == levels.count ? times : nil
    }

    private func band(_ told: Report.StageBand) -> StageTable.Band? {
        func sum(_ stage: MetricName) -> ExactSum? {
            told.sum?[stage.name] ?? told.avg[stage.name].flatMap { ExactSum(average: $0, of: Double(told.count)) }
        }
        guard let sending = sum(.purchaseSending), let processing = sum(.purchaseProcessing),
            let deciding = sum(.purchaseDeciding), let receiving = sum(.purchaseReceiving)
        else { return nil }
        return StageTable.Band(from: told.fromNs, count: told.count, sums: (sending, processing, deciding, receiving))
    }
}
