// What every emitted file says of its run: the command lines, the folders, the exit codes.
// Pure; any thread.

import ReportModel
import Reporting
import Scenario
import Text

struct EmittedRun {
    /// The program, as it is called where the file is used.
    let program: String
    /// What `run` is given: the scenario, and what was asked for instead of its own values.
    let words: [String]
    /// The scenario's file and its catalog, as the file is to name them.
    let files: [String]
    let shards: Int
    let clock: RunClock
    /// Of the folders of its reports: `quickstart-reference-1`.
    let stem: String
    /// The command line that made the file, for its head.
    let madeBy: String
    /// What the file is called; nil where it is not known.
    let name: String?

    /// A command line is at most as long as Linux lets it be with the usual limit of the stack, less a place for the
    /// environment.
    static let mergeBytesMax = 2 << 20 - 128 << 10

    /// Parts of a run in real time that began one after the other would not be one run.
    var startsTogether: Bool { clock == .wall }

    /// What `run` is given, as a shell takes it.
    var arguments: String { words.map(ShellWord.quoted).joined(separator: " ") }

    /// Where parts, logs and the report go, unless something else is asked for.
    var folder: String { "Reports/\(stem)-of-\(shards)" }

    /// The names of the parts' folders.
    var parts: String { "*-part-*-of-\(shards)" }

    /// What the names of all parts take on the command line of `merge`, with the pointers to them.
    var mergeBytes: Int {
        let longest = "\(folder)/parts/\(stem)-part-\(shards)-of-\(shards)"
        return shards * (longest.utf8.count + 1 + 8)
    }

    var scenario: String { words[0] }

    /// Lines for the head of a file.
    var exitCodes: String {
        """
        # \(ExitStatus.passed.rawValue) passed, \(ExitStatus.thresholdFailed.rawValue) a threshold failed, \
        \(ExitStatus.violationsFound.rawValue) the audit found violations, \(ExitStatus.invalidInput.rawValue) a part \
        is missing, doubled or from another
        # build: the merge names it and judges nothing. 'stampede list exit-codes' explains all codes.
        """
    }

    /// The first lines of a file.
    func head(_ place: String) -> String {
        """
        # Runs \(scenario) in \(HumanNumbers.quantity(shards, "part")) \(place), and merges them into one report. Made by:
        #   \(madeBy)
        """
    }
}
