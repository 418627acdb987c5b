// What happens one after the other under the wall clock, on whatever thread of a pool has time for it.
// Any thread; `lock` guards the lines.

internal import Foundation

/// Events in the order in which they were put in. A thread that waits in the middle of one leaves the rest to others, and
/// stands in line with them when it has waited.
package final class Mailbox: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let pool: ThreadPool
    private var turns = Line<Turn>()
    /// A thread runs events, or is about to.
    private var isTaken = false

    private enum Turn {
        case event(() -> Void)
        /// A thread that has waited, or comes from elsewhere.
        case thread(WallThread)
    }

    /// So many, and others of the pool's jobs have their turn.
    private static let eventsAtOnce = 32

    init(pool: ThreadPool) { self.pool = pool }

    func put(_ event: @escaping () -> Void) {
        lock.lock()
        turns.append(.event(event))
        let isFirst = !isTaken
        isTaken = true
        lock.unlock()
        if isFirst { submit() }
    }

    /// The calling thread leaves it, in the middle of an event or after `enter`.
    func leave() {
        lock.lock()
        isTaken = !turns.isEmpty
        let goesOn = isTaken
        lock.unlock()
        if goesOn { submit() }
    }

    /// Returns when no other thread is in the mailbox: what the calling thread does next is as if it were an event.
    func enter(_ thread: WallThread) {
        lock.lock()
        if isTaken {
            turns.append(.thread(thread))
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
        let turn = turns.popFirst()
        if turn == nil { isTaken = false }
        lock.unlock()
        switch turn {
        case .event(let event): return event
        case .thread(let other):
            other.gate.signal()
            return nil
        case nil: return nil
        }
    }
}
