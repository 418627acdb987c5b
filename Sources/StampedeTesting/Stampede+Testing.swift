// Runs, sweeps and swarms in a test.
// Called from tests of Swift Testing or XCTest. Each call has processes of its own, so several may run at once.

import Foundation
import ReportModel
import Reporting
@_exported public import Stampede
import Text

extension Stampede {
    /// The clock of a run.
    public enum TestClock: String, Sendable {
        /// Simulated time: as fast as possible, and repeatable.
        case virtual
        /// Real time, with real threads.
        case wall
    }

    /// Runs a scenario with a client and judges it.
    ///
    /// The client's code runs in a process of its own, started from this program. It sees nothing that earlier tests
    /// did, each simulated app has its own singletons, and a client that crashes only fails the test.
    ///
    /// - Parameters:
    ///   - scenario: a file, from the working directory, beside the test's source file, or in a folder `Scenarios` of
    ///     either.
    ///   - client: a client of this program, declared at the top of a file or within another type.
    ///   - options: the client's options, instead of the scenario's.
    ///   - users: how many users, instead of the scenario's number.
    ///   - seed: the seed of all random choices, instead of the scenario's.
    ///   - clock: the clock, instead of the scenario's.
    ///   - workers: how many processes or threads; by default one for each core. The result does not depend on it.
    ///   - findings: whether findings fail the test.
    /// - Throws: `StampedeTestError` if nothing could be judged.
    @discardableResult
    public static func run(
        _ scenario: String, client: any StoreClient.Type, options: [String: String] = [:], users: Int? = nil,
        seed: UInt64? = nil, clock: TestClock? = nil, workers: Int? = nil, findings: StampedeFindings = .failTheTest,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> StampedeRun {
        let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let folder = try TemporaryFolder()
        var arguments = ["run", try ScenarioPlace.find(scenario, for: place), "--client", client.name]
        arguments += TestArguments.options(options)
        if let users { arguments += ["--users", "\(users)"] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        if let clock { arguments += ["--clock", clock.rawValue] }
        if let workers { arguments += ["--workers", "\(workers)"] }
        arguments += ["--out", folder.url.path, "--no-record", "--quiet"]
        let outcome = try await CommandProcess.run(arguments, client: client, folder: folder.url)
        let path = folder.url.appendingPathComponent("latest/report.json")
        guard let json = try? Data(contentsOf: path) else { throw StampedeTestError.refused(outcome.errors) }
        let run = StampedeRun(report: try Report(json: json))
        if findings == .failTheTest, !run.passed {
            let said = outcome.errors.isEmpty ? [] : [Keepsake(name: "problems.txt", text: outcome.errors)]
            Findings.record(
                run.violations, reasons: run.reasons,
                keepsakes: [Keepsake(name: "report.html", text: run.html)] + said, at: place)
        }
        return run
    }

    /// Tries every crash and every lost message in each journey of a scenario.
    /// A crash is tried before each effect of the client.
    ///
    /// - Parameters:
    ///   - depth: how many faults one trial has at most: 0 to 3.
    ///   - interleavings: how many other orders of the same events to try in each journey.
    ///   - journeys: the journeys to sweep; all if empty.
    /// - Throws: `StampedeTestError` if nothing could be judged.
    @discardableResult
    public static func sweep(
        _ scenario: String, client: any StoreClient.Type, options: [String: String] = [:], depth: Int = 1,
        interleavings: Int = 0, journeys: [String] = [], seed: UInt64? = nil, workers: Int? = nil,
        findings: StampedeFindings = .failTheTest,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> StampedeSweep {
        let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let folder = try TemporaryFolder()
        var arguments = ["sweep", try ScenarioPlace.find(scenario, for: place), "--client", client.name]
        arguments += TestArguments.options(options)
        arguments += ["--depth", "\(depth)", "--interleavings", "\(interleavings)", "--json"]
        for journey in journeys { arguments += ["--journey", journey] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        if let workers { arguments += ["--workers", "\(workers)"] }
        let outcome = try await CommandProcess.run(arguments, client: client, folder: folder.url)
        let told = try TestArguments.decode(SweepStories.self, outcome)
        let sweep = StampedeSweep(
            verdict: told.verdict, violations: told.journeys.flatMap(\.stories).map { StampedeViolation($0) },
            trials: told.journeys.reduce(0) { $0 + $1.done })
        if findings == .failTheTest, !sweep.passed {
            Findings.record(sweep.violations, reasons: sweep.reasons, keepsakes: [], at: place)
        }
        return sweep
    }

    /// Runs a client in randomly drawn scenarios, and shrinks each scenario that shows a fault.
    ///
    /// - Parameters:
    ///   - runs: how many scenarios.
    ///   - seed: the seed of all random choices; the same seed and `runs` give the same findings.
    ///   - catalog: an Xcode StoreKit configuration file, found as scenarios are. By default one product of every kind.
    ///   - servers: a scenario, found as scenarios are. Its `http:` gives the answers of the app's own servers in every
    ///     drawn scenario.
    ///   - known: a list of findings that are accepted for a while, found as scenarios are.
    ///   - reports: a folder. Its folder `swarm` keeps findings, which the next swarm tries first. By default findings
    ///     are not kept.
    /// - Throws: `StampedeTestError` if nothing could be judged.
    @discardableResult
    public static func swarm(
        client: any StoreClient.Type, options: [String: String] = [:], runs: Int = 1_000, seed: UInt64 = 1,
        catalog: String? = nil, servers: String? = nil, known: String? = nil,
        reports: String? = nil, workers: Int? = nil,
        findings: StampedeFindings = .failTheTest,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> StampedeSwarm {
        let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        let folder = try TemporaryFolder()
        var arguments = ["swarm", "--client", client.name, "--runs", "\(runs)", "--seed", "\(seed)", "--json"]
        arguments += TestArguments.options(options)
        arguments += ["--out", reports ?? folder.url.path]
        if let catalog { arguments += ["--catalog", try ScenarioPlace.find(catalog, for: place)] }
        if let servers { arguments += ["--servers", try ScenarioPlace.find(servers, for: place)] }
        if let known { arguments += ["--known", try ScenarioPlace.find(known, for: place)] }
        if let workers { arguments += ["--workers", "\(workers)"] }
        let outcome = try await CommandProcess.run(arguments, client: client, folder: folder.url)
        let report = try TestArguments.decode(SwarmReport.self, outcome)
        let swarm = StampedeSwarm(
            verdict: report.verdict,
            violations: report.findings.filter { $0.accepted == nil }.map { finding in
                // Read now: if findings are not kept, the file is removed when this call ends.
                let text = try? String(contentsOfFile: finding.file, encoding: .utf8)
                return StampedeViolation(finding, scenario: text ?? "")
            }, scenarios: report.scenarios)
        if findings == .failTheTest, !swarm.passed {
            Findings.record(swarm.violations, reasons: swarm.reasons, keepsakes: [], at: place)
        }
        return swarm
    }
}

private enum TestArguments {
    static func options(_ options: [String: String]) -> [String] {
        options.sorted { $0.key < $1.key }.flatMap { ["--client-option", "\($0.key)=\($0.value)"] }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ outcome: CommandOutcome) throws -> Value {
        guard !outcome.out.isEmpty else { throw StampedeTestError.refused(outcome.errors) }
        return try ReportJSON.decode(type, from: outcome.out)
    }
}

/// The places where a test's files are looked for.
private enum ScenarioPlace {
    static func find(_ name: String, for place: TestPlace) throws -> String {
        if name.hasPrefix("/") { return name }
        let beside = place.folder.path
        let places = [name, "Scenarios/\(name)", "\(beside)/\(name)", "\(beside)/Scenarios/\(name)"]
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        throw StampedeTestError.scenarioNotFound(name, places: places)
    }
}
