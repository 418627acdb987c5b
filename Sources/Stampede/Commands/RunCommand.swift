// stampede run: one scenario, one seed, one report.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import Clients
import Engine
import Foundation
import Reporting
import Scenario

struct RunCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scenario and judge it.",
        discussion: """
            Prints a summary, writes the folder Reports/<scenario>-<client>-<seed> with report.json, report.html, \
            summary.md, junit.xml and more, points Reports/latest at it, and ends with 0 if every threshold holds. 'stampede list exit-codes' explains the other codes.

            The same scenario, seed and build give the same report under the virtual clock.
            """)

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yml", "yaml"]))
    var scenario: String

    @Option(help: "The client under test, instead of the scenario's. See 'stampede list clients'.")
    var client: String?

    @Option(help: "The seed of all chance, instead of the scenario's.")
    var seed: UInt64?

    @Option(help: "virtual (as fast as possible, repeatable) or wall (real time), instead of the scenario's.")
    var clock: ClockOption?

    @Option(help: "How many users; load and arrival rates change in proportion.")
    var users: Int?

    @Option(help: "Threads to run on. Default: one a core. The result does not depend on it.")
    var workers: Int?

    @Option(help: "Judge this user alone and print what happened to them. Their cell runs as before.")
    var onlyUser: Int?

    @Option(help: "The folder that reports are written into.", completion: .directory)
    var out = "Reports"

    @Flag(help: "Judge a run on the wall clock although the machine could not keep up.")
    var ignoreSaturation = false

    @Flag(name: .shortAndLong, help: "No progress and no summary; only problems, and the exit code.")
    var quiet = false

    mutating func perform() throws -> ExitStatus {
        let options = try makeOptions()
        let run = Run(options)
        if let onlyUser, onlyUser < 0 || onlyUser >= run.plan.userCount {
            throw CommandProblem(
                status: .invalidInput, text: "there is no user \(onlyUser)",
                hint: "users are numbered from 0 to \(run.plan.userCount - 1)")
        }
        InterruptWatch.install { run.board.requestStop() }
        let startedAt = Date()
        let watch = quiet ? nil : ProgressWatch(run)
        let result = run.perform()
        watch?.stop()

        let builder = ReportBuilder(
            result, options: options, usersOption: users, startedAt: startedAt,
            ignoresSaturation: ignoreSaturation)
        let report = builder.report()
        if onlyUser != nil, !quiet { printTimeline(builder.onlyUserTimeline) }
        do {
            let files = ReportFiles.all(report)
            let location = try ReportFolder.write(report, into: out, files: files)
            if !quiet { printSummary(report, location: location) }
        } catch {
            if !quiet { printSummary(report, location: nil) }
            throw CommandProblem(status: .reportNotWritten, text: error.description)
        }
        tellGitHub(report)
        return builder.status
    }

    /// Under GitHub Actions: annotations on the standard output, and the summary of the step.
    private func tellGitHub(_ report: Report) {
        let environment = ProcessInfo.processInfo.environment
        if GitHub.isPresent(in: environment) {
            for line in GitHub.annotations(report) { Terminal.write(line + "\n") }
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
        try CommandContext.runOptions(
            scenario: scenario, client: client, seed: seed, workers: workers,
            clock: clock.map { $0 == .wall ? .wall : .virtual }, users: users, onlyUser: onlyUser)
    }

    private func printSummary(_ report: Report, location: String?) {
        let text = TerminalSummary.render(report, style: .detected(), width: Terminal.width, location: location)
        Terminal.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    private func printTimeline(_ lines: [Report.TimelineEntry]) {
        Terminal.write("What happened to user \(onlyUser ?? 0):\n")
        for line in lines {
            let number = String(repeating: " ", count: max(0, 5 - String(line.number).count)) + String(line.number)
            Terminal.write("\(number)  \(HumanNumbers.clock(nanoseconds: line.atNs))  \(line.text)\n")
        }
        Terminal.write("\n")
    }
}

enum ClockOption: String, ExpressibleByArgument, CaseIterable {
    case virtual
    case wall
}
