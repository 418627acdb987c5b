// What is said of faults of the harness itself, wherever they are shown.
// Pure; any thread.

package enum HarnessFaultWords {
    static let heading = "Faults of Stampede, not of the client"

    /// What whoever mends it needs.
    package static let appeal =
        "Please report it, with `report.json` (it holds the scenario, its catalog and the seed), what `stampede --version` "
        + "says, and the client's code if you can share it. What it says of your client may be wrong."

    /// The faults, and what to do about them; nothing for none.
    static func lines(_ report: Report) -> [String] {
        report.harnessFaults.isEmpty ? [] : report.harnessFaults + [appeal]
    }
}
