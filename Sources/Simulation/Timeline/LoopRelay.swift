// Threads of one virtual clock that take turns: client code may wait in the middle of an event while events continue.
// Guard: the thread with the baton; every other thread waits at its own gate for the baton.

internal import CRuntime
internal import Dispatch
internal import Foundation

/// One thread of a virtual clock.
final class RelayThread: @unchecked Sendable {
    fileprivate let gate = DispatchSemaphore(value: 0)
    fileprivate var isDismissed = false

    /// The calling one.
    static var current: RelayThread {
        if let known = stampede_thread_get() {
            return Unmanaged<RelayThread>.fromOpaque(known).takeUnretainedValue()
        }
        let made = RelayThread()
        made.becomesCurrent()
        return made
    }

    /// The calling thread is this one from here on. Retained for ever: such threads are few.
    fileprivate func becomesCurrent() { stampede_thread_set(Unmanaged.passRetained(self).toOpaque()) }
}

/// Exactly one thread of a virtual clock runs at a time: the thread with the baton. One thread runs the events.
/// All other threads wait in client code, or have returned from there and are idle.
///
/// Made when client code waits for the first time.
final class LoopRelay: @unchecked Sendable {
    /// The thread that called `run`.
    private let starter: RelayThread
    /// The thread that runs events.
    private var loop: RelayThread
    private var idle: [RelayThread] = []
    private var isStarterParked = false
    /// What the run came to.
    private(set) var outcome: Bool?

    private let body: Body

    /// What the clock does on whatever thread has its turn.
    struct Body {
        /// Runs events until they are over.
        let runEvents: () -> Void
        /// The baton has come to the calling thread.
        let received: () -> Void
        /// Goes on where the starter would, which waits in client code for ever.
        let starterIsLost: () -> Void
    }

    /// Of threads that run client code, in bytes.
    static let stackSize = 8 << 20

    /// On the thread that has run the events so far.
    init(_ body: Body) {
        self.body = body
        starter = .current
        // It may have run another clock before.
        starter.isDismissed = false
        loop = starter
    }

    /// Gives the baton away, and returns when `wake` has given it back.
    ///
    /// - Parameter keep: receives the thread to wake.
    func park(_ keep: (RelayThread) -> Void) {
        let me = RelayThread.current
        keep(me)
        if me === starter { isStarterParked = true }
        if loop === me { passLoop() } else { loop.gate.signal() }
        awaitBaton(me)
        if me === starter { isStarterParked = false }
    }

    /// Hands the baton to a thread that is parked. Called in an event; returns when the baton has come back.
    func wake(_ other: RelayThread) {
        let me = RelayThread.current
        precondition(me === loop, "a thread that waits is woken by an event")
        other.gate.signal()
        awaitBaton(me)
    }

    /// The event that the calling thread was in is over. False if there is nothing more for it to do.
    func goesOn() -> Bool {
        let me = RelayThread.current
        if loop === me { return true }
        // It comes back from client code, and another thread has run the events meanwhile.
        idle.append(me)
        loop.gate.signal()
        awaitBaton(me)
        return !me.isDismissed
    }

    /// No more events are to be run; called by the thread that ran the last one.
    func end(_ outcome: Bool) {
        let me = RelayThread.current
        self.outcome = outcome
        let others = idle
        idle = []
        for other in others {
            other.isDismissed = true
            other.gate.signal()
        }
        if me !== starter, isStarterParked { body.starterIsLost() }
    }

    private func passLoop() {
        if let next = idle.popLast() {
            loop = next
            next.gate.signal()
            return
        }
        let next = RelayThread()
        loop = next
        let thread = Thread { [self] in
            next.becomesCurrent()
            body.received()
            body.runEvents()
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    private func awaitBaton(_ me: RelayThread) {
        me.gate.wait()
        body.received()
    }
}
