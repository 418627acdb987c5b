// The run over time on the page: how much happened, how long it took, and when something was meant to fail.
// Pure; any thread.

import Metrics
import ReportModel
import Text

struct SeriesPart {
    private let series: PlottedSeries
    private let scale: TimeScale
    private let windows: [Report.FaultWindow]
    private let violations: Report.Violations
    /// Limits on the durations that are drawn.
    private let limits: [Report.Threshold]
    /// Those with values, in the order in which they are drawn.
    private let shown: [(metric: MetricName, values: [Double])]

    private static let plotted = MetricName.ordered(by: \.plot?.place)
    private static let table = "time-values"
    private static let percentiles: [(name: String, value: Double)] = [("p50", 50), ("p95", 95), ("p99", 99)]

    init?(_ report: Report) {
        guard let told = report.series, let series = PlottedSeries(told) else { return nil }
        self.series = series
        scale = TimeScale(end: series.end)
        let end = series.end
        windows = report.faultWindows.filter { $0.startNs < end && $0.endNs > $0.startNs }
        violations = report.violations
        limits = report.thresholds.filter { $0.metric == MetricName.purchaseDuration.name }
        shown = Self.plotted.compactMap { metric in
            guard let values = series.values(of: metric) else { return nil }
            // Who was there is shown whatever happened.
            return metric == .usersActive || values.contains { $0 > 0 } ? (metric, values) : nil
        }
    }

