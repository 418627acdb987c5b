// Client code runs in the command's own process: it may print, and it may end the process. Neither gets into what the
// command says.
// Any thread, except what says otherwise.

import CHostCalls
import ClientKit
import Foundation
import Reporting

enum ClientCode {
    /// What clients print goes to the standard error from here on, and until `release` whoever ends the process ends it
    /// with the code of a client that crashed. Main thread, at the beginning.
    static func isAboutToRun() {
        StandardOutput.keepFromClients()
        stampede_guard_end { call in ClientCode.meetEnd(call.map { String(cString: $0) } ?? "exit") }
        // Where our functions do not stand in front of the C library's, this is told of an orderly exit at least.
        atexit { stampede_meet_exit() }
    }

    /// The command itself is about to end the process.
    static func release() { stampede_release_end() }

    private static func meetEnd(_ call: String) {
        CommandProblem(
            "the client ended the process (\(call)) before the run was over",
            hint: "nothing was judged; AppEnvironment.assertionFailed() ends the simulated app, and nothing else",
            status: .clientCrashed
        ).print()
        ReceiptFolder.remove()
        stampede_end(ExitStatus.clientCrashed.rawValue)
    }
}
