// Client code runs in the command's own process, or in one that is forked from it: it may print, and it may end the
// process. Neither gets into what the command says.
// Any thread, except what says otherwise.

import CHostCalls
import ClientKit
import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Simulation

enum ClientCode {
    /// What clients print goes to the standard error from here on, and until `release` whoever ends the process ends it
    /// with the code of a client that crashed. Main thread, at the beginning.
    ///
    /// - Parameter housing: where it runs.
    static func isAboutToRun(in housing: WorkerHousing) throws {
        ClientStatics.findOnce()
        if AppRuntime.isInForce, !SwiftLibraries.current.areKnown {
            Terminal.warn(SwiftLibraries.current.problem, hint: SwiftLibraries.remedy)
        }
        if housing == .processes {
            if let count = SingleThread.threadCount, count > 1 {
                throw CommandProblem(
                    "this process already has \(count) threads: workers can be forked only from a single thread",
                    hint: "call Stampede.main before anything else, or use --workers-in-process")
            }
            SingleThread.keep()
        }
        RunFolder.removeLeftBehind()
        StandardOutput.keepFromClients()
        guardEnd()
        if housing == .threads { FatalNotes.endWhenBroken(broken.text, status: broken.status.rawValue) }
        // Where our functions do not stand in front of the C library's, this is told of an orderly exit at least.
        atexit { stampede_meet_exit() }
    }

    private static var broken: (text: String, status: ExitStatus) {
        let problem = CommandProblem(
            "the process crashed outside the client's code, after an earlier crash of the client in this process",
            hint: "nothing was judged; the client may have overwritten memory that is not its own; "
                + "with --clock virtual each crash has its own process",
            status: .clientCrashed)
        return (problem.rendered, problem.status)
    }

    /// There may be threads again. Main thread.
    static func hasRun() { SingleThread.release() }

    /// The command itself is about to end the process.
    static func release() { stampede_release_end() }

    private static func guardEnd() { stampede_guard_end { ClientCode.meetEnd($0) } }

    private static func meetEnd(_ call: UnsafePointer<CChar>?) {
        if FatalNotes.areTaken {
            // Whoever is next is met as well.
            guardEnd()
            FatalNotes.meetExit(call)
        }
        // What is told here is not the app's to print.
        AppRuntime.leaveClientCode()
        CommandProblem(
            "the client ended the process (\(call.map { String(cString: $0) } ?? "exit")) before the run was over",
            hint: "nothing was judged; AppEnvironment.assertionFailed() ends only the simulated app",
            status: .clientCrashed
        ).print()
        RunFolder.remove()
        stampede_end(ExitStatus.clientCrashed.rawValue)
    }
}
