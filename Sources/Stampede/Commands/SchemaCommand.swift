// stampede schema: what scenario files look like, and the files that stampede writes.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting
import Scenario

struct SchemaCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of scenario files, or of reports.",
        discussion: """
            That of scenarios is for editors, and knows the clients of this program. Beside a scenario that begins with
            '\(ScenarioSchema.comment)' it completes, explains and checks:

              stampede schema > \(ScenarioSchema.fileName)
            """)

    enum Subject: EnumerableFlag {
        case report

        static func help(for value: Subject) -> ArgumentHelp? { "Of report.json, for programs that read it." }
    }

    @Flag var subject: Subject?

    mutating func perform() throws -> ExitStatus {
        let schema =
            switch subject {
            case .report: ReportSchema.json()
            case nil: CommandContext.scenarioSchema.json()
            }
        Terminal.write(String(decoding: schema, as: UTF8.self))
        return .passed
    }
}
