// What all commands share: the clients, how scenarios are read and checked, how files are written.
// Main thread.

import CatalogFile
import ClientKit
import Engine
import Files
import Foundation
import Judgement
import ReportModel
import Reporting
import Scenario
import Simulation
import Specimens
import Text

enum CommandContext {
    /// Set once, before any command is parsed.
    nonisolated(unsafe) static var registry = ClientRegistry()  // Guard: the main thread, before anything else runs.

    /// A store broken on purpose. Set once, as above.
    nonisolated(unsafe) static var storeDefects: Set<StoreDefect> = []  // Guard: as above.

    /// Reads and checks a scenario; every problem of it at once.
    ///
    /// - Parameter client: one that is run instead of the scenario's.
    ///
    /// - Parameter name: its path, or what `ScenarioPath` finds it by.
    static func loadScenario(_ name: String, client: String? = nil) throws(Problems) -> Scenario {
        let path = ScenarioPath.found(name)
        return try ScenarioFile.load(
            path: path, missingHint: Paths.exists(path) ? nil : ScenarioPath.hint(for: name),
            context: scenarioContext(client) { path throws(Problems) in try CatalogFile.load(path: path) })
    }

    /// A scenario from its text.
    ///
    /// - Parameters:
    ///   - client: one that is run instead of the scenario's.
    ///   - catalog: the catalogs that it names, by their paths.
    static func scenario(
        text: String, file: String, client: String? = nil,
        catalog: @escaping @Sendable (_ path: String) throws(Problems) -> Catalog
    ) throws(Problems) -> Scenario {
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        return try ScenarioFile.parse(
            text: Array(text.utf8), file: file, directory: directory, context: scenarioContext(client, catalog))
    }

    /// The same, over the text of a catalog where one is given.
    static func scenario(
        text: String, file: String, client: String? = nil, catalog: String?
    ) throws(Problems) -> Scenario {
        try scenario(text: text, file: file, client: client) { path throws(Problems) in
            if let catalog { return try CatalogFile.parse(data: Data(catalog.utf8), file: path) }
            return try CatalogFile.load(path: path)
        }
    }

    private static func scenarioContext(
        _ client: String?, _ load: @escaping @Sendable (_ path: String) throws(Problems) -> Catalog
    ) -> ScenarioContext {
        ScenarioContext(
            clients: registry.optionValues, clientInstead: client, rules: AuditRule.allCases.map(\.rawValue),
            metricsOfRules: AuditRule.metrics, toleratedRules: AuditRule.tolerable.map(\.rawValue)
        ) { path in
            Result { () throws(Problems) in try load(path) }
        }
    }

    /// What editors are told of scenarios for this program.
    static var scenarioSchema: ScenarioSchema { scenarioSchema(clients: registry.optionValues) }

    /// The same for other clients, each with its options and their values.
    static func scenarioSchema(clients: [String: [String: [String]]]) -> ScenarioSchema {
        ScenarioSchema(
            clients: clients, rules: AuditRule.allCases.map(\.rawValue),
            toleratedRules: AuditRule.tolerable.map(\.rawValue))
    }

    /// Writes a file as a whole: what stood there before stays until it is all there.
    static func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

    static func write(_ contents: Data, to path: String) throws {
        do {
            try OutputFile.write(contents, to: path)
        } catch {
            throw CommandProblem(
                "\(error.path) could not be written: \(error.reason)", hint: error.hint, status: .reportNotWritten)
        }
    }

    static func makeFolder(_ path: String, hint: String) throws {
        do {
            try OutputFile.makeFolder(path)
        } catch {
            throw CommandProblem(
                "the folder \(error.path) could not be created: \(error.reason)", hint: hint, status: .reportNotWritten)
        }
    }

    /// A new folder for temporary files; the caller removes it.
    static func makeTemporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a file, or to the standard output if it is named '-'.
    static func put(_ text: String, to path: String) throws {
        if StandardOutput.isMeant(by: path) { Terminal.write(text) } else { try write(text, to: path) }
    }

    /// An option's value that is a length of time.
    static func span(_ text: String, option: String, zero: ValueParser.Zero = .allowed) throws -> Span {
        do throws(ValueProblem) {
            return try ValueParser.span(text, zero: zero)
        } catch {
            throw CommandProblem("\(option): \(error.message)", hint: error.hint)
        }
    }

    /// A scenario with what most commands can change of it.
    static func runOptions(
        scenario path: String, client: String?, clientOptions: [NamedValue] = [], seed: UInt64?, workers: Int?,
        clock: RunClock? = nil, users: Int? = nil, onlyUser: Int? = nil
    ) throws -> RunOptions {
        var problems = CommandProblems()
        let loaded = try problems.noting { try loadScenario(path, client: client) }
        // What is asked for beside it is wrong whatever the scenario says.
        if let client { _ = try problems.noting { try clientType(client) } }
        if let name = client ?? loaded?.client.name, let type = registry[name] {
            for setting in clientOptions { try problems.noting { try check(setting, of: type) } }
        }
        try problems.noting { try checkWorkers(workers) }
        if let problem = problems.all { throw problem }
        guard var scenario = loaded else { preconditionFailure("\(path) was read") }
        if let seed { scenario.seed = seed }
        if let clock { scenario.clock = clock }
        if let users {
            do {
                scenario = try scenario.scaled(toUsers: users)
            } catch {
                throw CommandProblem("--users, \(path): \(error)")
            }
        }
        var options = try runOptions(scenario, client: client, workers: workers, onlyUser: onlyUser)
        for setting in clientOptions { options.clientOptions[setting.name] = setting.value }
        return options
    }

