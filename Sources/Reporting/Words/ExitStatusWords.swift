// What the numbers that the process returns mean, and what to do about each.
// Pure; any thread.

package import ReportModel

extension ExitStatus {
    package var meaning: String { words.meaning }

    /// What to do about it; empty where there is nothing to do.
    package var advice: String { words.advice }

    private var words: (meaning: String, advice: String) {
        switch self {
        case .passed: ("passed", "")
        case .comparedWorse: ("compare: something got worse", "look at the figures that are marked")
        case .baseMissing:
            ("compare: there is no base to compare with", "keep the report of a run on the main branch, and name it")
        case .reportNotWritten:
            ("the report, or the standard output, could not be written", "the message names the file and the cause")
        case .thresholdFailed: ("a threshold failed", "look at the actual value beside the limit")
        case .invalidInput:
            ("scenario, catalog or arguments invalid: nothing was run", "every problem is printed, with its place")
        case .interrupted: ("interrupted by a signal; what was judged so far is reported", "")
        case .clientCrashed:
            (
                "the client crashed or hung, or ended the process",
                "`client-crash`, `client-exit`, `client-hang` or `client-memory` tells in which call and at which line; what "
                    + "cannot be placed is told with its cell"
            )
        case .harnessFault:
            (
                "a fault of the harness itself",
                "not your client's: please report it; beside the fault stands what to send"
            )
        case .violationsFound: ("the audit found violations", "read the first one, and `replay` it")
        case .unknown:
            (
                "unknown: a threshold had nothing to judge, nothing was tried, the machine could not keep up, a time "
                    + "limit was over, a crash did not come again, or somebody killed a worker whose work could not be done once "
                    + "more",
                "the reason names which; what was judged by then is reported; on the wall clock fewer `--users`, or `--ignore-saturation`"
            )
        }
    }
}
