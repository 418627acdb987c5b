// Threads that watch a run: one for its progress, one for signals.
// The pool's threads are all busy with the run, so neither may depend on Dispatch.

import Engine
import Foundation
import Reporting

/// Shows how far a run has come until it is stopped.
final class ProgressWatch: @unchecked Sendable {  // Guard: `condition`.
    private let run: Run
    private let display = ProgressDisplay()
    private let condition = NSCondition()
    private var isStopped = false
    private var hasEnded = false
    private let began = Date()

    private static let interval = 0.1

    init(_ run: Run) {
        self.run = run
        Thread { [self] in watch() }.start()
    }

    /// Clears the line; returns when nothing more will be written.
    func stop() {
        condition.lock()
        isStopped = true
        condition.broadcast()
        while !hasEnded { condition.wait() }
        condition.unlock()
        display.finish()
    }

    private func watch() {
        condition.lock()
        while !isStopped {
            _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
            if isStopped { break }
            condition.unlock()
            update()
            condition.lock()
        }
        hasEnded = true
        condition.broadcast()
        condition.unlock()
    }

    private func update() {
        let now = run.board.snapshot()
        let total = max(1, run.board.usersTotal)
        display.update(
            RunProgress(
                fraction: min(1, Double(now.usersDone) / Double(total)), usersDone: now.usersDone, usersTotal: total,
                purchases: now.purchases, violations: now.violations, crashes: now.crashes,
                p95PurchaseNanoseconds: now.purchaseP95, elapsedSeconds: Date().timeIntervalSince(began)))
    }
}

/// Stops a run in an orderly way at the first SIGINT or SIGTERM, and the process at the second.
enum InterruptWatch {
    static func install(stopping board: RunBoard) {
        // Blocked in every thread made from here on; one thread waits for them instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let watched = signals
        let thread = Thread {
            var signals = watched
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            board.requestStop()
            sigwait(&signals, &signal)
            _exit(ExitStatus.interrupted.rawValue)
        }
        thread.start()
    }
}
