// What watches a run: one for its progress, one for signals, each on a thread of its own.
// The pool's threads are all busy with the run, so neither may wait for one of them.

import Engine
import Foundation
import Reporting
import Synchronization

/// Runs what calls client code: shows its progress unless quiet, and ends it in an orderly way at the first signal.
func watched<Result>(
    _ work: any WatchedWork, quiet: Bool, in housing: WorkerHousing, _ body: () throws -> Result
) throws -> Result {
    try ClientCode.isAboutToRun(in: housing)
    let interrupts = InterruptWatch { work.requestStop() }
    let began = Date()
    let display = quiet ? nil : ProgressDisplay()
    let ticker = display.map { display in
        Ticker(every: 0.1) { display.update(work.progress(elapsed: Date().timeIntervalSince(began))) }
    }
    defer {
        ticker?.stop()
        display?.finish()
        ClientCode.hasRun()
        interrupts.clientCodeHasRun()
    }
    return try body()
}

/// Stops a run in an orderly way at the first SIGINT, SIGTERM or SIGHUP, and the process at the second.
final class InterruptWatch: Sendable {
    private let stop: @Sendable () -> Void
    private let signals: Signals
    /// In a process that keeps to one thread, until client code has run.
    private let ticker: Ticker?

    /// How often signals are looked for, in seconds.
    private static let period = 0.02

    /// - Parameter stop: called once.
    init(_ stop: @escaping @Sendable () -> Void) {
        let signals = Signals()
        (self.stop, self.signals) = (stop, signals)
        ticker =
            SingleThread.isKept
            ? Ticker(every: Self.period) { if signals.isNext() { Self.meet(signals, stop) } } : nil
        if ticker == nil { beginThread() }
    }

    /// From here on there may be other threads again.
    func clientCodeHasRun() {
        guard let ticker else { return }
        ticker.stop()
        beginThread()
    }

    private func beginThread() {
        Thread { [signals, stop] in
            while true {
                signals.awaitNext()
                Self.meet(signals, stop)
            }
        }.start()
    }

    private static func meet(_ signals: Signals, _ stop: () -> Void) {
        if signals.isFirst { return stop() }
        ClientCode.release()
        _exit(ExitStatus.interrupted.rawValue)
    }
}

/// Signals that are waited for: blocked in every thread made from here on.
private final class Signals: Sendable {
    private let watched: sigset_t
    private let count = Atomic<Int>(0)

    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Under nohup the terminal may go, and the run goes on.
        if !Self.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        watched = signals
    }

    /// Whether one has come. Does not wait.
    func isNext() -> Bool {
        var signals = watched
        var now = timespec()
        return sigtimedwait(&signals, nil, &now) > 0
    }

    func awaitNext() {
        var signals = watched
        var signal: Int32 = 0
        sigwait(&signals, &signal)
    }

    /// Asked once for each that has come.
    var isFirst: Bool { count.add(1, ordering: .relaxed).oldValue == 0 }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Of the union only the address can be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
