// stampede check: everything that is wrong with scenario files, without running them.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting
import Scenario

struct CheckCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check scenario files and their catalogs without running them.",
        discussion: "Prints every problem with its file, line and column. Exits with 0 if there is none, else with 104."
    )

    @Argument(help: "Scenario files, or names of scenarios in Scenarios.", completion: .scenarioFile)
    var scenarios: [String]

    mutating func perform() throws -> ExitStatus {
        var status = ExitStatus.passed
        for path in scenarios {
            do {
                let scenario = try CommandContext.loadScenario(path)
                Terminal.write("\(ScenarioPath.found(path)): ok (\(scenario.name))\n")
            } catch {
                CommandProblem(error).print()
                status = .invalidInput
            }
        }
        return status
    }
}
