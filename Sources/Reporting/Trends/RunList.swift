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
                + "  " + run.commitText
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
        try ReportJSON.encode(["runs": runs])
    }
}

extension RecordedRun {
    /// The name of the scenario's file without its extension, or the scenario's name.
    package var fileStem: String {
        let stem = ReportFolder.stem(ofFile: file)
        return stem.isEmpty ? scenario : stem
    }
    /// `1a2b3c4d`, with `+` when files differed from the commit; a dash when no commit is known.
    var commitText: String {
        guard let commit else { return "-" }
        return TextLayout.safe(String(commit.prefix(8))) + (isDirty == true ? "+" : "")
    }
}
