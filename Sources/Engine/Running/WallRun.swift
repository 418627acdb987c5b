// A run under the wall clock: every device a serial queue, all cells at once.
// The calling thread waits; everything else happens on lanes.

import Dispatch
import Foundation
import Metrics
import Simulation

struct WallRun: Sendable {
    let options: RunOptions
    let plan: CellPlan
    let board: RunBoard
    let cells: [Int]
    let meter: HostMeter

    func perform() -> RunOutcome {
        let lag = LatenessRecorder(.scheduleLag)
        let wait = LatenessRecorder(.mainQueueWait)
        let timeline = WallTimeline(onLag: { lag.record($0) }, onWait: { wait.record($0) })
        let judges = (0..<options.workers).map { _ in
            Judge(
                collector: Collector(board: board, onlyUser: options.onlyUser),
                lane: timeline.makeLane(wheel: timeline.makeWheel()))
        }
        let done = DispatchGroup()
        // One for all: under the wall clock cells do not run apart from each other anyway.
        let material = Material(options)
        var running: [Cell] = []
        for (place, index) in cells.enumerated() {
            let wheel = timeline.makeWheel()
            let judge = judges[place % judges.count]
            let cell = Cell(
                index: index, options: options, plan: plan, material: material, judge: judge.collector,
                judgeLane: judge.lane,
                storeLane: timeline.makeLane(wheel: wheel),
                makeLanes: { timeline.makeDeviceLanes($0, wheel: wheel) })
            done.enter()
            cell.onDone = { done.leave() }
            running.append(cell)
        }
        timeline.begin()
        for cell in running { cell.store.lane.send { cell.start() } }
        var isStopped = false
        while !isStopped, done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            isStopped = board.isStopRequested
        }
        var outcome = RunOutcome(collectors: [])
        for judge in judges {
            // From the judge's own lane: after a stop, judging may still go on there.
            outcome.collectors.append(judge.surrender(board: board, onlyUser: options.onlyUser))
        }
        if let first = outcome.collectors.first {
            lag.pour(into: first.tally)
            wait.pour(into: first.tally)
        }
        if isStopped {
            // Their events go on until the process ends; nothing may pull the cells away from under them.
            for cell in running { _ = Unmanaged.passRetained(cell) }
        } else {
            outcome.idleUsers = running.reduce(0) { $0 + $1.idleUsers }
        }
        return outcome
    }

    private struct Judge: Sendable {
        let collector: Collector
        let lane: WallLane

        /// A copy of what has been collected, taken between two users.
        func surrender(board: RunBoard, onlyUser: Int?) -> Collector {
            lane.queue.sync {
                let copy = Collector(board: board, onlyUser: onlyUser)
                copy.merge(collector)
                return copy
            }
        }
    }
}

/// How late events ran. Called on any lane.
private final class LatenessRecorder: @unchecked Sendable {  // Guard: `lock`.
    private let metric: MetricName
    private let lock = NSLock()
    private var histogram = DurationHistogram()

    init(_ metric: MetricName) { self.metric = metric }

    func record(_ lateness: Span) {
        lock.lock()
        histogram.record(lateness.nanoseconds)
        lock.unlock()
    }

    func pour(into tally: Tally) {
        lock.lock()
        defer { lock.unlock() }
        tally.merge(metric, histogram)
    }
}
