// A part of a swarm, and all of them as the swarm.
// Main thread.

import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation

extension SwarmCommand: ShardedCommand {
    var plannedArguments: [String] {
        var words = ["--seed", "\(seed)", "--users", "\(users)"]
        let options = [("--catalog", catalog), ("--client", client), ("--servers", servers), ("--known", known)]
        for (name, value) in options { if let value { words += [name, value] } }
        words += clientOption.flatMap { ["--client-option", $0.text] }
        if let runs { words += ["--runs", "\(runs)"] }
        return words
    }

    func plannedTexts() throws -> [String: String] { try SwarmTask(self).texts }

    func partStem() throws -> String { "swarm-\(try SwarmTask(self).plan.client.name)-\(seed)" }

    mutating func show(json: Bool, extent: ExtentOptions, out: String?) {
        shown.json = json
        shown.printed = extent
        if let out { self.out = out }
    }

    /// Draws a part of the scenarios; what they show is not made small yet.
    func perform(_ shard: Shard) throws -> ExitStatus {
        let place = try partPlace(of: shard)
        let task = try SwarmTask(self)
        let time = try limit.span()
        let swarm = Swarm(task.plan)
        let ledger = try watched(
            swarm.board, telling.display(isQuiet: shown.printed.quiet), in: task.plan.housing, for: time
        ) {
            try swarm.draw(shard)
        }
        if let cause = swarm.board.stop.cause { return stopped(cause) }
        return try place.keep(ledger.pack())
    }

    func finish(_ parts: PartMerge) throws -> ExitStatus {
        let task = try SwarmTask(self)
        let plan = task.plan
        let ledger = SwarmLedger()
        try parts.each { _, _, unpacker throws(TornValue) in
            try ledger.add(&unpacker) { number in
                try? plan.read(plan.drawing.outline(seed: plan.seed, number: number).text).get().store.catalog
            }
        }
        return try tell(task, drawn: ledger)
    }
}
