// Client code that ended its process, as the run reports it of the simulated app when it reaches that place again.
// Values; any thread.

internal import CRuntime

/// A call into client code that can be found again: runs are the same each time.
package struct CallPlace: Sendable, Hashable {
    /// Of the cells of one piece of work, which; from 1.
    package let cell: Int
    package let user: Int
    /// Counted from 1, like the two that follow.
    package let device: Int
    package let launch: Int
    /// Of the calls in its launch, which.
    package let number: Int

    package init(cell: Int, user: Int, device: Int, launch: Int, number: Int) {
        (self.cell, self.user, self.device, self.launch, self.number) = (cell, user, device, launch, number)
    }
}

/// How client code ended its process in a call.
package struct FatalCall: Sendable, Equatable {
    /// Nil: by itself, with a function such as `exit`.
    package let signal: Int32?
    /// What was found out about it, in words that follow the app's name: `ended with SIGILL in …`.
    package let reason: String
    /// Addresses of the calls that led there, the innermost first; calls of the harness may follow the client's.
    package let calls: [UInt]
    /// It has ended nothing, and does not come back.
    package let hang: HungCall?

    package init(signal: Int32?, reason: String, calls: [UInt]) {
        (self.signal, self.reason, self.calls, hang) = (signal, reason, calls, nil)
    }
    package init(_ hang: HungCall) { (signal, reason, calls, self.hang) = (nil, "", [], hang) }
}

/// False if client code was left in the middle. In C, and called as Swift calls its own: what is left in the middle keeps
/// what it had retained, which a closure handed over by `withoutActuallyEscaping` would be found to have escaped by.
@_silgen_name("stampede_try")
func runsToItsEnd(_ body: () -> Void) -> Bool

/// Which call into client code this process is in, written where others see it once it has died.
///
/// Guard: the thread that runs client code under the virtual clock; the rest as it says.
package enum CallBoard {
    package static let wordCount = 8

    private enum Word {
        static let cell = 0
        static let user = 1
        static let device = 2
        static let launch = 3
        /// 0: client code is not being called.
        static let number = 4
    }

    /// Nil if no process reads it: in a process whose threads are the workers, which would overwrite each other.
    nonisolated(unsafe) private static var words: UnsafeMutablePointer<Int>?
    nonisolated(unsafe) private static var expected = Expected()
    /// Whether client code may be left in the middle somewhere: all else is spared a look.
    nonisolated(unsafe) private(set) static var isExpecting = false
    /// Whether that is so because the piece of work is done once more, which it may need everywhere.
    nonisolated(unsafe) package private(set) static var isAgain = false
    nonisolated(unsafe) private static var met: Set<CallPlace> = []
    /// Why client code is about to be left, if it has not ended by itself.
    /// Guard: the thread that found it out writes it before the code is left.
    nonisolated(unsafe) private static var hang: HungCall?
    nonisolated(unsafe) private static var takeNote: (AppProcess) -> FatalCall = { _ in
        preconditionFailure("no function records how client code ends")
    }
    /// Guard: set once; that it is may be seen a little later.
    nonisolated(unsafe) private static var isExhausted = false
    /// What apps have come to hold in their calls, in bytes, where that is counted: by place with number 0.
    nonisolated(unsafe) fileprivate static var held: [CallPlace: Int64] = [:]
    /// How many bytes the calling thread has allocated and not freed; nil if they are not counted.
    nonisolated(unsafe) package static var threadHeldBytes: () -> Int64? = { nil }

    /// What is known of a piece of work: a worker has died of it.
    package struct Expected: Sendable {
        /// Client code is left in the middle where it cannot go on.
        package var hasWaysOut = false
        /// Calls in which it is known to end the process.
        package var calls: Set<CallPlace> = []
        /// Of these, those for which there is no way out: they are left out.
        package var skipped: [CallPlace: FatalCall] = [:]
        /// Some do not come back, and so may others.
        package var hasHangs = false
        /// Together its apps have come to hold too much: what each holds is counted.
        package var countsMemory = false

        package init() {}
    }

    /// Before client code runs.
    ///
    /// - Parameters:
    ///   - shared: `wordCount` zeros.
    ///   - takeNote: what is known of client code that was left in the middle just now.
    package static func share(
        _ shared: UnsafeMutablePointer<Int>, takeNote: @escaping (AppProcess) -> FatalCall
    ) {
        words = shared
        self.takeNote = takeNote
    }

    /// A piece of work begins, of which it may be known where client code ends the process: there the app ends, and the
    /// process goes on.
    ///
    /// - Parameter hasSites: whether there are places in its code at which it is known to, in other pieces of work.
    package static func begin(_ expected: Expected, hasSites: Bool) {
        (self.expected, met, hang, held) = (expected, [], nil, [:])
        (isAgain, isExpecting) = (expected.hasWaysOut, expected.hasWaysOut || hasSites)
        words?[Word.cell] = 0
        words?[Word.number] = 0
    }

    /// Where client code was known to end the process, and did not.
    package static var missed: [CallPlace] { expected.calls.filter { !met.contains($0) } }

    /// The client code that is about to be left does not come back.
    package static func hangs(_ call: HungCall) { hang = call }

    /// Leaves client code that does not return but asks the harness for something again and again: here it can be left.
    static func leaveIfHung() { if isExpecting, hang != nil { stampede_escape() } }

    /// Whether client code is to be left where it may be. In a signal's handler too.
    package static var isOverdue: Bool { hang != nil }

    /// What was left in the middle holds so much that no more client code runs in this process, and nothing more comes of the piece
    /// of work.
    package static func exhaust() { isExhausted = true }

    /// It was not left after all.
    package static func takeHang() -> HungCall? { hang.take() }

    /// From client code that cannot go on. Comes back where there is no way out; in a signal's handler too.
    package static func leaveClientCode() { if isExpecting { stampede_escape() } }

    package static func cellBegins() { words?[Word.cell] += 1 }

    /// The call in which a dead process was; nil if it was not in client code.
    package static func place(in words: UnsafePointer<Int>) -> CallPlace? {
        guard words[Word.number] > 0 else { return nil }
        return CallPlace(
            cell: words[Word.cell], user: words[Word.user], device: words[Word.device], launch: words[Word.launch],
            number: words[Word.number])
    }

    /// What stood there before, for `restore`.
    struct Former {
        fileprivate let words: UnsafeMutablePointer<Int>
        fileprivate let user: Int
        fileprivate let device: Int
        fileprivate let launch: Int
        fileprivate let number: Int
    }

    /// Nil if no process reads it.
    @inline(__always)
    static var current: Former? {
        guard let words else { return nil }
        return Former(
            words: words, user: words[Word.user], device: words[Word.device], launch: words[Word.launch],
            number: words[Word.number])
    }

    static func restore(_ former: Former) {
        let words = former.words
        words[Word.user] = former.user
        words[Word.device] = former.device
        words[Word.launch] = former.launch
        words[Word.number] = former.number
    }

    /// The number in its launch of the call that client code is in; 0 if it is in none, or no process reads it.
    static var callNumber: Int { words?[Word.number] ?? 0 }

    /// What is found out now is about that call.
    static func point(at process: AppProcess, number: Int) {
        if let former = current { begins(process, number: number, after: former) }
    }

    @inline(__always)
    fileprivate static func begins(_ process: AppProcess, number: Int, after former: Former) {
        let words = former.words
        words[Word.user] = process.device.user
        words[Word.device] = process.device.number
        words[Word.launch] = process.number
        words[Word.number] = number
    }

    /// Runs the call that has begun; what it has died of, if it has.
    fileprivate static func attempt(_ process: AppProcess, _ body: () -> Void) -> FatalCall? {
        if isExhausted {
            (process.device.lane as? VirtualClock)?.breakOff()
            return nil
        }
        let place = words.flatMap { self.place(in: $0) }
        if let place, let known = expected.skipped[place] {
            met.insert(place)
            return known
        }
        let slot = process.device.lane.callSlot
        let wasFree = slot?._withUnsafeGuaranteedRef { $0.isFree } ?? false
        let before = process.device.events.count
        let heldBefore = expected.countsMemory ? threadHeldBytes() : nil
        if runsToItsEnd(body) {
            guard let overrun = process.overrun(since: heldBefore) else { return nil }
            if let place { met.insert(place) }
            return FatalCall(overrun)
        }
        let hang = takeHang()
        if hang != nil { process.device.forgetWrites(since: before) }
        // The watchdog sees the outermost call: that has ended, or goes on without the one within.
        slot?._withUnsafeGuaranteedRef { wasFree ? $0.end() : $0.resume($0.suspend()) }
        if let place { met.insert(place) }
        process.device.log.endLaunch(at: process.device.lane.now, process: process.number)
        let fatal = takeNote(process)
        return hang.map { FatalCall($0) } ?? fatal
    }
}

