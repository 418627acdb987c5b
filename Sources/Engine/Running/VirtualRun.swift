// A run under the virtual clock: each worker takes the next cell and runs it to its end.
// Cells share nothing, so the result does not depend on how many workers there are.

import ClientKit
import Foundation
import Host
import Hosting
import Judgement
import Metrics
import Scenario
import Simulation

/// The workers of a run under the virtual clock.
protocol CellWorkers {
    /// Runs these cells to their ends, unless the run is over before.
    func run(_ cells: CellSet) -> RunOutcome
    /// Cells that had come to their ends before a kill.
    var cellsDone: IndexSet { get }
    /// What they have collected so far, in parts.
    var collectors: [Collector] { get }
}

extension RunTask {
    /// Looks that thresholds get at a run which they may end.
    private static let roundsMax = 16

    func performVirtually() -> RunOutcome {
        let workers: any CellWorkers =
            switch options.housing {
            case .threads: VirtualWorkers(self)
            case .processes: CellProcesses(self)
            }
        let watch = options.abortWatch
        // In rounds of whole cells, the same ones for any number of workers: where the run ends is repeatable too.
        let rounds = watch.isIdle ? 1 : min(Self.roundsMax, cells.count)
        var outcome = RunOutcome()
        let done = workers.cellsDone
        for round in 0..<rounds {
            let part = cells[(cells.count * round / rounds)..<(cells.count * (round + 1) / rounds)]
            outcome.add(workers.run(part.subtracting(done)))
            if board.isOver || round == rounds - 1 { break }
            // A run that came further had got past this look, and what is known now is more than was known then.
            if let last = done.last, let end = part.last, last > end { continue }
            let total = Collector(measures)
            for collector in workers.collectors { total.merge(collector) }
            // A cell is all of the run's time for a part of its users: so far as users have come, so far has the run.
            let planned = options.scenario.plannedLength.nanoseconds
            let elapsed = Span(nanoseconds: planned / Int64(rounds) * Int64(round + 1))
            outcome.abort = watch.firstBroken(after: elapsed, judged: total.tally)
            if outcome.abort != nil { break }
        }
        outcome.collectors = workers.collectors
        return outcome
    }
}

/// Runs cells one after the other. Confined to one worker, but for what its watch does with a lost client.
final class CellWorker: @unchecked Sendable {
    let collector: Collector
    let slot: CallSlot
    private let task: RunTask
    private let setup: CellSetup
    private let isOver: @Sendable () -> Bool
    private let onHang: @Sendable (LostClient) -> Never
    private let allocations = ThreadAllocations()
    private(set) var growth = GrowthMeter()
    /// Whether client code has waited: other threads did a part of the work then.
    private var hasRelayed = false

    /// On the worker's thread.
    ///
    /// - Parameters:
    ///   - isOver: whether cells are to be broken off.
    ///   - onHang: the client waits for ever, and nothing more can come of the cell.
    init(
        _ task: RunTask, _ collector: Collector, _ slot: CallSlot, isOver: @escaping @Sendable () -> Bool,
        onHang: @escaping @Sendable (LostClient) -> Never
    ) {
        (self.task, self.collector, self.slot, self.isOver, self.onHang) = (task, collector, slot, isOver, onHang)
        setup = CellSetup(task.options)
    }

    /// Runs a cell to its end.
    ///
    /// - Parameter orElse: called on another thread, instead of a return, if the calling one waits in client code for ever.
    ///   That one does the worker's work from there on.
    func run(_ index: Int, orElse: @escaping (RunOutcome) -> Void) -> RunOutcome {
        let before = launches
        let outcome = runCell(index, orElse: orElse)
        growth.cellEnded(users: task.plan.users(of: index).count, launches: launches - before)
        return outcome
    }

    private var launches: Int { collector.tally.measurements[.launches].count }

    /// What the worker has allocated; nil if it was not one thread alone. Called once, when it does nothing more.
    func end() -> ThreadAllocations.Sum? { hasRelayed ? nil : allocations?.end() }

    private func runCell(_ index: Int, orElse: @escaping (RunOutcome) -> Void) -> RunOutcome {
        let timeline = task.options.scenario.virtualClock(cell: index)
        timeline.callSlot = Unmanaged.passUnretained(slot)
        let cell = Cell(
            index: index, options: task.options, plan: task.plan, setup: setup, judge: collector,
            judgeLane: timeline, storeLane: timeline, board: task.board,
            makeLanes: { Array(repeating: timeline, count: $0) })
        cell.onHang = { [slot, onHang] client in
            onHang(LostClient(client.lost, slot: slot, client.hang))
        }
        let progress = Progress()
        cell.onDone = { progress.isDone = true }
        cell.start()
        timeline.onStarterLost = { [self] ended in orElse(finish(cell, on: timeline, isDone: ended && progress.isDone))
        }
        let ended = timeline.run(until: { [isOver] in progress.isDone || progress.isStopRequested(isOver) })
        timeline.onStarterLost = nil
        return finish(cell, on: timeline, isDone: ended && progress.isDone)
    }

    private func finish(_ cell: Cell, on timeline: VirtualClock, isDone: Bool) -> RunOutcome {
        timeline.dropEvents()
        if timeline.hasRelayed { hasRelayed = true }
        var outcome = RunOutcome(idleUsers: cell.idleUsers, events: timeline.eventCount)
        if timeline.hasReachedLimit {
            outcome.endlessCells = [cell.index]
        } else if !isDone, !isOver() {
            outcome.stuckCells = [cell.index]
        } else if !isDone {
            outcome.isBrokenOff = true
            cell.tellDeaths(to: collector)
        }
        return outcome
    }

    /// Looked at after each event.
    private final class Progress {
        @exclusivity(unchecked) var isDone = false
        @exclusivity(unchecked) private var events = 0

        /// Whether it is over is shared and an event is short, so it is asked now and then only.
        func isStopRequested(_ isOver: () -> Bool) -> Bool {
            events &+= 1
            return events & 0xfff == 0 && isOver()
        }
    }
}
