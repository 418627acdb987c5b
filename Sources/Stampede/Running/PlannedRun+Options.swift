// A run that another process has begun, or has done a part of, as this one would do it.
// Main thread.

import Engine
import Foundation
import Reporting
import Scenario

extension PlannedRun {
    func runOptions(workers: Int? = nil) throws -> RunOptions {
        var scenario = try CommandContext.scenario(text: source, file: file, client: client, catalog: catalog)
        scenario.seed = seed
        scenario.clock = clock == RunClock.wall.rawValue ? .wall : .virtual
        if let usersOption {
            do {
                scenario = try scenario.scaled(toUsers: usersOption)
            } catch {
                throw CommandProblem("\(file), \(usersOption) users: \(error)")
            }
        }
        var options = try CommandContext.runOptions(scenario, client: client, workers: workers)
        options.clientOptions = clientOptions
        options.shard = shard
        return options
    }
}
