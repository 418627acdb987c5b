// What a report's folder holds beside report.json.
// Pure: everything is written from the report alone.

package import Foundation
import Metrics
package import ReportModel

package enum ReportFiles {
    /// By name.
    package static func all(_ report: Report) -> [String: Data] {
        var files = [
            "report.html": Data(ReportPage.render(report).utf8),
            "summary.md": Data(SummaryMarkdown.render(report).utf8),
            "junit.xml": Data(JUnit.render(report).utf8),
            "series.csv": Data(SeriesTable.render(report).utf8),
        ]
        // A list of tests that says nothing of a part would be read as one that passed.
        if report.shard != nil { files["junit.xml"] = nil }
        for (name, text) in percentileFiles(report) { files[name] = Data(text.utf8) }
        return files
    }

    /// `<metric>.hgrm`, and `<metric>.service.hgrm` where something waited for its turn.
    package static func percentileFiles(_ report: Report) -> [String: String] {
        var files: [String: String] = [:]
        for metric in report.metrics + report.host.metrics where MetricName(name: metric.name) != nil {
            if let trend = metric.response { files["\(metric.name).hgrm"] = PercentileFile.render(trend) }
            if let trend = metric.service, trend != metric.response {
                files["\(metric.name).service.hgrm"] = PercentileFile.render(trend)
            }
        }
        return files
    }
}
