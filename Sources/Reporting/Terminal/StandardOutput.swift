// The standard output of the command, which client code in the same process must not write into.
// Guard: changed once, on the main thread, before any client code runs.

import Foundation

package enum StandardOutput {
    /// What the command itself writes into.
    nonisolated(unsafe) package private(set) static var descriptor = STDOUT_FILENO  // Guard: as above.

    /// From here on what client code prints goes to the standard error: the standard output may be a program's input.
    package static func keepFromClients() {
        guard descriptor == STDOUT_FILENO else { return }
        let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard own >= 0 else { return }
        fflush(nil)
        if dup2(STDERR_FILENO, STDOUT_FILENO) < 0 {
            close(own)
        } else {
            descriptor = own
        }
    }

    /// Whether a file's name means it: the file of that name may be another one by now.
    package static func isMeant(by path: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
    }
}
