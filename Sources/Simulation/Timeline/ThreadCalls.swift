// The threads of a run on the wall clock that are in client code, and for how long.
// Any thread; each entry is written by its own.

internal import CRuntime
internal import Foundation
internal import Synchronization

/// The calls into client code of one run, on whatever threads they are made.
package final class ThreadCalls: Sendable {
    private let number = ThreadCalls.latest.add(1, ordering: .relaxed).newValue
    package let pulse = Pulse()

    private static let latest = Atomic<Int>(0)

    package init() {}

    /// The slots of threads that are in this run's client code now.
    package var slots: [CallSlot] {
        CallingThread.all.filter { $0.run.load(ordering: .acquiring) == number }.map(\.slot)
    }

    /// The calling thread, if it is in no call yet.
    func thread() -> CallingThread? {
        let thread = CallingThread.current
        guard thread.slot.isFree else { return nil }
        thread.run.store(number, ordering: .releasing)
        return thread
    }
}

/// Where it is counted what a thread has allocated, and what it has freed, in bytes. To be read as long as the thread lives.
package struct ThreadMemory: @unchecked Sendable {  // Unchecked: addresses that never change.
    private let allocated: UnsafePointer<UInt64>
    private let freed: UnsafePointer<UInt64>

    package init(allocated: UnsafePointer<UInt64>, freed: UnsafePointer<UInt64>) {
        (self.allocated, self.freed) = (allocated, freed)
    }

    var heldBytes: Int { Int(bitPattern: UInt(truncatingIfNeeded: allocated.pointee &- freed.pointee)) }
}

/// A thread that has run client code. Lives as long as the thread.
final class CallingThread: @unchecked Sendable {  // Guard: the thread itself, but for what is atomic, and `slot`.
    let slot = CallSlot()
    private let thread = pthread_self()
    /// The number of a call that it is to leave, because it does not come back; 0: none.
    private let overdueCall = Atomic<Int>(0)
    /// For how long that had lasted, in nanoseconds.
    private let overdueTime = Atomic<Int64>(0)
    /// How much memory it had come to hold, if it is to be left for that; 0: it is not.
    private let overdueMemory = Atomic<Int>(0)
    /// Guard: set before the thread is in `threads`, read under `lock`.
    private var memory: ThreadMemory?
    /// Whether it may leave it where it waits for the system.
    private let isBlocked = Atomic<Bool>(false)
    /// As the kernel counts threads.
    private let number = stampede_thread_number()
    /// Of the latest call.
    let run = Atomic<Int>(0)
    /// What the kernel had counted shortly before the call that runs.
    private var before = ThreadCosts(waited: nil, computed: 0)
    /// When that was.
    private var readAt: Int64?

    /// A reading this old will do: its age is what a judgement is kinder by.
    private static let readingAge: Int64 = 10_000_000

    /// Called on each. Guard: set before there are any.
    nonisolated(unsafe) static var onBegin: (@Sendable () -> ThreadMemory?)?
    nonisolated(unsafe) static var onEnd: (@Sendable () -> Void)?

