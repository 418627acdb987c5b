// Which options and arguments each command has, as the parser knows them.
// Main thread; for messages and documents, not for running.

import ArgumentParser
import Foundation

struct CommandOptions {
    let command: String
    /// Those that the help shows, with their dashes.
    let names: [String]
    /// Such as `scenario`.
    let arguments: [String]

    /// Of all commands, in the order of the help.
    static let all: [CommandOptions] = {
        let data = Data(StampedeCommand._dumpHelp().utf8)
        guard let dump = try? JSONDecoder().decode(Dump.self, from: data) else {
            preconditionFailure("the parser's description of the commands cannot be read")
        }
        return (dump.command.subcommands ?? []).filter(\.shouldDisplay).map { command in
            let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
            return CommandOptions(
                command: command.commandName, names: arguments.flatMap { $0.names ?? [] }.map(\.spelled),
                arguments: arguments.filter { $0.kind == "positional" }.compactMap(\.valueName))
        }
    }()

    static func of(_ command: String) -> CommandOptions? { all.first { $0.command == command } }

    /// The commands that have an option.
    static func commands(with option: String) -> [String] {
        all.filter { $0.names.contains(option) }.map(\.command)
    }

    // MARK: What the parser prints

    private struct Dump: Decodable { let command: Command }

    private struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private struct Argument: Decodable {
        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
    }

    private struct Name: Decodable {
        let kind: String
        let name: String

        var spelled: String { (kind == "long" ? "--" : "-") + name }
    }
}
