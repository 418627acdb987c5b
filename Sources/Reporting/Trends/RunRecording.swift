// A report as the database of runs keeps it.
// Pure; any thread.

import Judgement
import Metrics
import ReportModel
package import RunStore

extension Report {
    /// - Parameter folder: the name of the report's folder, beside the database.
    package func recorded(folder: String) -> RecordedRun {
        let options = run.clientOptions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return RecordedRun(
            startedAt: host.startedAt, scenario: scenario.name, file: scenario.file, client: run.client,
            clientOptions: options.joined(separator: " "), seed: run.seed, clock: run.clock, users: run.users,
            outcome: verdict.outcome.rawValue, exitCode: verdict.exitCode, isWhole: !isBrokenOff,
            version: tool.version, commit: host.commit, isDirty: host.isDirty, system: host.system, cores: host.cores,
            workers: host.workers, durationSeconds: host.durationSeconds, folder: folder)
    }

    /// Every figure that a comparison knows.
    package var recordedFigures: [RecordedFigure] {
        measuredValues.map {
            RecordedFigure(
                name: $0.name, value: $0.value, unit: $0.unit.rawValue, direction: $0.direction.rawValue,
                isExact: $0.isExact)
        }
    }

    /// The run was stopped, or its client hung: what was measured is a part of it.
    package var isBrokenOff: Bool {
        verdict.outcome == .interrupted || verdict.reasons.contains { $0.isOfStop }
            || violations.byRule.contains { $0.rule == AuditRule.clientHang.rawValue }
    }
}
