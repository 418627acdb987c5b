// stampede replay: one violation of a report, run again.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import Hosting
import Judgement
import ReportModel
import Reporting
import Scenario
import Simulation

struct ReplayCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run the user of one violation again and draw the timeline.",
        discussion: """
            The report contains its scenario and catalog, so replay needs nothing else but a client of the same name. \
            It runs only the user's cell.

            With --in-process the client runs in the command's own process, which stops for a debugger just before the \
            call into the client that caused the violation:

              lldb -o run -- .build/debug/MyTool replay Reports/latest --violation 1 --in-process

            Exits with 110 if the violation happens again, else with 0: suitable for 'git bisect run'.
            """)

    @OptionGroup var subject: ViolationOptions

    @Option(
        help: "Write the timeline as an HTML page with a diagram; '-' prints only the page.",
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(
        help: """
            Run the client in this process, on one thread. If a debugger is attached, stop (SIGTRAP) just before the \
            call that caused the violation.
            """)
    var inProcess = false

    @OptionGroup var printed: ExtentOptions

    @OptionGroup var telling: ProgressOption

    @OptionGroup var limit: TimeLimitOption

    @OptionGroup var printing: ClientOutputOption

    mutating func perform() throws -> ExitStatus {
        let (evidence, source) = try subject.load()
        var options = try source.runOptions(workers: inProcess ? 1 : nil)
        options.onlyUser = evidence.user
        options.housing = inProcess ? .threads : .standard
        let time = try limit.span()
        if inProcess { try stop(before: evidence, options) }
        options.onClientLine = printing.writer
        let run = Run(options)
        let result = try watched(
            run.board, telling.display(isQuiet: printed.quiet || printing.clientOutput), in: options.housing, for: time
        ) {
            run.perform()
        }
        if let cause = result.stopCause {
            throw CommandProblem("\(cause.words) user \(evidence.user) was judged", status: cause.status)
        }
        if let death = result.death { throw CommandProblem(death, isReported: false) }
        let builder = ReportBuilder(
            result, options: options, usersOption: source.report.run.population,
            startedAt: Date(timeIntervalSince1970: 0))
        let report = builder.report()
        let again = report.evidence.first { $0.rule == evidence.rule && $0.device == evidence.device }
        let replay = Replay(
            evidence: evidence, of: source.report, again: again, timeline: again?.timeline ?? builder.onlyUserTimeline,
            output: output(builder.onlyUserOutput, device: evidence.device), version: StampedeVersion.current)
        if !(html.map(StandardOutput.isMeant) ?? false) {
            Terminal.write(
                ReplayText.render(
                    replay, style: .detected(), width: Terminal.width, extent: printed.extent, location: subject.report)
            )
        }
        if let html { try CommandContext.put(ReplayPage.render(replay), to: html) }
        if let again { return again.severity.isViolation ? .violationsFound : .passed }
        return result.hasClientEnded ? .clientCrashed : .passed
    }

    /// Runs it once to see in which call into the client it comes about.
    private func stop(before evidence: Report.Evidence, _ options: RunOptions) throws {
        guard options.scenario.clock == .virtual else {
            throw CommandProblem(
                "--in-process: the run used the wall clock, so every repeat takes another course",
                hint: "find the violation under the virtual clock: run the scenario with --clock virtual")
        }
        guard let entry = evidence.guiltyEntry, let launch = entry.process else {
            throw CommandProblem(
                "--in-process: violation \(evidence.number) has no event of the client to stop at",
                hint: "without --in-process, `replay` draws the timeline")
        }
        let place = ClientBreakpoint.Place(
            user: evidence.user, device: evidence.device, launch: launch, event: evidence.devicePlace(of: entry),
            comesBefore: entry.isTold)
        ClientBreakpoint.watch(place)
        _ = Run(options).perform()
        guard let call = ClientBreakpoint.found() else {
            return Terminal.warn(
                "no call into the client precedes this event, so there is nowhere to stop: \(entry.text)",
                hint: "without --in-process, `replay` draws the timeline")
        }
        let words =
            "\(call.kind.words) in launch \(launch) at \(HumanNumbers.clock(nanoseconds: entry.atNs)): \(entry.text)"
        ClientBreakpoint.set(place, before: call) {
            if Debugger.isAttached {
                Terminal.write("Stopped before \(words)\n", toErrors: true)
                Debugger.stop()
            } else {
                Terminal.warn(
                    "no debugger is attached to stop before \(words)", hint: "start this command under lldb or gdb")
            }
        }
    }

    /// Of a client that did not come back, its device is the only one that is told of.
    private func output(_ devices: [[Report.OutputLine]], device: Int) -> [Report.OutputLine] {
        devices.count == 1 ? devices[0] : devices.dropFirst(device - 1).first ?? []
    }
}
