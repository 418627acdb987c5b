// stampede replay: one violation of a report, run again.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import Judgement
import Reporting
import Scenario

struct ReplayCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run the user of one violation again, and draw what happened.",
        discussion: """
            The report holds its scenario and catalog, so that nothing else is needed but a client of the same name. \
            Only the user's cell is run.

            Ends with 110 if the violation comes back, with 0 if it does not: good for 'git bisect run'.
            """)

    @OptionGroup var subject: ViolationOptions

    @Option(
        help: "Write the story as a page with a picture; '-' is the standard output, with nothing else on it.",
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(name: .shortAndLong, help: "Print nothing; only problems, and the exit code.")
    var quiet = false

    @OptionGroup var printing: ClientOutputOption

    mutating func perform() throws -> ExitStatus {
        let (evidence, source) = try subject.load()
        var options = try source.runOptions()
        options.onlyUser = evidence.user
        options.housing = .standard(options.scenario.clock)
        options.onClientLine = printing.writer
        let run = Run(options)
        let result = try watched(run.board, quiet: quiet || printing.clientOutput, in: options.housing) {
            run.perform()
        }
        if result.wasStopped { return .interrupted }
        if let death = result.death { throw CommandProblem(death, isReported: false) }
        let builder = ReportBuilder(
            result, options: options, usersOption: source.report.run.population,
            startedAt: Date(timeIntervalSince1970: 0))
        let found = builder.report().violations.evidence
        let again = found.first { $0.rule == evidence.rule && $0.device == evidence.device }
        let replay = Replay(
            evidence: evidence, of: source.report, again: again, timeline: again?.timeline ?? builder.onlyUserTimeline,
            output: output(builder.onlyUserOutput, device: evidence.device), version: StampedeVersion.current)
        if !quiet, html != "-" {
            Terminal.write(ReplayText.render(replay, style: .detected(), width: Terminal.width))
        }
        if let html { try CommandContext.put(ReplayPage.render(replay), to: html) }
        return again == nil ? .passed : .violationsFound
    }

    /// Of a client that did not come back, its device is the only one that is told of.
    private func output(_ devices: [[Report.OutputLine]], device: Int) -> [Report.OutputLine] {
        devices.count == 1 ? devices[0] : devices.dropFirst(device - 1).first ?? []
    }
}
