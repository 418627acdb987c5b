// stampede swarm: scenarios that nobody wrote.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import ClientKit
import Engine
import Foundation
import Judgement
import Reporting
import Scenario
import Simulation
import Text

struct SwarmCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "swarm",
        abstract: "Draw scenarios by chance, and keep the smallest that shows each fault.",
        discussion: """
            Draws valid scenarios: people, devices, journeys, faults, knobs of the store; each with other features left \
            out. Runs them under the virtual clock, tells what breaks a rule apart by what the app did, and shrinks the \
            first scenario of each kind. The same seed and --runs give the same findings.

            Findings are kept as scenarios in Reports/swarm/<client>, and tried first the next time: what is new, still \
            there, back, or fixed. --known FILE lists those that your team has accepted for a while, in YAML:

              - {finding: lost-purchase-3f2a, reason: "SHOP-12, next release", until: 2027-03-31}

            These do not fail the swarm; they do once the day is past, and the list does when one is gone.

            Ends with the exit codes of 'stampede run'; with 99 if an accepted finding is gone.
            """)

    @Option(
        help: "What is sold: an Xcode StoreKit configuration file. Default: one product of every kind.",
        completion: .file(extensions: ["storekit"]))
    var catalog: String?

    @Option(help: "The client under test. See 'stampede list clients'.", completion: .clients)
    var client = "reference"

    @Option(
        help: ArgumentHelp("An option of the client. May be given several times.", valueName: "name=value"),
        completion: .clientOptions, transform: ClientSetting.init(parsing:))
    var clientOption: [ClientSetting] = []

    @Option(parsing: .unconditional, help: "How many scenarios. Default: 1000, or as many as --for allows.")
    var runs: Int?

    @Option(parsing: .unconditional, help: "The seed of all chance.")
    var seed: UInt64 = 1

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Draw scenarios for so long, such as 10m. Shrinking comes after that.", valueName: "time"))
    var time: String?

    @Option(parsing: .unconditional, help: "How many users each scenario has.")
    var users = ScenarioDrawing.usersStandard

    @OptionGroup var threads: WorkersOption

    @Option(help: "Findings that are accepted, with reasons and days.", completion: .file(extensions: ["yml", "yaml"]))
    var known: String?

    @Option(help: "The folder of reports, in whose folder swarm findings are kept.", completion: .directory)
    var out = "Reports"

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "Print the scenario of this number, from 0, and run nothing; its catalog goes where findings are kept.",
            valueName: "number"))
    var printed: Int?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "No progress and no result; only problems, and the exit code.")
    var quiet = false

    private static let runsStandard = 1_000
    private static let runsMax = 1_000_000_000

    mutating func validate() throws {
        try clientOption.checkNames()
    }

    mutating func perform() throws -> ExitStatus {
        let task = try SwarmTask(self)
        if let printed {
            Terminal.write(try task.print(printed))
            return .passed
        }
        ClientCode.isAboutToRun()
        let swarm = Swarm(task.plan)
        let watch = quiet ? nil : ProgressWatch(swarm.board)
        InterruptWatch.install { swarm.board.requestStop() }
        let result = swarm.perform()
        watch?.stop()
        let report = SwarmReport(task.facts(result))
        try task.keep(report, result)
        if json {
            Terminal.write(String(decoding: try report.json(), as: UTF8.self))
        } else if !quiet {
            let text = SwarmText.render(
                report, perSecond: result.scenariosPerSecond, style: .detected(), width: Terminal.width)
            Terminal.write(text)
        }
        return report.verdict.status
    }

    /// Everything that is wrong with the numbers, at once.
    fileprivate func checkNumbers() -> [CommandProblem] {
        var problems: [CommandProblem] = []
        if let runs, !(1...Self.runsMax).contains(runs) {
            problems.append(
                CommandProblem(status: .invalidInput, text: "--runs \(runs): from 1 to \(Self.runsMax) scenarios"))
        }
        if let printed, !(0..<Self.runsMax).contains(printed) {
            problems.append(
                CommandProblem(
                    status: .invalidInput, text: "--print \(printed): from 0 to \(Self.runsMax - 1)"))
        }
        if !(1...10_000).contains(users) {
            problems.append(
                CommandProblem(
                    status: .invalidInput, text: "--users \(users): from 1 to 10000 in each scenario",
                    hint: "many small scenarios find more than few large ones"))
        }
        return problems
    }

    fileprivate var runsAsked: Int { runs ?? (time == nil ? Self.runsStandard : Self.runsMax) }
}

/// A swarm as the command line asks for it, checked.
private struct SwarmTask {
    let plan: SwarmPlan
    private let command: SwarmCommand
    private let folder: SwarmFolder
    private let listed: [KeptFinding]
    private let known: [KnownFinding]
    private let catalogText: String
    private let catalogName: String

