// A thread that looks at something now and then.
// Any thread may stop it.

import Dispatch
import Foundation

/// Calls a closure at intervals, one call at a time, until it is stopped.
///
/// On a thread of its own: Dispatch's may all be busy with the run, or stuck in it, and a timer would wait for them.
// Nothing here changes but the semaphores.
package final class Ticker: Sendable {
    private let stopping = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - seconds: before the first call, and from the end of each to the next.
    ///   - body: called on the ticker's thread, which must not stop the ticker.
    package init(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        Thread { [stopping, ended] in
            while stopping.wait(timeout: .now() + seconds) == .timedOut { body() }
            ended.signal()
        }.start()
    }

    /// Returns once a call that is under way is over: none comes after it.
    package func stop() {
        stopping.signal()
        ended.wait()
        // A second stop does not wait.
        ended.signal()
    }
}
