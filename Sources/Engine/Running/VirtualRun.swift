// A run under the virtual clock: each worker takes the next cell and runs it to its end.
// Cells share nothing, so the result does not depend on how many workers there are.

import ClientKit
import Judgement
import Metrics
import Scenario
import Simulation
import Synchronization

extension RunTask {
    /// Looks that thresholds get at a run which they may end.
    private static let roundsMax = 16

    func performVirtually() -> RunOutcome {
        let count = min(options.workers, cells.count)
        let collectors = (0..<count).map { _ in Collector(measures, onJudged: board.add) }
        let watch = AbortWatch(options.scenario, client: options.client.name)
        // In rounds of whole cells, the same ones for any number of workers: where the run ends is repeatable too.
        let rounds = watch.isIdle ? 1 : min(Self.roundsMax, cells.count)
        var outcome = RunOutcome(collectors: collectors)
        for round in 0..<rounds {
            let part = cells[(cells.count * round / rounds)..<(cells.count * (round + 1) / rounds)]
            outcome.add(run(Array(part), collectors))
            if board.isOver || round == rounds - 1 { break }
            let total = Collector(measures)
            for collector in collectors { total.merge(collector) }
            // A cell is all of the run's time for a part of its users: so far as users have come, so far has the run.
            let planned = options.scenario.plannedLength.nanoseconds
            let elapsed = Span(nanoseconds: planned / Int64(rounds) * Int64(round + 1))
            outcome.abort = watch.firstBroken(after: elapsed, judged: total.tally)
            if outcome.abort != nil { break }
        }
        return outcome
    }

    /// Runs these cells to their ends.
    private func run(_ cells: [Int], _ collectors: [Collector]) -> RunOutcome {
        let nextCell = NextCell()
        return VirtualWorkers(collectors).run(options.scenario.app, board: board) { [self] collector, slot in
            let allocations = ThreadAllocations()
            let material = Material(options)
            var work = RunOutcome(events: 0)
            var growth = GrowthMeter()
            while !board.isOver {
                let place = nextCell.take()
                guard place < cells.count else { break }
                work.add(run(cells[place], material, collector, slot))
                growth.cellEnded(users: plan.users(of: cells[place]).count)
            }
            meter.workerEnded(allocations?.end(), growth: growth)
            return work
        }
    }

    private func run(_ index: Int, _ material: Material, _ collector: Collector, _ slot: CallSlot) -> RunOutcome {
        let timeline = options.scenario.virtualClock(cell: index)
        timeline.callSlot = Unmanaged.passUnretained(slot)
        let cell = Cell(
            index: index, options: options, plan: plan, material: material, judge: collector, judgeLane: timeline,
            storeLane: timeline,
            makeLanes: { Array(repeating: timeline, count: $0) })
        let progress = Progress()
        cell.onDone = { progress.isDone = true }
        cell.start()
        let ended = timeline.run(until: { progress.isDone || progress.isStopRequested(board) })
        timeline.dropEvents()
        var outcome = RunOutcome(idleUsers: cell.idleUsers, events: timeline.eventCount)
        if timeline.hasReachedLimit {
            outcome.endlessCells = [index]
        } else if !(ended && progress.isDone), !board.isOver {
            outcome.stuckCells = [index]
        }
        return outcome
    }

    /// Looked at after each event.
    private final class Progress {
        @exclusivity(unchecked) var isDone = false
        @exclusivity(unchecked) private var events = 0

        /// The board is shared and an event is short, so it is asked now and then only.
        func isStopRequested(_ board: RunBoard) -> Bool {
            events &+= 1
            return events & 0xfff == 0 && board.isOver
        }
    }

    private final class NextCell: Sendable {
        private let next = Atomic<Int>(0)

        func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
    }
}
