// Why and where purchases failed, on the page.
// Pure; any thread.

import Metrics
import ReportModel
import Text

enum FailuresPart {
    static func render(_ report: Report) -> String {
        guard let failed = report.metrics.first(where: { $0.name == MetricName.purchasesFailed.name }),
            let count = failed.count, count > 0, failed.stages != nil
        else { return "" }
        let sentence =
            "<p>StoreKit reported \(HumanNumbers.quantity(count, "purchase")) as failed, including cancellations.</p>"
        let tables = [
            table("Failed purchases, by the error that the app received", "Error", failed.failuresByCode),
            table("Failed purchases, by the stage that they reached", "Stage", failed.failuresByStage),
        ]
        return "\(sentence)\n<div class=\"plots\">\n\(tables.joined(separator: "\n"))\n</div>"
    }

    private static func table(_ caption: String, _ title: String, _ counts: [(name: String, count: Int)]) -> String {
        // A report may have been changed by hand.
        let total = counts.reduce(0) { $0.addingReportingOverflow(max(0, $1.count)).partialValue }
        guard let most = counts.first?.count, most > 0, total > 0 else { return "" }
        let rows = counts.map { name, count -> [String] in
            let share = HumanNumbers.share(passes: max(0, count), total: total)
            let width = Plot.unit(Double(max(0, count)) / Double(most))
            return [
                "<code>\(HTMLText.escaped(name))</code>", HumanNumbers.count(count), share,
                "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                    + "<rect class=\"s1\" width=\"\(width)\" height=\"10\"/></svg>",
            ]
        }
        return TablePart.html(caption, [.text(title), .number("Count"), .number("Share"), .text("Picture")], rows)
    }
}
