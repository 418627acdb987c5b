// What all commands share: the clients, the checks of a scenario, how problems are printed.
// Main thread.

import ArgumentParser
import CatalogFile
import ClientKit
import Engine
import Foundation
import Judgement
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
    static func loadScenario(_ path: String) throws -> Scenario {
        do throws(Problems) {
            return try ScenarioFile.load(path: path, context: scenarioContext(catalog: nil))
        } catch {
            throw CommandProblem(error)
        }
    }

    /// A scenario from its text, over the text of a catalog where one is given.
    static func scenario(text: String, file: String, catalog: String?) throws -> Scenario {
        try scenario(text: text, file: file, scenarioContext(catalog: catalog))
    }

    /// - Parameter loaded: catalogs that are there already, by their paths; where it has none, the files are read.
    static func scenario(
        text: String, file: String, loaded: @escaping @Sendable (String) -> Catalog?
    ) throws -> Scenario {
        let context = scenarioContext { path throws(Problems) in
            if let catalog = loaded(path) { return catalog }
            return try CatalogFile.load(path: path)
        }
        return try scenario(text: text, file: file, context)
    }

    private static func scenario(text: String, file: String, _ context: ScenarioContext) throws -> Scenario {
        do throws(Problems) {
            let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
            return try ScenarioFile.parse(
                text: Array(text.utf8), file: file, directory: directory, context: context)
        } catch {
            throw CommandProblem(error)
        }
    }

    /// - Parameter catalog: the text to take for every catalog that is named; nil: the files themselves.
    private static func scenarioContext(catalog: String?) -> ScenarioContext {
        scenarioContext { path throws(Problems) in
            if let catalog { return try CatalogFile.parse(data: Data(catalog.utf8), file: path) }
            return try CatalogFile.load(path: path)
        }
    }

    private static func scenarioContext(
        _ load: @escaping @Sendable (_ path: String) throws(Problems) -> Catalog
    ) -> ScenarioContext {
        ScenarioContext(
            clients: registry.optionValues, rules: AuditRule.allCases.map(\.rawValue),
            toleratedRules: AuditRule.tolerable.map(\.rawValue)
        ) { path in
            do throws(Problems) {
                return .success(try load(path))
            } catch {
                return .failure(error)
            }
        }
    }

    /// A catalog by itself: from its file, or from its text.
    static func catalog(path: String) throws -> Catalog {
        try catalog { () throws(Problems) in try CatalogFile.load(path: path) }
    }

    static func catalog(text: String) throws -> Catalog {
        try catalog { () throws(Problems) in
            try CatalogFile.parse(data: Data(text.utf8), file: "the catalog")
        }
    }

    private static func catalog(_ load: () throws(Problems) -> Catalog) throws -> Catalog {
        do throws(Problems) {
            return try load()
        } catch {
            throw CommandProblem(error)
        }
    }

    /// What editors are told of scenarios for this program.
    static var scenarioSchema: ScenarioSchema {
        ScenarioSchema(
            clients: registry.optionValues, rules: AuditRule.allCases.map(\.rawValue),
            toleratedRules: AuditRule.tolerable.map(\.rawValue))
    }

    /// Writes a file as a whole: what stood there before stays until it is all there.
    static func write(_ text: String, to path: String) throws {
        do {
            try OutputFile.write(Data(text.utf8), to: path)
        } catch {
            throw CommandProblem(
                status: .reportNotWritten, text: "\(error.path) could not be written: \(error.reason)",
                hint: error.hint)
        }
    }

    /// A new folder for what nobody keeps; whoever asked for it removes it.
    static func makeTemporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a file, or to the standard output if it is named '-'.
    static func put(_ text: String, to path: String) throws {
        if StandardOutput.isMeant(by: path) { Terminal.write(text) } else { try write(text, to: path) }
    }

    /// An option's value that is a share: `1%` or `0.01`.
    static func share(_ text: String, option: String) throws -> Double {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text), number.isFinite,
            (0...1).contains(isPercent ? number / 100 : number)
        else {
            throw CommandProblem(
                status: .invalidInput, text: "\(option) \(text) is no share", hint: "shares look like 1% or 0.01")
        }
        return isPercent ? number / 100 : number
    }

    /// A scenario with what most commands can change of it.
    static func runOptions(
        scenario path: String, client: String?, clientOptions: [ClientSetting] = [], seed: UInt64?, workers: Int?,
        clock: RunClock? = nil, users: Int? = nil, onlyUser: Int? = nil
    ) throws -> RunOptions {
        var problems: [CommandProblem] = []
        func noting<Value>(_ work: () throws -> Value) throws -> Value? {
            do {
                return try work()
            } catch let problem as CommandProblem {
                problems.append(problem)
                return nil
            }
        }
        let loaded = try noting { try loadScenario(path) }
        // What is asked for beside it is wrong whatever the scenario says.
        if let client { _ = try noting { try clientType(client) } }
        if let name = client ?? loaded?.client.name, let type = registry[name] {
            for setting in clientOptions { _ = try noting { try check(setting, of: type) } }
        }
        _ = try noting { try checkWorkers(workers) }
        guard problems.isEmpty, var scenario = loaded else { throw CommandProblem.all(problems) }
        if let seed { scenario.seed = seed }
        if let clock { scenario.clock = clock }
        if let users {
            do {
                scenario = try scenario.scaled(toUsers: users)
            } catch {
                throw CommandProblem(status: .invalidInput, text: "--users, \(path): \(error)")
            }
        }
        var options = try runOptions(scenario, client: client, workers: workers, onlyUser: onlyUser)
        for setting in clientOptions { options.clientOptions[setting.name] = setting.value }
        return options
    }

    /// The client of that name, once its settings are found right.
    static func client(_ name: String, options settings: [ClientSetting]) throws -> any StoreClient.Type {
        let type = try clientType(name)
        for setting in settings { try check(setting, of: type) }
        return type
    }

    /// How many threads to run on, where so many were asked for.
    static func workerCount(_ asked: Int?) throws -> Int {
        try checkWorkers(asked)
        return asked ?? coreCount
    }

    private static func check(_ setting: ClientSetting, of client: any StoreClient.Type) throws {
        guard let option = client.options.first(where: { $0.name == setting.name }) else {
            let names = client.options.map(\.name)
            throw CommandProblem(
                status: .invalidInput,
                text: "--client-option \(setting.name): \(client.name) has no such option",
                hint: names.isEmpty ? "it has none" : suggestion(setting.name, among: names))
        }
        guard option.values.contains(setting.value) else {
            throw CommandProblem(
                status: .invalidInput,
                text: "--client-option \(setting.name): '\(setting.value)' is none of its values",
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
        return options
    }

    private static func clientType(_ name: String) throws -> any StoreClient.Type {
        if let type = registry[name] { return type }
        throw CommandProblem(
            status: .invalidInput, text: "there is no client '\(name)'",
            hint: suggestion(name, among: registry.clients.map { $0.name }))
    }

    private static func checkWorkers(_ workers: Int?) throws {
        guard let workers, !(1...1_024).contains(workers) else { return }
        throw CommandProblem(
            status: .invalidInput, text: "--workers \(workers): from 1 to 1024 threads",
            hint: "this machine has \(coreCount) cores")
    }

    private static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }
}