    private static let lock = NSLock()
    nonisolated(unsafe) private static var threads: [CallingThread] = []  // Guard: `lock`.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { pointer in
            guard let pointer else { return }
            let thread = Unmanaged<CallingThread>.fromOpaque(pointer).takeRetainedValue()
            onEnd?()
            lock.withLock { threads.removeAll { $0 === thread } }
        }
        precondition(status == 0, "no key for thread data: \(status)")
        return key
    }()

    static var all: [CallingThread] { lock.withLock { threads } }

    /// The calling one, if it has run client code. In a signal's handler too, once that has been asked for elsewhere.
    private static var known: CallingThread? {
        pthread_getspecific(key).map { Unmanaged<CallingThread>.fromOpaque($0).takeUnretainedValue() }
    }

    static var current: CallingThread {
        if let known { return known }
        let made = CallingThread()
        made.memory = onBegin?()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        lock.withLock { threads.append(made) }
        return made
    }

    // MARK: Calls that do not come back

    /// Asks the thread of a slot to leave the call that it is in, and has it look whether it can. Any thread.
    ///
    /// - Parameter isBlocked: it waits for the system, and may leave it there: elsewhere a call of the system's may be an
    ///   allocator's.
    static func ask(
        _ slot: CallSlot, toLeave call: Int, after time: Span, holding bytes: Int?, isBlocked: Bool,
        _ interrupt: (UInt) -> Void
    ) {
        lock.withLock {
            guard let asked = threads.first(where: { $0.slot === slot }) else { return }
            asked.isBlocked.store(isBlocked, ordering: .relaxed)
            asked.overdueTime.store(time.nanoseconds, ordering: .relaxed)
            asked.overdueMemory.store(bytes ?? 0, ordering: .relaxed)
            asked.overdueCall.store(call, ordering: .releasing)
            // It cannot end meanwhile.
            interrupt(asked.thread)
        }
    }

    /// It need not any more. Any thread.
    static func withdraw(from slot: CallSlot) {
        lock.withLock { threads.first { $0.slot === slot }?.overdueCall.store(0, ordering: .releasing) }
    }

    /// Whether the calling thread is to leave the call that it is in. In a signal's handler too.
    ///
    /// - Parameter waits: whether it waits for the system.
    static func isAsked(waits: Bool) -> Bool {
        guard let known else { return false }
        let call = known.overdueCall.load(ordering: .acquiring)
        if call == 0 || call != known.slot.number || known.slot.isFree { return false }
        return !waits || known.isBlocked.load(ordering: .relaxed)
    }

    /// Whether the thread of a slot sleeps at this moment. Any thread.
    static func sleeps(_ slot: CallSlot) -> Bool {
        guard let number = lock.withLock({ threads.first { $0.slot === slot }?.number }),
            let status = try? String(contentsOfFile: "/proc/self/task/\(number)/stat", encoding: .utf8),
            let name = status.lastIndex(of: ")")
        else { return false }
        return status[name...].dropFirst(2).first == "S"
    }

    /// For how long the call had lasted that the thread was asked to leave, and what it held, if that is why; nil: it was not.
    func takeOverdue() -> (time: Span, bytes: Int?)? {
        let call = overdueCall.exchange(0, ordering: .acquiringAndReleasing)
        if call == 0 { return nil }
        let held = overdueMemory.load(ordering: .relaxed)
        return (Span(nanoseconds: overdueTime.load(ordering: .relaxed)), held > 0 ? held : nil)
    }

    /// How many bytes the thread of a slot has allocated and not freed; nil if they are not counted. Any thread.
    static func heldBytes(of slot: CallSlot) -> Int? {
        lock.withLock { threads.first { $0.slot === slot }?.memory?.heldBytes }
    }

    // MARK: Measuring

    /// Takes down what a call that begins now will be measured from; the time on the host clock.
    func beginMeasuring() -> Int64 {
        let now = HostClock.nanoseconds
        if let readAt, now - readAt <= Self.readingAge { return now }
        before = .ofThisThread
        readAt = now
        return HostClock.nanoseconds
    }

    /// What became of the time since `began`. Only for calls that took long: it asks the kernel.
    func measure(since began: Int64, _ pulse: Pulse) -> CallTimes {
        let now = HostClock.nanoseconds
        let after = ThreadCosts.ofThisThread
        let earlier = began - (readAt ?? began)
        return CallTimes(
            real: now - began, waited: after.waited.flatMap { after in before.waited.map { after - $0 } },
            computed: max(0, after.computed - before.computed - earlier),
            isPulseSteady: pulse.isSteady(since: began, now: now))
    }
}

/// What the kernel has counted of a thread, in nanoseconds.
private struct ThreadCosts {
    /// Ready to run, and no core was free for it. Nil where the kernel does not tell.
    let waited: Int64?
    let computed: Int64

    static var ofThisThread: ThreadCosts {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return ThreadCosts(
            waited: waitOfThisThread, computed: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static var waitOfThisThread: Int64? {
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            // "computed waited turns"
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            return fields.count < 2 ? nil : Int64(String(decoding: fields[1], as: UTF8.self))
        }
    }
}
