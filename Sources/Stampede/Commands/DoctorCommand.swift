// stampede doctor: whether this program's client can be judged, and what to do if not.
// Main thread.

import ArgumentParser
import CatalogFile
import ClientKit
import Engine
import Foundation
import ReportModel
import Reporting
import Scenario
import Simulation
import Statics
import Text

struct DoctorCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a client and its program with ten users, and give advice.",
        discussion: """
            Reports whether each device has its own queues, tasks, clocks and statics, whether the client answers, which \
            things outside its device the client uses, and how it hears of purchases by StoreKit 2. Searches the client's \
            sources for parts of StoreKit 2 that are not simulated, and for modules that the files need to import on Linux; \
            for these it prints the one file to add.

              stampede doctor Scenarios/shop.yml
              stampede doctor --catalog MyApp/Products.storekit
              stampede doctor --sources MyApp/Sources

            Exits with 0 if nothing prevents a verdict, else with 111.
            """)

    @Argument(
        help: "The scenario file. Default: users browse, buy, use and restore the products of --catalog.",
        completion: .scenarioFile)
    var scenario: String?

    @Option(help: "The client. Default: the scenario's, or the program's own if it has one.", completion: .clients)
    var client: String?

    @Option(
        help: ArgumentHelp(
            "An option of the client, instead of the scenario's. May be given several times.", valueName: "name=value"),
        completion: .clientOptions, transform: NamedValue.init(clientOption:))
    var clientOption: [NamedValue] = []

    @Option(
        help: "The catalog to use when no scenario is given. Default: one product of every kind.",
        completion: .file(extensions: ["storekit"]))
    var catalog: String?

    @Option(
        help: "The folder of the client's sources. Default: Sources, if the program has its own clients.",
        completion: .directory)
    var sources: [String] = []

    @OptionGroup var limit: TimeLimitOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    @OptionGroup var printed: ExtentOptions

    private static let users = 10

    mutating func validate() throws {
        try clientOption.checkNames("--client-option")
        if scenario != nil, catalog != nil {
            throw ValidationError("--catalog cannot be used with a scenario, which names its own catalog")
        }
    }

    mutating func perform() throws -> ExitStatus {
        for path in sources where Paths.kind(path) == nil {
            throw CommandProblem("--sources \(path): there is no such file or folder")
        }
        let time = try limit.span()
        var options = try runOptions()
        options.housing = .standard
        let statics = ClientStatics.find()
        let program = ProgramCheckup(statics: statics, hasOwnClients: ClientStatics.choice != nil)
        let runs = CheckupRuns(options)
        let client = try watched(
            runs, json || printed.quiet ? nil : ProgressDisplay(.detected), in: options.housing, for: time
        ) {
            runs.perform()
        }
        let result = client.result
        if let cause = [result, client.unverified].compactMap({ $0?.stopCause }).first {
            throw CommandProblem("\(cause.words) all \(result.userCount) users were judged", status: cause.status)
        }
        let report = DoctorReport(
            client: options.client.name,
            sections: [
                .ofProgram(program.findings, sourceFindings(client: options.client.name)),
                .ofClient(options.client.name, users: result.userCount, client.findings),
            ])
        if json {
            try Terminal.write(report)
        } else {
            Terminal.write(
                DoctorText.render(
                    report, next: next(report.client), style: .detected(), width: Terminal.width,
                    extent: printed.extent))
        }
        return report.status
    }

    /// The same with many users: in the scenario, else in drawn ones. Nil if the code was only read.
    private func next(_ client: String) -> String? {
        if !sources.isEmpty, !hasOwnClients { return nil }
        let settings = clientOption.map { " --client-option " + ShellWord.quoted($0.text) }.joined()
        let subject = "--client \(ShellWord.quoted(client))\(settings)"
        if let scenario { return "\(CommandName.words) run \(ShellWord.quoted(scenario)) \(subject)" }
        return "\(CommandName.words) swarm \(subject)" + (catalog.map { " --catalog \(ShellWord.quoted($0))" } ?? "")
    }

    private func runOptions() throws -> RunOptions {
        if let scenario {
            return try CommandContext.runOptions(
                scenario: scenario, client: client, clientOptions: clientOption, seed: nil, workers: 1, clock: .virtual,
                users: Self.users)
        }
        let text = try catalog.map { try CatalogFile.load(path: $0).source ?? "" } ?? SwarmShop.catalog
        let sold = try CatalogFile.parse(data: Data(text.utf8), file: catalog ?? SwarmShop.name)
        if sold.products.isEmpty { throw CommandProblem("\(catalog ?? "") sells nothing", hint: "add a product to it") }
        let name = try client ?? CommandContext.ownClient()
        let subject = try CommandContext.client(name, options: clientOption)
        let starter = StarterFiles.scenario(sold, reference: "\(SwarmShop.name).storekit", client: subject.name)
        var parsed = try CommandContext.scenario(text: starter, file: "doctor.yml", catalog: text)
        parsed.clock = .virtual
        do {
            parsed = try parsed.scaled(toUsers: Self.users)
        } catch {
            preconditionFailure("the starter's scenario for \(Self.users) users: \(error)")
        }
        var options = try CommandContext.runOptions(parsed, client: subject.name, workers: 1)
        options.clientOptions = clientOption.byName
        return options
    }

    private var hasOwnClients: Bool { !CommandContext.registry.additional.isEmpty }

    /// Nothing where there are no sources to look at.
    private func sourceFindings(client: String) -> [DoctorFinding.Sources] {
        let places = sources.isEmpty ? ClientSources.placesByDefault(hasOwnClients: hasOwnClients) : sources
        if places.isEmpty { return [] }
        let code = ClientSources(in: places)
        let findings = SourceCheckup(sources: code).findings
        if hasOwnClients { return findings }
        // Nothing has compiled it yet.
        let imports = code.productsImported
        return findings + (imports.isEmpty ? [] : [.productsImported(imports)]) + [.notRun(client: client)]
    }
}
