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

    @Option(parsing: .unconditional, help: "The seed of all chance, instead of the scenario's.")
    var seed: UInt64?
}

/// How many threads run it.
struct WorkersOption: ParsableArguments {
    @Option(parsing: .unconditional, help: "Threads to run on. Default: one a core. The result does not depend on it.")
    var workers: Int?
}
