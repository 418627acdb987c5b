// stampede swarm: scenarios drawn by chance.
// Main thread; progress and signals have threads of their own.

import ArgumentParser
import CatalogFile
import ClientKit
import Engine
import Foundation
import Judgement
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

struct SwarmCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "swarm",
        abstract: "Run random scenarios, and keep the smallest that shows each fault.",
        discussion: """
            Draws valid scenarios at random: users, devices, journeys, faults, store knobs. Each scenario leaves out \
            different features. The swarm runs the scenarios under the virtual clock, groups the violations by what the app did, \
            and shrinks the first scenario of each group. The same seed and --runs give the same findings.

            The swarm keeps its findings as scenarios in Reports/swarm/<client>. The next swarm runs these first and \
            reports which findings are new, still there, back, or fixed. --known FILE lists findings that your team has \
            accepted until a given day, in YAML:

              - {finding: lost-purchase-3f2a, reason: "SHOP-12, next release", until: 2027-03-31}

            An accepted finding does not fail the swarm until its day is past. If an accepted finding is gone, the list \
            itself fails the swarm.

            Exits with the codes of 'stampede run', and with 99 if an accepted finding is gone.
            """)

    @Option(
        help: "The products: an Xcode StoreKit configuration file. Default: one product of every kind.",
        completion: .file(extensions: ["storekit"]))
    var catalog: String?

    @Option(
        help: "The client under test. Default: the program's own if it has one, else reference.", completion: .clients)
    var client: String?

    @Option(
        help: ArgumentHelp("An option of the client. May be given several times.", valueName: "name=value"),
        completion: .clientOptions, transform: NamedValue.init(clientOption:))
    var clientOption: [NamedValue] = []

    @Option(parsing: .unconditional, help: "How many scenarios. Default: 1000, or as many as --for allows.")
    var runs: Int?

    @Option(parsing: .unconditional, help: "The seed of all randomness.")
    var seed: UInt64 = 1

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Draw scenarios for this time, e.g. 10m. Shrinking comes after it.", valueName: "time"))
    var time: String?

    @Option(parsing: .unconditional, help: "How many users each scenario has.")
    var users = ScenarioDrawing.usersStandard

    @Option(
        help: "A scenario whose `http:` section answers for the app's own servers in every drawn scenario.",
        completion: .scenarioFile)
    var servers: String?

    @OptionGroup var threads: WorkersOption

    @OptionGroup var limit: TimeLimitOption

    @Option(help: "The list of accepted findings, with reasons and days.", completion: .scenarioFile)
    var known: String?

    @Option(help: "The folder of reports. Findings are kept in its subfolder swarm.", completion: .directory)
    var out = "Reports"

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "Print the scenario with this number, from 0, without running it. Its catalog is written beside the findings.",
            valueName: "number"))
    var printed: Int?

    @OptionGroup var sharding: ShardOption

    @OptionGroup var shown: ResultOptions

    @OptionGroup var telling: ProgressOption

    private static let runsStandard = 1_000
    private static let runsMax = 1_000_000_000

    mutating func validate() throws {
        try clientOption.checkNames("--client-option")
        if sharding.shard != nil, time != nil || printed != nil {
            throw ValidationError(
                "--shard divides a number of scenarios: give it with --runs, without --for and --print")
        }
    }

    mutating func perform() throws -> ExitStatus {
        if let shard = try sharding.part() { return try perform(shard) }
        let task = try SwarmTask(self)
        if let printed {
            Terminal.write(try task.print(printed))
            return .passed
        }
        return try tell(task)
    }

    /// Draws, makes small what is found, and tells it.
    ///
    /// - Parameter drawn: what all parts have found; nil: the scenarios are drawn here.
    func tell(_ task: SwarmTask, drawn: SwarmLedger? = nil) throws -> ExitStatus {
        let time = try limit.span()
        let swarm = Swarm(task.plan)
        let result = try watched(
            swarm.board, telling.display(isQuiet: shown.printed.quiet), in: task.plan.housing, for: time
        ) {
            try swarm.perform(drawn: drawn)
        }
        let report = task.report(result)
        try task.keep(report, result)
        try shown.show(report) {
            SwarmText.render(
                report, perSecond: result.scenariosPerSecond, style: .detected(), width: Terminal.width, extent: $0)
        }
        return report.verdict.status
    }

    /// Everything that is wrong with the numbers, at once.
    fileprivate func checkNumbers(_ problems: inout CommandProblems) {
        if let runs, !(1...Self.runsMax).contains(runs) {
            problems.add(CommandProblem("--runs \(runs): from 1 to \(Self.runsMax) scenarios"))
        }
        if let printed, !(0..<Self.runsMax).contains(printed) {
            problems.add(CommandProblem("--print \(printed): from 0 to \(Self.runsMax - 1)"))
        }
        if !(1...10_000).contains(users) {
            problems.add(
                CommandProblem(
                    "--users \(users): from 1 to 10000 in each scenario",
                    hint: "many small scenarios find more than a few large ones"))
        }
    }

    fileprivate var runsAsked: Int { runs ?? (time == nil ? Self.runsStandard : Self.runsMax) }
}

