// What the shell completes, asked for at each press of the tabulator.
// Main thread.

import ArgumentParser

extension CompletionKind {
    static var scenarioFile: CompletionKind { .file(extensions: ["yml", "yaml"]) }
    static var reportFile: CompletionKind { .file(extensions: ["json"]) }

    /// The clients that this very program knows.
    static var clients: CompletionKind {
        .custom { _, _, _ in CommandContext.registry.clients.map { $0.name } }
    }

    /// The options of those clients, each with its values.
    static var clientOptions: CompletionKind {
        .custom { _, _, _ in
            let settings = CommandContext.registry.clients.flatMap { client in
                client.options.flatMap { option in option.values.map { "\(option.name)=\($0)" } }
            }
            return Set(settings).sorted()
        }
    }
}