    func render() -> String {
        [legend(), latency(), throughput(), load(), values()].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Throughput

    private func throughput() -> String {
        let figures = shown.enumerated().compactMap { place, item -> String? in
            guard let plot = item.metric.row.plot else { return nil }
            return steps(item.metric, plot, item.values, column: Self.percentiles.count + 1 + place)
        }
        return "<div class=\"plots\">\n\(figures.joined(separator: "\n"))\n</div>"
    }

    private static func unit(_ metric: MetricName) -> String { metric.kind == .counter ? "/s" : "" }

    private static func title(_ metric: MetricName, _ plot: MetricPlot) -> String {
        plot.title + (metric.kind == .counter ? " per second" : "")
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
        let length = HumanNumbers.roundDuration(nanoseconds: series.length)
        var text =
            "<p class=\"quiet\">Simulated time, in \(series.count) steps of \(HTMLText.escaped(length)), until each user's "
            + "last journey ended.</p>\n"
        if windows.isEmpty { return text }
        let shown = windows.prefix(12).map { "<li>\(HTMLText.escaped($0.sentence))</li>" }
        text += "<p class=\"faults\"><span class=\"swatch\" aria-hidden=\"true\"></span>Shaded: planned failures</p>\n"
        text += "<ul class=\"windows\">\(shown.joined())"
        if windows.count > shown.count { text += "<li>and \(windows.count - shown.count) more</li>" }
        return text + "</ul>\n"
    }

    private func steps(_ metric: MetricName, _ row: MetricPlot, _ values: [Double], column: Int) -> String {
        let unit = Self.unit(metric)
        let peak = values.max() ?? 0
        let place = values.firstIndex(of: peak) ?? 0
        let at = HumanNumbers.roundDuration(nanoseconds: Int64(place) * series.length)
        let average = values.reduce(0, +) / Double(max(1, values.count))
        let axis = LinearScale(maximum: peak)
        var note =
            "peak \(HumanNumbers.number(peak))\(unit) at \(at), \(HumanNumbers.number(average))\(unit) on average"
        if metric == .violations { note += late(values) }
        let title = Self.title(metric, row)
        var plot = plot(
            "\(title) over simulated time: \(note).", axis.ticks,
            title: metric.kind == .counter ? "per second" : "count",
            height: "low", columns: [column])
        plot.steps(
            values.enumerated().map { (series.start($0.offset + 1), axis.place($0.element)) },
            class: Self.color(row.tone))
        return PlotFigure.html(title: title, note: note, plot: plot)
    }

    /// What is found of the time after the journeys has no place among these.
    private func late(_ values: [Double]) -> String {
        let seconds = (0..<series.count).map { (series.start($0 + 1) - series.start($0)) * Double(series.end) / 1e9 }
        let placed = Int(zip(values, seconds).map { $0 * $1 }.reduce(0, +).rounded())
        let rest = violations.total - placed
        return rest > 0 ? "; \(HumanNumbers.count(rest)) more after the journeys" : ""
    }

    private func plot(_ description: String, _ y: [PlotTick], title: String, height: String, columns: [Int]) -> Plot {
        let failures = windows.prefix(12).map(\.sentence).joined(separator: "; ")
        let suffix = failures.isEmpty ? "" : " Planned failures: \(failures)."
        var plot = Plot(
            description: description + suffix, x: scale.ticks, y: y, xTitle: "simulated time", yTitle: title)
        plot.height = height
        plot.data = PlotData(table: Self.table, columns: columns)
        plot.shaded = windows.map { (scale.place($0.startNs), scale.place($0.endNs)) }
        return plot
    }

    // MARK: Latency

    private func latency() -> String {
        let rows = Self.percentiles.map { ($0.name, series.percentile($0.value)) }
        let values = rows.flatMap { $0.1.compactMap(\.self) }
        guard let high = values.max() else { return "" }
        let map = HeatMap(series)
        // Limits that no duration comes near would flatten all that is drawn.
        let near = limits.filter { $0.limit < Double(high) * 4 }
        let top = max(Double(high), near.map(\.limit).max() ?? 0)
        let low = Self.lowest(values, high)
        let axis = DurationScale(minimum: low, maximum: Int64(min(top, 1e18)), isCut: values.contains { $0 < low })
        var sentences: [String] = []
        for (name, row) in rows {
            guard let worst = row.compactMap(\.self).max(), let place = row.firstIndex(of: worst) else { continue }
            sentences.append(
                "\(name) at most \(HumanNumbers.duration(nanoseconds: worst)) at "
                    + HumanNumbers.roundDuration(nanoseconds: Int64(place) * series.length))
        }
        let note = sentences.joined(separator: ", ")
        var plot = plot(
            "purchase_duration over simulated time: \(note).", axis.ticks, title: "duration, logarithmic",
            height: "high", columns: [1, 2, 3])
        plot.limits = near.map { PlotTick(place: axis.place($0.limit), label: "limit: \($0.expression)") }
        for (number, row) in rows.enumerated() {
            plot.line(
                row.1.enumerated().map { place, value in
                    value.map { (series.middle(place), axis.place(Double($0))) }
                }, class: "c\(number + 1)")
        }
        let lines = PlotFigure.html(
            title: "Purchase duration over time", note: note, plot: plot,
            legend: rows.enumerated().map { ("c\($0.offset + 1)", $0.element.0) })
        return lines + (map.map { "\n" + figure($0) } ?? "")
    }

    /// The smallest that is no exception: one in fifty of those drawn may lie below, at the bottom.
    private static func lowest(_ values: [Int64], _ high: Int64) -> Int64 {
        let sorted = values.filter { $0 > 0 }.sorted()
        return sorted.isEmpty ? high : sorted[sorted.count / 50]
    }

    private func figure(_ map: HeatMap) -> String {
        let most = HumanNumbers.count(map.countMax)
        let note = "darker fields have more purchases: up to \(most) in one field"
        var plot = plot(
            "Purchases by duration over simulated time; \(map.description)", map.scale.ticks,
            title: "duration, logarithmic", height: "high", columns: [1, 2, 3])
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

    // MARK: Throughput against latency

    private static let dotsMin = 8

    /// A dot a step of time: whether more purchases at once take longer.
    private func load() -> String {
        guard let rates = series.values(of: .purchases) else { return "" }
        let slow = series.percentile(95)
        let dots = (0..<series.count).compactMap { bin in
            slow[bin].flatMap { $0 > 0 && rates[bin] > 0 ? (bin: bin, rate: rates[bin], value: $0) : nil }
        }
        guard dots.count >= Self.dotsMin, let most = dots.map(\.rate).max(), let high = dots.map(\.value).max()
        else { return "" }
        let x = LinearScale(maximum: most)
        let low = Self.lowest(dots.map(\.value), high)
        let y = DurationScale(minimum: low, maximum: high, isCut: dots.contains { $0.value < low })
        let ticks = x.ticks.map { PlotTick(place: $0.place, label: $0.label + "/s") }
        let range = [low, high].map { HumanNumbers.duration(nanoseconds: $0) }
        let note = "each dot is a step of \(HumanNumbers.roundDuration(nanoseconds: series.length))"
        var plot = Plot(
            description: "p95 of purchase_duration against purchases per second: \(dots.count) steps, up to "
                + "\(HumanNumbers.number(most))/s, p95 from \(range[0]) to \(range[1]).",
            x: ticks, y: y.ticks, xTitle: "purchases per second", yTitle: "p95, logarithmic")
        for dot in dots {
            let at = HumanNumbers.roundDuration(nanoseconds: Int64(dot.bin) * series.length)
            plot.dot(
                x.place(dot.rate), y.place(Double(dot.value)), class: "dots c1",
                title:
                    "at \(at): \(HumanNumbers.perSecond(dot.rate)), p95 \(HumanNumbers.duration(nanoseconds: dot.value))"
            )
        }
        return PlotFigure.html(title: "Throughput against latency", note: note, plot: plot)
    }

    // MARK: Values

    /// All that is drawn, as numbers.
    private func values() -> String {
        let rows = (0..<series.count).map { bin -> [String] in
            let slow = Self.percentiles.map { percentile -> String in
                (series.durations[bin]?.value(atPercentile: percentile.value)).map {
                    HTMLText.escaped(HumanNumbers.duration(nanoseconds: $0))
                } ?? ""
            }
            let others = shown.map { HumanNumbers.number($0.values[bin]) + Self.unit($0.metric) }
            let at = HumanNumbers.roundDuration(nanoseconds: Int64(bin) * series.length)
            return [HTMLText.escaped(at)] + slow + others
        }
        let columns =
            [TablePart.Column.text("From")] + Self.percentiles.map { .number("Duration, \($0.name)") }
            + shown.map { .number($0.metric.row.plot?.title ?? $0.metric.name) }
        return TablePart.folded("These plots as numbers", columns, rows, id: Self.table)
    }
}
