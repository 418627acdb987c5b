// A part of a sweep, and all of them as the sweep.
// Main thread.

import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation

extension SweepCommand: ShardedCommand {
    var plannedArguments: [String] {
        var words = subject.words() + ["--depth", "\(depth)", "--interleavings", "\(interleavings)"]
        for name in journey { words += ["--journey", name] }
        if let window { words += ["--window", window] }
        return words
    }

    func plannedTexts() throws -> [String: String] { try makePlan().options.scenario.texts }

    func partStem() throws -> String {
        let options = try makePlan().options
        return ReportFolder.folderStem(
            file: options.scenario.path, name: options.scenario.name, client: options.client.name,
            seed: options.scenario.seed) + "-sweep"
    }

    mutating func show(json: Bool, extent: ExtentOptions, out: String?) {
        result.json = json
        result.printed = extent
    }

    /// Tries a part of all trials, and tells none of them.
    func perform(_ shard: Shard) throws -> ExitStatus {
        let place = try partPlace(of: shard)
        let plan = try makePlan()
        let time = try limit.span()
        let sweep = Sweep(plan)
        let record = TrialRecord()
        _ = try watched(
            sweep.board, telling.display(isQuiet: result.printed.quiet), in: plan.options.housing, for: time
        ) {
            try sweep.perform(.part(shard, record))
        }
        if let cause = sweep.board.stop.cause { return stopped(cause) }
        return try place.keep(record.pack())
    }

    func finish(_ parts: PartMerge) throws -> ExitStatus {
        let plan = try makePlan()
        let record = TrialRecord()
        try parts.each { _, _, unpacker throws(TornValue) in
            try record.add(&unpacker, plan.options.scenario.store.catalog)
        }
        return try tell(Sweep(plan), plan, .recorded(record))
    }
}

extension Scenario {
    /// Of its file and its catalog, by their paths.
    var texts: [String: String] {
        var texts = [path: source]
        if let catalog = store.catalog.source { texts["the catalog of \(path)"] = catalog }
        return texts
    }
}
