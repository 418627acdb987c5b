// stampede matrix: every client in every scenario, one table.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Judgement
import Reporting
import Scenario

struct MatrixCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Run every client in every scenario, and print one table.",
        discussion: """
            Under the virtual clock, one run after the other. For each client and scenario: violations by severity, \
            purchases lost of 10,000, and p95 of a purchase.

            Ends with 0 when every run came to its end, whatever it found; with 110 if there are violations and \
            --fail-on-violations was given; with 109 if a run shows a bug of the harness.
            """)

    @Option(help: "Clients, separated by commas. Default: all.", completion: .clients)
    var clients: String?

    @Option(
        help: "Scenario files or folders, separated by commas. Of a folder its own files, not its subfolders'.",
        completion: .file(extensions: ["yml", "yaml"]))
    var scenarios = "Scenarios"

    @Option(parsing: .unconditional, help: "How many users in each run, instead of the scenarios' own.")
    var users: Int?

    @Option(parsing: .unconditional, help: "The seed of all chance, instead of the scenarios'.")
    var seed: UInt64?

    @OptionGroup var threads: WorkersOption

    @Flag(help: "Print the table as Markdown.")
    var markdown = false

    @Flag(help: "Print the table as JSON.")
    var json = false

    @Flag(help: "End with 110 if any client broke a rule in any scenario.")
    var failOnViolations = false

    @Flag(name: .shortAndLong, help: "No progress.")
    var quiet = false

    mutating func validate() throws {
        if json, markdown { throw ValidationError("--json or --markdown, not both") }
    }

    mutating func perform() throws -> ExitStatus {
        let names = try clientNames()
        let runs = try scenarioPaths().map { path in
            try names.map { name in
                try CommandContext.runOptions(
                    scenario: path, client: name, seed: seed, workers: threads.workers, clock: .virtual, users: users)
            }
        }
        ClientCode.isAboutToRun()
        let stage = MatrixStage(total: runs.reduce(0) { $0 + $1.count })
        InterruptWatch.install { stage.requestStop() }
        let watch = quiet ? nil : ProgressWatch(stage)
        var report = MatrixReport(clients: names)
        for options in runs {
            var row = MatrixReport.Row(options[0])
            row.cells = options.map { options in
                stage.perform(options).map { MatrixReport.Cell($0, options: options) }
            }
            report.rows.append(row)
        }
        watch?.stop()
        try write(report)
        if report.hasFaults { return .harnessFault }
        if !report.isWhole { return .interrupted }
        return failOnViolations && report.hasViolations ? .violationsFound : .passed
    }

    private func write(_ report: MatrixReport) throws {
        if json {
            Terminal.write(String(decoding: try report.json(), as: UTF8.self))
        } else if markdown {
            Terminal.write(MatrixText.markdown(report))
        } else {
            Terminal.write(MatrixText.render(report, style: .detected(), width: Terminal.width))
        }
    }

    private func clientNames() throws -> [String] {
        let known = CommandContext.registry.clients.map { $0.name }
        guard let clients else { return known }
        return try Self.parts(clients, "--clients").map { name in
            if known.contains(name) { return name }
            throw CommandProblem(
                status: .invalidInput, text: "there is no client '\(name)'",
                hint: CommandContext.suggestion(name, among: known))
        }
    }

    private func scenarioPaths() throws -> [String] {
        try Self.parts(scenarios, "--scenarios").flatMap { path in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw CommandProblem(status: .invalidInput, text: "there is no file or folder \(path)")
            }
            if !isFolder.boolValue { return [path] }
            let files = try FileManager.default.contentsOfDirectory(atPath: path)
            let found = files.filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }.sorted()
            guard !found.isEmpty else {
                throw CommandProblem(status: .invalidInput, text: "there are no scenarios in \(path)")
            }
            return found.map { path + (path.hasSuffix("/") ? "" : "/") + $0 }
        }
    }

    private static func parts(_ text: String, _ option: String) throws -> [String] {
        let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if parts.isEmpty { throw CommandProblem(status: .invalidInput, text: "\(option) names nothing") }
        return parts
    }
}

/// The run of a matrix that is under way, for whoever watches. Any thread.
final class MatrixStage: @unchecked Sendable {  // Guard: `lock`.
    private let total: Int
    private let lock = NSLock()
    private var done = 0
    private var violations = 0
    private var board: RunBoard?
    private var isStopped = false

    init(total: Int) { self.total = total }

    func requestStop() {
        lock.withLock {
            isStopped = true
            board?.requestStop()
        }
    }

    /// Nil once a stop has been asked for: half a run is no cell of a matrix.
    func perform(_ options: RunOptions) -> RunResult? {
        let run = Run(options)
        lock.withLock {
            board = run.board
            if isStopped { run.board.requestStop() }
        }
        if run.board.isStopRequested { return nil }
        let result = run.perform()
        lock.withLock {
            done += 1
            violations += result.collector.violationCounts.reduce(0) { $0 + $1.value }
        }
        return result.wasStopped ? nil : result
    }

    func progress(elapsed: Double) -> RunProgress {
        lock.withLock {
            let now = board?.snapshot()
            let part = board.map { Double(now?.usersDone ?? 0) / Double(max(1, $0.usersTotal)) } ?? 0
            return RunProgress(
                fraction: min(1, (Double(done) + part) / Double(max(1, total))), done: done, total: total, unit: "runs",
                violations: violations + (now?.violations ?? 0), elapsedSeconds: elapsed)
        }
    }
}

extension ProgressWatch {
    convenience init(_ stage: MatrixStage) { self.init { stage.progress(elapsed: $0) } }
}
