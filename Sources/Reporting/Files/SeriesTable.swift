// series.csv: a row an interval, for spreadsheets and plotting programs.
// Pure; any thread.

import Metrics
package import ReportModel

package enum SeriesTable {
    /// Metrics whose values are averages over each interval.
    static let levels = [MetricName.usersActive, .storeQueueDepth].map(\.name)

    /// The heading alone when nothing happened. Cells of what was not measured are empty; durations are milliseconds.
    package static func render(_ report: Report) -> String {
        let counted = TimeSeries.counted.map(\.name)
        let percentiles = ["p50", "p95", "p99"].map { "\(MetricName.purchaseDuration.name)_\($0)_ms" }
        var lines = [
            (["start_seconds", "length_seconds"] + levels + counted + percentiles).joined(separator: ",")
        ]
        guard let series = report.series, series.isSound else { return lines[0] + "\n" }
        let length = HumanNumbers.fixed(Double(series.intervalNs) / 1e9, decimals: 6)
        for place in 0..<series.intervals {
            let start = Double(series.intervalNs) * Double(place) / 1e9
            var cells = [HumanNumbers.fixed(start, decimals: 6), length]
            cells.append(series.usersActive.element(place).map { HumanNumbers.fixed($0, decimals: 3) } ?? "")
            cells.append(series.storeQueueDepth?.element(place).map { HumanNumbers.fixed($0, decimals: 3) } ?? "")
            cells += counted.map { series.counts[$0]?.element(place).map(String.init) ?? "" }
            let durations = series.purchaseDuration
            cells += [durations.p50, durations.p95, durations.p99].map { values in
                (values.element(place) ?? nil).map { HumanNumbers.fixed(Double($0) / 1e6, decimals: 3) } ?? ""
            }
            lines.append(cells.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Array {
    /// Nil beyond the end: a report that was changed by hand must not bring a renderer down.
    func element(_ place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
