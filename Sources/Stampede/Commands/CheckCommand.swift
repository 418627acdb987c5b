// stampede check: everything that is wrong with scenario files, without running them.
// Main thread.

import ArgumentParser
import ReportModel
import Reporting
import Scenario

struct CheckCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check scenario files and their catalogs, and run nothing.",
        discussion: "Prints every problem with its file, line and column. Ends with 0 if there is none, else with 104.")

    @Argument(help: "The scenario files, or the names of some in Scenarios.", completion: .scenarioFile)
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
