// A run under the wall clock: every device a serial queue, all cells at once.
// The calling thread waits; everything else happens on lanes.

import Dispatch
import Foundation
import Metrics
import Scenario
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
        let calls = ThreadCalls()
        let timeline = WallTimeline(threadCalls: calls, onLag: { lag.record($0) }, onWait: { wait.record($0) })
        let lost = LostClients()
        let watch = ClientWatch(options.scenario.app, pulse: calls.pulse) {
            calls.slots
        } onLost: { [board] client in
            lost.add(client)
            board.halt()
        }
        let judges = (0..<options.workers).map { _ in
            (
                judge: SharedJudge(Collector(board: board, onlyUser: options.onlyUser)),
                lane: timeline.makeLane(wheel: timeline.makeWheel())
            )
        }
        let done = DispatchGroup()
        // One for all: under the wall clock cells do not run apart from each other anyway.
        let material = Material(options)
        var running: [Cell] = []
        for (place, index) in cells.enumerated() {
            let wheel = timeline.makeWheel()
            let judge = judges[place % judges.count]
            let cell = Cell(
                index: index, options: options, plan: plan, material: material, judge: judge.judge,
                judgeLane: judge.lane,
                storeLane: timeline.makeLane(wheel: wheel),
                makeLanes: { timeline.makeDeviceLanes($0, wheel: wheel) })
            done.enter()
            cell.onDone = { done.leave() }
            running.append(cell)
        }
        timeline.begin()
        for cell in running { cell.store.lane.send { cell.start() } }
        var isBrokenOff = false
        while !isBrokenOff, done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            isBrokenOff = board.isOver
        }
        watch.stop()
        var outcome = RunOutcome(collectors: [])
        for judge in judges {
            outcome.collectors.append(judge.judge.surrender(board: board, onlyUser: options.onlyUser))
        }
        outcome.lost = lost.all
        if let first = outcome.collectors.first {
            lag.pour(into: first.tally)
            wait.pour(into: first.tally)
        }
        if isBrokenOff {
            // Their events go on until the process ends; nothing may pull the cells away from under them.
            for cell in running { _ = Unmanaged.passRetained(cell) }
        } else {
            outcome.idleUsers = running.reduce(0) { $0 + $1.idleUsers }
        }
        return outcome
    }
}

/// A cell's judge on its lane, and whoever takes what it has collected, wherever that lane is stuck.
private final class SharedJudge: Judge, @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let collector: Collector

    init(_ collector: Collector) { self.collector = collector }

    func absorb(_ record: UserRecord, _ statement: AccountStatement, cell: Cell) {
        lock.withLock { collector.absorb(record, statement, cell: cell) }
    }

    func cellEnded(_ cell: Cell, droppedIterations: Int) {
        lock.withLock { collector.cellEnded(cell, droppedIterations: droppedIterations) }
    }

    /// A copy of what has been collected, taken between two users: after a stop, judging may still go on.
    func surrender(board: RunBoard, onlyUser: Int?) -> Collector {
        lock.withLock {
            let copy = Collector(board: board, onlyUser: onlyUser)
            copy.merge(collector)
            return copy
        }
    }
}

/// Clients that did not come back. Each one's thread may go on as far as it gets: their processes are fenced, and what
/// belongs to them is kept for ever.
private final class LostClients: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var clients: [LostClient] = []

    func add(_ client: LostClient) {
        LostThreads.add()
        lock.withLock { clients.append(client) }
        client.slot.letGo()
    }

    var all: [LostClient] { lock.withLock { clients } }
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
