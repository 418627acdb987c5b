// The metrics of several reports as those of one.
// Pure; any thread.

import Foundation
import Metrics

/// What one report measured and another did not is that of the one alone: absent is not zero.
struct MetricMerge {
    let sources: [ReportMerge.Source]
    /// What counts per second refer to.
    let simulatedSeconds: Double

    /// In the order of the first report that has any of it, unless sorted by name.
    func merged(
        _ list: (Report) -> [ReportMetric], isSorted: Bool = true
    ) throws(MergeError) -> [ReportMetric] {
        var order: [String] = []
        for metric in sources.flatMap({ list($0.report) }) where !order.contains(metric.name) {
            order.append(metric.name)
        }
        var merged: [ReportMetric] = []
        for name in isSorted ? order.sorted() : order {
            let found = sources.compactMap { source in
                list(source.report).first { $0.name == name }.map { Found(source: source, metric: $0) }
            }
            merged.append(try merge(found))
        }
        return merged
    }

    private struct Found {
        let source: ReportMerge.Source
        let metric: ReportMetric

        func error(_ problem: (String) -> MergeError.Problem) -> MergeError {
            MergeError(path: source.path, problem: problem(metric.name))
        }
    }

    private func merge(_ found: [Found]) throws(MergeError) -> ReportMetric {
        var merged = found[0].metric
        for other in found.dropFirst() where other.metric.kind != merged.kind || other.metric.unit != merged.unit {
            throw other.error { .unreadable("the metric \($0)") }
        }
        switch merged.kind {
        case .trend:
            merged.response = try trend(found, \.response)
            merged.service = try trend(found, \.service)
        case .counter:
            merged.count = try sum(found, \.count)
            let seconds = length(found) ?? simulatedSeconds
            merged.perSecond = seconds > 0 ? merged.count.map { Double($0) / seconds } : nil
            merged.tags = try tags(found)
        case .rate:
            merged.passes = try sum(found, \.passes)
            merged.total = try sum(found, \.total)
        case .gauge:
            merged.value = level(found)
            merged.min = found.compactMap(\.metric.min).min()
            merged.max = found.compactMap(\.metric.max).max()
        }
        return merged
    }

    /// How much of the run a part of a counter looks at; nil for the whole run, and where nothing was counted.
    private func length(_ found: [Found]) -> Double? {
        guard found[0].metric.isOfWindow ?? false else { return nil }
        return found.compactMap { item in
            guard let count = item.metric.count, let rate = item.metric.perSecond, rate > 0 else { return nil }
            return Double(count) / rate
        }.max()
    }

    // MARK: Sums

    private func sum(_ found: [Found], _ part: (ReportMetric) -> Int?) throws(MergeError) -> Int? {
        var total: Int?
        for item in found {
            guard let value = part(item.metric) else { continue }
            let (next, isTooMuch) = (total ?? 0).addingReportingOverflow(value)
            if isTooMuch { throw item.error { .tooLarge($0) } }
            total = next
        }
        return total
    }

    private func tags(_ found: [Found]) throws(MergeError) -> [String: Int]? {
        let names = Set(found.flatMap { ($0.metric.tags ?? [:]).keys })
        var tags: [String: Int] = [:]
        for name in names { tags[name] = try sum(found) { $0.tags?[name] } }
        return tags.isEmpty ? nil : tags
    }

    private func trend(
        _ found: [Found], _ part: (ReportMetric) -> ReportMetric.Trend?
    ) throws(MergeError) -> ReportMetric.Trend? {
        var buckets: HistogramBuckets?
        var (minimum, maximum, overflow) = (Int64.max, Int64.min, 0)
        var averages = 0.0
        for item in found {
            guard let trend = part(item.metric) else { continue }
            guard let theirs = HistogramBuckets(base64: trend.histogram), theirs.total == trend.count,
                (0...theirs.total).contains(trend.overflow ?? 0)
            else { throw item.error { .unreadable("the histogram of \($0)") } }
            if let ours = buckets {
                guard let sum = ours.adding(theirs) else { throw item.error { .tooLarge("the histogram of \($0)") } }
                buckets = sum
            } else {
                buckets = theirs
            }
            minimum = min(minimum, trend.min)
            maximum = max(maximum, trend.max)
            overflow += trend.overflow ?? 0
            averages += trend.avg * Double(trend.count)
        }
        guard let buckets else { return nil }
        return ReportMetric.Trend(
            buckets, average: averages / Double(buckets.total), minimum: minimum, maximum: maximum, overflow: overflow)
    }

    // MARK: Levels

    /// A cost per purchase or user is that of all of them, a share of the time that of all the time; of other levels,
    /// peaks all of them, the highest.
    private func level(_ found: [Found]) -> Double? {
        guard let weight = Self.weight(found[0].metric.name) else { return found.compactMap(\.metric.value).max() }
        var (sum, weights) = (0.0, 0.0)
        for item in found {
            guard let value = item.metric.value, let share = weight(item.source.report) else { continue }
            sum += value * share
            weights += share
        }
        return weights > 0 ? sum / weights : found.compactMap(\.metric.value).max()
    }

    private static func weight(_ name: String) -> ((Report) -> Double?)? {
        switch MetricName(name: name) {
        case .bytesPerPurchase, .allocationsPerPurchase:
            return { report in
                report.metrics.first { $0.name == MetricName.purchases.name }?.count.map(Double.init)
            }
        case .memoryGrowthPerUser: return { Double($0.run.users) }
        case .cpuPressure, .cpuSteal: return { $0.host.durationSeconds }
        default: return nil
        }
    }
}

extension ReportMetric {
    /// What a threshold judges; nil where nothing was measured.
    var reading: MetricReading? {
        switch kind {
        case .trend:
            guard let response, let buckets = HistogramBuckets(base64: response.histogram) else { return nil }
            let (minimum, maximum) = (response.min, response.max)
            return .trend(
                TrendReading(
                    count: response.count, average: response.avg, minimum: Double(minimum), maximum: Double(maximum)
                ) { percentile in
                    Double(buckets.value(atPercentile: percentile, minimum: minimum, maximum: maximum) ?? 0)
                })
        case .counter: return count.map { .counter(count: $0, perSecond: perSecond) }
        case .rate:
            guard let passes, let total, total > 0 else { return nil }
            return .rate(passes: passes, total: total)
        case .gauge:
            guard let value, let min, let max else { return nil }
            return .gauge(value: value, min: min, max: max)
        }
    }
}
