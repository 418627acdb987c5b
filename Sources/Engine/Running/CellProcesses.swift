// The workers of a virtual run as processes: each hands back cell after cell, and this one adds them up.
// Main thread; what runs in a worker says so.

import Judgement
import Metrics
import Scenario
import Simulation

final class CellProcesses: CellWorkers {
    private let task: RunTask
    private let collector: Collector
    private let operations: (any OperationLog)?
    private var outcome = RunOutcome()

    init(_ task: RunTask) {
        self.task = task
        collector = Collector(task.measures.withoutOperations)
        operations = task.measures.operations?.makeLog()
    }

    var collectors: [Collector] { [collector] }

    func run(_ cells: [Int]) -> RunOutcome {
        outcome = RunOutcome(events: 0)
        let workers = WorkerProcesses(
            task.options.workers, places: cells.count, task.options.scenario.app
        ) { [task] side in
            CellProcess(task, cells, side)
        }
        task.meter.attend(to: workers.board)
        workers.run(until: { [board = task.board] in board.isOver }) { message in
            var body = Unpacker(message.body)
            switch message.kind {
            case .value: try take(&body)
            case .note: try note(CellNote(rawValue: message.place), &body)
            case .farewell, .replacement: if !message.body.isEmpty { try farewell(&body) }
            case .left, .hung, .strayed: break
            }
        }
        operations?.flush()
        if let death = workers.death {
            outcome.death = death.placed { cells[$0] }
            if !death.wasElsewhere { task.board.halt() }
        }
        outcome.crashLimit = workers.crashLimit
        if outcome.crashLimit != nil { task.board.halt() }
        return outcome
    }

    /// What came of a cell.
    private func take(_ body: inout Unpacker) throws(TornValue) {
        let catalog = task.options.scenario.store.catalog
        outcome.add(try RunOutcome(&body))
        try collector.load(&body, catalog)
        guard let operations else { return }
        try OperationRelay.pour(&body, into: operations, catalog)
    }

    private func note(_ kind: CellNote?, _ body: inout Unpacker) throws(TornValue) {
        switch kind {
        case nil: throw TornValue()
        case .progress: task.board.add(try JudgedUsers(&body))
        }
    }

    /// What a worker says last.
    private func farewell(_ body: inout Unpacker) throws(TornValue) {
        let allocations = try body.plain(ThreadAllocations.Sum?.self)
        task.meter.workerEnded(allocations, growth: try body.plain(GrowthMeter.Growth?.self))
        outcome.taskJobs += try body.number()
        for _ in 0..<(try body.number()) { outcome.remarks.append(try ClientRemarks.Remark(&body)) }
        guard try body.flag() else { return }
        let found = UnattributedCalls.Found(count: try body.number(), first: try body.text())
        outcome.unattributedCalls.append(found)
    }
}

/// What a worker sends beside its cells.
private enum CellNote: Int {
    /// Users who have been judged.
    case progress
}

/// Runs the cells that it is given. In a worker; `run` on the worker's thread, the rest as it says.
private final class CellProcess: WorkerTask, @unchecked Sendable {
    private let task: RunTask
    private let cells: [Int]
    private let side: WorkerSide
    private let unattributed = UnattributedCalls.Watch()
    private let relay: OperationRelay?
    private let worker: CellWorker
    private let progress: ProgressRelay
    private let memory: Ticker?
    private var packer = Packer(capacity: WorkerMessage.roomOfMost)

    init(_ task: RunTask, _ cells: [Int], _ side: WorkerSide) {
        (self.task, self.cells, self.side) = (task, cells, side)
        WorkerMemory.begin()
        let relay = task.measures.operations.map { _ in OperationRelay() }
        var measures = task.measures
        measures.operations = relay
        let progress = ProgressRelay { side.send(.note, place: CellNote.progress.rawValue, $0) }
        let collector = Collector(measures) { progress.add($0) }
        (self.relay, self.progress) = (relay, progress)
        worker = CellWorker(task, collector, side.slot) {
            side.isOver
        } onHang: { client in
            side.hangs(client.hang)
        }
        memory = WorkerMemory.watch(side)
    }

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
        progress.flush()
        memory?.stop()
        var packer = Packer()
        packer.put(plain: worker.end())
        packer.put(plain: worker.growth.growth(isFull: isFull))
        packer.put(AppRuntime.takeTaskJobs())
        let remarks = ClientRemarks.take().remarks
        packer.put(remarks.count)
        for remark in remarks { remark.pack(into: &packer) }
        let found = unattributed.end()
        packer.put(found != nil)
        if let found {
            packer.put(found.count)
            packer.put(found.first)
        }
        WorkerMemory.note(side)
        return packer
    }
}