    /// A run of before, as what was kept of it says it.
    ///
    /// - Parameters:
    ///   - scenario: from the text that was kept, as that says it.
    ///   - subject: whose users there are too many or too few of.
    static func runOptions(
        again scenario: Scenario, seed: UInt64, clock: String, population: Int, client: String,
        clientOptions: [String: String], workers: Int?, subject: String
    ) throws -> RunOptions {
        var scenario = scenario
        scenario.seed = seed
        scenario.clock = clock == RunClock.wall.rawValue ? .wall : .virtual
        if scenario.population.users != population {
            do {
                scenario = try scenario.scaled(toUsers: population)
            } catch {
                throw CommandProblem("\(subject) \(population) users: \(error)")
            }
        }
        var options = try runOptions(scenario, client: client, workers: workers)
        options.clientOptions = clientOptions
        return options
    }

    /// The client that is meant where none is named: the program's own, where it has one.
    static func ownClient() throws -> String {
        let own = registry.additional.map { $0.name }
        guard own.count <= 1 else {
            throw CommandProblem(
                "this program has \(own.count) clients of its own",
                hint: "choose one with --client: " + own.sorted().joined(separator: ", "))
        }
        return own.first ?? "reference"
    }

    /// The client of that name, once its settings are found right.
    static func client(_ name: String, options settings: [NamedValue]) throws -> any StoreClient.Type {
        let type = try clientType(name)
        for setting in settings { try check(setting, of: type) }
        return type
    }

    /// How many threads to run on, where so many were asked for.
    static func workerCount(_ asked: Int?) throws -> Int {
        try checkWorkers(asked)
        return asked ?? coreCount
    }

    private static func check(_ setting: NamedValue, of client: any StoreClient.Type) throws {
        guard let option = client.options.first(where: { $0.name == setting.name }) else {
            let names = client.options.map(\.name)
            throw CommandProblem(
                "--client-option \(setting.name): \(client.name) has no such option",
                hint: names.isEmpty ? "it has none" : suggestion(setting.name, among: names))
        }
        guard option.values.contains(setting.value) else {
            throw CommandProblem(
                "--client-option \(setting.name): '\(setting.value)' is not one of its values",
                hint: suggestion(setting.value, among: option.values))
        }
    }

    static func runOptions(
        _ scenario: Scenario, client: String?, workers: Int?, onlyUser: Int? = nil
    ) throws -> RunOptions {
        let name = client ?? scenario.client.name
        let type = try clientType(name)
        try checkWorkers(workers)
        // Options belong to the client that the scenario names.
        let clientOptions = name == scenario.client.name ? scenario.client.options : [:]
        var options = RunOptions(
            scenario: scenario, client: type, clientOptions: clientOptions, workers: workers ?? coreCount,
            onlyUser: onlyUser)
        options.storeDefects = storeDefects
        options.updates = try scenario.clientsOfUpdates.map(clientType)
        try checkServers(of: scenario)
        return options
    }

    /// Before any worker is forked: what is loaded now is loaded there.
    private static func checkServers(of scenario: Scenario) throws {
        guard scenario.clock == .wall, scenario.http.contains(where: \.isReal), !RealServers.canBeAsked else { return }
        throw CommandProblem(
            "\(scenario.path): http: real: true needs libcurl, and libcurl.so.4 cannot be loaded",
            hint: "install it (Debian: libcurl4)")
    }

    private static func clientType(_ name: String) throws -> any StoreClient.Type {
        if let type = registry[name] {
            if registry.additional.contains(where: { $0 == type }) {
                ClientSources.declareOnce(for: type as AnyClass)
                if let problem = SubclassedClient.problem(with: type) { throw problem }
            }
            return type
        }
        throw CommandProblem(
            "there is no client '\(name)'",
            hint: suggestion(
                name, among: registry.clients.map { $0.name }, otherwise: ScenarioContext.ownClientHint))
    }

    private static func checkWorkers(_ workers: Int?) throws {
        guard let workers, !(1...1_024).contains(workers) else { return }
        throw CommandProblem(
            "--workers \(workers): from 1 to 1024 threads",
            hint: "this machine has \(coreCount) cores")
    }

    private static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// A hint for a name that does not exist.
    /// - Parameter otherwise: what else it may be about, where no name is near.
    static func suggestion(_ name: String, among names: [String], otherwise: String? = nil) -> String {
        if let near = closestMatch(to: name, in: names) { return "did you mean '\(near)'?" }
        return "there are: " + names.sorted().joined(separator: ", ") + (otherwise.map { "; \($0)" } ?? "")
    }
}
