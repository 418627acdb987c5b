// The module that a program imports to run its own client: `StoreClient`, `perDevice` and `Stampede.main`.
// Called once, on the main thread.

import ArgumentParser
@_exported public import ClientKit
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
package import Simulation
import Specimens
import Text

/// The `stampede` command as a library.
///
/// A program of your own that ends in `Stampede.main(clients: [MyClient.self])` is the `stampede` command with your
/// client beside the built-in clients.
public enum Stampede {
    /// Runs the command line, and ends the process with a documented exit code.
    ///
    /// - Parameters:
    ///   - clients: clients of your own. A client with the name of a built-in one replaces it.
    ///   - statics: the modules whose static data each simulated app has for itself under the virtual clock.
    public static func main(clients: [any StoreClient.Type] = [], statics: Statics = Statics()) -> Never {
        // A command that a report prints must reach these clients.
        main(
            clients: clients, statics: statics, storeDefects: [],
            as: clients.isEmpty ? CommandName.words : ShellWord.quoted(Paths.program.lastPathComponent))
    }

    /// - Parameters:
    ///   - storeDefects: defects of a store that is broken on purpose, for tests of the judgement.
    ///   - name: the words that users type to run commands of this program.
    package static func main(
        clients: [any StoreClient.Type], statics: Statics = Statics(), storeDefects: Set<StoreDefect> = [],
        as name: String = CommandName.words
    ) -> Never {
        CommandName.words = name
        ensureDeterministicHashing()
        // A reader that stops reading, such as 'head', ends neither a run nor its verdict.
        signal(SIGPIPE, SIG_IGN)
        CommandContext.storeDefects = storeDefects
        CommandContext.registry = ClientRegistry(additional: clients)
        // The clients that ship have no static data that each app needs for itself.
        ClientStatics.choice = clients.isEmpty ? nil : statics.choice
        var status = execute(Array(CommandLine.arguments.dropFirst()))
        ClientStatics.tellWhetherShared()
        ClientCode.release()
        if let problem = Terminal.problem {
            problem.print()
            // The command's own findings have priority.
            if status == .passed { status = problem.status }
        }
        // Code that runs at an orderly exit may wait for a thread that never returns.
        if LostThreads.areThere { _exit(status.rawValue) }
        exit(status.rawValue)
    }

    /// Runs one command line and returns the exit status.
    static func execute(_ arguments: [String]) -> ExitStatus {
        do {
            try StampedeCommand.checkName(arguments)
            var command = try StampedeCommand.parseAsRoot(arguments)
            if var reporting = command as? any StatusCommand { return try reporting.perform() }
            try command.run()
            return .passed
        } catch {
            if let problem = CommandProblem(telling: error) {
                problem.print()
                return problem.status
            }
            // Help and version arrive here too, and are no mistakes.
            if StampedeCommand.exitCode(for: error) != .success {
                let problem = CommandProblem(parsing: error, arguments)
                problem.print()
                return problem.status
            }
            Terminal.write(StampedeCommand.fullMessage(for: error) + "\n")
            return .passed
        }
    }

    /// Starts the process again with the variable that makes Swift's hashing deterministic.
    /// Otherwise Swift hashes differently in every process, and a report must not depend on that.
    private static func ensureDeterministicHashing() {
        let variable = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(variable) == nil else { return }
        setenv(variable, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        // If the restart fails, the run continues: no result is known to depend on hashing.
    }
}
