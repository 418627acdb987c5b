// What a program imports to run its own client: `StoreClient` and friends, `perDevice`, and `Stampede.main`.
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
/// client beside the built-in ones.
public enum Stampede {
    /// Parses the command line, runs the command, and ends the process with a documented exit code.
    ///
    /// - Parameters:
    ///   - clients: clients of your own; one that has a built-in client's name takes its place.
    ///   - statics: whose static data each simulated app has for itself under the virtual clock.
    public static func main(clients: [any StoreClient.Type] = [], statics: Statics = Statics()) -> Never {
        // What reports say to type has to reach these clients.
        main(
            clients: clients, statics: statics, storeDefects: [],
            as: clients.isEmpty ? CommandName.words : ShellWord.quoted(Paths.program.lastPathComponent))
    }

    /// - Parameters:
    ///   - storeDefects: a store broken on purpose, for tests of what becomes of that.
    ///   - name: what people type to have this program run commands.
    package static func main(
        clients: [any StoreClient.Type], statics: Statics = Statics(), storeDefects: Set<StoreDefect> = [],
        as name: String = CommandName.words
    ) -> Never {
        CommandName.words = name
        ensureDeterministicHashing()
        // A reader that has read enough, such as 'head', ends neither a run nor its verdict.
        signal(SIGPIPE, SIG_IGN)
        CommandContext.storeDefects = storeDefects
        CommandContext.registry = ClientRegistry(additional: clients)
        // Those that ship have nothing static that they need for themselves.
        ClientStatics.choice = clients.isEmpty ? nil : statics.choice
        var status = execute(Array(CommandLine.arguments.dropFirst()))
        ClientStatics.tellWhetherShared()
        ClientCode.release()
        if let problem = Terminal.problem {
            problem.print()
            // What the command has found weighs more.
            if status == .passed { status = problem.status }
        }
        // What runs at an orderly exit may wait for a thread that never comes back.
        if LostThreads.areThere { _exit(status.rawValue) }
        exit(status.rawValue)
    }

    /// Runs one command line; the status to end with.
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
            // Help and version come this way too, and are no mistakes.
            if StampedeCommand.exitCode(for: error) != .success {
                let problem = CommandProblem(parsing: error, arguments)
                problem.print()
                return problem.status
            }
            Terminal.write(StampedeCommand.fullMessage(for: error) + "\n")
            return .passed
        }
    }

    /// Swift hashes differently in every process unless told otherwise, and a report must not depend on it:
    /// the process starts itself again with the variable that says so.
    private static func ensureDeterministicHashing() {
        let variable = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(variable) == nil else { return }
        setenv(variable, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        // Where that is not possible the run goes on; nothing is known to depend on it, only to be spared from it.
    }
}
