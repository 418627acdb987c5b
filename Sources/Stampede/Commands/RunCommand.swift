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
            Prints a summary and writes the folder Reports/<scenario>-<client>-<seed> with report.json, report.html, \
            summary.md, junit.xml and more. Reports/latest links to that folder. Exits with 0 if every threshold holds; \
            'stampede list exit-codes' explains the other codes.

            Under the virtual clock, the same scenario, seed and build give the same report.

            A long run saves its progress in `<folder>.partial`. If it is interrupted, `--resume` continues it and \
            produces the same report.

            With --shard several machines share a run, and each runs one part. 'stampede merge' of all parts writes the \
            report of the undivided run and exits with its exit code. A part that finishes exits with 0.

            The run is added to runs.sqlite beside the folder, for 'stampede history'. A run with --only-user is not \
            added, because it judges a single user.
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
        help: "Judge only this user and print their timeline. The user's whole cell still runs.")
    var onlyUser: Int?

    @Option(help: "The folder to write reports into.", completion: .directory)
    var out = outStandard

    private static let outStandard = "Reports"

    @Option(
        help: ArgumentHelp("A label of this run. May be given several times.", valueName: "name=value"),
        transform: NamedValue.init(tag:))
    var tag: [NamedValue] = []

    @Flag(
        help: """
            Write operations.ndjson into the report's folder: each user's requests and their outcomes in Jepsen's \
            format, one JSON object per line. Large: some 300 bytes per request.
            """)
    var operations = false

    @Flag(name: .customLong("no-record"), help: "Do not add the run to runs.sqlite in the folder of reports.")
    var isUnrecorded = false

    @OptionGroup var printing: ClientOutputOption

    @Flag(help: "Judge a wall-clock run even if the machine could not keep up.")
    var ignoreSaturation = false

    @Flag(help: "Also fail on audit warnings, like the threshold 'warnings: count == 0'.")
    var strict = false

    @Flag(help: "Print report.json instead of the summary, and nothing else on the standard output.")
    var json = false

    @OptionGroup var extent: ExtentOptions

    @OptionGroup var telling: ProgressOption

    @OptionGroup var watching: WatchingOptions

    mutating func validate() throws {
        try tag.checkNames("--tag")
        if onlyUser != nil, sharding.shard != nil || resumption.resume {
            throw ValidationError("--only-user judges a single user: it cannot be used with --shard or --resume")
        }
        if resumption.resume, threads.housing == .threads {
            throw ValidationError(
                "--resume needs worker processes, and here workers are threads: their progress is not saved")
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
            Terminal.write("part \(plan.shard?.text ?? "") already exists: \(output.partPath)\n", toErrors: true)
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
            Terminal.write("to resume this run: \(command)\n", toErrors: true)
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
                "\(subject.scenario) already defines its run, and \(given.joined(separator: ", ")) would change it",
                hint: "leave \(given.count == 1 ? "that option" : "these options") out, or give the scenario instead")
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
                    "this run replaces an unfinished run of the same name in \(folder)",
                    hint: "--resume continues the unfinished run")
            }
            return output.keepJournal()
        }
        if named == nil { try left.check(output.plan) }
        try output.resume(left)
        if left.plan.clock == RunClock.wall.rawValue {
            Terminal.warn(
                "a wall-clock run cannot continue: real time has passed",
                hint: "this report covers what was judged before the run ended")
        } else {
            Terminal.write("resuming \(left.folder)\n", toErrors: true)
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
                "the run is not recorded: \(error.description)", hint: "\(error.hint); --no-record skips recording")
        }
    }

    private func show(_ report: Report, location: String?) throws {
        if json { return try Terminal.write(report) }
        Terminal.write(extent.summary(report, location: location))
    }

    private func printTimeline(_ lines: [Report.TimelineEntry], _ output: [Report.OutputLine]) {
        func write(_ text: String) { Terminal.write(text, toErrors: json) }
        write("Timeline of user \(onlyUser ?? 0):\n")
        for line in TimelineText.lines(lines) { write("  \(line)\n") }
        if !output.isEmpty { write("Output of the user's client:\n") }
        for line in ClientOutput.lines(output, indent: 2) { write("\(line)\n") }
        write("\n")
    }
}

extension RunClock: ExpressibleByArgument {}
