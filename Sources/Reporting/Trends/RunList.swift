// The runs in a database, as a table and as JSON.
// Pure; any thread.

import ReportModel
package import RunStore
import Text

package struct RunList: JSONReport {
    let runs: [StoredRun]

    package init(_ runs: some Sequence<StoredRun>) { self.runs = Array(runs) }

    /// Newest last, in 80 columns.
    package func render(style: TerminalStyle) -> String {
        let head = Self.row("run", "started", "scenario", "client", "users", "verdict") + "  commit"
        let lines = runs.map { stored in
            let run = stored.run
            return Self.row(
                "\(stored.number)", String(run.startedAt.prefix(10)), run.fileStem, run.client,
                HumanNumbers.count(run.users), run.outcome)
                + "  " + TrendWords.commit(run.commit, run.isDirty)
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
}

extension RecordedRun {
    /// The name of the scenario's file without its extension, or the scenario's name.
    package var fileStem: String {
        let stem = ReportFolder.stem(ofFile: file)
        return stem.isEmpty ? scenario : stem
    }
}
