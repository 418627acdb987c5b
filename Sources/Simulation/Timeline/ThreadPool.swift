// Threads for lanes and queues under the wall clock: one runs for each core, and more replace threads that wait.
// Any thread; `lock` guards what a pool knows.

internal import CRuntime
internal import Dispatch
internal import Foundation

/// A thread on which devices run under the wall clock: a thread of a pool, or a thread that client code has made.
final class WallThread: @unchecked Sendable {  // Guard: the thread itself, but for `gate`.
    /// It waits here for its turn.
    let gate = DispatchSemaphore(value: 0)
    /// Nil: the client's own.
    let pool: ThreadPool?
    /// What it left to others while it waits.
    var left: WallLane?
    /// Whether its device counts what it runs as outstanding.
    var isCounted = false
    /// It waits in one of the runtime's own ways.
    var isWaiting = false
    /// The call that it waits in, as the watchdog's slot had it.
    var suspendedCall: UInt = 0

    fileprivate init(pool: ThreadPool?) { self.pool = pool }

    /// The lane whose event the calling thread runs. The code that runs events retains their lane.
    static var lane: WallLane? {
        get { stampede_wall_lane_get().map { Unmanaged<WallLane>.fromOpaque($0).takeUnretainedValue() } }
        set { stampede_wall_lane_set(newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }

    /// The calling one, if it was one before. In a signal's handler too.
    static var known: WallThread? {
        stampede_wall_thread_get().map { Unmanaged<WallThread>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The calling one.
    static var current: WallThread {
        if let known { return known }
        // What it is made of is the harness's own, even on a thread that runs client code.
        let frame = stampede_step_out()
        let made = WallThread(pool: nil)
        made.becomesCurrent()
        stampede_step_in(frame)
        return made
    }

    /// The calling thread is this one from here on. Retained for ever: it may be asked for until its thread ends.
    fileprivate func becomesCurrent() { stampede_wall_thread_set(Unmanaged.passRetained(self).toOpaque()) }
}

/// Runs jobs in the order in which they come, as many at once as there are cores. A thread that waits in client code does
/// not count, and there may be thousands of them.
package final class ThreadPool: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var jobs = Line<() -> Void>()
    private var idle: [WallThread] = []
    /// How many threads are at work, or about to be.
    private var running = 0
    private let width: Int

    /// Of its threads, in bytes. What is not touched takes no memory.
    private static let stackSize = 4 << 20
    /// A thread without work ends after so long.
    private static let patience = DispatchTimeInterval.seconds(2)

    package init(width: Int = ProcessInfo.processInfo.activeProcessorCount) { self.width = max(1, width) }

    package func submit(_ job: @escaping () -> Void) {
        lock.lock()
        jobs.append(job)
        let helper = takeHelper()
        lock.unlock()
        helper?.begin(in: self)
    }

    /// The calling thread, one of the pool's, is about to wait.
    func waitBegins() {
        lock.lock()
        running -= 1
        let helper = takeHelper()
        lock.unlock()
        helper?.begin(in: self)
    }

    /// It has waited. More may run than there are cores until one of them has done its job.
    func waitEnds() { lock.withLock { running += 1 } }

    private enum Helper {
        case idle(WallThread)
        case new

        func begin(in pool: ThreadPool) {
            switch self {
            case .idle(let thread): thread.gate.signal()
            case .new: pool.startThread()
            }
        }
    }

    /// Whom to wake for a job that waits. The lock is held.
    private func takeHelper() -> Helper? {
        guard running < width, !jobs.isEmpty else { return nil }
        running += 1
        return idle.popLast().map(Helper.idle) ?? .new
    }

    private func startThread() {
        // It is not client code that makes it, even if that is what the calling thread runs.
        let frame = stampede_step_out()
        let thread = Thread { [self] in
            let me = WallThread(pool: self)
            me.becomesCurrent()
            serve(me)
        }
        thread.stackSize = Self.stackSize
        thread.start()
        stampede_step_in(frame)
    }

    private func serve(_ me: WallThread) {
        while true {
            lock.lock()
            if running <= width, let job = jobs.popFirst() {
                lock.unlock()
                job()
                continue
            }
            running -= 1
            idle.append(me)
            lock.unlock()
            if me.gate.wait(timeout: .now() + Self.patience) == .timedOut, leaves(me) { return }
        }
    }

    /// Whether an idle thread may end: somebody may have woken it just now.
    private func leaves(_ me: WallThread) -> Bool {
        lock.lock()
        if let place = idle.firstIndex(where: { $0 === me }) {
            idle.remove(at: place)
            lock.unlock()
            return true
        }
        lock.unlock()
        me.gate.wait()
        return false
    }
}

/// First in, first out.
struct Line<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first].take()
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64, first * 2 >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}
