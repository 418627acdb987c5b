// stampede shrink: from a violation in a report to the smallest scenario that shows it.
// Main thread; signals have a thread of their own.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Hosting
import Judgement
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

struct ShrinkCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Write the smallest scenario that still shows a violation.",
        discussion: """
            Removes users, steps, faults and settings from the report's scenario, one after the other, and makes the rest \
            less random, as long as the client still breaks the same rule under the virtual clock. Stops when nothing more \
            can be removed, or when the time limit ends. Writes the rest as a scenario with a fixed seed.

            Exits with 0, or with 111 if the unchanged scenario does not break the rule any more.
            """)

    @OptionGroup var subject: ViolationOptions

    @Option(
        help: "The file to write. Default: <scenario>-<rule>.yml in the working directory.",
        completion: .file(extensions: ["yml"]))
    var out: String?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var limit: TimeLimitOption

    @Flag(name: .shortAndLong, help: "Print only problems.")
    var quiet = false

    @OptionGroup var telling: ProgressOption

    mutating func perform() throws -> ExitStatus {
        let (evidence, source) = try subject.load()
        let options = try source.runOptions(workers: threads.workers)
        guard let rule = AuditRule(rawValue: evidence.rule),
            var outline = ScenarioOutline(text: source.report.scenario.source)
        else {
            throw CommandProblem(
                "violation \(subject.violation) of \(subject.report) breaks a rule that this build does not know")
        }
        let path = out ?? ReportFolder.fileStem(source.report) + "-" + rule.rawValue + ".yml"
        let catalog = try CatalogPlace(source.report.scenario, besides: path)
        outline["store"]?["catalog"] = .scalar(catalog.reference)
        // What real time has shown need not come again by the same seed.
        if source.report.run.clock == RunClock.wall.rawValue { outline["clock"] = .scalar(RunClock.wall.rawValue) }
        outline["name"] = .scalar("\(source.report.scenario.name.prefix(60)): \(rule.rawValue)")
        let text = source.report.scenario.catalog
        let tells = !quiet
        let client = options.client.name
        let read: @Sendable (String) -> Scenario? = {
            try? CommandContext.scenario(text: $0, file: path, client: client, catalog: text)
        }
        var task = ShrinkTask(
            rule: rule, client: options.client, clientOptions: options.clientOptions, seed: source.report.run.seed,
            population: source.report.run.population, outline: outline, workers: options.workers, read: read)
        (task.severity, task.housing, task.updates) = (evidence.severity, threads.housing, options.updates)
        let time = try limit.span()
        let display = telling.display(isQuiet: quiet)
        let shrinker = Shrinker(
            task,
            onMove: { move in
                guard tells else { return }
                let write = { Terminal.write("  \(move)\n") }
                if let display { display.above(write) } else { write() }
            })
        if !quiet { Terminal.write("Shrinking #\(evidence.number), \(rule.rawValue):\n") }
        let found = try watched(shrinker, display, in: task.housing, for: time) { try shrinker.perform() }
        guard let shrunk = found else {
            if let cause = shrinker.stop.cause {
                throw CommandProblem(
                    "\(cause.words) \(rule.rawValue) was seen again: no file was written", status: cause.status)
            }
            throw CommandProblem(
                "the scenario does not break \(rule.rawValue) under the virtual clock",
                hint: "a violation that only the wall clock or another build shows cannot be shrunk",
                status: .unknown)
        }
        try catalog.writeIfMissing()
        try CommandContext.write(header(shrunk, rule, path) + shrunk.text, to: path)
        let cause = shrunk.isMinimal ? nil : shrinker.stop.cause
        if !quiet {
            tell(shrunk, cause, path)
        } else if let cause {
            Terminal.warn(
                "\(cause.words) the end: more could be removed", hint: "\(path) holds the smallest scenario so far")
        }
        return cause?.status ?? .passed
    }

    private func header(_ shrunk: Shrunk, _ rule: AuditRule, _ path: String) -> String {
        "# Breaks \(rule.rawValue): \(rule.breach).\n# Shrunk from a larger scenario; run it with\n"
            + "#   \(CommandName.words) run \(ShellWord.quoted(path))\n"
    }

    private func tell(_ shrunk: Shrunk, _ cause: StopCause?, _ path: String) {
        let users = HumanNumbers.quantity(shrunk.users, "user")
        let steps = HumanNumbers.quantity(shrunk.steps, "step")
        let end = cause.map { "\($0.words) the end" } ?? "nothing more can be removed"
        Terminal.write(
            "\(users), \(steps), seed \(shrunk.seed), after \(HumanNumbers.count(shrunk.attempts)) attempts; \(end)."
                + "\n\n\(shrunk.text)\nWritten to \(path). See it with\n"
                + "  \(CommandName.words) run \(ShellWord.quoted(path))\n")
    }
}

/// Where a shrunk scenario finds its catalog.
private struct CatalogPlace {
    /// As the scenario names it.
    let reference: String
    private let text: String?
    private let file: String

    /// The original, where it is still there and the same; else a copy beside the new file.
    init(_ scenario: Report.Scenario, besides path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL
        let original = ScenarioOutline(text: scenario.source)?["store"]?["catalog"]
        text = scenario.catalog
        if case .scalar(let name)? = original {
            let base = URL(fileURLWithPath: scenario.file).deletingLastPathComponent()
            let place = URL(fileURLWithPath: name, relativeTo: base).standardizedFileURL
            let isSame = (try? String(contentsOf: place, encoding: .utf8)) == scenario.catalog
            if isSame {
                reference = Paths.relative(place, from: folder)
                file = place.path
                return
            }
        }
        guard text != nil else { throw CommandProblem("the report does not contain its catalog") }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent + ".storekit"
        reference = name
        file = folder.appendingPathComponent(name).path
    }

    func writeIfMissing() throws {
        guard let text, !FileManager.default.fileExists(atPath: file) else { return }
        try CommandContext.write(text, to: file)
    }
}