extension CompletionKind {
    /// The clients that this very program knows, asked for when somebody presses the tabulator.
    static var clients: CompletionKind {
        .custom { _, _, _ in CommandContext.registry.clients.map { $0.name } }
    }

    /// The options of those clients, each with its values.
    static var clientOptions: CompletionKind {
        .custom { _, _, _ in
            let settings = CommandContext.registry.clients.flatMap { client in
                client.options.flatMap { option in option.values.map { "\(option.name)=\($0)" } }
            }
            return Set(settings).sorted()
        }
    }
}

/// Why a command ends without doing its work.
struct CommandProblem: Error {
    let status: ExitStatus
    let text: String
    var hint: String?
    /// The text has its place, its snippet and its hints already.
    private var isRendered = false
    /// Problems that were found beside this one.
    var others: [CommandProblem] = []

    init(status: ExitStatus, text: String, hint: String? = nil) {
        (self.status, self.text, self.hint) = (status, text, hint)
    }

    /// What is wrong with a file that was given.
    init(_ problems: Problems) {
        (status, text) = (.invalidInput, problems.description)
        isRendered = true
    }

    /// A report that could not be written.
    init(_ error: FileError) { self.init(status: .reportNotWritten, text: error.description) }

    /// Several at once: the first, with the others after it. There must be some.
    static func all(_ problems: [CommandProblem]) -> CommandProblem {
        var first = problems[0]
        first.others += problems.dropFirst()
        return first
    }

    func print() {
        let style = TerminalStyle.detected(descriptor: STDERR_FILENO)
        Terminal.write((isRendered ? text : style.error(text, hint: hint)) + "\n", toErrors: true)
        for other in others { other.print() }
    }
}

/// Plain output to the process's streams.
enum Terminal {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var failure: SystemError?  // Guard: `lock`.

    static func write(_ text: String, toErrors: Bool = false) {
        do {
            try OutputFile.put(
                Data(text.utf8), into: toErrors ? STDERR_FILENO : StandardOutput.descriptor,
                path: "the standard output")
        } catch {
            // A reader that has gone away is no reason to fail; of the standard error nobody could be told.
            if error.number != EPIPE, !toErrors { lock.withLock { failure = failure ?? error } }
        }
    }

    /// What is lost of the standard output, if anything is.
    static var problem: CommandProblem? {
        lock.withLock { failure }.map {
            CommandProblem(
                status: .reportNotWritten, text: "\($0.path) could not be written: \($0.reason)",
                hint: $0.number == ENOSPC ? "free some space, or send it elsewhere" : "send it elsewhere")
        }
    }

    /// The width to lay text out for: the terminal's, else 80.
    static var width: Int {
        var size = winsize()
        let descriptor = StandardOutput.descriptor
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40
        else { return 80 }
        return min(Int(size.ws_col), 120)
    }
}
