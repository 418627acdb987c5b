// Threads that do not come back from client code under the wall clock: they leave it, and all others go on beside them.
// On the watch's thread, but for what is atomic.

import CWorkers
import Foundation
package import Simulation
import Statics
import Synchronization

package final class HungThreads: Sendable {
    private let count = Atomic<Int>(0)
    /// Those that were left for what they held, which does not take them long.
    private let overrunCount = Atomic<Int>(0)
    private let leftMemory = LeftMemory()

    /// Each has kept a core busy for as long as a call is waited for: what has come to so many is known well enough.
    private static let countMax = 20
    /// How often it is looked whether a thread sleeps, and how long after each look, in milliseconds.
    private static let looks = 20
    private static let lookPeriod: Int32 = 2
    /// Where some calls do not come back, others that take long will not either.
    private static let patienceShare: Int64 = 4
    /// Once the run ends, in nanoseconds.
    private static let lastPatience: Int64 = 500_000_000

    package init() {}

    /// How many there were, or threads that stand still for ever, once they are too many; nil: they are not. Any thread.
    package var crashLimit: Int? {
        let known = count.load(ordering: .relaxed)
        let overruns = overrunCount.load(ordering: .relaxed)
        if let limit = FatalNotes.crashLimit { return limit }
        return known >= Self.countMax || leftMemory.isMuch ? known + overruns : nil
    }

    /// For how long a call is waited for now, in nanoseconds.
    package func patience(_ limit: Int64) -> Int64 {
        switch count.load(ordering: .relaxed) {
        case 0: limit
        case ..<Self.countMax: limit / Self.patienceShare
        // Users are waited for no longer than `StopRequest.patience`.
        default: min(Self.lastPatience, limit / Self.patienceShare)
        }
    }

    /// Looked at more than once: a thread that computes may have to wait for a moment.
    private static func isBlocked(_ slot: CallSlot) -> Bool {
        (0..<looks).allSatisfy { _ in
            defer { _ = poll(nil, 0, lookPeriod) }
            return FatalThreads.sleeps(slot)
        }
    }

    /// Has the thread leave the call that was seen, where it computes in code of the client's own or waits for the system.
    ///
    /// - Returns: whether it has.
    package func interrupt(_ slot: CallSlot, _ seen: CallSlot.Sight, _ hang: HungCall) -> Bool {
        guard FatalThreads.areAttended, !slot.isAside else { return false }
        // Read here, and not first where client code is interrupted.
        _ = ClientCode.contains(0)
        defer { FatalThreads.withdraw(from: slot) }
        let isBlocked = hang.overrun == nil && Self.isBlocked(slot)
        let hasLeft = ClientWatch.leaves(slot, seen) {
            FatalThreads.ask(slot, toLeave: seen, hang, isBlocked: isBlocked) { stampede_interrupt_thread($0) }
        }
        guard hasLeft else { return false }
        if let overrun = hang.overrun {
            leftMemory.add(overrun)
            overrunCount.add(1, ordering: .relaxed)
        } else {
            count.add(1, ordering: .relaxed)
        }
        return true
    }
}
