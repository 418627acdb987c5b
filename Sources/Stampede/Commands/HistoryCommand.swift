// stampede history: the runs that were recorded, and one figure over all of them.
// Main thread.

import ArgumentParser
import Foundation
import Metrics
import ReportModel
import Reporting
import RunStore
import Text

struct HistoryCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the recorded runs, or show one figure over all of them.",
        discussion: """
            Every 'stampede run' adds itself to runs.sqlite in its --out folder, except with --no-record or \
            --only-user. Runs of 'matrix', 'sweep', 'replay' and 'compare --run' are not recorded.

              stampede history
              stampede history --html overview.html
              stampede history purchase_duration.p95 --scenario quickstart --html trend.html

            Figures have the names that 'compare' shows; 'purchase_duration.p95' stands for 'purchase_duration p(95)'. \
            Only runs of the same scenario, client, number of users and clock are compared: exact figures only with the \
            same seed, figures in real time only on the same machine. Incomplete runs are left out.

            Changes are marked. For exact figures, every change is marked. For figures in real time, only if it \
            exceeds the noise and is significant at p ≤ 0.01.
            """)

    @Argument(help: "The figure to show, such as purchase_duration.p95 or violations.")
    var figure: String?

    @Option(help: "Only runs of this scenario: its name, or its file name without the extension.")
    var scenario: String?

    @Option(help: "Only runs of this client.", completion: .clients)
    var client: String?

    @Option(
        parsing: .unconditional,
        help: "How many of the newest runs; with a figure, of each series. Default: 20, or 50 with a figure.")
    var limit: Int?

    @Option(help: "The database.", completion: .file(extensions: ["sqlite"]))
    var database = "Reports/\(RunDatabase.fileName)"

    @OptionGroup var noise: NoiseOption

    @Option(
        help: "Write a page of the figure, or of all series, instead of printing; '-' is the standard output.",
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "Print JSON.")
    var json = false

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit): at least one run") }
        if json, html == "-" { throw ValidationError("--json or --html -, not both") }
    }

    mutating func perform() throws -> ExitStatus {
        let share = try noise.share()
        let history = try RunDatabase.reading(database)
        let runs = try chosen(history.runs())
        if let figure {
            try show(try trend(figure, runs, history, noise: share).newest(limit ?? 50))
        } else if let html {
            if json { try Terminal.write(RunList(runs.suffix(limit ?? 20))) }
            let shown = limit.map { Array(runs.suffix($0)) } ?? runs
            try CommandContext.put(
                try OverviewPage(shown, in: history, folder: Paths.folder(of: database)).render(), to: html)
        } else {
            try list(RunList(runs.suffix(limit ?? 20)))
        }
        return .passed
    }

    // MARK: Runs

    private func chosen(_ runs: [StoredRun]) throws -> [StoredRun] {
        if runs.isEmpty {
            throw CommandProblem("no run is recorded in \(database)", hint: "'stampede run' records its run")
        }
        var runs = runs
        if let scenario {
            let names = Set(runs.flatMap { [$0.run.scenario, $0.run.fileStem] })
            runs = runs.filter { [$0.run.scenario, $0.run.fileStem, $0.run.file].contains(scenario) }
            try expectAny(runs, "scenario", scenario, among: names)
        }
        if let client {
            let names = Set(runs.map(\.run.client))
            runs = runs.filter { $0.run.client == client }
            try expectAny(runs, "client", client, among: names)
        }
        return runs
    }

    private func expectAny(_ runs: [StoredRun], _ kind: String, _ name: String, among names: Set<String>) throws {
        if !runs.isEmpty { return }
        throw CommandProblem(
            "no run of the \(kind) \(quoted(name)) is recorded in \(database)",
            hint: CommandContext.suggestion(name, among: names.sorted()))
    }

    private func list(_ list: RunList) throws {
        if json { return try Terminal.write(list) }
        Terminal.write(list.render(style: .detected()))
    }

    // MARK: A figure

    private func trend(_ asked: String, _ runs: [StoredRun], _ history: RunDatabase, noise: Double) throws -> Trend {
        let name = FigureName.canonical(asked)
        let figures = try history.figures(named: name)
        let known = FigureName.all
        let recorded = try history.figureNames()
        guard known.contains(name) || recorded.contains(name) else {
            throw CommandProblem("there is no figure \(quoted(asked))", hint: Self.hint(name, asked, known))
        }
        if let trend = Trend(figure: name, runs: runs, figures: figures, noise: noise) { return trend }
        throw CommandProblem(
            "no recorded run has measured \(quoted(name))",
            hint: "incomplete runs are left out; figures with samples include "
                + recorded.prefix(3).map(quoted).joined(separator: ", "))
    }

    private static func hint(_ name: String, _ asked: String, _ known: [String]) -> String {
        let ofMetric = known.filter { $0.hasPrefix(name + " ") }
        if !ofMetric.isEmpty { return "it has " + ofMetric.map(quoted).joined(separator: ", ") }
        let near = closestMatch(to: asked, in: known + known.map(FigureName.shellSpelling))
        return near.map { "did you mean '\($0)'?" } ?? "'stampede list metrics' lists the metrics"
    }

    private func show(_ trend: Trend) throws {
        if json { try Terminal.write(trend) }
        if let html { try CommandContext.put(TrendPage.render(trend), to: html) }
        if !json, html == nil {
            Terminal.write(TrendText.render(trend, style: .detected(), width: Terminal.width))
        }
    }
}
