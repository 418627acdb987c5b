// stampede run: one scenario, one seed, one report.
// Main thread, which also shows progress and takes signals where workers are processes.

import ArgumentParser
import ClientKit
import Engine
import Files
import Foundation
import Hosting
import Judgement
import ReportModel
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

            What a long run finds is kept in <folder>.partial while it goes on, so that one that was killed, or stopped, is \
            gone on with by --resume, and ends with the report of an unbroken run.

            With --shard several machines share a run: each does one part, and 'stampede merge' of the parts writes the \
            report, and ends with the exit code, of the undivided run. A part itself ends with 0 when it came to its end.

            The run is added to runs.sqlite beside the folder, for 'stampede history'; one with --only-user is not, \
            because it judges a single user.
            """)

    @OptionGroup var subject: SubjectOptions

    @Option(help: "virtual (as fast as possible, repeatable) or wall (real time), instead of the scenario's.")
    var clock: RunClock?

    @Option(
        parsing: .unconditional, help: "How many users; load, arrival rates and bounds on counts change in proportion.")
    var users: Int?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var memory: WorkerMemoryOption

    @OptionGroup var limit: TimeLimitOption

    @OptionGroup var sharding: ShardOption

    @OptionGroup var start: StartOption

    @OptionGroup var resumption: ResumeOption

    @Option(
        parsing: .unconditional,
        help: "Judge this user alone and print what happened to them. Their cell runs as before.")
    var onlyUser: Int?

    @Option(help: "The folder that reports are written into.", completion: .directory)
    var out = outStandard

    private static let outStandard = "Reports"

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

    @Flag(help: "Judge a run on the wall clock although the machine could not keep up.")
    var ignoreSaturation = false

    @Flag(help: "Fail on warnings of the audit too, as the threshold 'warnings: count == 0' does.")
    var strict = false

    @Flag(help: "Print report.json instead of the summary, and nothing else on the standard output.")
    var json = false

    @OptionGroup var extent: ExtentOptions

    @OptionGroup var telling: ProgressOption

    @OptionGroup var watching: WatchingOptions

    mutating func validate() throws {
        try tag.checkNames("--tag")
        if onlyUser != nil, sharding.shard != nil || resumption.resume {
            throw ValidationError("--only-user judges one user: there is nothing to share, and nothing to go on with")
        }
        if resumption.resume, threads.housing == .threads {
            throw ValidationError(
                "--resume goes on with what worker processes have found, and here workers are threads")
        }
    }

    mutating func perform() throws -> ExitStatus {
        let time = try limit.span()
        let left = try leftRun()
        var options = try left?.plan.runOptions(workers: threads.workers) ?? makeOptions()
        apply(to: &options)
        try checkUser(options)
        let plan = left?.plan ?? planned(options)
        var output = RunOutput(
            plan, scenario: options.scenario.name, out: left?.parent ?? out, startedAt: left?.startedAt ?? Date())
        try ReportFolder.prepare(output.out, isShared: plan.shard != nil)
        if try output.hasPart(isAccepted: resumption.resume) {
            Terminal.write("part \(plan.shard?.text ?? "") is there already: \(output.partPath)\n", toErrors: true)
            return .passed
        }
        if keepsJournal { try begin(&output, with: left) }
        options.journal = output.journal
        let record = try plan.operationStore(in: output.out)
        defer { record?.remove() }
        options.operations = record
        if options.scenario.clock == .wall { ClientStatics.warnOfWallClock() }
        try start.wait()
        let display = telling.display(isQuiet: extent.quiet || printing.clientOutput)
        options.isWatched = display != nil || watching.isAsked
        let run = Run(options)
        let export = try watching.begin(run, shard: options.shard, startedAt: output.startedAt)
        let part = try watched(run.board, display, in: options.housing, for: time) {
            export?.during(run.performPart) ?? run.performPart()
        }
        let findings = options.shard == nil ? nil : part.packed(options.measures)
        let result = part.result(options, stopCause: run.board.stop.cause)
        return try tell(result, output, options, record, findings) { export?.finish($0) }
    }

    /// Writes the report, shows it, and says what to do next.
    ///
    /// - Parameter export: tells others what the run came to.
    private func tell(
        _ result: RunResult, _ output: RunOutput, _ options: RunOptions, _ record: OperationStore?,
        _ findings: [UInt8]?,
        export: (Report) -> Void
    ) throws -> ExitStatus {
        let plan = output.plan
        let builder = ReportBuilder(
            result, options: options, usersOption: plan.usersOption, startedAt: output.startedAt,
            ignoresSaturation: plan.ignoresSaturation, tags: plan.tags, plan: plan)
        let report = placed(builder.report(), in: output.out)
        if onlyUser != nil, !extent.quiet {
            printTimeline(builder.onlyUserTimeline, builder.onlyUserOutput.flatMap(\.self))
        }
        var location: String?
        var problem: FileError?
        let isWholePart = report.verdict.outcome == .part
        let isToGoOn = result.isUnfinished && options.scenario.clock == .virtual
        do {
            let folder = try output.write(
                report, operations: record, findings: isWholePart ? findings : nil,
                isUnfinished: isToGoOn)
            if let folder, !isUnrecorded, onlyUser == nil, report.shard == nil {
                recordRun(report, location: folder, in: output.out)
            }
            location = folder
        } catch let error as FileError {
            problem = error
        }
        try show(report, location: location)
        export(report)
        if let death = result.death { CommandProblem(death, isReported: problem == nil).print() }
        if let problem { throw problem }
        if isToGoOn, let command = output.resumeCommand {
            Terminal.write("to go on with it: \(command)\n", toErrors: true)
        }
        if !isWholePart { GitHubStep.tell(report, toErrors: json) }
        return ExitStatus(exitCode: report.verdict.exitCode) ?? .unknown
    }

    // MARK: What is run

    /// The scenario that stands on the command line, or what a killed process has left.
    private func leftRun() throws -> LeftRun? {
        guard resumption.resume, LeftRun.isOne(subject.scenario) else { return nil }
        let given = givenBesideTheFolder
        if !given.isEmpty {
            throw CommandProblem(
                "\(subject.scenario) says what is run, and \(given.joined(separator: ", ")) would change it",
                hint: "leave \(given.count == 1 ? "it" : "them") out, or name the scenario")
        }
        let left = try LeftRun(subject.scenario)
        try left.check(nil)
        return left
    }

    /// Options that a folder to go on with has answered.
    private var givenBesideTheFolder: [String] {
        let options: [(String, Bool)] = [
            ("--client", subject.client != nil), ("--client-option", !subject.clientOption.isEmpty),
            ("--seed", subject.seed != nil), ("--clock", clock != nil), ("--users", users != nil),
            ("--only-user", onlyUser != nil), ("--tag", !tag.isEmpty), ("--operations", operations),
            ("--ignore-saturation", ignoreSaturation), ("--strict", strict), ("--shard", sharding.shard != nil),
            ("--out", out != Self.outStandard),
        ]
        return options.filter(\.1).map(\.0)
    }

    private func planned(_ options: RunOptions) -> PlannedRun {
        PlannedRun(
            options, usersOption: users, tags: tag.byName, keepsOperations: operations,
            ignoresSaturation: ignoreSaturation,
            // A short run needs none, and reading the program takes a moment.
            build: resumption.resume || options.shard != nil ? BuildIdentity.current : "")
    }

    private func makeOptions() throws -> RunOptions {
        var problems = CommandProblems()
        let shard = try problems.noting { try sharding.part() } ?? nil
        let made = try problems.noting {
            try CommandContext.runOptions(
                scenario: subject.scenario, client: subject.client, clientOptions: subject.clientOption,
                seed: subject.seed, workers: threads.workers, clock: clock, users: users, onlyUser: onlyUser)
        }
        if let problem = problems.all { throw problem }
        guard var options = made else { preconditionFailure("\(subject.scenario) was read") }
        options.scenario.audit.isStrict = strict
        options.shard = shard
        return options
    }

    private func apply(to options: inout RunOptions) {
        options.housing = threads.housing
        options.workerGrowthMax = memory.growthMax
        options.onClientLine = printing.writer
    }

    private func checkUser(_ options: RunOptions) throws {
        guard let onlyUser else { return }
        let userCount = CellPlan(options.scenario).userCount
        if onlyUser < 0 || onlyUser >= userCount {
            throw CommandProblem("there is no user \(onlyUser)", hint: "users are numbered from 0 to \(userCount - 1)")
        }
    }

    // MARK: What is kept

    /// What threads of this process find is not kept by the way.
    private var keepsJournal: Bool { onlyUser == nil && threads.housing == .processes }

    private func begin(_ output: inout RunOutput, with named: LeftRun?) throws {
        guard let left = try named ?? (resumption.resume ? output.left() : nil) else {
            if !resumption.resume, let folder = try? output.left()?.folder {
                Terminal.warn(
                    "a run of this name that was not finished is in \(folder), and this one takes its place",
                    hint: "--resume goes on with it")
            }
            return output.keepJournal()
        }
        if named == nil { try left.check(output.plan) }
        try output.resume(left)
        if left.plan.clock == RunClock.wall.rawValue {
            Terminal.warn(
                "a run under the wall clock cannot be gone on with: real time has passed",
                hint: "this is the report of what was judged before it was ended")
        } else {
            Terminal.write("going on with \(left.folder)\n", toErrors: true)
        }
    }

    /// With what is known beside the run: the commit, and the runs that it may be held against.
    private func placed(_ report: Report, in out: String) -> Report {
        var report = report
        let build = BuildFacts.detect()
        (report.host.commit, report.host.isDirty) = (build.commit, build.isDirty)
        guard onlyUser == nil, report.shard == nil,
            let database = try? RunDatabase.reading(Self.databasePath(in: out))
        else { return report }
        // A database that cannot be read is told of where the run is added to it.
        let run = report.recorded(folder: "")
        report.host.earlier = (try? Report.Earlier(before: run, in: database)).flatMap(\.self)
        return report
    }

    private static func databasePath(in out: String) -> String { "\(out)/\(RunDatabase.fileName)" }

    /// Adds the run to the database. The verdict is the client's: that this fails is no reason to fail.
    private func recordRun(_ report: Report, location: String, in out: String) {
        let folder = URL(fileURLWithPath: location).lastPathComponent
        do {
            try RunDatabase.recording(at: Self.databasePath(in: out)).add(
                report.recorded(folder: folder), figures: report.recordedFigures)
        } catch {
            Terminal.warn(
                "the run is not recorded: \(error.description)", hint: "\(error.hint); --no-record leaves runs out")
        }
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
