// A trend as one page that needs neither network nor script.
// Pure; any thread.

import RunStore
import Text

package enum TrendPage {
    /// Beside the points, the runs that have a label on the axis.
    private static let labels = 5

    package static func render(_ trend: Trend) -> String {
        let (tone, answer) = answer(trend)
        let runs = trend.series.reduce(0) { $0 + $1.points.count }
        var body = [
            "<header class=\"verdict \(tone.rawValue)-edge\">", "<h1>\(HTMLText.escaped(trend.figure))</h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(HTMLText.escaped(answer))</p>",
            "<p class=\"quiet\">\(HumanNumbers.quantity(runs, "run")) in \(trend.series.count) series; noise up to "
                + "\(HTMLText.escaped(HumanNumbers.number(trend.noise * 100)))%.</p>", "</header>",
        ]
        for (number, series) in trend.series.enumerated() {
            body.append("<section aria-labelledby=\"series-\(number)\">")
            body.append("<h2 id=\"series-\(number)\">\(HTMLText.escaped(series.title))</h2>")
            body += changeList(series, trend)
            // One run is no line.
            if series.points.count > 1 { body.append(figure(series, trend)) }
            body += [table(series, trend), "</section>"]
        }
        return Page.render(
            title: "\(trend.figure) over time", style: ReportStyle.text + "\n" + style,
            body: body.joined(separator: "\n"))
    }

    /// What the newest change of each series says, where there is one.
    private static func answer(_ trend: Trend) -> (Tone, String) {
        let last = trend.series.compactMap(\.changes.last)
        let worse = last.count { $0.verdict == .worse }
        if worse > 0 { return (.bad, "the last change made \(worse) of \(trend.series.count) series worse") }
        if let better = last.first { return (better.verdict.tone, "the last change made no series worse") }
        let isKnown = trend.series.contains { $0.isExact || $0.points.count >= ChangePoints.runsMin }
        return isKnown
            ? (.good, "no change")
            : (.doubtful, "too few runs to detect a change: a series needs \(ChangePoints.runsMin)")
    }

    private static func changeList(_ series: TrendSeries, _ trend: Trend) -> [String] {
        if series.changes.isEmpty { return ["<p class=\"quiet\">\(TrendWords.noChange(series))</p>"] }
        let items = series.changes.map { change in
            let text = HTMLText.escaped(TrendWords.sentence(change, unit: trend.unit))
            return "<li class=\"\(change.verdict.tone.rawValue)\">\(text)</li>"
        }
        return ["<ul class=\"changes\">"] + items + ["</ul>"]
    }

    // MARK: Picture

    private static func figure(_ series: TrendSeries, _ trend: Trend) -> String {
        let points = series.points
        let scale = LevelScale(points.map(\.value), unit: trend.unit)
        func place(_ index: Int) -> Double { points.count > 1 ? Double(index) / Double(points.count - 1) : 0.5 }
        let marks = Set((0..<labels).map { $0 * (points.count - 1) / (labels - 1) }).sorted()
        var plot = Plot(
            description: description(series, trend),
            x: marks.map { PlotTick(place: place($0), label: label(points[$0])) }, y: scale.ticks,
            xTitle: "run, its date and commit", yTitle: trend.figure)
        for change in series.changes {
            plot.path(
                "M\(Plot.unit(place(change.point.index))) 0V1000", class: "change \(change.verdict.tone.rawValue)")
        }
        let places = points.enumerated().map { (x: place($0), y: scale.place($1.value)) }
        plot.line(places, class: "c1")
        plot.path(places.map { "M\(Plot.unit($0.x)) \(Plot.down($0.y))h.1" }.joined(), class: "dots c1")
        var notes: [String] = []
        if scale.low > 0 {
            notes.append("the axis starts at \(HumanNumbers.value(scale.low, unit: trend.unit))")
        }
        if !series.changes.isEmpty { notes.append("dashed lines: the first run of a new level") }
        let note = notes.joined(separator: "; ")
        return PlotFigure.html(title: "By run", note: note, plot: plot)
    }

    private static func label(_ point: TrendSeries.Point) -> String {
        let minute = TrendWords.minute(point.startedAt)
        return "\(point.run): \(minute)" + (point.commit == nil ? "" : " \(point.commitText)")
    }

    private static func description(_ series: TrendSeries, _ trend: Trend) -> String {
        let values = series.points.map(\.value)
        let range = [values.min() ?? 0, values.max() ?? 0, values.last ?? 0].map {
            HumanNumbers.value($0, unit: trend.unit)
        }
        var text = "\(trend.figure) of \(values.count) runs, from \(range[0]) to \(range[1]), the newest \(range[2])."
        for change in series.changes { text += " " + TrendWords.sentence(change, unit: trend.unit) + "." }
        return text
    }

    private static func table(_ series: TrendSeries, _ trend: Trend) -> String {
        let rows = series.points.enumerated().map { index, point -> [String] in
            let change = series.change(at: index).map { change in
                let text = "\(TrendWords.size(change.point)) \(change.verdict.rawValue)"
                return "<span class=\"\(change.verdict.tone.rawValue)\">\(HTMLText.escaped(text))</span>"
            }
            return [
                "\(point.run)", HTMLText.escaped(TrendWords.minute(point.startedAt)),
                "<code>\(HTMLText.escaped(point.commitText))</code>",
                HTMLText.escaped(HumanNumbers.value(point.value, unit: trend.unit)), change ?? "",
                point.exitCode == 0 ? "passed" : "exit code \(point.exitCode)",
            ]
        }
        let table = TablePart.html(
            "The runs of \(series.title), newest last",
            [.text("Run"), .text("Started"), .text("Commit"), .number("Value"), .text("Change"), .text("Verdict")], rows
        )
        return "<details><summary>\(HumanNumbers.quantity(rows.count, "run"))</summary>\n\(table)\n</details>"
    }

    private static let style = """
        .dots { fill: none; stroke: currentColor; stroke-width: 7; stroke-linecap: round;
          vector-effect: non-scaling-stroke; }
        .change { fill: none; stroke: currentColor; stroke-width: 2; stroke-dasharray: 5 4;
          vector-effect: non-scaling-stroke; }
        .changes { padding-left: 1.2rem; font-weight: 600; } h2 { overflow-wrap: anywhere; }
        """
}
