// Which client code a thread runs right now, for the watchdog.
// Written by the thread alone, but for `state`; read by any.

internal import Dispatch
internal import Synchronization

/// One thread's calls into client code, the outermost of them: what is called from within a call belongs to it.
///
/// The hot path is two plain stores to begin, and a load and a store to end: no lock, no clock.
package final class CallSlot: Sendable {
    /// What runs, as encoded by its caller; zero between calls.
    private let word = Atomic<UInt>(0)
    /// Calls begun so far: tells a long call from two alike.
    private let count = Atomic<Int>(0)
    private let state = Atomic<State>(.watched)
    private let resumed = DispatchSemaphore(value: 0)
    private let aside = Atomic<Bool>(false)

    private enum State: UInt8, AtomicRepresentable {
        case watched
        /// The watchdog timed out: if the call does return, its thread parks there.
        case abandoned
        /// It came back, and its thread stands still.
        case parked
    }

    package init() {}

    /// Of a process in which client code runs on one thread at a time; nil where it has several. Guard: set before there is
    /// client code.
    nonisolated(unsafe) package static var ofProcess: CallSlot?

    /// A moment's sight of the slot.
    package struct Sight: Equatable, Sendable {
        package let word: UInt
        package let count: Int
    }

    package var sight: Sight {
        // The count first: a word seen afterwards is that call's or a later one's, and then the next sight differs.
        let count = count.load(ordering: .acquiring)
        return Sight(word: word.load(ordering: .acquiring), count: count)
    }

    /// Of the latest call.
    var number: Int { count.load(ordering: .acquiring) }

    // MARK: The thread

    @inline(__always)
    var isFree: Bool { word.load(ordering: .relaxed) == 0 }

    @inline(__always)
    func begin(_ call: UInt) {
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .releasing)
        word.store(call, ordering: .releasing)
    }

    @inline(__always)
    func end() {
        if state.load(ordering: .acquiring) != .watched { park() }
        word.store(0, ordering: .releasing)
    }

    /// The call waits for something of the device's own, and other events go on: it is not what the thread runs now.
    func suspend() -> UInt { word.exchange(0, ordering: .acquiringAndReleasing) }

    /// What was suspended goes on.
    func resume(_ call: UInt) {
        if call == 0 { word.store(0, ordering: .releasing) } else { begin(call) }
    }

    @inline(never)
    private func park() {
        if state.compareExchange(expected: .abandoned, desired: .parked, ordering: .acquiringAndReleasing).exchanged {
            resumed.wait()
        }
    }

    /// Whether the call waits, and others go on where it was made.
    package internal(set) var isAside: Bool {
        get { aside.load(ordering: .relaxed) }
        set { aside.store(newValue, ordering: .relaxed) }
    }

    // MARK: The watch

    /// Has the thread stop as soon as its call comes back.
    package func abandon() { state.store(.abandoned, ordering: .sequentiallyConsistent) }

    /// Whether the thread, abandoned some time ago, can do nothing any more: it stands still, or is still in the call
    /// that was seen then. If not, the call came back in the last moment, and the thread resumes.
    package func isLost(since seen: Sight) -> Bool {
        if sight == seen { return true }
        return !state.compareExchange(expected: .abandoned, desired: .watched, ordering: .acquiringAndReleasing)
            .exchanged
    }

    /// Lets the thread go on from where it stands, or will.
    package func letGo() {
        if state.exchange(.watched, ordering: .acquiringAndReleasing) == .parked { resumed.signal() }
    }
}
