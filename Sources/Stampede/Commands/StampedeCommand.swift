// The root of the command line.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting
import Text

/// A command whose outcome is more than "it worked".
protocol StatusCommand: ParsableCommand {
    mutating func perform() throws -> ExitStatus
}

extension StatusCommand {
    mutating func run() throws { _ = try perform() }
}

struct StampedeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stampede",
        abstract: "Stress in-app-purchase code with thousands of simulated users.",
        discussion: """
            Simulated users fetch products, buy, restore, crash and relaunch against a simulated App Store, with your \
            purchase code in between. Then an audit compares the charges of each user with the goods the user holds.

            Start with:  stampede run Scenarios/quickstart.yml
            or, for a scenario of your own:  stampede init
            """,
        version: StampedeVersion.current,
        subcommands: [
            InitCommand.self, DoctorCommand.self, RunCommand.self, SweepCommand.self, SwarmCommand.self,
            MatrixCommand.self,
            ReplayCommand.self, ShrinkCommand.self, CompareCommand.self, HistoryCommand.self, MergeCommand.self,
            EmitCommand.self,
            ReportCommand.self,
            CheckCommand.self, ListCommand.self, SchemaCommand.self, GlueCommand.self, CertificatesCommand.self,
            CalibrateCommand.self,
            RelayCommand.self,
        ])

    /// The parser calls a mistyped command an unexpected argument, and shows the whole help for one that is asked about.
    static func checkName(_ arguments: [String]) throws {
        let isHelp = arguments.first == "help"
        guard let name = isHelp ? arguments.dropFirst().first : arguments.first, !name.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0._commandName }
        let shown = configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        if names.contains(name) || !isHelp && name == "help" { return }
        throw CommandProblem(
            "there is no command \(quoted(name))",
            hint: closestMatch(to: name, in: shown).map { "did you mean '\($0)'?" }
                ?? "'\(CommandName.words) --help' lists the commands")
    }
}
