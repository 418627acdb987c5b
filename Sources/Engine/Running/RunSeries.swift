// Runs one after the other, as one piece of work that can be watched and stopped.
// Any thread, but for `perform`: one run at a time.

import Foundation
package import Hosting
import Judgement

package final class RunSeries: @unchecked Sendable {  // Guard: `lock`.
    package let total: Int
    private let lock = NSLock()
    private var done = 0
    private var violations = 0
    private var board: RunBoard?
    private let stop = StopRequest()

    package init(total: Int) { self.total = total }

    package func requestStop(_ cause: StopCause) {
        lock.withLock {
            stop.make(cause)
            board?.stop.make(cause)
        }
    }

    /// Nil: all runs were asked for to their ends.
    package var stopCause: StopCause? { stop.cause }

    /// Nil once a stop has been asked for: half a run does not count.
    package func perform(_ options: RunOptions) -> RunResult? {
        let run = Run(options)
        lock.withLock {
            board = run.board
            if let cause = stop.cause { run.board.stop.make(cause) }
        }
        if run.board.stop.isMade { return nil }
        let result = run.perform()
        lock.withLock {
            done += 1
            violations += result.collector.violationCounts.values.reduce(0, +)
        }
        return result.wasStopped ? nil : result
    }

    /// Runs that have ended, how far the present one has come from 0 to 1, and the violations of all of them.
    package var snapshot: (done: Int, part: Double, violations: Int) {
        lock.withLock {
            guard let board else { return (done, 0, violations) }
            let now = board.snapshot()
            return (done, Double(now.usersDone) / Double(max(1, board.usersTotal)), violations + now.violations)
        }
    }
}
