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
            Prints a summary, writes Reports/<scenario>-<client>-<seed>/report.json, points Reports/latest at it, and \
            ends with 0 if every threshold holds. 'stampede list exit-codes' explains the other codes.

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
        InterruptWatch.install(stopping: run.board)
        let startedAt = Date()
        let watch = quiet ? nil : ProgressWatch(run)
        let result = run.perform()
        watch?.stop()

        let builder = ReportBuilder(result, options: options, usersOption: users, startedAt: startedAt)
        let report = builder.report()
        if onlyUser != nil, !quiet { printTimeline(builder.onlyUserTimeline) }
        do {
            let location = try ReportFolder.write(report, into: out)
            if !quiet { printSummary(report, location: location) }
        } catch {
            if !quiet { printSummary(report, location: nil) }
            throw CommandProblem(status: .reportNotWritten, text: error.description)
        }
        return builder.status
    }

    private func makeOptions() throws -> RunOptions {
        var scenario = try CommandContext.loadScenario(scenario)
        if let seed { scenario.seed = seed }
        if let clock { scenario.clock = clock == .wall ? .wall : .virtual }
        if let users {
            do {
                scenario = try scenario.scaled(toUsers: users)
            } catch {
                throw CommandProblem(status: .invalidInput, text: "--users: \(error)")
            }
        }
        let name = client ?? scenario.client.name
        guard let type = CommandContext.registry[name] else {
            throw CommandProblem(
                status: .invalidInput, text: "there is no client '\(name)'", hint: Self.clientHint(name))
        }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        if let workers, !(1...1_024).contains(workers) {
            throw CommandProblem(
                status: .invalidInput, text: "--workers \(workers): from 1 to 1024 threads",
                hint: "this machine has \(cores) cores")
        }
        // Options belong to the client that the scenario names.
        let clientOptions = name == scenario.client.name ? scenario.client.options : [:]
        return RunOptions(
            scenario: scenario, client: type, clientOptions: clientOptions, workers: workers ?? cores,
            onlyUser: onlyUser)
    }

    private static func clientHint(_ name: String) -> String {
        CommandContext.suggestion(name, among: CommandContext.registry.clients.map { $0.name })
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
