// Options that several commands have, declared once so that they stay the same.
// Main thread.

import ArgumentParser
import CHostCalls
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation

/// What is run.
struct SubjectOptions: ParsableArguments {
    @Argument(help: "The scenario file, or the name of a scenario in Scenarios.", completion: .scenarioFile)
    var scenario: String

    @Option(
        help: "The client under test, instead of the scenario's. See 'stampede list clients'.",
        completion: .clients)
    var client: String?

    @Option(
        help: ArgumentHelp(
            "An option of the client, instead of the scenario's. May be given several times.", valueName: "name=value"),
        completion: .clientOptions, transform: NamedValue.init(clientOption:))
    var clientOption: [NamedValue] = []

    @Option(parsing: .unconditional, help: "The seed of all randomness, instead of the scenario's.")
    var seed: UInt64?

    mutating func validate() throws {
        try clientOption.checkNames("--client-option")
    }
}

extension SubjectOptions {
    /// As a command line that means the same.
    ///
    /// - Parameter path: of the scenario, if it is to be named in another way.
    func words(naming path: String? = nil) -> [String] {
        var words = [path ?? scenario]
        if let client { words += ["--client", client] }
        words += clientOption.flatMap { ["--client-option", $0.text] }
        if let seed { words += ["--seed", "\(seed)"] }
        return words
    }
}

/// How many workers run it, and where.
struct WorkersOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: """
            How many worker processes. Default: one per core. Under the virtual clock it does not change the result.
            """)
    var workers: Int?

    @Flag(
        name: .customLong("workers-in-process"),
        help: "Run client code in this process, with workers as threads: for debuggers.")
    var areInProcess = false

    /// Where workers live.
    var housing: WorkerHousing { areInProcess ? .threads : .standard }
}

/// How much a worker process may come to hold.
struct WorkerMemoryOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Replace a worker process between two cells when ended apps have left this many MiB behind. It does not change \
            the result. Default: \(GrowthMeter.limitStandard >> 20).
            """, valueName: "MiB"))
    var workerMemory: Int?

    mutating func validate() throws {
        if let workerMemory, !(1...1_048_576).contains(workerMemory) {
            throw ValidationError("--worker-memory \(workerMemory): from 1 to 1048576 MiB")
        }
    }

    /// In bytes.
    var growthMax: Int { workerMemory.map { $0 << 20 } ?? GrowthMeter.limitStandard }
}

/// How long a command may take.
struct TimeLimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Stop after this time, e.g. `10m`, and report the findings so far. The exit code is 111 unless something worse \
            was found.
            """, valueName: "time"))
    var timeLimit: String?

    /// Nil where there is none.
    func span() throws -> Span? {
        try timeLimit.map { try CommandContext.span($0, option: "--time-limit", zero: .refused) }
    }
}

/// Whether what clients print is shown as it comes.
struct ClientOutputOption: ParsableArguments {
    @Flag(
        help: """
            Write every line that clients print to the standard error, with its user, launch and device time, and show no \
            progress. Lines longer than 512 bytes are cut. Without this option, reports show the last lines before each \
            violation. In programs built with a sanitizer, clients' output goes to the standard error unchanged.
            """)
    var clientOutput = false

    /// Called by the worker that runs the client.
    var writer: (@Sendable (ClientOutputLine) -> Void)? {
        guard clientOutput else { return nil }
        // In one write each: other workers' lines come between them, never into them.
        return { line in
            var text = ClientOutput.streamed(line)
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}

extension WorkerHousing {
    /// Processes, where there is nothing against them: a sanitizer has threads of its own, and its calls stand where ours
    /// would.
    static var standard: WorkerHousing { stampede_calls_stand_in_front() ? .processes : .threads }
}

/// Which violation of which report.
struct ViolationOptions: ParsableArguments {
    @Argument(help: "A report.json, or the folder it is in.", completion: .reportFile)
    var report: String

    @Option(parsing: .unconditional, help: "The number of the violation or warning in the report.")
    var violation = 1

    /// The violation, and the run that it was found in.
    func load() throws -> (evidence: Report.Evidence, source: ReportSource) {
        let whole = try ReportSource.load(report)
        let evidence = try whole.evidence(violation, path: report)
        return (evidence, whole.part(of: evidence))
    }
}

/// What counts as a change.
struct NoiseOption: ParsableArguments {
    @Option(parsing: .unconditional, help: "Changes up to this share are noise.")
    var noise = "1%"

    /// What is taken where nobody says it.
    static let usualShare = 0.01

    /// `1%` or `0.01`, from 0 to 1.
    func share() throws -> Double {
        let isPercent = noise.hasSuffix("%")
        guard let number = Double(isPercent ? String(noise.dropLast()) : noise), number.isFinite,
            (0...1).contains(isPercent ? number / 100 : number)
        else {
            throw CommandProblem("--noise \(noise) is not a share", hint: "write a share like 1% or 0.01")
        }
        return isPercent ? number / 100 : number
    }
}

/// How much is printed.
struct ExtentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "No progress; on failure print only the verdict and the problems.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Print full details of a failed run. By default at most 40 lines.")
    var verbose = false

    mutating func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet or --verbose, not both") }
    }

    var extent: TextExtent { quiet ? .problems : verbose ? .whole : .brief }

    /// A report's text.
    func summary(_ report: Report, location: String?) -> String {
        let render =
            switch extent {
            case .problems: TerminalSummary.problems
            case .brief: TerminalSummary.brief
            case .whole: TerminalSummary.render
            }
        return render(report, .detected(), Terminal.width, location)
    }
}

/// How progress is told, on the standard error.
struct ProgressOption: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case auto, plain, json, none
    }

    @Option(
        help: """
            auto (live lines on a terminal, else plain), plain (a line every 10 s), json (one object per line every 10 s \
            and at the end) or none. Default: auto, or none with --quiet.
            """)
    var progress: Choice?

    /// - Parameter isQuiet: none, unless something else is asked for.
    func display(isQuiet: Bool) -> ProgressDisplay? {
        switch progress ?? (isQuiet ? .none : .auto) {
        case .none: nil
        case .auto: ProgressDisplay(.detected)
        case .plain: ProgressDisplay(.plain)
        case .json: ProgressDisplay(.json)
        }
    }
}

/// How a result is shown.
struct ResultOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false

    @OptionGroup var printed: ExtentOptions

    func show(_ report: some JSONReport, text: (_ extent: TextExtent) -> String) throws {
        if json { try Terminal.write(report) } else { Terminal.write(text(printed.extent)) }
    }
}
