// What a worker process holds beside the memory that it was forked with.
// Any thread of the worker.

import Host

package enum WorkerMemory {
    /// How often it is looked at.
    private static let period = 0.05

    /// What is there now does not count.
    package static func begin() { before = MemoryStatistics.snapshot() }

    /// Notes it from now on. Nil without jemalloc.
    package static func watch(_ side: WorkerSide) -> Ticker? {
        before == nil ? nil : Ticker(every: period) { note(side) }
    }

    package static func note(_ side: WorkerSide) {
        guard let before, let now = MemoryStatistics.snapshot() else { return }
        side.board.note(
            allocated: now.allocated - before.allocated, resident: now.resident - before.resident, of: side.worker)
    }

    /// Guard: set once in a worker, before its tickers begin.
    nonisolated(unsafe) private static var before: MemoryStatistics.Snapshot?
}
