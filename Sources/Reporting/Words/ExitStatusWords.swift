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
            (
                "compare: there is no base to compare with",
                "keep the report of a run on the main branch, and give it as the base"
            )
        case .reportNotWritten:
            ("the report, or the standard output, could not be written", "the message names the file and the cause")
        case .thresholdFailed: ("a threshold failed", "look at the actual value beside the limit")
        case .invalidInput:
            (
                "scenario, catalog or arguments are invalid: nothing was run",
                "read the problems, which are printed with their places"
            )
        case .interrupted: ("interrupted by a signal; everything judged so far is reported", "")
        case .clientCrashed:
            (
                "the client crashed or hung, or ended the process",
                "`client-crash`, `client-exit`, `client-hang` or `client-memory` names the call and the line; if the call is "
                    + "unknown, the reason names the cell"
            )
        case .harnessFault:
            (
                "a fault of the harness itself",
                "your client is not at fault: please report it, with everything that is listed beside the fault"
            )
        case .violationsFound: ("the audit found violations", "read the first one, and `replay` it")
        case .unknown:
            (
                "unknown: a threshold had nothing to judge, nothing was tried, the machine could not keep up, a time "
                    + "limit ended, a crash did not happen again, or another process killed a worker whose work could not "
                    + "be repeated",
                "read the reason; everything judged so far is reported; on the wall clock use fewer `--users`, or "
                    + "`--ignore-saturation`"
            )
        }
    }
}
