// A trend for the terminal: a chart of plain characters, and the runs below it.
// Pure; any thread.

import ReportModel
import RunStore
import Text

package enum TrendText {
    private static let chartHeight = 12
    private static let labelWidth = 9

    package static func render(_ trend: Trend, style: TerminalStyle, width: Int = 80) -> String {
        var lines: [String] = []
        for series in trend.series {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.paint(TextLayout.safe(trend.figure), .heading))
            lines += style.wrapped(series.title, width: width)
            // One run is no line.
            if series.points.count > 1 { lines += [""] + chart(series, unit: trend.unit, width: width) }
            lines.append("")
            lines += table(series, unit: trend.unit, style: style) + [""]
            lines += summary(series, trend, width: width, style: style)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Chart

    private static func chart(_ series: TrendSeries, unit: ReportUnit, width: Int) -> [String] {
        let scale = LevelScale(series.points.map(\.value), unit: unit)
        let columns = max(10, width - labelWidth - 3)
        var ground = [[Character]](repeating: [Character](repeating: " ", count: columns), count: chartHeight)
        func column(_ index: Int) -> Int {
            series.points.count > 1 ? index * (columns - 1) / (series.points.count - 1) : 0
        }
        for change in series.changes {
            for row in ground.indices { ground[row][column(change.point.index)] = ":" }
        }
        for (index, point) in series.points.enumerated() {
            let height = Int((scale.place(point.value) * Double(chartHeight - 1)).rounded())
            let isChange = series.change(at: index) != nil
            let row = chartHeight - 1 - height
            // A change stays to be seen where many runs share a column.
            if ground[row][column(index)] != "#" { ground[row][column(index)] = isChange ? "#" : "o" }
        }
        var labels: [Int: String] = [:]
        for tick in scale.ticks {
            labels[chartHeight - 1 - Int((tick.place * Double(chartHeight - 1)).rounded())] = tick.label
        }
        var lines = ground.enumerated().map { row, characters in
            let label = TextLayout.paddedLeft(labels[row] ?? "", to: labelWidth)
            return trimmed("\(label) \(labels[row] == nil ? "|" : "+")" + String(characters))
        }
        lines.append(String(repeating: " ", count: labelWidth + 1) + "+" + String(repeating: "-", count: columns))
        let first = "run \(series.points.first?.run ?? 0)"
        let last = series.points.count > 1 ? "run \(series.points.last?.run ?? 0)" : ""
        lines.append(
            trimmed(
                String(repeating: " ", count: labelWidth + 2) + first
                    + TextLayout.paddedLeft(last, to: columns - first.count)))
        return lines
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Table

    private static func table(_ series: TrendSeries, unit: ReportUnit, style: TerminalStyle) -> [String] {
        let head = row("run", "started", "commit", "value") + "  change"
        return [style.paint(head, .quiet)]
            + series.points.enumerated().map { index, point in
                let text = row(
                    "\(point.run)", TrendWords.minute(point.startedAt), point.commitText,
                    HumanNumbers.value(point.value, unit: unit))
                guard let change = series.change(at: index) else { return text }
                let words = "# \(TrendWords.size(change.point)) \(change.verdict.rawValue)"
                return text + "  " + style.paint(words, change.verdict.tone)
            }
    }

    private static func row(_ run: String, _ started: String, _ commit: String, _ value: String) -> String {
        TextLayout.paddedLeft(run, to: 6) + "  " + TextLayout.padded(started, to: 16) + "  "
            + TextLayout.padded(commit, to: 9) + "  " + TextLayout.paddedLeft(value, to: 10)
    }

    private static func summary(
        _ series: TrendSeries, _ trend: Trend, width: Int, style: TerminalStyle
    ) -> [String] {
        if series.changes.isEmpty { return [style.paint("  " + TrendWords.noChange(series), .quiet)] }
        return series.changes.flatMap {
            style.wrapped(TrendWords.sentence($0, unit: trend.unit), width: width, $0.verdict.tone)
        }
    }
}
