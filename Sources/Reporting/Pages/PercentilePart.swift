// Latency by percentile on the page: how long things take for most people, and for the unlucky few.
// Pure; any thread.

import Metrics
import ReportModel
import Text

enum PercentilePart {
    /// What people wait for, in the order in which it is drawn.
    static let shown = MetricName.ordered(by: \.percentilePlace)
    /// Each step to the right is ten times fewer people.
    private static let percentiles: [(value: Double, label: String)] = [
        (0, "0%"), (50, "50%"), (90, "90%"), (99, "99%"), (99.9, "99.9%"), (99.99, "99.99%"),
    ]
    /// Those that the table names.
    private static let named = [25, 50, 75, 90, 95, 99, 99.9, 99.99]
    private static let table = "percentile-values"
    private static let pointsPerDecade = 24
    private static let decades = 4

    static func render(_ report: Report) -> String {
        let trends = shown.compactMap { name -> (name: String, buckets: HistogramBuckets, trend: ReportMetric.Trend)? in
            guard let trend = report.metrics.first(where: { $0.name == name.name })?.response,
                let buckets = HistogramBuckets(base64: trend.histogram), buckets.total > 0
            else { return nil }
            return (name.name, buckets, trend)
        }
        guard let longest = trends.map(\.trend.max).max() else { return "" }
        let limits = report.thresholds.filter { threshold in
            trends.contains { $0.name == threshold.metric }
                && threshold.limit > 0 && threshold.limit < Double(longest) * 4
        }
        let high = limits.map(\.limit).reduce(longest) { max($0, Int64($1)) }
        // What took no time at all, or is one of a thousand, would push everything else to the top.
        let low = trends.compactMap { $0.buckets.lowestOfMany }.min() ?? high
        let scale = DurationScale(minimum: low, maximum: high, isCut: trends.contains { $0.trend.min < low })
        let sentences = trends.map { item in
            "\(item.name): half within \(duration(item.trend.med)), 99 per cent within \(duration(item.trend.p99)), "
                + "the longest \(duration(item.trend.max))"
        }
        let ticks = percentiles.map { PlotTick(place: place($0.value), label: $0.label) }
        var plot = Plot(
            description: "Durations by percentile. " + sentences.joined(separator: ". ") + ".", x: ticks,
            y: scale.ticks, xTitle: "percentile, logarithmic", yTitle: "duration, logarithmic")
        plot.height = "tall"
        plot.limits = limits.map {
            PlotTick(place: scale.place($0.limit), label: "limit: \($0.metric) \($0.expression)")
        }
        plot.data = PlotData(
            table: table, columns: Array(1...trends.count), places: named.map(place))
        for (number, item) in trends.enumerated() {
            plot.line(points(item.buckets, item.trend, scale), class: "c\(number + 1)")
        }
        return PlotFigure.html(
            title: "Durations by percentile",
            note: "At each percentile, that share of the cases took this time or less; both axes are logarithmic.",
            plot: plot,
            legend: trends.enumerated().map { ("c\($0.offset + 1)", $0.element.name) },
            numbers: numbers(trends.map { ($0.name, $0.buckets) }, "Durations as numbers", id: table))
    }

    /// One duration of several runs over each other; nil where only one of them has it.
    static func overlay(
        _ metric: MetricName, _ reports: [(name: String, report: Report)], legend: [(class: String, label: String)]
    ) -> String? {
        let found = reports.map { $0.report.metrics.first { $0.name == metric.name }?.response }
        let trends = found.compactMap { trend in
            trend.flatMap { trend in HistogramBuckets(base64: trend.histogram).map { (trend: trend, buckets: $0) } }
        }.filter { $0.buckets.total > 0 }
        guard trends.count == reports.count, let high = trends.map(\.trend.max).max() else { return nil }
        let low = trends.compactMap { $0.buckets.lowestOfMany }.min() ?? high
        let scale = DurationScale(minimum: low, maximum: high, isCut: trends.contains { $0.trend.min < low })
        let slow = trends.map { duration($0.trend.p95) }
        let note = "p95 \(slow.joined(separator: " → "))"
        let table = "\(metric.name)-values"
        var plot = Plot(
            description: "\(metric.name) by percentile, \(reports.map(\.name).joined(separator: " and ")): \(note).",
            x: percentiles.map { PlotTick(place: place($0.value), label: $0.label) }, y: scale.ticks,
            xTitle: "percentile, logarithmic", yTitle: "duration, logarithmic")
        plot.data = PlotData(table: table, columns: Array(1...trends.count), places: named.map(place))
        for (number, item) in trends.enumerated() {
            plot.line(points(item.buckets, item.trend, scale), class: legend[number].class)
        }
        let names = reports.map(\.name)
        return PlotFigure.html(
            title: metric.name, note: note, plot: plot, legend: legend,
            numbers: numbers(zip(names, trends).map { ($0, $1.buckets) }, "\(metric.name) as numbers", id: table))
    }

    private static func numbers(
        _ trends: [(name: String, buckets: HistogramBuckets)], _ caption: String, id: String
    ) -> String {
        let rows = named.map { percentile in
            ["\(HumanNumbers.number(percentile))%"]
                + trends.map { trend in
                    trend.buckets.value(atPercentile: percentile).map { HTMLText.escaped(duration($0)) } ?? ""
                }
        }
        return TablePart.folded(
            caption, [.text("Percentile")] + trends.map { .number($0.name) }, rows, id: id)
    }

    private static func place(_ percentile: Double) -> Double {
        Logarithm.of(100 / (100 - percentile)) / Logarithm.of(10) / Double(decades)
    }

    /// As far to the right as there are samples to tell.
    private static func points(
        _ buckets: HistogramBuckets, _ trend: ReportMetric.Trend, _ scale: DurationScale
    ) -> [(x: Double, y: Double)?] {
        var points: [(x: Double, y: Double)?] = []
        for step in 0...(pointsPerDecade * decades) {
            let x = Double(step) / Double(pointsPerDecade)
            var left = 100.0
            for _ in 0..<(step / pointsPerDecade) { left /= 10 }
            left /= power(ofTen: x - x.rounded(.down))
            let percentile = max(0, 100 - left)
            guard let value = buckets.value(atPercentile: percentile) else { continue }
            let clamped = max(trend.min, min(value, trend.max))
            points.append((x / Double(decades), scale.place(Double(clamped))))
            // Beyond the largest sample there is nothing but the largest sample.
            if left / 100 * Double(buckets.total) < 1 { break }
        }
        return points
    }

    /// For exponents from 0 to 1 in steps of a decade's points.
    private static func power(ofTen exponent: Double) -> Double {
        let root = 1.100_694_171_252_208_5  // ten to the power of 1/24
        let steps = Int((exponent * Double(pointsPerDecade)).rounded())
        return (0..<steps).reduce(1) { value, _ in value * root }
    }

    private static func duration(_ nanoseconds: Int64) -> String { HumanNumbers.duration(nanoseconds: nanoseconds) }
}

extension HistogramBuckets {
    /// The smallest duration above zero that is no exception, in nanoseconds: one in fifty is. Nil when there is
    /// none.
    var lowestOfMany: Int64? {
        var passed = 0
        for bucket in buckets {
            passed += bucket.count
            let low = layout.values(at: bucket.index).lowerBound
            if passed * 50 > total, low > 0 { return low }
        }
        return nil
    }
}
