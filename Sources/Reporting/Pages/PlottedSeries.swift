// The run over time in as many bins as a plot can show: more of them would be noise, fewer would hide what happens.
// Pure; any thread.

import Metrics
import ReportModel

struct PlottedSeries {
    /// A short run has as many; a long one has up to twice as many.
    private static let binsMax = 128

    let count: Int
    /// In nanoseconds, of each bin but the last, which may be shorter.
    let length: Int64
    /// Of all of them, in nanoseconds.
    let end: Int64
    private let series: Report.Series
    /// Intervals in a bin.
    private let factor: Int
    /// Of the purchases that ended in each bin; nil where none did.
    let durations: [HistogramBuckets?]

    /// Nil for what no run writes.
    init?(_ series: Report.Series) {
        guard series.isSound else { return nil }
        self.series = series
        var factor = 1
        while (series.intervals + factor - 1) / factor > Self.binsMax { factor *= 2 }
        self.factor = factor
        count = (series.intervals + factor - 1) / factor
        length = series.intervalNs * Int64(factor)
        end = series.intervalNs * Int64(series.intervals)
        let histograms = series.purchaseDuration.histogram
        durations = (0..<count).map { bin in
            let found = (bin * factor..<min((bin + 1) * factor, series.intervals)).compactMap { place in
                (histograms.element(place) ?? nil).flatMap(HistogramBuckets.init(base64:))
            }
            return HistogramBuckets(sumOf: found)
        }
    }

    /// From 0 to 1.
    func start(_ bin: Int) -> Double { min(1, Double(bin) * Double(length) / Double(end)) }
    func middle(_ bin: Int) -> Double { (start(bin) + start(bin + 1)) / 2 }

    /// In each bin: levels on average, counters per second. Nil for what was not measured.
    func values(of metric: MetricName) -> [Double]? {
        switch metric {
        case .usersActive: averages(series.usersActive)
        case .storeQueueDepth: series.storeQueueDepth.flatMap(averages)
        default:
            series.counts[metric.name].flatMap { counts in
                counts.count == series.intervals
                    ? bins {
                        Double(counts[$0].reduce(0) { $0.addingReportingOverflow($1).partialValue }) / seconds($0)
                    } : nil
            }
        }
    }

    func percentile(_ percentile: Double) -> [Int64?] { durations.map { $0?.value(atPercentile: percentile) } }

    private func averages(_ levels: [Double]) -> [Double]? {
        guard levels.count == series.intervals, levels.allSatisfy(\.isFinite) else { return nil }
        return bins { levels[$0].reduce(0, +) / Double($0.count) }
    }

    private func bins(_ value: (Range<Int>) -> Double) -> [Double] {
        (0..<count).map { value($0 * factor..<min(($0 + 1) * factor, series.intervals)) }
    }

    private func seconds(_ intervals: Range<Int>) -> Double {
        Double(intervals.count) * Double(series.intervalNs) / 1e9
    }
}

extension HistogramBuckets {
    /// Nil for none, and for histograms of different layouts.
    init?(sumOf histograms: [HistogramBuckets]) {
        let found = histograms.filter { $0.total > 0 }
        guard let layout = found.first?.layout, found.allSatisfy({ $0.layout == layout }) else { return nil }
        var counts: [Int: Int] = [:]
        for bucket in found.flatMap(\.buckets) { counts[bucket.index, default: 0] += bucket.count }
        self.init(
            layout: layout, buckets: counts.sorted { $0.key < $1.key }.map { Bucket(index: $0.key, count: $0.value) })
    }
}