/// A swarm as the command line asks for it, checked.
struct SwarmTask {
    private(set) var plan: SwarmPlan
    private let command: SwarmCommand
    private let folder: SwarmFolder
    private let listed: [KeptFinding]
    private let known: [KnownFinding]
    private let catalogText: String
    /// Of the files that decide what is drawn, by what they are called.
    let texts: [String: String]
    private let catalogName: String

    init(_ command: SwarmCommand) throws {
        self.command = command
        var problems = CommandProblems()
        command.checkNumbers(&problems)
        let client = try command.client ?? CommandContext.ownClient()
        let subject = try problems.noting { try CommandContext.client(client, options: command.clientOption) }
        let workers = try problems.noting { try CommandContext.workerCount(command.threads.workers) }
        let seconds = try problems.noting { try Self.seconds(command.time) } ?? nil
        let shop = try problems.noting { try Self.shop(command.catalog) }
        let servers = try problems.noting { try Self.servers(command.servers, client: client) } ?? nil
        let known = try problems.noting { try command.known.map { try KnownFindingsFile.load(path: $0) } ?? [] }
        let folder = SwarmFolder(reports: command.out, client: client)
        let listed = try problems.noting { try folder.kept() }
        if let problem = problems.all { throw problem }
        guard let subject, let workers, let shop, let known, let listed else { preconditionFailure("all was read") }
        (self.folder, self.listed, self.known) = (folder, listed, known)
        catalogText = shop.text
        var texts = ["the catalog": shop.text]
        if let servers { texts["the servers"] = servers.text }
        self.texts = texts
        catalogName = SwarmFolder.catalogName(shop.stem, shop.text)
        plan = SwarmPlan(
            client: subject, clientOptions: command.clientOption.byName,
            storeDefects: CommandContext.storeDefects,
            drawing: ScenarioDrawing(
                catalog: shop.catalog, catalogPath: catalogName, users: command.users, servers: servers),
            seed: command.seed, runs: command.runsAsked, seconds: seconds, workers: workers,
            kept: listed.compactMap { finding in
                folder.text(of: finding).map { SwarmPlan.Kept(conduct: finding.conduct, text: $0) }
            }, read: Self.reader(folder, catalogName, shop.catalog))
        plan.housing = command.threads.housing
        plan.updates = CommandContext.registry.clients
    }

    // MARK: Reading

    private static func seconds(_ time: String?) throws -> Double? {
        try time.map { Double(try CommandContext.span($0, option: "--for", zero: .refused).nanoseconds) / 1e9 }
    }

    private static func shop(_ path: String?) throws -> (catalog: Catalog, text: String, stem: String) {
        guard let path else {
            let catalog = try CatalogFile.parse(data: Data(SwarmShop.catalog.utf8), file: "the catalog")
            return (catalog, SwarmShop.catalog, SwarmShop.name)
        }
        let catalog = try CatalogFile.load(path: path)
        guard !catalog.products.isEmpty else {
            throw CommandProblem("\(path) sells nothing", hint: "add a product to it")
        }
        guard let text = catalog.source else { throw CommandProblem("\(path) cannot be read as text") }
        return (catalog, text, URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }

    private static func servers(_ path: String?, client: String) throws -> ScenarioOutline? {
        guard let path else { return nil }
        let scenario = try CommandContext.loadScenario(path, client: client)
        guard let servers = ScenarioOutline(text: scenario.source)?["http"] else {
            throw CommandProblem(
                "--servers \(path): the scenario has no `http:`",
                hint: "`\(CommandName.words) doctor` prints the line for a server that your app calls")
        }
        return servers
    }

    /// Reads scenarios as if they stood in the folder, of which the catalog need not be there yet.
    private static func reader(
        _ folder: SwarmFolder, _ catalogName: String, _ catalog: Catalog
    ) -> @Sendable (String) -> Result<Scenario, SwarmPlan.Unreadable> {
        let own = "\(folder.path)/\(catalogName)"
        let file = "\(folder.path)/scenario.yml"
        return { text in
            Result { () throws(Problems) in
                try CommandContext.scenario(text: text, file: file) { path throws(Problems) in
                    path == own ? catalog : try CatalogFile.load(path: path)
                }
            }.mapError { SwarmPlan.Unreadable(message: $0.description) }
        }
    }

    // MARK: Afterwards

    /// A drawn scenario, which can be run where the findings are kept.
    func print(_ number: Int) throws -> String {
        try folder.write(catalog: catalogText, named: catalogName)
        return plan.drawing.outline(seed: command.seed, number: number).text
    }

    func report(_ result: SwarmResult) -> SwarmReport {
        let now = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
        let today = CalendarDay(year: now.year ?? 0, month: now.month ?? 1, day: now.day ?? 1)
        return SwarmReport(
            result, of: plan, catalog: catalogName, users: command.users, kept: listed, known: known, today: today,
            folder: folder.path)
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
        try folder.write(report.kept(after: listed, result))
    }
}
