// The runs in a database, as a table and as JSON.
// Pure; any thread.

package import Foundation
package import RunStore
import Text

package enum RunList {
    /// Newest last, in 80 columns.
    package static func render(_ runs: [StoredRun], style: TerminalStyle) -> String {
        let head = row("run", "started", "scenario", "client", "users", "verdict") + "  commit"
        let lines = runs.map { stored in
            let run = stored.run
            return row(
                "\(stored.number)", String(run.startedAt.prefix(10)), run.fileStem, run.client,
                HumanNumbers.count(run.users), run.outcome)
                + "  " + TrendWords.commit(run.build.commit, isDirty: run.build.isDirty)
        }
        return ([style.paint(head, .quiet)] + lines).joined(separator: "\n") + "\n"
    }

    private static func row(
        _ run: String, _ started: String, _ scenario: String, _ client: String, _ users: String, _ verdict: String
    ) -> String {
        TextLayout.paddedLeft(run, to: 4) + " " + cut(started, to: 10) + " " + cut(scenario, to: 21) + " "
            + cut(client, to: 13) + " " + TextLayout.paddedLeft(users, to: 9) + " " + cut(verdict, to: 7)
    }

    private static func cut(_ text: String, to width: Int) -> String {
        let safe = TextLayout.safe(text)
        return TextLayout.padded(safe.count > width ? safe.prefix(width - 1) + "…" : safe, to: width)
    }

    /// Keys sorted, in snake case.
    package static func json(_ runs: [StoredRun]) throws -> Data {
        try ReportJSON.encode(List(runs: runs.map(Row.init)))
    }

    private struct List: Encodable {
        let runs: [Row]
    }

    private struct Row: Encodable {
        let run: Int
        let startedAt: String
        let scenario: String
        let file: String
        let client: String
        let clientOptions: String
        let seed: UInt64
        let clock: String
        let users: Int
        let outcome: String
        let exitCode: Int
        let version: String
        let commit: String?
        let isDirty: Bool?
        let system: String
        let cores: Int
        let workers: Int
        let durationSeconds: Double
        let folder: String

        init(_ stored: StoredRun) {
            let run = stored.run
            self.run = stored.number
            startedAt = run.startedAt
            scenario = run.scenario
            file = run.file
            client = run.client
            clientOptions = run.clientOptions
            seed = run.seed
            clock = run.clock
            users = run.users
            outcome = run.outcome
            exitCode = run.exitCode
            version = run.build.version
            commit = run.build.commit
            isDirty = run.build.isDirty
            system = run.host.system
            cores = run.host.cores
            workers = run.host.workers
            durationSeconds = run.host.durationSeconds
            folder = run.folder
        }
    }
}

extension RecordedRun {
    /// The name of the scenario's file without its extension, or the scenario's name.
    package var fileStem: String {
        let stem = ReportFolder.stem(ofFile: file)
        return stem.isEmpty ? scenario : stem
    }
}
