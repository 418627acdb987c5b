// Runs, sweeps and swarms in a test.
// Called from tests of Swift Testing or XCTest; each has processes of its own, so that several may run at once.

import Foundation
import ReportModel
import Reporting
@_exported public import Stampede
import Text

extension Stampede {
    /// Which clock a run has.
    public enum TestClock: String, Sendable {
        /// As fast as possible, and repeatable.
        case virtual
        /// Real time, with real threads.
        case wall
    }

    /// Runs a scenario with a client, and judges it.
    ///
    /// The client's code runs in a process of its own, started from this program: what the tests have done before is not
    /// there, singletons are each simulated app's own, and a client that crashes fails the test and nothing else.
    ///
    /// - Parameters:
    ///   - scenario: a file, from the working directory, beside the test's source file, or in a folder `Scenarios` of
    ///     either.
    ///   - client: of this program, at the top of a file or within another type.
    ///   - options: the client's, instead of the scenario's.
    ///   - users: how many, instead of the scenario's.
    ///   - seed: of all chance, instead of the scenario's.
    ///   - clock: instead of the scenario's.
    ///   - workers: processes or threads; by default one a core. The result does not depend on it.
    ///   - findings: whether what is found fails the test.
    /// - Throws: `StampedeTestError` where nothing could be judged.
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

    /// Tries a crash before every effect of a client, and the loss of every message, in each journey of a scenario.
    ///
    /// - Parameters:
    ///   - depth: how many things go wrong in one trial, at most: 0 to 3.
    ///   - interleavings: other orders of the same events to try, for each journey.
    ///   - journeys: only these, if there are any.
    /// - Throws: `StampedeTestError` where nothing could be judged.
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

    /// Runs a client in scenarios that are drawn by chance, and shrinks what shows a fault.
    ///
    /// - Parameters:
    ///   - runs: how many scenarios.
    ///   - seed: of all chance; the same seed and `runs` give the same findings.
    ///   - catalog: an Xcode StoreKit configuration file, found as scenarios are. By default one product of every kind.
    ///   - servers: a scenario whose `http:` tells what the app's own servers answer, in every scenario that is drawn; found as
    ///     scenarios are.
    ///   - known: a list of findings that are accepted for a while, found as scenarios are.
    ///   - reports: the folder in whose folder `swarm` findings are kept and tried first the next time. By default they are
    ///     not kept.
    /// - Throws: `StampedeTestError` where nothing could be judged.
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
                // As it was found: where findings are not kept, the file goes with this call.
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

/// Where a test's files are looked for.
private enum ScenarioPlace {
    static func find(_ name: String, for place: TestPlace) throws -> String {
        if name.hasPrefix("/") { return name }
        let beside = place.folder.path
        let places = [name, "Scenarios/\(name)", "\(beside)/\(name)", "\(beside)/Scenarios/\(name)"]
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        throw StampedeTestError.scenarioNotFound(name, places: places)
    }
}
