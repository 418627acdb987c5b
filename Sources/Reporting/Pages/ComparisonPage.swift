// Two runs side by side on one page: what changed, and their distributions over each other.
// Pure; any thread.

import Metrics
package import ReportModel
import Text

package struct ComparisonPage {
    private let base: Report
    private let candidate: Report
    private let comparison: Comparison

    /// - Parameter comparison: of these two alone.
    package init(base: Report, candidate: Report, _ comparison: Comparison) {
        (self.base, self.candidate, self.comparison) = (base, candidate, comparison)
    }

    package func render() -> String {
        let sections = [
            (id: "changes", title: "Changes", body: changes), ("latency", "Latency", latency),
            ("time", "Over time", time), ("runs", "The two runs", runs),
        ].filter { !$0.body.isEmpty }
        var body = [header]
        body += sections.map {
            "<section id=\"\($0.id)\" aria-labelledby=\"\($0.id)-title\">\n<h2 id=\"\($0.id)-title\">\($0.title)</h2>\n"
                + "\($0.body)\n</section>"
        }
        return Page.render(
            title: "\(word): \(comparison.scenario)", style: ReportStyle.text, body: body.joined(separator: "\n"),
            script: PlotScript.text)
    }

    // MARK: The answer

    /// Figures that the headline names.
    private static let namedMax = 2

    /// What came of the candidate, where that is what got worse; else the figures.
    private var matter: String {
        if comparison.isWorse, candidate.violations.total > base.violations.total {
            return ClosingWords.matter(candidate)
        }
        let told = comparison.lines.filter { comparison.isWorse ? $0.verdict == .worse : $0.verdict == .better }
        let named = told.prefix(Self.namedMax).map { "\($0.name) \(values($0))" }
        if named.isEmpty { return "nothing got better" }
        let more = told.count - named.count
        let better = comparison.isWorse ? "" : "better: "
        return better + named.joined(separator: ", ")
            + (more > 0 ? " and \(HumanNumbers.quantity(more, "figure")) more" : "")
    }

    private var word: String { comparison.isWorse ? "Worse" : "Not worse" }

    private var header: String {
        let tone: Tone = comparison.isWorse ? .bad : .good
        let counts = Comparison.Verdict.allCases.map { verdict in
            "\(comparison.lines.count { $0.verdict == verdict }) \(verdict.rawValue)"
        }
        var lines = [
            "<header class=\"verdict \(tone.rawValue)-edge\">",
            "<h1>\(HTMLText.escaped(comparison.scenario)) <span class=\"quiet\">\(HTMLText.escaped(subject))</span></h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(word): "
                + "\(HTMLText.escaped(matter))</p>",
        ]
        if comparison.isWorse, let evidence = candidate.violations.gravest {
            lines.append(
                "<p class=\"example\">For example user \(evidence.user): \(HTMLText.escaped(evidence.sentence)).</p>")
            lines.append("<p class=\"next\">Next, see this user's timeline with the candidate:</p>")
            lines.append(
                CommandPart.html(evidence.replay))
        }
        lines.append(Tiles(candidate, against: base).html())
        lines += ["<p>\(side(candidate, "c2", "Candidate"))</p>", "<p>\(side(base, "c1", "Base"))</p>"]
        lines.append(
            "<p class=\"quiet small\">Figures: \(counts.joined(separator: ", ")); noise up to "
                + "\(HTMLText.escaped(HumanNumbers.number(comparison.noise * 100)))%.</p>")
        lines += comparison.notes.map { "<p class=\"doubtful small\">\(HTMLText.escaped($0))</p>" }
        return (lines + ["</header>"]).joined(separator: "\n")
    }

    private var subject: String {
        let clients =
            base.run.client == candidate.run.client ? base.run.client : "\(base.run.client) → \(candidate.run.client)"
        return "\(clients), \(HumanNumbers.quantity(candidate.run.users, "user"))"
    }

    private func side(_ report: Report, _ color: String, _ name: String) -> String {
        let tone = report.verdict.outcome.tone
        let commit = report.host.commit.map { _ in
            ", commit \(TrendWords.commit(report.host.commit, report.host.isDirty))"
        }
        let facts = "\(report.run.client)\(commit ?? ""), \(TrendWords.minute(report.host.startedAt))"
        let answer = ClosingWords.matter(report)
        // What the headline says already need not be said again.
        let text = answer == matter ? facts : "\(answer). \(facts)"
        return
            "<b class=\"\(color)\">\(name)</b> <span class=\"\(tone.rawValue)\">\(report.verdict.outcome.rawValue)</span>: "
            + HTMLText.escaped(text)
    }

    // MARK: Changes

    private var changes: String {
        let (told, rest) = (
            comparison.lines.filter { $0.verdict == .worse || $0.verdict == .better },
            comparison.lines.filter { $0.verdict != .worse && $0.verdict != .better }
        )
        let table = table("Figures that got worse or better", told)
        if rest.isEmpty { return table }
        return (told.isEmpty ? "<p>Nothing got worse or better.</p>" : table)
            + "\n<details><summary>\(HumanNumbers.quantity(rest.count, "figure")) more, changed within the noise, the same or "
            + "unclear</summary>\n" + self.table("Neither worse nor better", rest) + "\n</details>"
    }

    private func table(_ caption: String, _ lines: [Comparison.Line]) -> String {
        let rows = lines.map { line -> [String] in
            let ratio = line.ratio.map { HumanNumbers.fixed($0, decimals: 3) } ?? "–"
            return [
                "<code>\(HTMLText.escaped(line.name))</code>", value(line.base, line), value(line.candidate, line),
                ratio, "<span class=\"\(line.verdict.tone.rawValue) word\">\(line.verdict.rawValue)</span>",
            ]
        }
        return TablePart.html(
            caption, [.text("Figure"), .number("Base"), .number("Candidate"), .number("Ratio"), .text("Verdict")], rows)
    }

    private func value(_ value: Double?, _ line: Comparison.Line) -> String {
        value.map { HTMLText.escaped(HumanNumbers.value($0, unit: line.unit)) } ?? "–"
    }

    private func values(_ line: Comparison.Line) -> String {
        let words = [line.base, line.candidate].map { $0.map { HumanNumbers.value($0, unit: line.unit) } ?? "none" }
        return "\(words[0]) → \(words[1])"
    }

    // MARK: Plots

    private static let legend = [(class: "c1", label: "base"), (class: "c2", label: "candidate")]

    private var latency: String {
        let figures = PercentilePart.shown.compactMap { metric in
            PercentilePart.overlay(metric, [("base", base), ("candidate", candidate)], legend: Self.legend)
        }
        return figures.isEmpty ? "" : "<div class=\"plots\">\n\(figures.joined(separator: "\n"))\n</div>"
    }

    private var time: String {
        let sides = [base, candidate].map { $0.series.flatMap(PlottedSeries.init) }
        guard let end = sides.compactMap({ $0?.end }).max() else { return "" }
        let scale = TimeScale(end: end)
        let figures = MetricName.ordered(by: \.plot?.place).compactMap { metric -> String? in
            guard let row = metric.row.plot else { return nil }
            let values = sides.map { $0?.values(of: metric) }
            guard let peak = values.compactMap({ $0?.max() }).max(), peak > 0 else { return nil }
            let axis = LinearScale(maximum: peak)
            let unit = metric.kind == .counter ? "/s" : ""
            let peaks = values.map { $0?.max().map { HumanNumbers.number($0) + unit } ?? "none" }
            let note = "peak \(peaks[0]) → \(peaks[1])"
            var plot = Plot(
                description: "\(row.title) over simulated time, base and candidate: \(note).", x: scale.ticks,
                y: axis.ticks,
                xTitle: "simulated time", yTitle: unit.isEmpty ? "count" : "per second")
            plot.height = "low"
            for (place, side) in sides.enumerated() {
                guard let side, let row = values[place] else { continue }
                plot.line(
                    row.enumerated().map { (scale.place(Int64(side.middle($0) * Double(side.end))), axis.place($1)) },
                    class: Self.legend[place].class)
            }
            return PlotFigure.html(
                title: row.title + (unit.isEmpty ? "" : " per second"), note: note, plot: plot, legend: Self.legend)
        }
        return figures.isEmpty ? "" : "<div class=\"plots\">\n\(figures.joined(separator: "\n"))\n</div>"
    }

    // MARK: The runs

    private var runs: String {
        let facts: [(String, (Report) -> String)] = [
            ("Client", { $0.run.client }), ("Users", { HumanNumbers.count($0.run.users) }),
            ("Seed", { $0.run.seedsText }),
            ("Clock", { $0.run.clock }), ("Commit", { TrendWords.commit($0.host.commit, $0.host.isDirty) }),
            ("Date", { TrendWords.minute($0.host.startedAt) + " UTC" }), ("System", { $0.host.system }),
            ("Verdict", { "\($0.verdict.outcome.rawValue), exit code \($0.verdict.exitCode)" }),
            ("Answer", { ClosingWords.matter($0) }),
        ]
        return TablePart.html(
            "Base and candidate", [.text("Fact"), .text("Base"), .text("Candidate")],
            facts.map { [$0.0, HTMLText.escaped($0.1(base)), HTMLText.escaped($0.1(candidate))] })
    }
}
