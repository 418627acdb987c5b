// stampede compare: two builds by their reports, or by running both in turn.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Simulation
import Synchronization
import Text

struct CompareCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports, two sets of repeated runs, or two builds run in turn.",
        discussion: """
            Exact figures (violations, allocations, all durations under the virtual clock) are the same in every run of \
            one build, and are compared directly. Figures measured in real time need repeated runs: the ratio of the \
            medians gets a 95 % bootstrap interval, and counts as better or worse only if the whole interval lies \
            beyond the noise and chance is an unlikely explanation.

              stampede compare Reports/baselines/throughput Reports/latest
              stampede compare --run './old run x.yml' --run './new run x.yml' --pairs 60
              stampede compare Reports/baselines/throughput Reports/latest --exact

            Exits with 0, with 2 if something got worse, with 5 if there is no base to compare with.
            """)

    private static let pairsByDefault = 60

    @Argument(
        help: "A report.json, a folder with one, or a folder of such folders: the base, then the candidate.",
        completion: .reportFile)
    var reports: [String] = []

    @Option(
        help: """
            A 'stampede run' command line. Give two: the base, then the candidate. --out and --quiet are added to each.
            """)
    var run: [String] = []

    @Option(
        parsing: .unconditional,
        help: "How often to run each --run command line, in turn: A B B A. Default: \(Self.pairsByDefault).")
    var pairs: Int?

    @OptionGroup var limit: TimeLimitOption

    @OptionGroup var noise: NoiseOption

    @Flag(help: "Compare only exact figures: the same in every run of one build, on any machine.")
    var exact = false

    @Flag(help: "Also show figures that did not change and figures that are undecided.")
    var all = false

    @Flag(help: "Print the table as Markdown.")
    var markdown = false

    @Flag(help: "Print the comparison as JSON.")
    var json = false

    @OptionGroup var printed: ExtentOptions

    @OptionGroup var telling: ProgressOption

    mutating func validate() throws {
        if json, markdown { throw ValidationError("--json or --markdown, not both") }
        let isRun = !run.isEmpty
        guard isRun ? run.count == 2 && reports.isEmpty : reports.count == 2 else {
            throw ValidationError("name a base and a candidate, or give --run twice")
        }
        if limit.timeLimit != nil, !isRun { throw ValidationError("`--time-limit` can only be used with `--run`") }
        if telling.progress != nil, !isRun { throw ValidationError("`--progress` can only be used with `--run`") }
        if pairs != nil, !isRun { throw ValidationError("`--pairs` can only be used with `--run`") }
        if let pairs, !(1...1_000).contains(pairs) { throw ValidationError("--pairs \(pairs): from 1 to 1000") }
    }

    mutating func perform() throws -> ExitStatus {
        let share = try noise.share()
        let time = try limit.span()
        let sides: InterleavedRuns.Sides
        if run.isEmpty {
            sides = InterleavedRuns.Sides(
                base: try Self.load(reports[0], isBase: true), candidate: try Self.load(reports[1], isBase: false))
        } else {
            sides = try InterleavedRuns(
                base: run[0], candidate: run[1], pairs: pairs ?? Self.pairsByDefault, limit: time,
                display: telling.display(isQuiet: printed.quiet)
            ).perform()
        }
        if exact, let wall = (sides.base + sides.candidate).first(where: { !$0.isRepeatable }) {
            throw CommandProblem(
                "a run of \(wall.scenario.name) used the wall clock: none of its figures is exact",
                hint: "compare without --exact, or run with --clock virtual")
        }
        for single in sides.base + sides.candidate {
            guard let user = single.run.onlyUser else { continue }
            throw CommandProblem(
                "a run of \(single.scenario.name) judged only user \(user)",
                hint: "run it without --only-user")
        }
        let comparison = Comparison(
            base: sides.base, candidate: sides.candidate, noise: share, isPaired: !run.isEmpty, isExactOnly: exact)
        if json {
            try Terminal.write(comparison)
        } else if markdown {
            Terminal.write(ComparisonText.markdown(comparison, showsAll: all))
        } else {
            Terminal.write(
                ComparisonText.render(
                    comparison, style: .detected(), width: Terminal.width, showsAll: all, extent: printed.extent,
                    reports: run.isEmpty ? (reports[0], reports[1]) : nil))
        }
        if let problem = sides.problem { problem.print() }
        return comparison.isWorse ? .comparedWorse : sides.problem?.status ?? .passed
    }

    private static func load(_ path: String, isBase: Bool) throws -> [Report] {
        let missing: ExitStatus = isBase ? .baseMissing : .invalidInput
        guard let kind = Paths.kind(path) else {
            throw CommandProblem(
                "there is no report at \(path)",
                hint: isBase
                    ? "the base is a report that an earlier build wrote" : "'stampede run' writes Reports/latest",
                status: missing)
        }
        if kind == .file { return [try ReportSource.load(path).report] }
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        if files.contains("report.json") { return [try ReportSource.load(path).report] }
        // `latest` is a link to one of the others.
        let found = files.sorted().filter { $0 != ReportFolder.latestName && !$0.hasPrefix(".") }.map {
            path + "/" + $0
        }.filter { Paths.exists($0 + "/report.json") }
        if found.isEmpty { throw CommandProblem("there are no reports in \(path)", status: missing) }
        return try found.map { try ReportSource.load($0).report }
    }
}