    init(_ command: SwarmCommand) throws {
        self.command = command
        var problems = command.checkNumbers()
        func noting<Value>(_ work: () throws -> Value) throws -> Value? {
            do {
                return try work()
            } catch let problem as CommandProblem {
                problems.append(problem)
                return nil
            }
        }
        let subject = try noting { try CommandContext.client(command.client, options: command.clientOption) }
        let workers = try noting { try CommandContext.workerCount(command.threads.workers) }
        let seconds = try noting { try Self.seconds(command.time) } ?? nil
        let shop = try noting { try Self.shop(command.catalog) }
        let known = try noting { try Self.known(command.known) }
        let folder = SwarmFolder(reports: command.out, client: command.client)
        let listed = try noting { try folder.kept() }
        guard problems.isEmpty, let subject, let workers, let shop, let known, let listed else {
            throw CommandProblem.all(problems)
        }
        (self.folder, self.listed, self.known) = (folder, listed, known)
        catalogText = shop.text
        catalogName = SwarmFolder.catalogName(shop.stem, shop.text)
        plan = SwarmPlan(
            client: subject, clientOptions: .init(command.clientOption.map { ($0.name, $0.value) }) { $1 },
            storeDefects: CommandContext.storeDefects,
            drawing: ScenarioDrawing(catalog: shop.catalog, catalogPath: catalogName, users: command.users),
            seed: command.seed, runs: command.runsAsked, seconds: seconds, workers: workers,
            kept: listed.compactMap { finding in
                folder.text(of: finding).map { SwarmPlan.Kept(conduct: finding.conduct, text: $0) }
            }, read: Self.reader(folder, catalogName, shop.catalog))
    }

    // MARK: Reading

    private static func seconds(_ time: String?) throws -> Double? {
        guard let time else { return nil }
        do throws(ValueProblem) {
            return Double(try ValueParser.span(time, zero: .refused).nanoseconds) / 1e9
        } catch {
            throw CommandProblem(status: .invalidInput, text: "--for: \(error.message)", hint: error.hint)
        }
    }

    private static func shop(_ path: String?) throws -> (catalog: Catalog, text: String, stem: String) {
        guard let path else {
            return (try CommandContext.catalog(text: SwarmShop.catalog), SwarmShop.catalog, SwarmShop.name)
        }
        let catalog = try CommandContext.catalog(path: path)
        guard !catalog.products.isEmpty else {
            throw CommandProblem(status: .invalidInput, text: "\(path) sells nothing", hint: "add a product to it")
        }
        guard let text = catalog.source else {
            throw CommandProblem(status: .invalidInput, text: "\(path) cannot be read as text")
        }
        return (catalog, text, URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }

    private static func known(_ path: String?) throws -> [KnownFinding] {
        guard let path else { return [] }
        do throws(Problems) {
            return try KnownFindingsFile.load(path: path)
        } catch {
            throw CommandProblem(error)
        }
    }

    /// Reads scenarios as if they stood in the folder, of which the catalog need not be there yet.
    private static func reader(
        _ folder: SwarmFolder, _ catalogName: String, _ catalog: Catalog
    ) -> @Sendable (String) -> Result<Scenario, SwarmPlan.Unreadable> {
        let own = "\(folder.path)/\(catalogName)"
        let file = "\(folder.path)/scenario.yml"
        return { text in
            do {
                return .success(
                    try CommandContext.scenario(text: text, file: file) { $0 == own ? catalog : nil })
            } catch let problem as CommandProblem {
                return .failure(SwarmPlan.Unreadable(message: problem.text))
            } catch {
                return .failure(SwarmPlan.Unreadable(message: "\(error)"))
            }
        }
    }

    // MARK: Afterwards

    /// A drawn scenario, which can be run where the findings are kept.
    func print(_ number: Int) throws -> String {
        try folder.write(catalog: catalogText, named: catalogName)
        return plan.drawing.outline(seed: command.seed, number: number).text
    }

    func facts(_ result: SwarmResult) -> SwarmFacts {
        let isWhole = !result.wasStopped && result.scenarios >= plan.runs
        let now = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
        let today = CalendarDay(year: now.year ?? 0, month: now.month ?? 1, day: now.day ?? 1)
        return SwarmFacts(
            result: result, client: command.client, catalog: catalogName, seed: command.seed, users: command.users,
            kept: listed, known: known, today: today, isWhole: isWhole, folder: folder.path)
    }

    /// Writes the scenarios of what is new, and the list of everything.
    func keep(_ report: SwarmReport, _ result: SwarmResult) throws {
        if report.findings.isEmpty, report.faults.isEmpty, listed.isEmpty { return }
        if !result.findings.isEmpty || !result.faults.isEmpty {
            try folder.write(catalog: catalogText, named: catalogName)
        }
        let byName = Dictionary(uniqueKeysWithValues: report.findings.map { ($0.name, $0) })
        for found in result.findings {
            if let row = byName[found.conduct.identifier] { try folder.write(found.text, of: row) }
        }
        for (fault, row) in zip(result.faults, report.faults) { try folder.write(row, fault.text) }
        let fixed = Set(report.fixed)
        var all = listed.map { finding in
            var finding = finding
            if byName[finding.name] != nil { finding.isFixed = false }
            if fixed.contains(finding.name) { finding.isFixed = true }
            return finding
        }
        let before = Set(listed.map(\.conduct))
        all += result.findings.filter { !before.contains($0.conduct) }.map {
            KeptFinding(conduct: $0.conduct, isFixed: false, seed: command.seed, number: $0.first)
        }
        try folder.write(all)
    }
}

extension ProgressWatch {
    convenience init(_ board: SwarmBoard) {
        self.init { elapsed in
            let now = board.snapshot
            let unit =
                switch now.stage {
                case .trying: "kept findings"
                case .drawing: "scenarios"
                case .shrinking: "findings shrunk"
                }
            return RunProgress(
                fraction: now.fraction, done: now.done, total: now.planned, unit: unit, rate: now.perSecond,
                violations: now.findings, violationsAreCalled: "findings", elapsedSeconds: elapsed)
        }
    }
}
