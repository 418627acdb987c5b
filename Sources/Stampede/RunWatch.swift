// What watches a run: one for its progress, one for signals, each on a thread of its own.
// The pool's threads are all busy with the run, so neither may wait for one of them.

import Engine
import Foundation
import Judgement
import Reporting

/// Shows how far something has come until it is stopped.
final class ProgressWatch: Sendable {
    private let display: ProgressDisplay
    private let ticker: Ticker

    private static let interval = 0.1

    init(_ progress: @escaping @Sendable (_ elapsed: Double) -> RunProgress) {
        let display = ProgressDisplay()
        let began = Date()
        ticker = Ticker(every: Self.interval) { display.update(progress(Date().timeIntervalSince(began))) }
        self.display = display
    }

    /// Clears the line; returns when nothing more will be written.
    func stop() {
        ticker.stop()
        display.finish()
    }
}

extension ProgressWatch {
    convenience init(_ run: Run) {
        let board = run.board
        self.init { elapsed in
            let now = board.snapshot()
            let total = max(1, board.usersTotal)
            return RunProgress(
                fraction: Self.fraction(now.usersDone, of: total, after: elapsed, planned: board.plannedSeconds),
                done: now.usersDone, total: total,
                purchases: now.purchases, violations: now.violations, crashes: now.crashes,
                p95PurchaseNanoseconds: now.purchaseP95, elapsedSeconds: elapsed)
        }
    }

    /// Users who go on until their time is up are done all at once: until then, what counts is the time.
    static func fraction(_ done: Int, of total: Int, after elapsed: Double, planned: Double?) -> Double {
        let ofUsers = min(1, Double(done) / Double(total))
        guard let planned else { return ofUsers }
        return max(ofUsers, min(0.99, elapsed / planned))
    }

    convenience init(_ board: SweepBoard) {
        self.init { elapsed in
            let now = board.snapshot
            return RunProgress(
                fraction: Double(now.done) / Double(max(1, now.planned)), done: now.done, total: now.planned,
                unit: "trials", violations: now.failing, elapsedSeconds: elapsed)
        }
    }
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
