// What shows how far a run has come, and where it is asked to stop.
// Any thread: `lock` guards everything but the request and the atomic flag.

import Foundation
import Judgement
import Metrics
import Synchronization

package final class RunBoard: @unchecked Sendable {
    /// What a watcher sees at one moment.
    package struct Snapshot: Sendable {
        package var usersDone = 0
        package var purchases = 0
        package var violations = 0
        package var crashes = 0
        package var purchaseP95: Int64?
    }

    package let usersTotal: Int
    /// How long the run takes by its plan, in seconds; nil where the plan does not say how time passes.
    package let plannedSeconds: Double?
    private let lock = NSLock()
    private var state = Snapshot()
    private var durations = DurationHistogram()
    /// The users judged so far are reported.
    package let stop = StopRequest()
    private let isHalted = Atomic<Bool>(false)
    private let onJudged: (@Sendable (JudgedUser) -> Void)?

    /// - Parameter onJudged: hears of each user instead of those who watch.
    init(usersTotal: Int, plannedSeconds: Double? = nil, onJudged: (@Sendable (JudgedUser) -> Void)? = nil) {
        self.usersTotal = usersTotal
        self.plannedSeconds = plannedSeconds
        self.onJudged = onJudged
    }

    /// The client does not come back, and the run cannot go on. That is not a stop that was asked for.
    func halt() { isHalted.store(true, ordering: .relaxed) }
    var hasHalted: Bool { isHalted.load(ordering: .relaxed) }
    /// Stopped or halted.
    var isOver: Bool { stop.isMade || hasHalted }

    func add(_ user: JudgedUser) {
        if let onJudged { return onJudged(user) }
        lock.lock()
        defer { lock.unlock() }
        state.usersDone += 1
        state.purchases += user.purchaseDurations.count
        state.violations += user.violations
        state.crashes += user.crashes
        for duration in user.purchaseDurations { durations.record(duration) }
    }

    func add(_ judged: JudgedUsers) {
        lock.lock()
        defer { lock.unlock() }
        state.usersDone += judged.users
        state.purchases += judged.purchaseDurations.count
        state.violations += judged.violations
        state.crashes += judged.crashes
        for duration in judged.purchaseDurations { durations.record(duration) }
    }

    package func snapshot() -> Snapshot {
        lock.lock()
        defer { lock.unlock() }
        var snapshot = state
        // Read here and not from a copy: workers would write into another copy then, and what the watcher frees would
        // count as memory that they hold.
        snapshot.purchaseP95 = durations.value(atPercentile: 95)
        return snapshot
    }
}