extension AppProcess {
    /// Runs a call into client code, unless it is known to end the process: then the app ends, and the call is left out.
    @inline(__always)
    func called(_ call: ClientCall, _ body: () -> Void) {
        if isOnWallClock { return attempted(call, body) }
        guard let former = CallBoard.current else { return body() }
        calls.count += 1
        CallBoard.begins(self, number: calls.count, after: former)
        if CallBoard.isExpecting {
            if let fatal = CallBoard.attempt(self, body) { dies(fatal, in: call) }
        } else {
            body()
        }
        CallBoard.restore(former)
    }

    /// The memory that the app holds after its calls, if it is more than the limit.
    ///
    /// - Parameter before: how much the thread held when the latest call began; nil if that is not counted.
    fileprivate func overrun(since before: Int64?) -> HungCall? {
        guard let before, let now = CallBoard.threadHeldBytes() else { return nil }
        let launch = CallPlace(cell: 0, user: device.user, device: device.number, launch: number, number: 0)
        let held = CallBoard.held[launch, default: 0] + now - before
        CallBoard.held[launch] = held
        guard held > Int64(device.memoryLimit) else { return nil }
        return HungCall(waited: .zero, wait: .unknown, overrun: MemoryOverrun(held: Int(held)))
    }

    func dies(_ fatal: FatalCall, in call: ClientCall) {
        if call == .holdings { device.isReadingGoods = false }
        // What code of an app that has ended goes on to do is nothing that happens.
        guard isAlive || call == .holdings || call == .letGo else { return }
        if let hang = fatal.hang {
            record(hang.event(in: call, on: device))
        } else {
            device.log.end(because: fatal.reason, in: fatal.calls, at: device.lane.now, process: number)
            record(.died(DeathNote(call: call, fatal.signal.map { .signal($0) } ?? .exit)))
        }
        device.counts.exceptions += 1
        device.hasDied = true
        // What is held is nothing that a phone asks its app.
        if isAlive, call != .holdings { device.crash() }
    }
}
