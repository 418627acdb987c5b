// Options that several commands have, declared once so that they stay the same.
// Main thread.

import ArgumentParser

/// What is run.
struct SubjectOptions: ParsableArguments {
    @Argument(help: "The scenario file.", completion: .file(extensions: ["yml", "yaml"]))
    var scenario: String

    @Option(
        help: "The client under test, instead of the scenario's. See 'stampede list clients'.",
        completion: .clients)
    var client: String?

    @Option(
        help: ArgumentHelp(
            "An option of the client, instead of the scenario's. May be given several times.", valueName: "name=value"),
        completion: .clientOptions, transform: ClientSetting.init(parsing:))
    var clientOption: [ClientSetting] = []

    @Option(parsing: .unconditional, help: "The seed of all chance, instead of the scenario's.")
    var seed: UInt64?

    mutating func validate() throws {
        try clientOption.checkNames()
    }
}

/// A value for one of the client's options.
struct ClientSetting: Sendable {
    let name: String
    let value: String

    /// - Throws: a `ValidationError` unless it is a name, an equals sign and a text.
    init(parsing argument: String) throws {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw ValidationError("an option of the client is written name=value, as in verify=true")
        }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}

extension [ClientSetting] {
    /// - Throws: a `ValidationError` if one is given twice.
    func checkNames() throws {
        var names: Set<String> = []
        for setting in self where !names.insert(setting.name).inserted {
            throw ValidationError("--client-option \(setting.name) is given twice")
        }
    }
}

/// How many threads run it.
struct WorkersOption: ParsableArguments {
    @Option(parsing: .unconditional, help: "Threads to run on. Default: one a core. The result does not depend on it.")
    var workers: Int?
}
