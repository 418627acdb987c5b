// A run that another process has begun, or has done a part of, as this one would do it.
// Main thread.

import Engine
import Foundation
import Reporting
import Scenario

extension PlannedRun {
    /// Where operations are kept until the report has its folder; nil where the run keeps none.
    ///
    /// - Parameter folder: that the report's is to be in.
    func operationStore(in folder: String) throws -> OperationStore? {
        guard keepsOperations else { return nil }
        return try OperationStore(folder: ReportFolder.hiddenPath(in: folder, stem: "operations-\(UUID())"))
    }

    func runOptions(workers: Int? = nil) throws -> RunOptions {
        var options = try CommandContext.runOptions(
            again: try CommandContext.scenario(text: source, file: file, client: client, catalog: catalog), seed: seed,
            clock: clock, population: population, client: client, clientOptions: clientOptions, workers: workers,
            subject: "\(file),")
        options.scenario.audit.isStrict = isStrict
        options.shard = shard
        return options
    }
}
