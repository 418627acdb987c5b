// stampede list: the names that scenarios, thresholds and scripts can use.
// Main thread.

import ArgumentParser
import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import Scenario
import Text

struct ListCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            """
            List scenarios, clients, executors, steps, scenario keys, store knobs, purchase errors, audit rules, \
            metrics, exit codes or words of other tools.
            """
    )

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case scenarios
        case clients
        case executors
        case steps
        case keys
        case knobs
        case errors
        case rules
        case metrics
        case exitCodes = "exit-codes"
        case foreignWords = "foreign-words"
    }

    @Argument(help: "What to list. Default: everything.")
    var subject: Subject?

    @Option(help: "Where to look for scenarios. Default: \(Self.directoryByDefault).", completion: .directory)
    var directory: String?

    @Flag(help: "Print Markdown tables with every column.")
    var markdown = false

    private static let directoryByDefault = "Scenarios"

    mutating func perform() throws -> ExitStatus {
        // All of it before any is printed.
        let subjects = subject.map { [$0] } ?? Subject.allCases.filter { $0 != .knobs }  // They stand among the keys.
        let tables = try subjects.map { ($0.rawValue, try table($0)) }
        for (place, (name, table)) in tables.enumerated() {
            if tables.count > 1 {
                let heading = markdown ? "## \(name)\n" : name.uppercased()
                Terminal.write((place > 0 ? "\n" : "") + heading + "\n")
            }
            Terminal.write(markdown ? table.markdown : table.text(width: Terminal.width))
        }
        return .passed
    }

    private func table(_ subject: Subject) throws -> ListedTable {
        switch subject {
        case .scenarios: ListedTable(try scenarios())
        case .clients: .clients(CommandContext.registry.clients)
        case .executors: .executors
        case .steps: .steps
        case .keys: .keys
        case .knobs: .knobs
        case .errors: .errors
        case .rules: .rules
        case .metrics: .metrics
        case .exitCodes: .exitCodes
        case .foreignWords: .foreignWords
        }
    }

    private func scenarios() throws -> [(name: String, meaning: String)] {
        let directory = directory ?? Self.directoryByDefault
        guard Paths.kind(directory) == .folder, let files = FileManager.default.enumerator(atPath: directory) else {
            // Asked for everything, in a folder without scenarios: the rest is listed all the same.
            if subject == nil, self.directory == nil { return [] }
            throw CommandProblem(
                "there is no folder \(directory)",
                hint: "name the folder of your scenarios with --directory")
        }
        let paths = files.compactMap { $0 as? String }.filter(Paths.isScenario)
        return paths.sorted().map { path in
            let whole = directory + "/" + path
            guard let scenario = try? CommandContext.loadScenario(whole) else {
                return (whole, "has problems: stampede check \(whole)")
            }
            return (whole, scenario.description.isEmpty ? scenario.name : scenario.description)
        }
    }
}
