// stampede matrix: every client in every scenario, one table.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Hosting
import Judgement
import ReportModel
import Reporting
import Scenario

struct MatrixCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Run every client in every scenario and print one table.",
        discussion: """
            All runs use the virtual clock, one after the other. For each client and scenario the table shows the \
            violations by severity, the lost purchases per 10,000, and the p95 of a purchase.

            Exits with 0 if every run finished, whatever it found; with 110 if there are violations and \
            --fail-on-violations is given; with 109 if a run shows a bug of the harness.
            """)

    @Option(help: "Clients, separated by commas. Default: all.", completion: .clients)
    var clients: String?

    @Option(
        help: "Scenario files or folders, separated by commas. Files in subfolders are not run.",
        completion: .scenarioFile)
    var scenarios = "Scenarios"

    @Option(parsing: .unconditional, help: "How many users in each run, instead of the scenarios' own.")
    var users: Int?

    @Option(parsing: .unconditional, help: "The seed of all randomness, instead of the scenarios'.")
    var seed: UInt64?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var memory: WorkerMemoryOption

    @OptionGroup var limit: TimeLimitOption

    @OptionGroup var sharding: ShardOption

    @Option(help: "With --shard, the folder to write the part into.", completion: .directory)
    var out = "Reports"

    @Flag(help: "Print the table as Markdown.")
    var markdown = false

    @Flag(help: "Print the table as JSON.")
    var json = false

    @Flag(help: "Exit with 110 if any client broke a rule in any scenario.")
    var failOnViolations = false

    @OptionGroup var printed: ExtentOptions

    @OptionGroup var telling: ProgressOption

    mutating func validate() throws {
        if json, markdown { throw ValidationError("--json or --markdown, not both") }
    }

    mutating func perform() throws -> ExitStatus {
        let shard = try sharding.part()
        let runs = try runs()
        let place = try shard.map { try partPlace(of: $0) }
        let time = try limit.span()
        // In the order of the table.
        let own = shard?.share(of: runs.reduce(0) { $0 + $1.count })
        let series = RunSeries(total: own?.count ?? runs.reduce(0) { $0 + $1.count })
        var found = MatrixFindings(report: MatrixReport(clients: try clientNames()))
        var number = 0
        var death: WorkerDeath?
        try watched(series, telling.display(isQuiet: printed.quiet), in: threads.housing, for: time) {
            for options in runs {
                var row = MatrixReport.Row(options[0])
                row.cells = options.map { options in
                    defer { number += 1 }
                    guard own?.contains(number) ?? true else { return nil }
                    let result = series.perform(options)
                    death = death ?? result?.death
                    if result?.hasClientEnded ?? false { found.hasEnded = true }
                    return result.map { MatrixReport.Cell($0, options: options) }
                }
                found.report.rows.append(row)
            }
        }
        found.death = death?.blame
        defer { if let death { CommandProblem(death, isReported: true).print() } }
        guard let place else { return try tell(found, stop: found.report.isWhole ? nil : series.stopCause) }
        if let cause = series.stopCause { return stopped(cause) }
        return try place.keep([UInt8](try ReportJSON.encode(found)))
    }

    /// A row for each scenario, a run for each client.
    func runs() throws -> [[RunOptions]] {
        let names = try clientNames()
        return try scenarioPaths().map { path in
            try names.map { name in
                var options = try CommandContext.runOptions(
                    scenario: path, client: name, seed: seed, workers: threads.workers, clock: .virtual, users: users)
                options.housing = threads.housing
                options.workerGrowthMax = memory.growthMax
                return options
            }
        }
    }

    func tell(_ found: MatrixFindings, stop: StopCause?) throws -> ExitStatus {
        let report = found.report
        try write(report)
        if report.hasFaults { return .harnessFault }
        if let stop { Terminal.warn("\(stop.words) every run was judged", hint: "the rest is marked as not run") }
        if stop == .interrupt { return .interrupted }
        if found.death == .client || found.hasEnded { return .clientCrashed }
        if failOnViolations && report.hasViolations { return .violationsFound }
        return stop?.status ?? found.death?.status ?? .passed
    }

    private func write(_ report: MatrixReport) throws {
        if json {
            try Terminal.write(report)
        } else if markdown {
            Terminal.write(MatrixText.markdown(report))
        } else {
            Terminal.write(
                MatrixText.render(report, style: .detected(), width: Terminal.width, extent: printed.extent))
        }
    }

    private func clientNames() throws -> [String] {
        let known = CommandContext.registry.clients.map { $0.name }
        guard let clients else { return known }
        return try Self.parts(clients, "--clients").map { name in
            if known.contains(name) { return name }
            throw CommandProblem("there is no client '\(name)'", hint: CommandContext.suggestion(name, among: known))
        }
    }

    private func scenarioPaths() throws -> [String] {
        try Self.parts(scenarios, "--scenarios").flatMap { path in
            guard let kind = Paths.kind(path) else { throw CommandProblem("there is no file or folder \(path)") }
            if kind == .file { return [path] }
            let found = try FileManager.default.contentsOfDirectory(atPath: path).filter(Paths.isScenario).sorted()
            if found.isEmpty { throw CommandProblem("there are no scenarios in \(path)") }
            return found.map { Paths.join(path, $0) }
        }
    }

    private static func parts(_ text: String, _ option: String) throws -> [String] {
        let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if parts.isEmpty { throw CommandProblem("\(option) names nothing") }
        return parts
    }
}
