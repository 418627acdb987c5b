// What both virtual clocks have in common: one thread runs a cell's events to their end.
// Guard: confined to the thread that called `run`; only `sendFromOutside` may be called elsewhere.

import Foundation
import Synchronization

/// The events of one cell. Every lane of the cell is this object.
package class VirtualClock: Lane, @unchecked Sendable {
    /// The thread that runs the cell, or 0. Read by others to see that they are not it.
    private let worker = Atomic<UInt>(0)
    final let outside = OutsideCalls()

    /// Virtual time ends here: 100 years. A cell that comes so far is broken off.
    package static let limit: Int64 = 100 * 365 * 86_400 * 1_000_000_000

    /// Events run so far.
    @exclusivity(unchecked) package internal(set) final var eventCount = 0

    /// Whether the run was broken off at the limit.
    package internal(set) final var hasReachedLimit = false

    package final override var isCurrent: Bool {
        let worker = worker.load(ordering: .relaxed)
        // Not running yet: any thread may build the cell.
        return worker == 0 || worker == pthread_self()
    }

    /// The calling thread runs the cell from here on.
    final func begin() { worker.store(pthread_self(), ordering: .relaxed) }
    final func end() { worker.store(0, ordering: .relaxed) }

    package final override func sendFromOutside(_ body: @escaping @Sendable () -> Void) { outside.add(body) }

    /// Runs events until `isDone` or none is left. `isDone` is asked after every event.
    ///
    /// Where nothing is left and `isDone` still says no, calls from outside are awaited for `patience` of real time:
    /// a client may have gone to a queue of its own. Returns whether it was done.
    package func run(until isDone: () -> Bool, patience: Span = .seconds(1)) -> Bool {
        preconditionFailure("a virtual clock runs its events as they are due, or explores")
    }

    /// Lets go of all events that have not been run, and of whatever these hold: the cell among it, which would never
    /// be freed otherwise, since it holds this clock.
    package func dropEvents() {
        preconditionFailure("a virtual clock knows which events are left")
    }
}
