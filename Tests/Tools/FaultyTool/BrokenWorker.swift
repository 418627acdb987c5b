// Worker processes that break down by themselves, while no client code is to blame: as a mistake of the harness would have it.
// On a thread of its own in each worker.

import Foundation

enum BrokenWorker {
    nonisolated(unsafe) private static var nothing: Int?  // Guard: nobody writes it.

    /// Has workers break down if the environment asks for it. Before there are any.
    static func arrange() {
        if ProcessInfo.processInfo.environment["BROKEN_WORKER"] == nil { return }
        pthread_atfork(nil, nil) { Thread { BrokenWorker.breakDown() }.start() }
    }

    /// Once the worker is at work: it has handlers by then.
    private static func breakDown() {
        var action = sigaction()
        while action.__sigaction_handler.sa_handler == nil {
            usleep(10_000)
            sigaction(SIGILL, nil, &action)
        }
        usleep(20_000)
        exit(Int32(nothing!))
    }
}
