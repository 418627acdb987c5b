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
            The schema of scenarios is for editors and includes the clients of this program. If it lies beside a scenario \
            that begins with '\(ScenarioSchema.comment)', editors complete, explain and check the scenario's keys:

              stampede schema > \(ScenarioSchema.fileName)
            """)

    enum Subject: EnumerableFlag {
        case report

        static func help(for value: Subject) -> ArgumentHelp? {
            "Print the schema of report.json, for programs that read it."
        }
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
