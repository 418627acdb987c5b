// The workers of a virtual run as processes: each hands back cell after cell, and this one adds them up.
// Main thread; what runs in a worker says so.

import Files
import Foundation
import Hosting
import Judgement
import Scenario
import Simulation

final class CellProcesses: CellWorkers {
    private let task: RunTask
    private let intake: RunIntake
    /// What a killed process has left, until it is handed on.
    private var former: RunOutcome?

    init(_ task: RunTask) {
        self.task = task
        intake = RunIntake(task)
        former = intake.restore()
    }

    var cellsDone: IndexSet { intake.cellsDone }

    var collectors: [Collector] { [intake.collector] }

    func run(_ cells: CellSet) -> RunOutcome {
        intake.begin(former.take() ?? RunOutcome(events: 0))
        // All of them may have come to their ends before a kill.
        return cells.isEmpty ? intake.end() : fork(for: cells)
    }

    private func fork(for cells: CellSet) -> RunOutcome {
        let app = task.options.scenario.app
        let workers = WorkerProcesses(
            task.options.workers, places: cells.count, app, crashLimit: app.crashLimit
        ) { [task] side in
            CellProcess(task, cells, side)
        }
        task.meter.attend(to: workers.board)
        workers.run(until: { [board = task.board] in board.isOver }) { try intake.take($0) { cells[$0] } }
        var outcome = intake.end()
        if let death = workers.death {
            outcome.death = death.placed { cells[$0] }
            if !death.wasElsewhere { task.board.halt() }
        }
        outcome.crashLimit = workers.crashLimit
        if outcome.crashLimit != nil { task.board.halt() }
        return outcome
    }
}

/// Runs the cells that it is given. In a worker; `run` on the worker's thread, the rest as it says.
private final class CellProcess: WorkerTask, @unchecked Sendable {
    private let task: RunTask
    private let cells: CellSet
    private let side: WorkerSide
    private let unattributed = UnattributedCalls.Watch()
    private let relay: OperationRelay?
    private let worker: CellWorker
    /// Nil: the run is not watched.
    private let progress: ProgressRelay?
    private let memory: Ticker?
    private var packer = Packer(capacity: WorkerMessage.roomOfMost)

    init(_ task: RunTask, _ cells: CellSet, _ side: WorkerSide) {
        (self.task, self.cells, self.side) = (task, cells, side)
        WorkerMemory.begin()
        let relay = task.measures.operations.map { _ in OperationRelay() }
        var measures = task.measures
        measures.operations = relay
        let progress = ProgressRelay.of(task, to: side)
        let collector = Collector(measures) { progress?.add($0) }
        (self.relay, self.progress) = (relay, progress)
        worker = CellWorker(task, collector, side.slot) {
            side.isOver
        } onHang: { client in
            side.hangs(client.hang)
        }
        memory = WorkerMemory.watch(side)
    }

    func users(of place: Int) -> Int { task.plan.users(of: cells[place]).count }

    var isFull: Bool { worker.growth.held ?? 0 > task.options.workerGrowthMax }

    func perform(_ place: Int, orElse: @escaping (Packer) -> Void) -> Packer {
        packed(worker.run(cells[place]) { [self] outcome in orElse(packed(outcome, of: place)) }, of: place)
    }

    private func packed(_ outcome: RunOutcome, of place: Int) -> Packer {
        packer.removeAll()
        packer.put(outcome)
        worker.collector.unload(cell: cells[place], into: &packer)
        relay?.unload(into: &packer)
        return packer
    }

    func end() -> Packer {
        progress?.flush()
        memory?.stop()
        var packer = Packer()
        packer.putFarewell(worker.end(), growth: worker.growth.growth(isFull: isFull), unattributed)
        WorkerMemory.note(side)
        return packer
    }
}
