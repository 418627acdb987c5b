// What the worker processes of a run send, added up.
// Main thread.

import ClientKit
import Files
import Foundation
import Host
import Hosting
import Judgement
import Metrics
import Scenario
import Simulation
import Statics

/// What a worker of a run sends beside what comes of its places.
enum RunNote: Int {
    /// Users who have been judged.
    case progress
    /// What has been found so far: what follows comes on top of it.
    case findings
}

final class RunIntake {
    /// What was found by now, but for what is still to be kept.
    private var whole: RunPart
    /// What came since something was last kept; nil: nothing is.
    private var batch: Batch?
    /// What came between two calls of `begin` and `end`, beside what is in `whole`.
    private var outcome = RunOutcome()
    private let task: RunTask
    private let thresholds: [Threshold]
    private let operations: (any OperationLog)?

    /// What is kept together.
    private struct Batch {
        let journal: RunJournal
        var part: RunPart
        var cells = IndexSet()
        /// What users asked for, as it came.
        var operations: [UInt8] = []
        var keptAt = HostClock.nanoseconds
    }

    init(_ task: RunTask) {
        self.task = task
        whole = RunPart(task.measures)
        batch = task.journal.map { Batch(journal: $0, part: RunPart(task.measures)) }
        operations = task.measures.operations?.makeLog()
        thresholds = task.options.abortWatch.thresholds
    }

    var collector: Collector { whole.collector }

    func begin(_ outcome: RunOutcome) { self.outcome = outcome }

    /// What came since `begin`.
    func end() -> RunOutcome {
        keep(isLast: true)
        operations?.flush()
        defer { outcome = RunOutcome() }
        return outcome
    }

    /// - Parameter cell: the cell that a value belongs to; nil if it belongs to several.
    func take(_ message: WorkerMessage, cell: (Int) -> Int?) throws {
        var body = Unpacker(message.body)
        switch message.kind {
        case .value:
            let value = try RunOutcome(&body, thresholds)
            outcome.add(value)
            if value.isBrokenOff { return try brokenOff(&body) }
            if let cell = cell(message.place) { batch?.cells.insert(cell) }
            batch?.part.outcome.add(value.withoutAbort)
            try findings(&body)
        case .note:
            switch RunNote(rawValue: message.place) {
            case nil: throw TornValue()
            case .progress: task.board.add(try JudgedUsers(&body))
            case .findings: try findings(&body)
            }
        case .farewell, .replacement: if !message.body.isEmpty { try farewell(&body) }
        case .left, .hung, .strayed: break
        }
    }

    private func findings(_ body: inout Unpacker) throws(TornValue) {
        let catalog = task.options.scenario.store.catalog
        try (batch?.part.collector ?? whole.collector).load(&body, catalog)
        if let operations {
            batch?.operations += body.rest
            try OperationRelay.pour(&body, into: operations, catalog)
        }
        keep()
    }

    /// A cell that was broken off is reported but not kept: a process that resumes the run runs the cell again.
    private func brokenOff(_ body: inout Unpacker) throws(TornValue) {
        let catalog = task.options.scenario.store.catalog
        try whole.collector.load(&body, catalog)
        if let operations { try OperationRelay.pour(&body, into: operations, catalog) }
        holdsUnkept = true
    }

    // MARK: Keeping

    /// Whether `whole` has something that is not to be kept.
    private var holdsUnkept = false
    /// The cells that have come to their ends, of those before a kill too.
    private(set) var cellsDone = IndexSet()

    /// Takes in what a killed process has left of this run, once, before anything else.
    ///
    /// - Returns: what its cells came to, beside what was collected.
    func restore() -> RunOutcome {
        guard let journal = batch?.journal, journal.isResumed else { return RunOutcome() }
        let catalog = task.options.scenario.store.catalog
        journal.readFormer { [operations] bytes in
            var unpacker = Unpacker(bytes[...])
            while let operations, !unpacker.isAtEnd { try OperationRelay.pour(&unpacker, into: operations, catalog) }
        } batch: { kept in
            add(kept.part, of: kept.cells, map: kept.map)
        }
        if journal.failure != nil { task.board.stop.make(.interrupt) }
        task.meter.begun(secondsBefore: whole.host.seconds)
        task.board.resume(whole.collector)
        batch?.keptAt = HostClock.nanoseconds
        return whole.outcome
    }

    private func add(_ packed: ArraySlice<UInt8>, of cells: IndexSet, map: CodeMap? = nil) {
        var unpacker = Unpacker(packed, placeHere: map.map { map in { map.place($0, in: .here) } })
        do {
            try whole.add(&unpacker, task.options.scenario.store.catalog)
        } catch {
            preconditionFailure("what was packed whole cannot be read again")
        }
        cellsDone.formUnion(cells)
    }

    /// Keeps what has come together, if it is time to.
    private func keep(isLast: Bool = false) {
        guard var kept = batch.take() else { return }
        defer { batch = kept }
        let now = HostClock.nanoseconds
        guard isLast || now - kept.keptAt >= RunJournal.period else { return }
        kept.part.host.seconds = Double(now - kept.keptAt) / 1e9
        let packed = kept.part.unload()
        // What ends before anything is worth keeping leaves nothing on the disk.
        if !isLast || kept.journal.hasBegun || task.board.isOver {
            kept.journal.keep(kept.cells, packed.bytes, operations: operations == nil ? nil : kept.operations)
        }
        add(packed.bytes[...], of: kept.cells)
        (kept.cells, kept.operations, kept.keptAt) = (IndexSet(), [], now)
        if kept.journal.isLarge, !holdsUnkept { kept.journal.replace(by: cellsDone, whole.packed(task.measures)) }
        // Going on without it would lose all of it the next time.
        if kept.journal.failure != nil { task.board.stop.make(.interrupt) }
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

extension Packer {
    /// What a worker of a run says last.
    ///
    /// - Parameter growth: what its users left behind; nil where that is not measured.
    mutating func putFarewell(
        _ allocations: ThreadAllocations.Sum?, growth: GrowthMeter.Growth?, _ unattributed: UnattributedCalls.Watch
    ) {
        put(plain: allocations)
        put(plain: growth)
        put(AppRuntime.takeTaskJobs())
        let remarks = ClientRemarks.take().remarks
        put(remarks.count)
        for remark in remarks { remark.pack(into: &self) }
        let found = unattributed.end()
        put(found != nil)
        if let found {
            put(found.count)
            put(found.first)
        }
    }
}
