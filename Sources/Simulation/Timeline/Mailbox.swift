// What happens one after the other under the wall clock, on whatever thread of a pool has time for it.
// Any thread; `lock` guards the lines.

internal import Foundation

/// Events in the order in which they were put in. A thread that waits in the middle of one leaves the rest to others, and
/// comes back in line before them.
package final class Mailbox: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let pool: ThreadPool
    private var events = Line<() -> Void>()
    private var returning = Line<WallThread>()
    /// A thread runs events, or is about to.
    private var isTaken = false

    /// So many, and others of the pool's jobs have their turn.
    private static let eventsAtOnce = 32

    init(pool: ThreadPool) { self.pool = pool }

    func put(_ event: @escaping () -> Void) {
        lock.lock()
        events.append(event)
        let isFirst = !isTaken
        isTaken = true
        lock.unlock()
        if isFirst { submit() }
    }

    /// The calling thread leaves it, in the middle of an event or after `enter`.
    func leave() {
        lock.lock()
        if let other = returning.popFirst() {
            lock.unlock()
            other.gate.signal()
            return
        }
        isTaken = !events.isEmpty
        let goesOn = isTaken
        lock.unlock()
        if goesOn { submit() }
    }

    /// Returns when nobody else is in it: what the calling thread does now is as if it were an event.
    func enter(_ thread: WallThread) {
        lock.lock()
        if isTaken {
            returning.append(thread)
            lock.unlock()
            thread.gate.wait()
        } else {
            isTaken = true
            lock.unlock()
        }
    }

    private func submit() { pool.submit { [self] in serve() } }

    private func serve() {
        for _ in 0..<Self.eventsAtOnce {
            guard let event = next() else { return }
            event()
        }
        submit()
    }

    /// Nil if it was handed over to a thread that had waited, or if there is nothing to do.
    private func next() -> (() -> Void)? {
        lock.lock()
        if let other = returning.popFirst() {
            lock.unlock()
            other.gate.signal()
            return nil
        }
        let event = events.popFirst()
        if event == nil { isTaken = false }
        lock.unlock()
        return event
    }
}
