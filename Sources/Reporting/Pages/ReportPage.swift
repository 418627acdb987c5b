// report.html: the whole report as one page that needs no network, and no script to say everything.
// Pure; any thread.

package import ReportModel
import Text

/// The answer first, then worst news first: what went wrong, what was held against what, pictures and tables.
package enum ReportPage {
    package static func render(_ report: Report) -> String {
        let metrics = [("Metrics", report.metrics), ("Sub-metrics", report.subMetrics ?? [])].map {
            MetricsPart.render($0.1, caption: $0.0)
        }.filter { !$0.isEmpty }.joined(separator: "\n")
        let sections = [
            (id: "violations", title: "Violations", body: FindingsPart.violations(report)),
            ("warnings", "Warnings", FindingsPart.warnings(report)),
            ("thresholds", "Thresholds", FindingsPart.thresholds(report)),
            ("latency", "Latency", PercentilePart.render(report)),
            ("time", "Over time", SeriesPart(report)?.render() ?? ""),
            ("failures", "Failures", FailuresPart.render(report)),
            ("stages", "Where the time goes", StagePart.render(report)),
            ("metrics", "Metrics", metrics),
            ("machine", "This machine", MachinePart.render(report)),
            ("scenario", "The scenario", MachinePart.scenario(report)),
        ].filter { !$0.body.isEmpty }
        var body = [AnswerPart.html(report)]
        let links = sections.map { "<a href=\"#\($0.id)\">\(HTMLText.escaped($0.title))</a>" }
        body.append("<nav aria-label=\"Sections\">\(links.joined(separator: "\n"))</nav>")
        body += sections.map {
            "<section id=\"\($0.id)\" aria-labelledby=\"\($0.id)-title\">\n"
                + "<h2 id=\"\($0.id)-title\">\(HTMLText.escaped($0.title))</h2>\n\($0.body)\n</section>"
        }
        return Page.render(
            title: "\(AnswerPart.word(report.verdict.outcome)): \(report.scenario.name)",
            style: SequencePicture.style + "\n" + ReportStyle.text, body: body.joined(separator: "\n"),
            script: PlotScript.text)
    }
}

/// Tables that scroll by themselves where the page is too narrow for them.
enum TablePart {
    struct Column {
        let title: String
        let isNumber: Bool

        static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
        static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    /// Nothing where there are no rows.
    ///
    /// - Parameters:
    ///   - rows: the cells as markup; the first of a row is its heading.
    ///   - id: for whom it is the data of a plot.
    static func html(_ caption: String, _ columns: [Column], _ rows: [[String]], id: String? = nil) -> String {
        if rows.isEmpty { return "" }
        let isWide = columns.count > 3 && id == nil
        let name = id.map { " id=\"\($0)\"" } ?? ""
        let heads = columns.map {
            "<th scope=\"col\"\($0.isNumber ? " class=\"number\"" : "")>\(HTMLText.escaped($0.title))</th>"
        }
        let body = rows.map { row in
            let cells = row.enumerated().map { place, cell in
                if place == 0 { return "<th scope=\"row\">\(cell)</th>" }
                // Where there is no room for so many columns, each value carries its own heading.
                let label = isWide ? " data-label=\"\(HTMLText.escaped(columns[place].title))\"" : ""
                return "<td\(columns[place].isNumber ? " class=\"number\"" : "")\(label)>\(cell)</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(HTMLText.escaped(caption))">
            <table\(name)\(isWide ? " class=\"wide\"" : "")>
            <caption>\(HTMLText.escaped(caption))</caption>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(body.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            """
    }
}

extension TablePart {
    /// Numbers behind a plot: there for whoever wants them.
    static func folded(_ caption: String, _ columns: [Column], _ rows: [[String]], id: String) -> String {
        if rows.isEmpty { return "" }
        return "<details class=\"numbers\"><summary>\(HTMLText.escaped(caption))</summary>\n"
            + html(caption, columns, rows, id: id) + "\n</details>"
    }
}

/// A command, there to be copied.
enum CommandPart {
    static func html(_ command: String) -> String {
        "<pre class=\"command\" tabindex=\"0\"><code>\(HTMLText.command(command))</code></pre>"
    }
}

/// Names with their values, side by side as far as they fit.
enum FactsPart {
    static func html(_ facts: [(String, String)]) -> String {
        let items = facts.map {
            "<div><dt>\(HTMLText.escaped($0.0))</dt><dd>\(HTMLText.escaped($0.1))</dd></div>"
        }
        return "<dl class=\"facts\">\n\(items.joined(separator: "\n"))\n</dl>"
    }
}
