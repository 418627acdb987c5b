// Plain output to the process's streams.
// Any thread.

import Files
import Foundation
import ReportModel
import Reporting
import Text

enum Terminal {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var failure: SystemError?  // Guard: `lock`.

    static func write(_ text: String, toErrors: Bool = false) {
        do {
            try OutputFile.put(
                Data(text.utf8), into: toErrors ? STDERR_FILENO : StandardOutput.descriptor,
                path: "the standard output")
        } catch {
            // A reader that has gone away is no reason to fail; a failure of the standard error has no stream left.
            if error.number != EPIPE, !toErrors { lock.withLock { failure = failure ?? error } }
        }
    }

    /// A report as JSON.
    static func write(_ report: some JSONReport) throws { write(String(decoding: try report.json(), as: UTF8.self)) }

    /// What does not keep a command from its work, on the standard error.
    static func warn(_ message: String, hint: String) {
        write(TerminalStyle.detected(descriptor: STDERR_FILENO).warning(message, hint: hint) + "\n", toErrors: true)
    }

    /// What is lost of the standard output, if anything is.
    static var problem: CommandProblem? {
        lock.withLock { failure }.map {
            CommandProblem(
                "\($0.path) could not be written: \($0.reason)",
                hint: $0.number == ENOSPC ? "free some space, or write to another place" : "send it elsewhere",
                status: .reportNotWritten)
        }
    }

    /// The width to lay text out for: the terminal's, else 80.
    static var width: Int {
        let descriptor = StandardOutput.descriptor
        guard isatty(descriptor) == 1, let columns = TerminalStyle.columns(descriptor), columns >= 40 else { return 80 }
        return min(columns, 120)
    }
}
