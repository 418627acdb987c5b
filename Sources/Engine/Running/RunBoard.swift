// What shows how far a run has come, and where it is asked to stop.
// Any thread: `lock` guards everything but the request and the atomic flag.

import Foundation
package import Hosting
import Judgement
import Metrics
import Simulation
import Synchronization

package final class RunBoard: @unchecked Sendable {
    /// What a watcher sees at one moment.
    package struct Snapshot: Sendable {
        package var usersDone = 0
        package var purchases = 0
        package var violations = 0
        package var crashes = 0
        package var purchaseP95: Int64?
        /// Users whose journeys are under way; nil under the virtual clock, where that is no matter of time.
        package var usersActive: Int?
        /// How long the app's answers are waited for at most, in nanoseconds, where every user whose journey is under way waits
        /// for one; else nil.
        package var waitLeft: Int64?
        /// Of each entry of the load; empty where there are not several.
        package var entriesDone: [Int] = []
    }

    /// A part of the load.
    package struct Entry: Sendable, Equatable {
        package let name: String
        package let users: Int
    }

    package let usersTotal: Int
    /// How long the run takes by its plan, in seconds; nil where the plan does not say how time passes.
    package let plannedSeconds: Double?
    /// Empty where there are not several.
    package let entries: [Entry]
    private let isRealTime: Bool
    let live: LiveCounts
    private let lock = NSLock()
    private var state = Snapshot()
    private var durations = DurationHistogram()
    /// The users judged so far are reported.
    package let stop = StopRequest()
    private let isHalted = Atomic<Bool>(false)
    private let onJudged: (@Sendable (JudgedUser) -> Void)?

    /// - Parameter entries: of the load, where there are several.
    init(usersTotal: Int, plannedSeconds: Double? = nil, entries: [Entry] = [], isRealTime: Bool = false) {
        self.usersTotal = usersTotal
        self.plannedSeconds = plannedSeconds
        (self.entries, self.isRealTime) = (entries, isRealTime)
        live = LiveCounts(entries: entries.count)
        onJudged = nil
    }

    /// That of a worker process.
    ///
    /// - Parameters:
    ///   - board: of the process that it was forked from.
    ///   - onJudged: hears of each user instead of those who watch.
    init(in board: RunBoard, onJudged: @escaping @Sendable (JudgedUser) -> Void) {
        usersTotal = board.usersTotal
        plannedSeconds = board.plannedSeconds
        (entries, isRealTime, live) = (board.entries, board.isRealTime, board.live)
        self.onJudged = onJudged
    }

    /// What counts the journeys under way.
    var journeyCounts: LiveCounts? { isRealTime ? live : nil }
    /// What counts the users of each entry.
    var entryCounts: LiveCounts? { entries.isEmpty ? nil : live }

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

    /// Goes on from what a killed process has left.
    func resume(_ former: Collector) {
        lock.lock()
        defer { lock.unlock() }
        state.usersDone += former.usersJudged
        state.violations += former.violationCounts.values.reduce(0, +)
        state.crashes += former.tally.measurements[.faults].tags[FaultKind.crash.row.tag] ?? 0
        guard let former = former.tally.measurements[.purchaseDuration].response else { return }
        state.purchases += Int(former.count)
        durations.merge(former)
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
        // Users of a killed worker are not under way any more, and no message says so.
        if isRealTime { snapshot.usersActive = max(0, min(live.active, usersTotal - snapshot.usersDone)) }
        if let active = snapshot.usersActive, active > 0, live.waiting >= active { snapshot.waitLeft = live.waitLeft }
        snapshot.entriesDone = zip(live.done, entries).map { min($0, $1.users) }
        return snapshot
    }
}
