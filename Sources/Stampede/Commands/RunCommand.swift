// stampede run: one scenario, one seed, one report.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Judgement
import Reporting
import RunStore
import Scenario
import Text

struct RunCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scenario and judge it.",
        discussion: """
            Prints a summary, writes the folder Reports/<scenario>-<client>-<seed> with report.json, report.html, \
            summary.md, junit.xml and more, points Reports/latest at it, and ends with 0 if every threshold holds. 'stampede list exit-codes' explains the other codes.

            The same scenario, seed and build give the same report under the virtual clock.

            The run is added to runs.sqlite beside the folder, for 'stampede history'; one with --only-user is not, \
            because it judges a single user.
            """)

    @OptionGroup var subject: SubjectOptions

    @Option(help: "virtual (as fast as possible, repeatable) or wall (real time), instead of the scenario's.")
    var clock: RunClock?

    @Option(parsing: .unconditional, help: "How many users; load and arrival rates change in proportion.")
    var users: Int?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var memory: WorkerMemoryOption

    @OptionGroup var limit: TimeLimitOption

    @Option(
        parsing: .unconditional,
        help: "Judge this user alone and print what happened to them. Their cell runs as before.")
    var onlyUser: Int?

    @Option(help: "The folder that reports are written into.", completion: .directory)
    var out = "Reports"

    @Option(
        help: ArgumentHelp("A label of this run. May be given several times.", valueName: "name=value"),
        transform: NamedValue.init(tag:))
    var tag: [NamedValue] = []

    @Flag(
        help: """
            Write operations.ndjson into the report's folder: what each user asked for and how it ended, in Jepsen's \
            shape, a JSON object a line. Large: some 300 bytes for each request.
            """)
    var operations = false

    @Flag(name: .customLong("no-record"), help: "Do not add the run to runs.sqlite in the folder of reports.")
    var isUnrecorded = false

    @OptionGroup var printing: ClientOutputOption

    @OptionGroup(visibility: .hidden) var former: FormerRunOptions

    @Flag(help: "Judge a run on the wall clock although the machine could not keep up.")
    var ignoreSaturation = false

    @Flag(help: "Print report.json instead of the summary, and nothing else on the standard output.")
    var json = false

    @OptionGroup var extent: ExtentOptions

    @OptionGroup var telling: ProgressOption

    mutating func validate() throws {
        operations = operations || former.history
        isUnrecorded = isUnrecorded || former.noHistory
        try tag.checkNames("--tag")
    }

    mutating func perform() throws -> ExitStatus {
        former.tellNewNames()
        let time = try limit.span()
        var options = try makeOptions()
        let userCount = CellPlan(options.scenario).userCount
        if let onlyUser, onlyUser < 0 || onlyUser >= userCount {
            throw CommandProblem("there is no user \(onlyUser)", hint: "users are numbered from 0 to \(userCount - 1)")
        }
        let record = try prepareOutput()
        defer { record?.remove() }
        options.operations = record
        if options.scenario.clock == .wall { ClientStatics.warnOfWallClock() }
        let run = Run(options)
        let startedAt = Date()
        let result = try watched(
            run.board, telling.display(isQuiet: extent.quiet || printing.clientOutput), in: options.housing, for: time
        ) {
            run.perform()
        }
        let builder = ReportBuilder(
            result, options: options, usersOption: users, startedAt: startedAt,
            ignoresSaturation: ignoreSaturation, tags: tag.byName)
        let report = placed(builder.report())
        if onlyUser != nil, !extent.quiet {
            printTimeline(builder.onlyUserTimeline, builder.onlyUserOutput.flatMap(\.self))
        }
        var location: String?
        var problem: FileError?
        do {
            let moved = try record.map { [OperationStore.fileName: try $0.finish()] }
            let folder = try ReportFolder.write(report, into: out, files: ReportFiles.all(report), moved: moved ?? [:])
            if !isUnrecorded, onlyUser == nil { recordRun(report, location: folder) }
            location = folder
        } catch let error as FileError {
            problem = error
        }
        try show(report, location: location)
        if let death = result.death { CommandProblem(death, isReported: problem == nil).print() }
        if let problem { throw problem }
        tellGitHub(report)
        return builder.status
    }

    /// Before the run: a folder that cannot be written to is told at once.
    ///
    /// - Returns: where operations are kept until the report has its folder; nil without --operations.
    private func prepareOutput() throws -> OperationStore? {
        try ReportFolder.prepare(out)
        guard operations else { return nil }
        return try OperationStore(folder: ReportFolder.hiddenPath(in: out, stem: "operations-\(UUID())"))
    }

    /// With what is known beside the run: the commit, and the runs that it may be held against.
    private func placed(_ report: Report) -> Report {
        var report = report
        let build = BuildFacts.detect()
        (report.host.commit, report.host.isDirty) = (build.commit, build.isDirty)
        guard onlyUser == nil, let database = try? RunDatabase.reading(databasePath) else { return report }
        // A database that cannot be read is told of where the run is added to it.
        let run = report.recorded(folder: "")
        report.host.earlier = (try? Report.Earlier(before: run, in: database)).flatMap(\.self)
        return report
    }

    private var databasePath: String { "\(out)/\(RunDatabase.fileName)" }

    /// Adds the run to the database. The verdict is the client's: that this fails is no reason to fail.
    private func recordRun(_ report: Report, location: String) {
        let folder = URL(fileURLWithPath: location).lastPathComponent
        do {
            try RunDatabase.recording(at: databasePath).add(
                report.recorded(folder: folder), figures: report.recordedFigures)
        } catch {
            Terminal.warn(
                "the run is not recorded: \(error.description)", hint: "\(error.hint); --no-record leaves runs out")
        }
    }

    /// Under GitHub Actions: annotations on the standard output, and the summary of the step.
    private func tellGitHub(_ report: Report) {
        let environment = ProcessInfo.processInfo.environment
        if GitHub.isPresent(in: environment) {
            // Read from either stream, and the standard output may be a program's input.
            for line in GitHub.annotations(report) { Terminal.write(line + "\n", toErrors: json) }
        }
        guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        do {
            try GitHub.appendSummary(SummaryMarkdown.render(report), to: path)
        } catch {
            // The report is written, and the verdict is the client's: this is no reason to fail.
            Terminal.write("the summary could not be added to \(path)\n", toErrors: true)
        }
    }

    private func makeOptions() throws -> RunOptions {
        var options = try CommandContext.runOptions(
            scenario: subject.scenario, client: subject.client, clientOptions: subject.clientOption, seed: subject.seed,
            workers: threads.workers, clock: clock, users: users,
            onlyUser: onlyUser)
        options.housing = threads.housing
        options.workerGrowthMax = memory.growthMax
        options.onClientLine = printing.writer
        return options
    }

    private func show(_ report: Report, location: String?) throws {
        if json { return try Terminal.write(report) }
        Terminal.write(extent.summary(report, location: location))
    }

    private func printTimeline(_ lines: [Report.TimelineEntry], _ output: [Report.OutputLine]) {
        func write(_ text: String) { Terminal.write(text, toErrors: json) }
        write("What happened to user \(onlyUser ?? 0):\n")
        for line in TimelineText.lines(lines) { write("  \(line)\n") }
        if !output.isEmpty { write("What their client printed:\n") }
        for line in ClientOutput.lines(output, indent: 2) { write("\(line)\n") }
        write("\n")
    }
}

extension RunClock: ExpressibleByArgument {}
