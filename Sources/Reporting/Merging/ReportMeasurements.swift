// What was measured, read again from a report that tells of it.
// Pure; any thread.

import Metrics
import ReportModel
import Text

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
                value, minimum: low, maximum: high, quotient: told.quotient ?? Quotient())
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
            let histogram = DurationHistogram(
                buckets, sum: told.sum, minimum: told.min, maximum: told.max, overflow: told.overflow ?? 0)
        else { throw error(.unreadable("the histogram of \(name)")) }
        return histogram
    }

    /// A window that the run did not reach is empty.
    private func window(_ told: ReportMetric) -> Range<Int64>? {
        guard told.isOfWindow ?? false else { return nil }
        guard let from = told.fromNs, let to = told.toNs, from >= 0, from <= to else { return 0..<0 }
        return from..<to
    }

    // MARK: Over time

    private func series(_ told: Report.Series) -> TimeSeries? {
        let levels = [told.usersActive] + [told.storeQueueDepth].compactMap(\.self)
        let histograms = told.purchaseDuration.histogram.map { $0.flatMap(HistogramBuckets.init(base64:)) }
        guard told.intervals > 0, told.usersActiveNs.count == told.intervals,
            (told.storeQueueDepth == nil) == (told.storeQueueDepthNs == nil),
            levels.allSatisfy({ $0.count == told.intervals }),
            zip(histograms, told.purchaseDuration.histogram).allSatisfy({ ($0 == nil) == ($1 == nil) })
        else { return nil }
        return TimeSeries(
            TimeSeries.Rows(
                interval: told.intervalNs, counts: told.counts, purchaseDurations: histograms,
                active: told.usersActiveNs, queue: told.storeQueueDepthNs))
    }

    private func band(_ told: Report.StageBand) -> StageTable.Band? {
        guard let sending = told.sum[MetricName.purchaseSending.name],
            let processing = told.sum[MetricName.purchaseProcessing.name],
            let deciding = told.sum[MetricName.purchaseDeciding.name],
            let receiving = told.sum[MetricName.purchaseReceiving.name]
        else { return nil }
        return StageTable.Band(from: told.fromNs, count: told.count, sums: (sending, processing, deciding, receiving))
    }
}
