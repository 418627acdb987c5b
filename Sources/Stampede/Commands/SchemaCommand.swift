// stampede schema: what the files that stampede writes look like.
// Main thread.

import ArgumentParser
import Reporting

struct SchemaCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print a JSON Schema.",
        discussion: "Draft 2020-12, for programs that read what stampede writes.")

    enum Subject: EnumerableFlag {
        case report

        static func help(for value: Subject) -> ArgumentHelp? { "Of report.json." }
    }

    @Flag var subject: Subject

    mutating func perform() throws -> ExitStatus {
        switch subject {
        case .report: Terminal.write(String(decoding: ReportSchema.json(), as: UTF8.self))
        }
        return .passed
    }
}
