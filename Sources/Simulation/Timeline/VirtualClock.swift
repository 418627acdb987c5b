// What both virtual clocks have in common: one thread runs a cell's events to their end.
// Guard: confined to the thread that called `run`; only `sendFromOutside` may be called elsewhere.

internal import Dispatch
import Foundation
internal import Statics
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

    package final override func sendFromOutside(_ body: @escaping @Sendable () -> Void) { outside.add(body) }

    // MARK: Running

    private var isDone: () -> Bool = { true }
    private(set) final var patience = Span.zero
    /// Made when a thread waits in client code for the first time.
    @exclusivity(unchecked) private final var relay: LoopRelay?
    /// Whether client code has waited, so that not all events were run by one thread.
    package private(set) final var hasRelayed = false
    /// Called on another thread, instead of `run` returning, if the thread that called `run` waits in client code for ever.
    /// Told whether it was done.
    package final var onStarterLost: ((Bool) -> Void)?

    /// Runs events until `isDone` or none is left. `isDone` is asked after every event.
    ///
    /// Where nothing is left and `isDone` still says no, calls from outside are awaited for `patience` of real time:
    /// a client may have gone to a queue of its own. Returns whether it was done.
    package final func run(until isDone: @escaping () -> Bool, patience: Span = .seconds(1)) -> Bool {
        self.isDone = isDone
        self.patience = patience
        begin()
        defer {
            self.isDone = { true }
            relay = nil
            end()
        }
        let outcome = runEvents { isDone() }
        guard let relay else { return outcome }
        if relay.outcome == nil { relay.end(outcome) }
        return relay.outcome ?? outcome
    }

    /// `run` on a thread of its own: the caller goes on even if client code waits there for ever.
    package final func runApart(until isDone: @escaping () -> Bool, patience: Span = .seconds(1)) -> Bool {
        let outcome = ApartOutcome()
        onStarterLost = { outcome.give($0) }
        let transfer = UnsafeTransfer(isDone)
        let thread = Thread { [self] in
            let isDone = run(until: transfer.value, patience: patience)
            DeviceData.leave()
            outcome.give(isDone)
        }
        thread.stackSize = LoopRelay.stackSize
        thread.start()
        defer { onStarterLost = nil }
        return outcome.wait()
    }

    /// In an event of `runApart`: its caller goes on, and the calling thread stands still for ever, with all others that the
    /// clock has. Retained for ever is what they hold.
    package final func breakOff() -> Never {
        precondition(onStarterLost != nil, "no thread would continue")
        DeviceData.leave()
        end()
        onStarterLost?(false)
        Self.standStill()
    }

    /// The calling thread does nothing any more.
    package static func standStill() -> Never {
        while true { Thread.sleep(forTimeInterval: 86_400) }
    }

    /// What one thread waits for and another brings.
    private final class ApartOutcome: @unchecked Sendable {  // Guard: `given`.
        private let given = DispatchSemaphore(value: 0)
        private var isDone = false

        func give(_ isDone: Bool) {
            self.isDone = isDone
            given.signal()
        }

        func wait() -> Bool {
            given.wait()
            return isDone
        }
    }

    /// Runs events on the calling thread, as `run` says; ends early where `goesOn` says so.
    func runEvents(until isDone: () -> Bool) -> Bool {
        preconditionFailure("a virtual clock runs its events as they are due, or explores")
    }

    /// Asked after each event: whether the calling thread runs the next one too.
    @inline(__always)
    final func goesOn() -> Bool { relay == nil || goesOnInRelay() }

    @inline(never)
    private func goesOnInRelay() -> Bool { relay?.goesOn() ?? true }

    /// The calling thread runs the cell from here on.
    private func begin() { worker.store(pthread_self(), ordering: .relaxed) }
    private func end() { worker.store(0, ordering: .relaxed) }

    /// Client code waits: other threads run events until this one is woken.
    final func park(_ keep: (RelayThread) -> Void) {
        let relay = relay ?? makeRelay()
        let slot = callSlot?._withUnsafeGuaranteedRef { $0.suspend() }
        relay.park(keep)
        if let slot { callSlot?._withUnsafeGuaranteedRef { $0.resume(slot) } }
    }

    /// In an event: a thread that waits goes on. Returns when it waits again, or its own event is over.
    final func wake(_ thread: RelayThread) {
        let slot = callSlot?._withUnsafeGuaranteedRef { $0.suspend() }
        relay?.wake(thread)
        if let slot { callSlot?._withUnsafeGuaranteedRef { $0.resume(slot) } }
    }

    private func makeRelay() -> LoopRelay {
        let made = LoopRelay(
            LoopRelay.Body(
                runEvents: { [self] in
                    let outcome = runEvents(until: isDone)
                    if let relay, relay.outcome == nil { relay.end(outcome) }
                },
                received: { [self] in begin() },
                starterIsLost: { [self] in onStarterLost?(relay?.outcome ?? false) }))
        relay = made
        hasRelayed = true
        return made
    }

    /// Lets go of all events that have not been run, and of whatever these hold: the cell among it, which would never
    /// be freed otherwise, since it holds this clock.
    package func dropEvents() {
        preconditionFailure("a virtual clock knows which events are left")
    }
}
