// A run under the virtual clock: each worker takes the next cell and runs it to its end.
// Cells share nothing, so the result does not depend on how many workers there are.

import Scenario
import Simulation
import Synchronization

struct VirtualRun: Sendable {
    let options: RunOptions
    let plan: CellPlan
    let board: RunBoard
    let cells: [Int]
    let meter: HostMeter

    func perform() -> RunOutcome {
        let count = min(options.workers, cells.count)
        let nextCell = NextCell()
        let workers = VirtualWorkers((0..<count).map { _ in Collector(board: board, onlyUser: options.onlyUser) })
        return workers.run(options.scenario.app, board: board) { [self] collector, slot in
            let bytesBefore = meter.threadBegan()
            let material = Material(options)
            var work = VirtualWorkers.Work()
            var growth = GrowthMeter()
            while !board.isOver {
                let place = nextCell.take()
                guard place < cells.count else { break }
                let result = run(cells[place], material, collector, slot)
                if result.isEndless {
                    work.endless.append(cells[place])
                } else if !result.isDone && !board.isOver {
                    work.stuck.append(cells[place])
                }
                work.idle += result.idleUsers
                growth.cellEnded(users: plan.users(of: cells[place]).count)
            }
            meter.threadEnded(bytesBefore: bytesBefore, growth: growth)
            return work
        }
    }

    private func run(_ index: Int, _ material: Material, _ collector: Collector, _ slot: CallSlot) -> Ending {
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
        return Ending(isDone: ended && progress.isDone, isEndless: timeline.hasReachedLimit, idleUsers: cell.idleUsers)
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

    private struct Ending {
        let isDone: Bool
        let isEndless: Bool
        let idleUsers: Int
    }

    private final class NextCell: Sendable {
        private let next = Atomic<Int>(0)

        func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
    }
}