/// How many of the runs are done.
private final class RunPairs: WatchedWork {
    private let runs: Int
    private let stop: StopRequest
    private let done = Atomic<Int>(0)

    init(pairs: Int, stop: StopRequest) { (runs, self.stop) = (2 * pairs, stop) }

    func runDone() { done.add(1, ordering: .relaxed) }
    func requestStop(_ cause: StopCause) { stop.make(cause) }

    func progress(elapsed: Double) -> RunProgress {
        let done = done.load(ordering: .relaxed)
        return RunProgress(
            fraction: Double(done) / Double(runs), done: done, total: runs, unit: "runs", elapsedSeconds: elapsed)
    }
}

/// Two command lines run in turn, so that whatever the machine does meanwhile reaches both alike.
private struct InterleavedRuns {
    let base: String
    let candidate: String
    let pairs: Int
    let limit: Span?
    let display: ProgressDisplay?

    struct Sides {
        var base: [Report] = []
        var candidate: [Report] = []
        /// Why there are fewer than were asked for.
        var problem: CommandProblem?
    }

    func perform() throws -> Sides {
        let commands = ShellCommands()
        let stop = StopRequest()
        _ = InterruptWatch(for: limit) {
            stop.make($0)
            commands.stop()
        }
        let folder = try CommandContext.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let board = RunPairs(pairs: pairs, stop: stop)
        let shown = display.map { ShownProgress(of: board, on: $0) }
        defer { shown?.end() }
        var found = Sides()
        for pair in 0..<pairs {
            // A B, then B A: a machine that gets slower and slower favours neither.
            for isBase in pair % 2 == 0 ? [true, false] : [false, true] {
                guard let report = try run(isBase ? base : candidate, commands, into: folder) else {
                    return try left(found, stop.cause ?? .interrupt, pair: pair)
                }
                if isBase { found.base.append(report) } else { found.candidate.append(report) }
                board.runDone()
            }
        }
        return found
    }

    /// What there is when the time is over is compared, pair by pair; after a signal nothing is.
    private func left(_ found: Sides, _ cause: StopCause, pair: Int) throws -> Sides {
        let rest = cause == .interrupt || pair == 0 ? "nothing is compared" : "the pairs before it are compared"
        let problem = CommandProblem(
            "\(cause.words) the end of pair \(pair + 1) of \(pairs): \(rest)", hint: "run fewer pairs: --pairs",
            status: cause.status)
        if cause == .interrupt || pair == 0 { throw problem }
        return Sides(
            base: Array(found.base.prefix(pair)), candidate: Array(found.candidate.prefix(pair)), problem: problem)
    }

    /// Nil once it was stopped.
    private func run(_ command: String, _ commands: ShellCommands, into folder: URL) throws -> Report? {
        let place = folder.appendingPathComponent(UUID().uuidString).path
        let status = try commands.run(command + " --quiet --out " + ShellWord.quoted(place))
        if commands.isStopped { return nil }
        let report = place + "/" + ReportFolder.latestName
        guard Paths.exists(report + "/report.json") else {
            let isCrash = status == ExitStatus.clientCrashed.rawValue
            throw CommandProblem(
                "'\(command)' wrote no report and exited with \(status)",
                hint: isCrash ? "its client ended the process" : "--run takes a command line of 'stampede run'",
                status: isCrash ? .clientCrashed : .invalidInput)
        }
        let found = try ReportSource.load(report).report
        if let reason = found.verdict.reasons.first(where: { $0.isOfWorker }) {
            throw CommandProblem("'\(command)': \(reason.sentence)", status: .clientCrashed)
        }
        return found
    }
}
