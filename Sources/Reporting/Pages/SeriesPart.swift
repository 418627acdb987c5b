// The run over time on the page: how much happened, how long it took, and when something was meant to fail.
// Pure; any thread.

import Metrics
import Text

struct SeriesPart {
    private let series: Report.Series
    private let scale: TimeScale
    private let windows: [Report.FaultWindow]

    init?(_ report: Report) {
        guard let series = report.series, series.isSound else { return nil }
        self.series = series
        let end = series.intervalNs * Int64(series.intervals)
        scale = TimeScale(end: end)
        windows = report.faultWindows.filter { $0.startNs < end && $0.endNs > $0.startNs }
    }

    // MARK: Throughput

    private static let plotted = MetricName.ordered(by: \.plot?.place)

    func render() -> String { [legend(), latency(), throughput()].filter { !$0.isEmpty }.joined(separator: "\n") }

    private func throughput() -> String {
        let figures = Self.plotted.compactMap { metric -> String? in
            guard let plot = metric.row.plot, let values = values(of: metric) else { return nil }
            // Who was there is shown whatever happened.
            guard metric == .usersActive || values.contains(where: { $0 > 0 }) else { return nil }
            let isCount = metric.kind == .counter
            return steps(
                plot.title + (isCount ? " per second" : ""), values, unit: isCount ? "/s" : "",
                class: Self.color(plot.tone))
        }
        return "<div class=\"plots\">\n\(figures.joined(separator: "\n"))\n</div>"
    }

    /// In each interval: levels as they are, counters per second.
    private func values(of metric: MetricName) -> [Double]? {
        switch metric {
        case .usersActive: return series.usersActive
        case .storeQueueDepth: return series.storeQueueDepth
        default:
            let seconds = Double(series.intervalNs) / 1e9
            return series.counts[metric.name].map { $0.map { Double($0) / seconds } }
        }
    }

    private static func color(_ tone: MetricPlot.Tone) -> String {
        switch tone {
        case .event: "c1"
        case .trouble: "c2"
        case .waiting: "c3"
        case .users: "c4"
        }
    }

    /// What the shading stands for.
    private func legend() -> String {
        let length = HumanNumbers.roundDuration(nanoseconds: series.intervalNs)
        var text =
            "<p class=\"quiet\">Simulated time, in intervals of \(HTMLText.escaped(length)), until each user's "
            + "last journey ended.</p>\n"
        if windows.isEmpty { return text }
        let shown = windows.prefix(12).map { "<li>\(HTMLText.escaped($0.sentence))</li>" }
        text += "<p class=\"faults\"><span class=\"swatch\" aria-hidden=\"true\"></span>Shaded: planned failures</p>\n"
        text += "<ul class=\"windows\">\(shown.joined())"
        if windows.count > shown.count { text += "<li>and \(windows.count - shown.count) more</li>" }
        return text + "</ul>\n"
    }

    private func steps(_ title: String, _ values: [Double], unit: String, class name: String) -> String {
        let peak = values.max() ?? 0
        let place = values.firstIndex(of: peak) ?? 0
        let at = HumanNumbers.roundDuration(nanoseconds: Int64(place) * series.intervalNs)
        let total = values.reduce(0, +) / Double(max(1, values.count))
        let axis = LinearScale(maximum: peak)
        let note = "peak \(HumanNumbers.number(peak))\(unit) at \(at), \(HumanNumbers.number(total))\(unit) on average"
        var plot = plot("\(title) over simulated time: \(note).", axis.ticks, height: "low")
        plot.steps(values.map(axis.place), width: 1 / Double(series.intervals), class: name)
        return PlotFigure.html(title: title, note: note, plot: plot)
    }

    private func plot(_ description: String, _ y: [PlotTick], height: String) -> Plot {
        let failures = windows.prefix(12).map(\.sentence).joined(separator: "; ")
        let suffix = failures.isEmpty ? "" : " Planned failures: \(failures)."
        var plot = Plot(description: description + suffix, x: scale.ticks, y: y, height: height)
        plot.shaded = windows.map { (scale.place($0.startNs), scale.place($0.endNs)) }
        return plot
    }

    // MARK: Latency

    private func latency() -> String {
        let durations = series.purchaseDuration
        let rows = [("p50", durations.p50), ("p95", durations.p95), ("p99", durations.p99)]
        let values = rows.flatMap { $0.1.compactMap { $0 } }
        guard let high = values.max() else { return "" }
        let map = HeatMap(series)
        let axis = map?.scale ?? DurationScale(minimum: values.min() ?? high, maximum: high)
        var sentences: [String] = []
        for (name, row) in rows {
            guard let worst = row.compactMap({ $0 }).max(), let place = row.firstIndex(of: worst) else { continue }
            sentences.append(
                "\(name) at most \(HumanNumbers.duration(nanoseconds: worst)) at "
                    + HumanNumbers.roundDuration(nanoseconds: Int64(place) * series.intervalNs))
        }
        let note = sentences.joined(separator: ", ")
        var plot = plot("purchase_duration over simulated time: \(note).", axis.ticks, height: "high")
        for (number, row) in rows.enumerated() {
            plot.line(
                row.1.prefix(series.intervals).enumerated().map { place, value in
                    value.map { ((Double(place) + 0.5) / Double(series.intervals), axis.place(Double($0))) }
                }, class: "c\(number + 1)")
        }
        let lines = PlotFigure.html(
            title: "Purchase duration over time", note: note, plot: plot,
            legend: rows.enumerated().map { ("c\($0.offset + 1)", $0.element.0) })
        return lines + (map.map { "\n" + figure($0) } ?? "")
    }

    private func figure(_ map: HeatMap) -> String {
        let most = HumanNumbers.count(map.countMax)
        let note = "the stronger, the more purchases: up to \(most) in one field"
        var plot = plot(
            "Purchases by duration over simulated time; \(map.description)", map.scale.ticks, height: "high")
        map.draw(into: &plot)
        let fields = (1...HeatMap.levels).map {
            "<path class=\"heat h\($0)\" d=\"M\(($0 - 1) * 14) 0h13v10h-13z\"/>"
        }
        let key = """
            <p class="quiet key">1 <svg viewBox="0 0 84 10" width="84" height="10" aria-hidden="true">\
            \(fields.joined())</svg> \(most)</p>
            """
        return PlotFigure.html(title: "Purchases by duration over time", note: note, plot: plot) + "\n" + key
    }
}
