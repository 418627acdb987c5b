// The series of several reports over each other, interval by interval.
// Pure; any thread.

import Metrics

enum SeriesMerge {
    /// Nil when nothing happened in any run.
    static func merged(_ sources: [ReportMerge.Source]) throws(MergeError) -> Report.Series? {
        var merged: SeriesSum?
        for source in sources {
            guard let series = source.report.series else { continue }
            guard let next = SeriesSum(series) else {
                throw MergeError(path: source.path, problem: .unreadable("the series"))
            }
            guard let before = merged else {
                merged = next
                continue
            }
            guard let sum = before.adding(next) else {
                throw MergeError(path: source.path, problem: .tooLarge("the series"))
            }
            merged = sum
        }
        return merged?.series
    }
}

/// A series whose intervals can be added up.
private struct SeriesSum {
    private var intervalNs: Int64
    private var usersActive: [Double]
    private var queueDepth: [Double]?
    private var counts: [String: [Int]]
    private var durations: [HistogramBuckets?]

    /// Nil for what no run writes.
    init?(_ series: Report.Series) {
        let rows =
            [
                series.usersActive.count, series.storeQueueDepth?.count ?? series.intervals,
                series.purchaseDuration.histogram.count,
            ] + series.counts.values.map(\.count)
        let seconds = series.intervalNs / TimeSeries.intervalFirst
        guard (1...TimeSeries.intervalsMax).contains(series.intervals), rows.allSatisfy({ $0 == series.intervals }),
            seconds > 0, seconds & (seconds - 1) == 0, seconds <= Int64.max / TimeSeries.intervalFirst / 1_024,
            series.intervalNs == seconds * TimeSeries.intervalFirst
        else { return nil }
        intervalNs = series.intervalNs
        usersActive = series.usersActive
        queueDepth = series.storeQueueDepth
        counts = series.counts
        durations = []
        for text in series.purchaseDuration.histogram {
            let buckets = text.flatMap(HistogramBuckets.init(base64:))
            if text != nil, buckets == nil { return nil }
            durations.append(buckets)
        }
    }

    /// Nil where a sum has no number, or histograms differ in their layout.
    func adding(_ other: SeriesSum) -> SeriesSum? {
        var (sum, other) = (self, other)
        while sum.intervalNs < other.intervalNs { guard sum.double() else { return nil } }
        while other.intervalNs < sum.intervalNs { guard other.double() else { return nil } }
        sum.usersActive = Self.joined(sum.usersActive, other.usersActive, empty: 0, +)
        if let ours = sum.queueDepth, let theirs = other.queueDepth {
            sum.queueDepth = Self.joined(ours, theirs, empty: 0, +)
        } else {
            sum.queueDepth = nil
        }
        let length = max(sum.durations.count, other.durations.count)
        // What one of them did not count is not known of both.
        sum.counts = sum.counts.filter { other.counts[$0.key] != nil }
        for (name, row) in sum.counts {
            guard let added = Self.sum(row, other.counts[name] ?? [], length) else { return nil }
            sum.counts[name] = added
        }
        guard let durations = Self.sum(sum.durations, other.durations, length) else { return nil }
        sum.durations = durations
        return sum
    }

    /// Intervals of twice the length; false where a sum has no number.
    private mutating func double() -> Bool {
        let length = (durations.count + 1) / 2
        func even<Value>(_ row: [Value]) -> [Value] { stride(from: 0, to: row.count, by: 2).map { row[$0] } }
        func odd<Value>(_ row: [Value]) -> [Value] { stride(from: 1, to: row.count, by: 2).map { row[$0] } }
        for (name, row) in counts {
            guard let sums = Self.sum(even(row), odd(row), length) else { return false }
            counts[name] = sums
        }
        guard let sums = Self.sum(even(durations), odd(durations), length) else { return false }
        durations = sums
        // An average over both halves, of which the last may be missing.
        usersActive = Self.joined(even(usersActive), odd(usersActive), empty: 0) { ($0 + $1) / 2 }
        queueDepth = queueDepth.map { Self.joined(even($0), odd($0), empty: 0) { ($0 + $1) / 2 } }
        intervalNs *= 2
        return true
    }

    private static func joined<Value>(
        _ one: [Value], _ other: [Value], empty: Value, _ sum: (Value, Value) -> Value
    ) -> [Value] {
        (0..<max(one.count, other.count)).map { place in
            sum(place < one.count ? one[place] : empty, place < other.count ? other[place] : empty)
        }
    }

    private static func sum(_ one: [Int], _ other: [Int], _ length: Int) -> [Int]? {
        var sums: [Int] = []
        for place in 0..<length {
            let (sum, isTooMuch) = (place < one.count ? one[place] : 0).addingReportingOverflow(
                place < other.count ? other[place] : 0)
            if isTooMuch { return nil }
            sums.append(sum)
        }
        return sums
    }

    private static func sum(
        _ one: [HistogramBuckets?], _ other: [HistogramBuckets?], _ length: Int
    ) -> [HistogramBuckets?]? {
        var sums: [HistogramBuckets?] = []
        for place in 0..<length {
            let ours = place < one.count ? one[place] : nil
            let theirs = place < other.count ? other[place] : nil
            guard let ours, let theirs else {
                sums.append(ours ?? theirs)
                continue
            }
            guard let sum = ours.adding(theirs) else { return nil }
            sums.append(sum)
        }
        return sums
    }

    var series: Report.Series {
        var purchases = Report.Series.Durations()
        for buckets in durations {
            purchases.p50.append(buckets?.value(atPercentile: 50))
            purchases.p95.append(buckets?.value(atPercentile: 95))
            purchases.p99.append(buckets?.value(atPercentile: 99))
            purchases.histogram.append(buckets?.base64)
        }
        return Report.Series(
            intervalNs: intervalNs, intervals: durations.count, usersActive: usersActive,
            storeQueueDepth: queueDepth, counts: counts,
            purchaseDuration: purchases)
    }
}
