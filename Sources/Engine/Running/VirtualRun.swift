// A run under the virtual clock: each worker takes the next cell and runs it to its end.
// Cells share nothing, so the result does not depend on how many workers there are.

import Dispatch
import Foundation
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
        let workers = min(options.workers, cells.count)
        let shared = Shared(workers: workers)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            let collector = Collector(board: board, onlyUser: options.onlyUser)
            let bytesBefore = meter.threadBegan()
            let material = Material(options)
            var stuck: [Int] = []
            var endless: [Int] = []
            var idle = 0
            var growth = GrowthMeter()
            while !board.isStopRequested {
                let place = shared.nextCell.add(1, ordering: .relaxed).oldValue
                guard place < cells.count else { break }
                let result = run(cells[place], material, collector)
                if result.isEndless {
                    endless.append(cells[place])
                } else if !result.isDone && !board.isStopRequested {
                    stuck.append(cells[place])
                }
                idle += result.idleUsers
                growth.cellEnded(users: plan.users(of: cells[place]).count)
            }
            meter.threadEnded(bytesBefore: bytesBefore, growth: growth)
            shared.add(collector, stuck: stuck, endless: endless, idle: idle)
        }
        return shared.outcome
    }

    private func run(_ index: Int, _ material: Material, _ collector: Collector) -> Ending {
        if let exploration = options.scenario.exploration {
            let chance = RandomStream(seed: options.scenario.seed, user: index, purpose: .order)
            let timeline = ExploredTimeline(EventOrders(chance: chance), window: exploration.window)
            return run(index, material, collector, on: timeline) {
                (timeline.run(until: $0), timeline.hasReachedLimit)
            }
        }
        let timeline = VirtualTimeline()
        return run(index, material, collector, on: timeline) {
            (timeline.run(until: $0), timeline.hasReachedLimit)
        }
    }

    private func run(
        _ index: Int, _ material: Material, _ collector: Collector, on timeline: Lane,
        _ run: (() -> Bool) -> (isDone: Bool, isEndless: Bool)
    ) -> Ending {
        let cell = Cell(
            index: index, options: options, plan: plan, material: material, judge: collector, judgeLane: timeline,
            storeLane: timeline,
            makeLanes: { Array(repeating: timeline, count: $0) })
        let progress = Progress()
        cell.onDone = { progress.isDone = true }
        cell.start()
        let ending = run { progress.isDone || progress.isStopRequested(board) }
        return Ending(
            isDone: ending.isDone && progress.isDone, isEndless: ending.isEndless, idleUsers: cell.idleUsers)
    }

    /// Looked at after each event.
    private final class Progress {
        @exclusivity(unchecked) var isDone = false
        @exclusivity(unchecked) private var events = 0

        /// The board is shared and an event is short, so it is asked now and then only.
        func isStopRequested(_ board: RunBoard) -> Bool {
            events &+= 1
            return events & 0xfff == 0 && board.isStopRequested
        }
    }

    private struct Ending {
        let isDone: Bool
        let isEndless: Bool
        let idleUsers: Int
    }

    private final class Shared: @unchecked Sendable {  // Guard: `lock`, and the atomic counter.
        let nextCell = Atomic<Int>(0)
        private let lock = NSLock()
        private(set) var outcome = RunOutcome(collectors: [])

        init(workers: Int) { outcome.collectors.reserveCapacity(workers) }

        func add(_ collector: Collector, stuck: [Int], endless: [Int], idle: Int) {
            lock.withLock {
                outcome.collectors.append(collector)
                outcome.stuckCells += stuck
                outcome.endlessCells += endless
                outcome.idleUsers += idle
            }
        }
    }
}
