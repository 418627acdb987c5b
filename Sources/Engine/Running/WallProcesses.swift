// The devices of the wall clock in processes of their own: what client code does to one of them, it does to that one's devices.
// Main thread; what runs in a worker says so.

import ClientKit
import Files
import Foundation
import Hosting
import Judgement
import Scenario
import Simulation

/// Runs all cells at once, shared out to the workers; gathers what these find while they go on.
struct WallProcesses {
    private let task: RunTask
    /// The cells of each worker.
    private let shares: [[Int]]

    init(_ task: RunTask) {
        self.task = task
        // A threshold that may end the run is held against what all users came to.
        let isWhole = !task.options.abortWatch.isIdle
        let count = isWhole ? 1 : max(1, min(task.options.workers, task.cells.count))
        shares = (0..<count).map { worker in
            task.cells.enumerated().filter { $0.offset % count == worker }.map(\.element)
        }
    }

    func run() -> RunOutcome {
        let intake = RunIntake(task)
        let former = intake.restore()
        if task.journal?.isResumed ?? false { return told(former, intake) }
        intake.begin(former)
        let workers = WorkerProcesses(
            shares.count, places: shares.count, task.options.scenario.app, style: .allAtOnce
        ) { [task, shares] side in
            WallProcess(task, shares, side)
        }
        task.meter.attend(to: workers.board)
        workers.run(until: { [board = task.board] in board.stop.isMade }) { try intake.take($0) { _ in nil } }
        var outcome = intake.end()
        outcome.collectors = [intake.collector]
        outcome.death = workers.death?.ofManyCells
        return outcome
    }

    /// Real time has passed, and what was under way is over: only what was judged before is left.
    private func told(_ former: RunOutcome, _ intake: RunIntake) -> RunOutcome {
        task.board.stop.make(.interrupt)
        intake.begin(former)
        var outcome = intake.end()
        outcome.collectors = [intake.collector]
        return outcome
    }
}

/// Runs a share of the cells. In a worker; any thread.
private final class WallProcess: WorkerTask, @unchecked Sendable {
    private let task: RunTask
    private let shares: [[Int]]
    private let side: WorkerSide
    private let unattributed = UnattributedCalls.Watch()
    private let relay: OperationRelay?
    private let memory: Ticker?
    private let lock = NSLock()
    private let progress: ProgressRelay?  // Guard: `lock`. Nil: the run is not watched.

    /// How often what was found is handed over, in seconds: if the process is killed, what comes later is lost.
    private static let period = 0.5
    /// How often it is looked whether the run is to end, in seconds.
    private static let lookPeriod = 0.02

    init(_ task: RunTask, _ shares: [[Int]], _ side: WorkerSide) {
        (self.task, self.shares, self.side) = (task, shares, side)
        WorkerMemory.begin()
        relay = task.measures.operations.map { _ in OperationRelay() }
        progress = ProgressRelay.of(task, to: side)
        memory = WorkerMemory.watch(side)
    }

    var isFull: Bool { false }

    func perform(_ place: Int, orElse: (Packer) -> Void) -> Packer {
        var options = task.options
        options.workers = max(1, options.workers / shares.count)
        var measures = task.measures
        measures.operations = relay
        let board = RunBoard(in: task.board) { [self] judged in
            lock.withLock { progress?.add(judged) }
        }
        let own = RunTask(
            options: options, plan: task.plan, measures: measures, board: board,
            cells: CellSet(IndexSet(shares[place])), meter: task.meter)
        let stopper = Ticker(every: Self.lookPeriod) { [side] in if side.isOver { board.stop.make(.interrupt) } }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var outcome = own.performOnWallHere(width: max(1, cores / shares.count)) { judges in
            let sender = Ticker(every: Self.period) { [self] in
                for judge in judges { send(judge.takeFindings()) }
            }
            return { sender.stop() }
        }
        stopper.stop()
        let total = Collector(measures)
        for collector in outcome.collectors { total.merge(collector) }
        for client in outcome.lost { total.absorb(client, task.plan) }
        outcome.isHalted = !outcome.lost.isEmpty
        var packer = Packer()
        packer.put(outcome, options.abortWatch.thresholds)
        put(total, into: &packer)
        return packer
    }

    private func send(_ found: Collector) {
        var packer = Packer()
        put(found, into: &packer)
        side.send(.note, place: RunNote.findings.rawValue, packer)
    }

    private func put(_ found: Collector, into packer: inout Packer) {
        found.unload(cell: nil, into: &packer)
        relay?.unload(into: &packer)
    }

    func end() -> Packer {
        lock.withLock { progress?.flush() }
        memory?.stop()
        var packer = Packer()
        packer.putFarewell(nil, growth: nil, unattributed)
        WorkerMemory.note(side)
        return packer
    }
}
