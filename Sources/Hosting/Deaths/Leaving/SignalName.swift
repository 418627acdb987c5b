// Signals by their names.
// Pure; any thread.

import Foundation

package enum SignalName {
    /// The name of a signal, such as `SIGSEGV`; `signal 42` for a signal without a name here.
    package static func of(_ number: Int32) -> String { names[number] ?? "signal \(number)" }

    /// Those that a program's own mistakes bring about, and those that others send.
    package static let names: [Int32: String] = [
        SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL",
        SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV",
        SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    ]
}
