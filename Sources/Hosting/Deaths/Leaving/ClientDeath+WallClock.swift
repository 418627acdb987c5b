// Client code that cannot go on under the wall clock, or does not come back: its app ends there, and all others go on beside it.
// Any thread.

internal import CRuntime
internal import Foundation
internal import Synchronization

/// What becomes of threads that client code has brought to their end.
package enum FatalThreads {
    /// What a thread has noted of its end, to be told with the last lines that its app has printed.
    package typealias LastNote = @Sendable (_ lines: [String]) -> FatalCall

    // Guard: set before there are devices.
    nonisolated(unsafe) fileprivate static var takeNote: (@Sendable () -> LastNote)?

    package static var areAttended: Bool { takeNote != nil }

    private static let stranded = Atomic<Int>(0)

    /// From here on they do not take the process with them.
    ///
    /// - Parameters:
    ///   - takeNote: what the calling thread has noted just now.
    ///   - onThread: called on each thread before it runs client code, and `onThreadEnd` when it ends; what the first returns
    ///     tells how much memory the thread holds.
    package static func attend(
        _ takeNote: @escaping @Sendable () -> LastNote, onThread: @escaping @Sendable () -> ThreadMemory?,
        onThreadEnd: @escaping @Sendable () -> Void
    ) {
        self.takeNote = takeNote
        (CallingThread.onBegin, CallingThread.onEnd) = (onThread, onThreadEnd)
    }

    /// How many stand still for ever, because there was no way out of what they were at.
    package static var strandedCount: Int { stranded.load(ordering: .relaxed) }

    /// From client code that cannot go on; does not come back if the calling thread runs some. In a signal's handler too.
    package static func leaveClientCode() {
        guard takeNote != nil, let process = stampede_current_process() else { return }
        stampede_escape()
        AppRuntime.process(process).strands()
    }

    fileprivate static func strand() -> Never {
        countStranded()
        while true { pause() }
    }

    fileprivate static func countStranded() { stranded.add(1, ordering: .relaxed) }

    // MARK: Calls that do not come back

    /// Whether the thread of a slot sleeps at this moment. Any thread.
    package static func sleeps(_ slot: CallSlot) -> Bool { CallingThread.sleeps(slot) }

    /// How many bytes the thread of a slot has allocated and not freed; nil if they are not counted. Any thread.
    package static func heldBytes(of slot: CallSlot) -> Int? { CallingThread.heldBytes(of: slot) }

    /// Asks the thread of a slot to leave its call. Any thread.
    ///
    /// - Parameters:
    ///   - isBlocked: it may do so where it waits for the system.
    ///   - interrupt: has the thread look, in a signal's handler, whether it `isToLeave`.
    package static func ask(
        _ slot: CallSlot, toLeave seen: CallSlot.Sight, _ hang: HungCall, isBlocked: Bool, _ interrupt: (UInt) -> Void
    ) {
        CallingThread.ask(
            slot, toLeave: seen.count, after: hang.waited, holding: hang.overrun?.held, isBlocked: isBlocked, interrupt)
    }

    /// It need not any more. Any thread.
    package static func withdraw(from slot: CallSlot) { CallingThread.withdraw(from: slot) }

    /// Whether the calling thread was asked, and does not wait in one of the runtime's own ways. In a signal's handler.
    ///
    /// - Parameter waits: whether it waits for the system.
    package static func isToLeave(waits: Bool) -> Bool {
        CallingThread.isAsked(waits: waits) && WallThread.known?.isWaiting != true
    }

    /// The same where client code asks the harness for something: here is a good place to leave it.
    static func leaveIfAsked() { if takeNote != nil, CallingThread.isAsked(waits: false) { stampede_escape() } }
}

extension AppProcess {
    /// Runs a call into client code; if it cannot go on, the app ends.
    func attempted(_ call: ClientCall, _ body: () -> Void) {
        guard let takeNote = FatalThreads.takeNote else { return body() }
        let wasOnLane = stampede_wall_lane_get() != nil
        let before = device.lane.isCurrent ? device.events.count : nil
        if runsToItsEnd(body) { return }
        // In the middle of what it did there from elsewhere.
        if !wasOnLane { WallThread.lane?.leave() }
        let hang = Self.overdue
        if hang != nil, let before { device.forgetWrites(since: before) }
        // To look up where it was takes another program, and is no call into client code.
        let slot = CallingThread.current.slot
        let suspended = slot.suspend()
        ends(as: Self.end(takeNote(), hang), in: call)
        slot.resume(suspended)
    }

    /// The calling thread has left a call because it did not come back. Asked for before the slot shows that it has left.
    private static var overdue: HungCall? {
        CallingThread.current.takeOverdue().map { overdue in
            HungCall(waited: overdue.time, wait: .unknown, overrun: overdue.bytes.map { MemoryOverrun(held: $0) })
        }
    }

    private static func end(
        _ note: @escaping FatalThreads.LastNote, _ hang: HungCall?
    ) -> FatalThreads.LastNote {
        guard let hang else { return note }
        return { _ in FatalCall(hang) }
    }

    /// A call waits, and others go on where it was made: there the app ends. If it ever comes back, then to an app that is over.
    /// Any thread.
    package func isGivenUp(_ hang: HungCall, in call: ClientCall) {
        FatalThreads.countStranded()
        device.sendFromOutside { [self] in dies(FatalCall(hang), in: call) }
    }

    private func ends(as note: @escaping FatalThreads.LastNote, in call: ClientCall) {
        let end: @Sendable () -> Void = { [self] in
            device.log.endLaunch(at: device.lane.now, process: number)
            dies(note(device.log.lines(of: number)), in: call)
        }
        if device.lane.isCurrent { end() } else { device.sendFromOutside(end) }
    }

    /// The calling thread cannot leave what it is at: a task, or a thread of the client's own. Others go on in its place.
    fileprivate func strands() -> Never {
        _ = stampede_step_out()
        stampede_locks_drop()
        let hang = Self.overdue
        let call = LostCall(word: CallingThread.current.slot.suspend())?.call
        if let note = FatalThreads.takeNote?() { ends(as: Self.end(note, hang), in: call ?? .ownQueueBlock) }
        WallThread.lane?.leave()
        WallThread.current.pool?.waitBegins()
        FatalThreads.strand()
    }
}
