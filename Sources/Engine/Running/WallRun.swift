// A run under the wall clock within one process: every device a serial queue, all cells at once.
// The calling thread waits; everything else happens on lanes.

import ClientKit
import Dispatch
import Foundation
import Hosting
import Judgement
import Metrics
import Scenario
import Simulation
import Statics

extension RunTask {
    func performOnWall() -> RunOutcome {
        DeviceData.shareUnderWallClock()
        return switch options.housing {
        case .threads: performOnWallHere()
        case .processes: WallProcesses(self).run()
        }
    }

    /// - Parameters:
    ///   - width: how many threads run devices at a time.
    ///   - attend: told who judges, as soon as they are there. What it returns is called before what they have is taken.
    func performOnWallHere(
        width: Int = ProcessInfo.processInfo.activeProcessorCount,
        attend: ([SharedJudge]) -> () -> Void = { _ in {} }
    ) -> RunOutcome {
        FatalNotes.attend()
        // How late events ran.
        let lag = Shared(DurationHistogram())
        let wait = Shared(DurationHistogram())
        let calls = ThreadCalls()
        let timeline = WallTimeline(
            pool: AppRuntime.isInForce ? ThreadPool(width: width) : nil, threadCalls: calls,
            onLag: { span in lag.withLock { $0.record(span.nanoseconds) } },
            onWait: { span in wait.withLock { $0.record(span.nanoseconds) } })
        // Each one's thread may go on as far as it gets: their processes are fenced, and what is theirs is never freed.
        let lost = Shared<[LostClient]>([])
        let hung = HungThreads()
        let memory = WatchedMemory(limit: options.scenario.app.memoryLimit) { FatalThreads.heldBytes(of: $0) }
        let watch = ClientWatch(options.scenario.app, pulse: calls.pulse, memory: memory) {
            hung.patience($0)
        } slots: {
            calls.slots
        } interrupt: {
            hung.interrupt($0, $1, $2)
        } onLost: { [board] client in
            LostThreads.add()
            lost.withLock { $0.append(client) }
            client.slot.letGo()
            board.halt()
        }
        let abortWatch = options.abortWatch
        let meters = abortWatch.isIdle ? [] : (0..<options.workers).map { _ in LiveMeter(measures) }
        let judges = (0..<options.workers).map { _ in
            SharedJudge(measures, board: board, isAskedAgain: !abortWatch.isIdle)
        }
        let stopAttending = attend(judges)
        let done = DispatchGroup()
        let running = makeCells(timeline, judges, meters, done)
        timeline.begin()
        for cell in running { cell.store.lane.send { cell.start() } }
        var outcome = RunOutcome()
        let isBrokenOff = waitForEnd(of: running, done, abortWatch, hung, &outcome) {
            measuredSoFar(meters, judges)
        }
        watch.stop()
        stopAttending()
        for _ in 0..<FatalThreads.strandedCount { LostThreads.add() }
        outcome.crashLimit = hung.crashLimit
        for judge in judges { outcome.collectors.append(judge.surrender()) }
        outcome.lost = lost.withLock { $0 }
        if let first = outcome.collectors.first {
            first.tally.merge(.scheduleLag, lag.withLock { $0 })
            first.tally.merge(.mainQueueWait, wait.withLock { $0 })
        }
        if isBrokenOff {
            // Their events go on until the process ends; nothing may pull the cells away from under them.
            for cell in running { _ = Unmanaged.passRetained(cell) }
        } else {
            outcome.idleUsers = running.reduce(0) { $0 + $1.idleUsers }
        }
        return outcome
    }

    private func makeCells(
        _ timeline: WallTimeline, _ judges: [SharedJudge], _ meters: [LiveMeter], _ done: DispatchGroup
    ) -> [Cell] {
        let lanes = judges.map { _ in timeline.makeLane(wheel: timeline.makeWheel()) }
        // One for all: under the wall clock cells do not run apart from each other anyway.
        let setup = CellSetup(options)
        return cells.enumerated().map { place, index in
            let wheel = timeline.makeWheel()
            let cell = Cell(
                index: index, options: options, plan: plan, setup: setup, judge: judges[place % judges.count],
                judgeLane: lanes[place % judges.count], storeLane: timeline.makeLane(wheel: wheel),
                meter: meters.isEmpty ? nil : meters[place % meters.count], board: board,
                makeLanes: { timeline.makeDeviceLanes($0, wheel: wheel) })
            done.enter()
            cell.onDone = { done.leave() }
            return cell
        }
    }

