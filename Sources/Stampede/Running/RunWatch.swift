// What watches a run: one for its progress, one for signals, each on a thread of its own.
// The pool's threads are all busy with the run, so neither may wait for one of them.

import Engine
import Foundation
import Reporting

/// Runs what calls client code: shows its progress unless quiet, and ends it in an orderly way at the first signal.
func watched<Result>(_ work: any WatchedWork, quiet: Bool, _ body: () throws -> Result) rethrows -> Result {
    ClientCode.isAboutToRun()
    InterruptWatch.install { work.requestStop() }
    let began = Date()
    let display = quiet ? nil : ProgressDisplay()
    let ticker = display.map { display in
        Ticker(every: 0.1) { display.update(work.progress(elapsed: Date().timeIntervalSince(began))) }
    }
    defer {
        ticker?.stop()
        display?.finish()
    }
    return try body()
}

/// Stops a run in an orderly way at the first SIGINT, SIGTERM or SIGHUP, and the process at the second.
enum InterruptWatch {
    static func install(_ stop: @escaping @Sendable () -> Void) {
        // Blocked in every thread made from here on; one thread waits for them instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Under nohup the terminal may go, and the run goes on.
        if !isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let watched = signals
        let thread = Thread {
            var signals = watched
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            stop()
            sigwait(&signals, &signal)
            ClientCode.release()
            _exit(ExitStatus.interrupted.rawValue)
        }
        thread.start()
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Of the union only the address can be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
