// The workers of a virtual run: each a thread with its collector and its slot, awaited until all have ended or are lost.
// Any thread: `condition` guards everything; a worker's collector is its own until it has ended or is lost.

import Foundation
import Judgement
import Simulation

final class VirtualWorkers: @unchecked Sendable {
    private let condition = NSCondition()
    private var outcome = RunOutcome()
    private var isDone: [Bool]
    private var lost: [LostClient?]
    private let slots: [CallSlot]
    private let collectors: [Collector]

    /// - Parameter collectors: one for each worker.
    init(_ collectors: [Collector]) {
        self.collectors = collectors
        slots = collectors.map { _ in CallSlot() }
        isDone = collectors.map { _ in false }
        lost = collectors.map { _ in nil }
    }

    /// Runs `body` once for each worker, on a thread of its own, and blocks the caller until nothing more can come.
    ///
    /// - Parameter body: what the worker's cells came to; never returned by a worker that is lost.
    func run(
        _ conditions: AppConditions, board: RunBoard, _ body: @escaping @Sendable (Collector, CallSlot) -> RunOutcome
    ) -> RunOutcome {
        let watch = ClientWatch(conditions) { [slots] in
            slots
        } onLost: { [self] client in
            board.halt()
            isLost(client)
        }
        for worker in collectors.indices {
            Thread { [self] in ended(worker, body(collectors[worker], slots[worker])) }.start()
        }
        condition.lock()
        while !collectors.indices.allSatisfy({ isDone[$0] || lost[$0] != nil }) { condition.wait() }
        condition.unlock()
        watch.stop()
        return condition.withLock { result }
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
        outcome.collectors = collectors
        return outcome
    }
}