    /// Looks at the run until it is over, or is to be over.
    ///
    /// - Returns: whether it was left before all users were judged.
    private func waitForEnd(
        of running: [Cell], _ done: DispatchGroup, _ abortWatch: AbortWatch, _ hung: HungThreads,
        _ outcome: inout RunOutcome, measured: () -> (live: Tally, judged: Tally)
    ) -> Bool {
        var isBrokenOff = false
        let began = HostClock.nanoseconds
        var nextLook = began + Self.lookPeriod.nanoseconds
        // Once the run ends before its time: until when users are waited for, so that what they found is judged.
        var lastCall: Int64?
        while !isBrokenOff, done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            let now = HostClock.nanoseconds
            let isToEnd = board.stop.isMade || hung.crashLimit != nil
            isBrokenOff = board.hasHalted || isToEnd && now > lastCall ?? .max
            if lastCall == nil, !isToEnd, !abortWatch.isIdle, now >= nextLook {
                nextLook = now + Self.lookPeriod.nanoseconds
                let (live, judged) = measured()
                outcome.abort = abortWatch.firstBroken(
                    after: Span(nanoseconds: now - began), judged: judged, live: live)
            }
            if lastCall == nil, isToEnd || outcome.abort != nil {
                // No person waits for a run that ends by itself, so it may take longer than a stopped one.
                lastCall = now + StopRequest.patience * (board.stop.isMade ? 1 : 3)
                for cell in running { cell.store.lane.send { cell.end() } }
            }
        }
        return isBrokenOff
    }
}

extension RunTask {
    /// How often thresholds that may end the run are looked at: as often as k6 does.
    private static let lookPeriod = Span.seconds(2)

    /// What is known of all users, and what of those that have been judged.
    private func measuredSoFar(
        _ meters: [LiveMeter], _ judges: [SharedJudge]
    ) -> (live: Tally, judged: Tally) {
        let live = Tally(selections: measures.selections)
        for meter in meters { meter.pour(into: live) }
        let judged = Collector(measures)
        for judge in judges { judged.merge(judge.surrender(all: true)) }
        return (live, judged.tally)
    }
}

/// A cell's judge on its lane; what it has collected can be taken from another thread, wherever that lane is stuck.
final class SharedJudge: UserJudge, @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let plan: MeasurePlan
    private let onJudged: @Sendable (JudgedUser) -> Void
    /// What has been collected since `takeFindings`.
    private var collector: Collector
    /// What had been before, if somebody is going to ask for it again.
    private let before: Collector?

    /// - Parameter isAskedAgain: whether what was handed over counts in what is surrendered while the run goes on.
    init(_ plan: MeasurePlan, board: RunBoard, isAskedAgain: Bool) {
        self.plan = plan
        onJudged = { board.add($0) }
        collector = Collector(plan, onJudged: onJudged)
        before = isAskedAgain ? Collector(plan.withoutOperations) : nil
    }

    /// What has been collected since it was last taken. Any thread.
    func takeFindings() -> Collector {
        lock.withLock {
            let taken = collector
            collector = Collector(plan, onJudged: onJudged)
            before?.merge(taken)
            taken.flushOperations()
            return taken
        }
    }

    func absorb(_ record: UserRecord) {
        lock.withLock { collector.absorb(record) }
    }

    func cellEnded(_ summary: CellSummary) {
        lock.withLock { collector.cellEnded(summary) }
    }

    /// A copy of what has been collected, taken between two users: after a stop, judging may still go on.
    ///
    /// - Parameter all: with what has been taken already.
    func surrender(all: Bool = false) -> Collector {
        lock.withLock {
            let copy = Collector(plan)
            copy.merge(collector)
            if all, let before { copy.merge(before) }
            collector.flushOperations()
            return copy
        }
    }
}

/// A value that lanes and the watch's thread write to. Of an `NSLock` the thread sanitizer knows, of a `Mutex` not.
private final class Shared<Value>: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}
