// stampede calibrate: what this machine can host.
// Main thread.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation
import Specimens

struct CalibrateCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure what this machine can host.",
        discussion: """
            Measures purchases a second under both clocks, the memory of a waiting user, and how long a run takes to \
            start. Every figure is the median of repeats. The repeats of all figures are interleaved, so that other load \
            on the machine affects every figure alike. Takes about half a minute, judges nothing and writes no report.

            Exits with 0, or with 111 if the time limit ended before every figure was taken. A figure that could not be \
            measured is left out.
            """)

    @Flag(help: "Smaller runs, once each: a few seconds, and rough figures.")
    var quick = false

    @OptionGroup var limit: TimeLimitOption

    @Flag(help: "Print the figures as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "No progress.")
    var quiet = false

    mutating func perform() throws -> ExitStatus {
        try ClientCode.isAboutToRun(in: .threads)
        let time = try limit.span()
        let began = HostClock.nanoseconds
        var bench = try CalibrationBench(isQuick: quick)
        var cut: StopCause?
        for step in bench.plan {
            if let time, HostClock.nanoseconds - began >= time.nanoseconds {
                cut = .timeLimit(time)
                break
            }
            if !quiet { Terminal.write("measuring \(step.words)\n", toErrors: true) }
            try bench.perform(step)
        }
        let report = bench.report()
        if json {
            try Terminal.write(report)
        } else {
            Terminal.write(report.text(style: .detected(), width: Terminal.width))
        }
        if let cut {
            Terminal.warn(
                "\(cut.words) every figure was taken", hint: "the remaining figures are missing or have fewer repeats")
        }
        return cut?.status ?? .passed
    }
}

/// Takes the measurements one by one, and makes the report of them.
private struct CalibrationBench {
    struct Step {
        enum Subject: String, CaseIterable {
            case pipeline = "purchases under the wall clock"
            case oneWorker = "purchases under the virtual clock, on one core"
            case allCores = "purchases under the virtual clock, on all cores"
            case idle = "memory of users who wait"
            case start = "how long a run takes to start"
        }

        let subject: Subject
        let number: Int
        let of: Int

        var words: String { "\(subject.rawValue), \(number) of \(of)" }
    }

    private struct Sizes {
        let repeats, buyers, virtualBuyers, idlers: Int
    }

    private let isQuick: Bool
    private let sizes: Sizes
    private let cores = ProcessInfo.processInfo.activeProcessorCount
    private let buying: Scenario
    private let waiting: Scenario
    private var samples: [Step.Subject: [Double]] = [:]

    init(isQuick: Bool) throws {
        self.isQuick = isQuick
        sizes =
            isQuick
            ? Sizes(repeats: 1, buyers: 200, virtualBuyers: 1_000, idlers: 1_000)
            : Sizes(repeats: 3, buyers: 2_000, virtualBuyers: 20_000, idlers: 20_000)
        func scenario(_ text: String) throws -> Scenario {
            try CommandContext.scenario(text: text, file: "calibrate.yml", catalog: StarterFiles.catalog)
        }
        buying = try scenario(CalibrationScenarios.buying)
        waiting = try scenario(CalibrationScenarios.waiting)
    }

    /// All that is measured, interleaved.
    var plan: [Step] {
        (1...sizes.repeats).flatMap { number in
            Step.Subject.allCases.filter { $0 != .allCores || cores > 1 }.map {
                Step(subject: $0, number: number, of: sizes.repeats)
            }
        }
    }

    mutating func perform(_ step: Step) throws {
        let value: Double?
        switch step.subject {
        case .pipeline: value = try rate(buying, .wall, users: sizes.buyers, workers: cores)
        case .oneWorker: value = try rate(buying, .virtual, users: sizes.virtualBuyers, workers: 1)
        case .allCores: value = try rate(buying, .virtual, users: sizes.virtualBuyers, workers: cores)
        case .idle: value = try idle()
        case .start: value = try start()
        }
        if let value { samples[step.subject, default: []].append(value) }
    }

    // MARK: Measuring

    /// Purchases a second of real time.
    private func rate(_ scenario: Scenario, _ clock: RunClock, users: Int, workers: Int) throws -> Double? {
        Run(try options(scenario, clock, users: users, workers: workers)).perform().purchasesPerSecond
    }

    private func idle() throws -> Double? {
        IdleBench.bytesPerUser(
            try options(waiting, .wall, users: sizes.idlers, workers: cores), quiet: CalibrationScenarios.quiet)
    }

    /// Nanoseconds of a whole process that runs one user and writes the report.
    private func start() throws -> Double? {
        let folder = try CommandContext.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try CommandContext.write(StarterFiles.catalog, to: folder.appendingPathComponent(StarterFiles.catalogName).path)
        try CommandContext.write(CalibrationScenarios.buying, to: folder.appendingPathComponent("one.yml").path)
        let process = Process()
        process.executableURL = Paths.program
        process.currentDirectoryURL = folder
        process.arguments = ["run", "one.yml", "--users", "1", "--clock", "virtual", "--quiet"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": "",
        ]) { $1 }
        let began = HostClock.nanoseconds
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Double(HostClock.nanoseconds - began) : nil
    }

    private func options(_ scenario: Scenario, _ clock: RunClock, users: Int, workers: Int) throws -> RunOptions {
        var scenario = try scenario.scaled(toUsers: users)
        scenario.clock = clock
        return RunOptions(scenario: scenario, client: ReferenceClient.self, workers: workers)
    }

    // MARK: The report

    func report() -> CalibrationReport {
        var report = CalibrationReport(repeats: sizes.repeats)
        func median(_ values: [Double]?) -> Double? {
            values.flatMap { $0.isEmpty ? nil : $0.sorted()[$0.count / 2] }
        }
        report.add(
            "wall_purchases_per_second", "purchases, wall clock, no latency", .perSecond, median(samples[.pipeline]))
        report.add(
            "virtual_purchases_per_second_one_worker", "purchases, virtual clock, one core", .perSecond,
            median(samples[.oneWorker]))
        report.add(
            "virtual_purchases_per_second", "purchases, virtual clock, all cores", .perSecond,
            median(samples[.allCores]))
        let user = median(samples[.idle])
        report.add("bytes_per_idle_user", "memory of a user who waits, wall clock", .bytes, user)
        report.add("start_time", "a run of one user, from start to report", .nanoseconds, median(samples[.start]))
        if user == nil { report.notes.append("Memory was not measured: this build has no jemalloc.") }
        if isQuick { report.notes.append("Rough: without --quick the runs are larger, and repeated.") }
        return report
    }
}

/// What is run: without faults, and without waits but on purpose.
private enum CalibrationScenarios {
    static let buying = """
        name: Calibration
        store: {catalog: \(StarterFiles.catalogName)}
        network: {latency: 0s}
        buyers: {decide_after: 0s}
        population: {users: 1}
        load: [{journey: buyer, executor: at-once}]
        journeys:
          buyer: [launch, fetch_products, repeat: {times: 25, steps: [buy: coins, buy: gems, use: all]}, terminate]

        """

    static let waiting = """
        name: Calibration
        store: {catalog: \(StarterFiles.catalogName)}
        network: {latency: 1ms}
        population: {users: 1}
        load: [{journey: idler, executor: at-once}]
        journeys: {idler: [launch, think: 3s, terminate]}

        """

    /// When all idlers have launched and none has ended, in seconds.
    static let quiet = 1.5...2.5
}
