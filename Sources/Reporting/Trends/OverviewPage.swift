// Every series of runs that is recorded, as one page: how it stands, and what changed last.
// Pure, but for the look into the database.

import Judgement
import ReportModel
package import RunStore
import Text

package struct OverviewPage {
    private struct Row {
        var runs: [StoredRun]
        var figures: [Report.Earlier.Figure] = []
        var last: StoredRun { runs[runs.count - 1] }
    }

    /// The gravest first.
    private let rows: [Row]
    /// Where the reports are, with the slash at its end; empty for the working directory.
    private let folder: String

    /// - Parameters:
    ///   - runs: in the order in which they were made; at least one.
    ///   - folder: the reports' own folders are in it.
    package init(_ runs: [StoredRun], in database: RunDatabase, folder: String) throws(RunStoreError) {
        self.folder = folder
        var rows: [Row] = []
        for stored in runs {
            if let place = rows.firstIndex(where: { $0.last.run.isComparable(to: stored.run) }) {
                rows[place].runs.append(stored)
            } else {
                rows.append(Row(runs: [stored]))
            }
        }
        let figures = try KeyFigures(in: database)
        self.rows = rows.map { row in
            var row = row
            // What was broken off says nothing of what it would have been.
            row.figures = figures.of(row.runs.filter(\.run.isWhole), comparableTo: row.last.run)
            return row
        }.sorted { Self.gravity($0) > Self.gravity($1) }
    }

    /// What failed, and what loses most, comes first; of the rest that of the newest run.
    private static func gravity(_ row: Row) -> (Int, Double, Double, Int) {
        func last(_ name: String) -> Double { (row.figures.first { $0.name == name }?.values.last ?? nil) ?? 0 }
        return (
            row.last.run.exitCode == 0 ? 0 : 1, last(FigureName.violations(of: AuditRule.lostPurchase.rawValue)),
            last(FigureName.usersAffected), row.last.number
        )
    }

    package func render() -> String {
        let runs = rows.reduce(0) { $0 + $1.runs.count }
        let failing = rows.count { $0.last.run.exitCode != 0 }
        let tone = failing > 0 ? Tone.bad : .good
        let answer =
            failing > 0
            ? "\(failing) of \(rows.count) series failed in \(failing == 1 ? "its" : "their") newest run"
            : rows.count == 1 ? "the newest run passed" : "the newest runs of all \(rows.count) series passed"
        let body = [
            "<header class=\"verdict \(tone.rawValue)-edge\">", "<h1>Recorded runs</h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(answer)</p>",
            next(failing),
            "<p class=\"quiet\">\(HumanNumbers.quantity(runs, "run")). The runs of a series have the same scenario, client, users, "
                + "clock and seed. Each change compares the newest run with the run before it; the small line shows all "
                + "earlier runs.</p>",
            "</header>",
            table, others(failing),
            "<p class=\"quiet\">One figure over time: <code>stampede history purchase_duration.p95 --html trend.html</code></p>",
        ]
        return Page.render(
            title: "Recorded runs", style: ReportStyle.text,
            body: body.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    /// What the first of those that failed did.
    private func next(_ failing: Int) -> String {
        guard failing > 0, let worst = rows.first?.last.run else { return "" }
        return
            "<p class=\"next\">Next, look at the first failed series:</p>\n"
            + CommandPart.html(command(for: worst))
    }

    /// The same for those after it.
    private func others(_ failing: Int) -> String {
        if failing < 2 { return "" }
        let items = rows[1..<failing].map { row in
            "<li>\(HTMLText.escaped(row.last.run.scenario)), \(HTMLText.escaped(row.last.run.client)): <code>"
                + HTMLText.command(command(for: row.last.run)) + "</code></li>"
        }
        return
            "<details><summary>Commands for the other failed series</summary>\n<ul class=\"small\">\(items.joined())</ul>\n"
            + "</details>"
    }

    /// What shows it: the first violation, where there are some.
    private func command(for run: RecordedRun) -> String {
        let verb = run.exitCode == Int(ExitStatus.violationsFound.rawValue) ? "replay" : "report"
        return "\(CommandName.words) \(verb) \(ShellWord.quoted(folder + run.folder))"
    }

    // MARK: The table

    private var table: String {
        let columns =
            [TablePart.Column.text("Series"), .text("Newest run")] + KeyFigure.all.map { .text($0.column) }
        return TablePart.html("Series, the gravest first", columns, rows.map(cells))
    }

    private func cells(_ row: Row) -> [String] {
        let run = row.last.run
        let options = run.clientOptions.isEmpty ? "" : " \(run.clientOptions)"
        let about = "\(HumanNumbers.quantity(run.users, "user")), \(run.clock) clock, seed \(run.seed)"
        let tone = run.exitCode == 0 ? Tone.good : .bad
        let series =
            "\(HTMLText.escaped(run.scenario)), <code>\(HTMLText.escaped(run.client + options))</code>"
            + "<small>\(HTMLText.escaped(about))</small>"
        let verdict = run.exitCode == 0 ? "passed" : "\(run.outcome), exit code \(run.exitCode)"
        let newest =
            "<span class=\"\(tone.rawValue) word\"><span aria-hidden=\"true\">\(tone.mark)</span> "
            + "\(HTMLText.escaped(verdict))</span><small>run \(row.last.number); \(HumanNumbers.quantity(row.runs.count, "run")) in all</small>"
            + "<small>\(HTMLText.escaped(TrendWords.minute(run.startedAt))), commit <code>"
            + "\(HTMLText.escaped(TrendWords.commit(run.commit, run.isDirty)))</code></small>"
        return [series, newest]
            + KeyFigure.all.map { key in cell(row.figures.first { $0.name == key.name }, key.column) }
    }

    private func cell(_ figure: Report.Earlier.Figure?, _ title: String) -> String {
        guard let figure, let now = figure.values.last ?? nil else { return "–" }
        // Of what should not be at all.
        let isBad = now > 0 && (FigureName.isCountOfViolations(figure.name) || figure.name == FigureName.usersAffected)
        let value =
            "<b\(isBad ? " class=\"bad\"" : "")>\(HTMLText.escaped(HumanNumbers.value(now, unit: figure.unit)))</b>"
        let before = figure.values.dropLast().last ?? nil
        let isExact = figure.name != FigureName.purchasesPerSecond
        let change = before.map {
            FigureChange(from: $0, to: now, unit: figure.unit, direction: figure.direction, isExact: isExact).html
        }
        return value + (change.map { " \($0)" } ?? "")
            + (Sparkline(figure.values, unit: figure.unit, of: title)?.svg ?? "")
    }
}
