// What is said of faults of the harness itself, wherever they are shown.
// Pure; any thread.

import Engine
import Hosting
import Judgement
import ReportModel

package enum HarnessFaultWords {
    static let heading = "Faults of Stampede, not of the client"

    /// What whoever mends it needs.
    package static let appeal =
        "Please report it, with `report.json` (which contains the scenario, its catalog and the seed), the output of "
        + "`stampede --version`, and the client's code if you can share it. The findings about your client may be wrong."

    /// The faults of a run.
    ///
    /// - Parameter replay: the command that runs a user again.
    static func sentences(of result: RunResult, replay: (Int) -> String) -> [String] {
        let broken = result.collector.faults.map {
            "\($0.fault.sentence) (user \($0.user), cell \($0.cell)): \(replay($0.user))"
        }
        let stuck = result.stuckCells.map { "cell \($0): users wait, but no event is left" }
        let death = result.death.flatMap { $0.blame == .harness ? $0.faultWords : nil }
        return broken + stuck + [death].compactMap(\.self)
    }

    /// The faults, and what to do about them; nothing for none.
    static func lines(_ report: Report) -> [String] {
        report.harnessFaults.isEmpty ? [] : report.harnessFaults + [appeal]
    }
}
