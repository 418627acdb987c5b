// Where the time of purchases goes, on the page: quick ones, slow ones, and all together.
// Pure; any thread.

import Metrics
import ReportModel
import Text

enum StagePart {
    static func render(_ report: Report) -> String {
        let bands = report.stages.filter { $0.count > 0 }
        if bands.isEmpty { return "" }
        let stages = PurchaseStages.metrics
        let count = bands.reduce(0) { $0 + $1.count }
        var all: [String: Double] = [:]
        for stage in stages {
            all[stage.name] = bands.reduce(0) { $0 + ($1.avg[stage.name] ?? 0) * Double($1.count) } / Double(count)
        }
        let rows = [row("all", count, all)] + bands.map { row(label($0), $0.count, $0.avg) }
        let legend = stages.enumerated().map { place, stage in
            "<li><svg viewBox=\"0 0 14 10\" width=\"14\" height=\"10\" aria-hidden=\"true\">"
                + "<rect class=\"s\(place + 1)\" width=\"14\" height=\"10\"/></svg>\(title(stage)): "
                + "\(HTMLText.escaped(stage.row.stage?.meaning ?? stage.meaning))</li>"
        }
        let columns: [TablePart.Column] =
            [.text("Purchases that took"), .number("Count"), .text("Where the time went")]
            + stages.map { .number(title($0)) }
        return """
            <p class="quiet">The stages of each purchase add up to its duration. The table shows averages per purchase, \
            grouped by duration.</p>
            <ul class="legend stages">\(legend.joined())</ul>
            \(TablePart.html("Stages of purchases", columns, rows))
            """
    }

    private static func title(_ stage: MetricName) -> String { stage.row.stage?.title ?? stage.name }

    private static func label(_ band: Report.StageBand) -> String {
        func text(_ nanoseconds: Int64) -> String {
            HTMLText.escaped(HumanNumbers.roundDuration(nanoseconds: nanoseconds))
        }
        guard let to = band.toNs else { return "\(text(band.fromNs)) and more" }
        return band.fromNs == 0 ? "less than \(text(to))" : "\(text(band.fromNs)) to \(text(to))"
    }

    private static func row(_ label: String, _ count: Int, _ avg: [String: Double]) -> [String] {
        let parts = PurchaseStages.metrics.map { max(0, avg[$0.name] ?? 0) }
        return [label, HumanNumbers.count(count), bar(parts)]
            + parts.map { HTMLText.escaped(HumanNumbers.duration(nanoseconds: $0)) }
    }

    private static func bar(_ parts: [Double]) -> String {
        let whole = parts.reduce(0, +)
        if whole <= 0 { return "" }
        var left = 0.0
        let fields = parts.enumerated().compactMap { place, part -> String? in
            defer { left += part / whole }
            if part <= 0 { return nil }
            let (x, width) = (Plot.unit(left), Plot.unit(part / whole))
            return "<rect class=\"s\(place + 1)\" x=\"\(x)\" width=\"\(width)\" height=\"10\"/>"
        }
        let words = zip(PurchaseStages.metrics, parts).map {
            "\(title($0)) \(HumanNumbers.number(($1 / whole * 100).rounded())) per cent"
        }
        return "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
            + "aria-label=\"\(words.joined(separator: ", "))\">\(fields.joined())</svg>"
    }
}
