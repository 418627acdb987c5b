// Where workers live.
// A value; any thread.

/// Where workers of the virtual clock live.
package enum WorkerHousing: Sendable {
    /// In this process. What the client does to one it does to all.
    case threads
    /// Each in a process of its own, forked from this one, which keeps to one thread meanwhile.
    case processes

    /// Whether no two of these workers run devices in the same process.
    package func isOneDeviceAtATime(_ workers: Int) -> Bool { self == .processes || workers == 1 }
}
