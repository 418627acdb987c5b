// Every series of runs that is recorded, as one page: how it stands, and what changed last.
// Pure, but for the look into the database.

package import RunStore
import Text

package struct OverviewPage {
    private struct Row {
        var runs: [StoredRun]
        var figures: [Report.Earlier.Figure] = []
        var last: StoredRun { runs[runs.count - 1] }
    }

    /// The series of the newest run first.
    private let rows: [Row]

    /// - Parameter runs: in the order in which they were made; at least one.
    package init(_ runs: [StoredRun], in database: RunDatabase) throws(RunStoreError) {
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
        }.sorted { $0.last.number > $1.last.number }
    }

    package func render() -> String {
        let runs = rows.reduce(0) { $0 + $1.runs.count }
        let failing = rows.count { $0.last.run.exitCode != 0 }
        let tone = failing > 0 ? Tone.bad : .good
        let answer =
            failing > 0
            ? "\(failing) of \(rows.count) series failed in the newest run"
            : rows.count == 1 ? "the newest run passed" : "the newest runs of all \(rows.count) series passed"
        let body = [
            "<header class=\"verdict \(tone.rawValue)-edge\">", "<h1>Runs that were recorded</h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(answer)</p>",
            "<p class=\"quiet\">\(HumanNumbers.quantity(runs, "run")). A series is of the same scenario, client, users, clock and "
                + "seed. Each small line ends with the newest run; changes are against the one before it.</p>",
            "</header>",
            table,
            "<p class=\"quiet\">One figure over time: <code>stampede history purchase_duration.p95 --html trend.html</code></p>",
        ]
        return Page.render(
            title: "Runs that were recorded", style: ReportStyle.text, body: body.joined(separator: "\n"))
    }

    // MARK: The table

    private static let titles: [(figure: String, title: String)] = zip(
        Tiles.figures, ["Lost", "Doubled", "Users affected", "Success", "Duration, p95", "Purchases/s"]
    ).map { ($0, $1) }

    private var table: String {
        let columns =
            [TablePart.Column.text("Series"), .text("Newest run")] + Self.titles.map { .text($0.title) }
        return TablePart.html("The series, that of the newest run first", columns, rows.map(cells))
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
            + "\(HTMLText.escaped(verdict))</span><small>run \(row.last.number), \(HumanNumbers.quantity(row.runs.count, "run")) of the series</small>"
            + "<small>\(HTMLText.escaped(TrendWords.minute(run.startedAt))), commit <code>"
            + "\(HTMLText.escaped(TrendWords.commit(run.commit, run.isDirty)))</code></small>"
        return [series, newest]
            + Self.titles.map { name, title in cell(row.figures.first { $0.name == name }, title) }
    }

    private func cell(_ figure: Report.Earlier.Figure?, _ title: String) -> String {
        guard let figure, let now = figure.values.last ?? nil else { return "–" }
        let value = "<b>\(HTMLText.escaped(HumanNumbers.value(now, unit: figure.unit)))</b>"
        let before = figure.values.dropLast().last ?? nil
        let isExact = figure.name != FigureName.purchasesPerSecond
        let change = before.map {
            FigureChange(from: $0, to: now, unit: figure.unit, direction: figure.direction, isExact: isExact).html
        }
        return value + (change.map { " \($0)" } ?? "")
            + (Sparkline(figure.values, unit: figure.unit, of: title)?.svg ?? "")
    }
}
