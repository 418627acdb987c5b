// Client code that cannot go on under the wall clock: its app ends there, and all others go on beside it.
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
    ///   - onThread: called on each thread before it runs client code, and `onThreadEnd` when it ends.
    package static func attend(
        _ takeNote: @escaping @Sendable () -> LastNote, onThread: @escaping @Sendable () -> Void,
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
        stranded.add(1, ordering: .relaxed)
        while true { pause() }
    }
}

extension AppProcess {
    /// Runs a call into client code; if it cannot go on, the app ends.
    func attempted(_ call: ClientCall, _ body: () -> Void) {
        guard let takeNote = FatalThreads.takeNote else { return body() }
        let wasOnLane = stampede_wall_lane_get() != nil
        if runsToItsEnd(body) { return }
        // In the middle of what it did there from elsewhere.
        if !wasOnLane { WallThread.lane?.leave() }
        // To look up where it was takes another program, and is no call into client code.
        let slot = CallingThread.current.slot
        let suspended = slot.suspend()
        ends(as: takeNote(), in: call)
        slot.resume(suspended)
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
        let call = LostCall(word: CallingThread.current.slot.suspend())?.call
        if let note = FatalThreads.takeNote?() { ends(as: note, in: call ?? .ownQueueBlock) }
        WallThread.lane?.leave()
        WallThread.current.pool?.waitBegins()
        FatalThreads.strand()
    }
}
