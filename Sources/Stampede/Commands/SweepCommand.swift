// stampede sweep: everything that can go wrong at one place, tried place by place.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

struct SweepCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Try a crash before every effect and the loss of every message.",
        discussion: """
            Runs each journey of a scenario once for one user, to number the app's effects (actions that outlive its \
            process) and its device's messages to the store. Then runs the journey again once for each fault: \(faults); with --depth 2 also \
            with every pair of these. The scenario's own crashes and losses are left out.

            Prints how many of all trials were run, the result of each, and the shortest timeline for every broken rule. \
            Exits with the codes of 'stampede run'.
            """)

    /// `with a crash just before each effect, with each message lost, and …`
    private static let faults: String = {
        let faults = FaultKind.trials.map { "with " + $0.means(for: "each \($0.place.rawValue)") }
        return faults.dropLast().joined(separator: ", ") + ", and " + (faults.last ?? "")
    }()

    @OptionGroup var subject: SubjectOptions

    @Option(help: "Only this journey. May be given several times.")
    var journey: [String] = []

    @Option(parsing: .unconditional, help: "The most faults in one trial: 0 to 3.")
    var depth = 1

    @Option(parsing: .unconditional, help: "How many other orders of the same events to try for each journey.")
    var interleavings = 0

    @Option(help: "Events due within this time of each other may change places. Default: the scenario's, else 0s.")
    var window: String?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var limit: TimeLimitOption

    @Option(help: "Run only this trial, e.g. crash:17 or request:3,answer:5, and print its timeline.")
    var trial: String?

    @OptionGroup var sharding: ShardOption

    @Option(help: "With --shard, the folder to write the part into.", completion: .directory)
    var out = "Reports"

    @OptionGroup var result: ResultOptions

    @OptionGroup var telling: ProgressOption

    mutating func validate() throws {
        if window != nil, interleavings == 0, trial == nil {
            throw ValidationError("--window is for other orders of events: give their number with --interleavings")
        }
        if trial != nil, limit.timeLimit != nil {
            throw ValidationError("--time-limit cannot be used with --trial")
        }
        if trial != nil, sharding.shard != nil {
            throw ValidationError("--shard cannot be used with --trial")
        }
        if trial != nil, result.json { throw ValidationError("--json cannot be used with --trial") }
    }

    mutating func perform() throws -> ExitStatus {
        if let shard = try sharding.part() { return try perform(shard) }
        let plan = try makePlan()
        if let trial { return try tell(trial, plan) }
        return try tell(Sweep(plan), plan, .all)
    }

    /// Sweeps, and tells what was found.
    func tell(_ sweep: Sweep, _ plan: SweepPlan, _ share: TrialShare) throws -> ExitStatus {
        let time = try limit.span()
        let found = try watched(
            sweep.board, telling.display(isQuiet: result.printed.quiet), in: plan.options.housing, for: time
        ) {
            try sweep.perform(share)
        }
        let report = SweepReport(found, plan: plan, stopCause: sweep.board.stop.cause, command: command(plan))
        try result.show(report) {
            SweepText.render(report, style: .detected(), width: Terminal.width, extent: $0)
        }
        return report.verdict.status
    }

    func makePlan() throws -> SweepPlan {
        var options = try CommandContext.runOptions(
            scenario: subject.scenario, client: subject.client, clientOptions: subject.clientOption, seed: subject.seed,
            workers: threads.workers)
        options.housing = threads.housing
        guard (0...3).contains(depth) else { throw CommandProblem("--depth \(depth): from 0 to 3") }
        guard (0...10_000_000).contains(interleavings) else {
            throw CommandProblem("--interleavings \(interleavings): from 0 to 10000000")
        }
        return SweepPlan(
            options: options, depth: depth, interleavings: interleavings, window: try eventWindow(options.scenario),
            journeys: try journeys(options.scenario))
    }

    private func eventWindow(_ scenario: Scenario) throws -> Span {
        guard let window else { return scenario.exploration?.window ?? .zero }
        return try CommandContext.span(window, option: "--window")
    }

    private func journeys(_ scenario: Scenario) throws -> [Int]? {
        if journey.isEmpty { return nil }
        return try journey.map { name in
            if let place = scenario.journeys.firstIndex(where: { $0.name == name }) { return place }
            throw CommandProblem(
                "there is no journey '\(name)'",
                hint: CommandContext.suggestion(name, among: scenario.journeys.map(\.name)))
        }
    }

    private func tell(_ text: String, _ plan: SweepPlan) throws -> ExitStatus {
        guard let trial = TrialCase(text: text) else {
            throw CommandProblem(
                "--trial \(text) is not a trial",
                hint: "write crash:N, request:N or answer:N, joined by commas, or a trial as a sweep prints it")
        }
        let journeys = plan.journeys ?? plan.options.scenario.journeysInUse
        guard journeys.count == 1 else {
            throw CommandProblem(
                "--trial runs one journey, and the scenario has \(journeys.count)",
                hint: "choose one with --journey")
        }
        try ClientCode.isAboutToRun(in: plan.options.housing)
        defer { ClientCode.hasRun() }
        guard let outcome = try Sweep(plan).tell(trial, journey: journeys[0]) else {
            preconditionFailure("a single trial cannot be stopped")
        }
        if let missing = trial.mishaps.first(where: { !outcome.happened.contains($0) }) {
            throw CommandProblem(
                "--trial \(text): the journey never reaches \(missing.text)",
                hint: "it has \(outcome.effectCount) effects and \(outcome.messageCount) messages, counted from 1")
        }
        let found = SweepReport.Told(outcome)
        if !result.printed.quiet || found.status != .passed {
            Terminal.write(SweepText.render(found, trial: text, style: .detected(), width: Terminal.width))
        }
        return found.status
    }

    /// The command line that repeats the sweep.
    private func command(_ plan: SweepPlan) -> String {
        var words = [
            "\(CommandName.words) sweep", ShellWord.quoted(subject.scenario), "--client \(plan.options.client.name)",
        ]
        words += plan.options.settingsBesideTheScenario
        words.append("--seed \(plan.options.scenario.seed)")
        if let window { words.append("--window \(ShellWord.quoted(window))") }
        return words.joined(separator: " ")
    }
}
