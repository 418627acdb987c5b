// What looks at something now and then.
// Any thread may stop it, but for one without a thread: the main thread.

import Dispatch
import Foundation

/// Calls a closure at intervals, one call at a time, until it is stopped.
///
/// On a thread of its own: Dispatch's may all be busy with the run, or stuck in it, and a timer would wait for them. In a
/// process that keeps to one thread, on that one, while it waits for its workers.
// Nothing here changes but the semaphores.
package final class Ticker: Sendable {
    private let stopping = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// Without a thread.
    private let duty: Int?

    /// - Parameters:
    ///   - seconds: before the first call, and from the end of each to the next.
    ///   - body: called on the ticker's thread, which must not stop the ticker.
    package init(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        duty = SingleThread.isKept ? SingleThread.add(every: seconds, body) : nil
        if duty != nil { return }
        Thread { [stopping, ended] in
            while stopping.wait(timeout: .now() + seconds) == .timedOut { body() }
            ended.signal()
        }.start()
    }

    /// Returns once a call that is under way is over: none comes after it.
    package func stop() {
        if let duty { return SingleThread.remove(duty) }
        stopping.signal()
        ended.wait()
        // A second stop does not wait.
        ended.signal()
    }
}
