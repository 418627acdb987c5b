// The workers of a virtual run within this process: each a thread with its collector and its slot, awaited until all have
// ended or are lost. For tests and debuggers.
// Any thread: `condition` guards everything; a worker's collector is its own until it has ended or is lost.

import Foundation
import Hosting
import Judgement
import Scenario
import Simulation
import Statics
import Synchronization

final class VirtualWorkers: CellWorkers, @unchecked Sendable {
    let collectors: [Collector]
    /// Nothing is kept of what threads find by the way.
    let cellsDone = IndexSet()
    private let task: RunTask
    private let condition = NSCondition()
    private var isDone: [Bool] = []
    private var lost: [LostClient?] = []
    private var slots: [CallSlot] = []
    private var outcome = RunOutcome()

    init(_ task: RunTask) {
        self.task = task
        let count = min(task.options.workers, task.cells.count)
        collectors = (0..<count).map { _ in Collector(task.measures, onJudged: task.board.add) }
    }

    /// Runs the cells on a thread for each worker, and blocks the caller until nothing more can come.
    func run(_ cells: CellSet) -> RunOutcome {
        let fresh = collectors.map { _ in CallSlot() }
        condition.withLock {
            slots = fresh
            isDone = collectors.map { _ in false }
            lost = collectors.map { _ in nil }
            outcome = RunOutcome()
        }
        let watch = ClientWatch(task.options.scenario.app) {
            fresh
        } onLost: { [self] client in
            task.board.halt()
            isLost(client)
        }
        let nextCell = NextCell(cells)
        for worker in collectors.indices {
            Thread { [self] in begin(worker, on: nextCell, fresh[worker]) }.start()
        }
        condition.lock()
        while !collectors.indices.allSatisfy({ isDone[$0] || lost[$0] != nil }) { condition.wait() }
        condition.unlock()
        watch.stop()
        return condition.withLock { result }
    }

    private func begin(_ number: Int, on next: NextCell, _ slot: CallSlot) {
        let worker = CellWorker(task, collectors[number], slot) { [board = task.board] in
            board.isOver
        } onHang: { [self] client in
            task.board.halt()
            isLost(client)
            // The cell's threads stand still from here on.
            VirtualClock.standStill()
        }
        goOn(number, worker, on: next, RunOutcome(events: 0))
    }

    /// On the worker's thread, or on the thread that has replaced it.
    private func goOn(_ number: Int, _ worker: CellWorker, on next: NextCell, _ before: RunOutcome) {
        var work = before
        while !task.board.isOver, let cell = next.take() {
            work.add(
                worker.run(cell) { [self, work] outcome in
                    var work = work
                    work.add(outcome)
                    goOn(number, worker, on: next, work)
                })
        }
        DeviceData.leave()
        task.meter.workerEnded(worker.end(), growth: worker.growth.growth())
        ended(number, work)
    }

    private func ended(_ worker: Int, _ work: RunOutcome) {
        condition.withLock {
            isDone[worker] = true
            outcome.add(work)
            condition.broadcast()
        }
    }

    private func isLost(_ client: LostClient) {
        condition.withLock {
            guard let worker = slots.firstIndex(where: { $0 === client.slot }) else { return }
            lost[worker] = client
            condition.broadcast()
        }
    }

    /// With what lost workers had judged: they stand still for ever, and touch their collectors no more.
    private var result: RunOutcome {
        for (worker, client) in lost.enumerated() {
            guard let client, !isDone[worker] else { continue }
            LostThreads.add()
            outcome.lost.append(client)
        }
        return outcome
    }

    private final class NextCell: Sendable {
        private let cells: CellSet
        private let next = Atomic<Int>(0)

        init(_ cells: CellSet) { self.cells = cells }

        func take() -> Int? {
            let place = next.add(1, ordering: .relaxed).oldValue
            return place < cells.count ? cells[place] : nil
        }
    }
}
