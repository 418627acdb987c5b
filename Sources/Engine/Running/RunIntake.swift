// What the worker processes of a run send, added up.
// Main thread.

import ClientKit
import Judgement
import Metrics
import Scenario
import Simulation

/// What a worker of a run sends beside what comes of its places.
enum RunNote: Int {
    /// Users who have been judged.
    case progress
    /// What has been found so far: what follows comes on top of it.
    case findings
}

final class RunIntake {
    let collector: Collector
    private(set) var outcome = RunOutcome()
    private let task: RunTask
    private let thresholds: [Threshold]
    private let operations: (any OperationLog)?

    init(_ task: RunTask) {
        self.task = task
        collector = Collector(task.measures.withoutOperations)
        operations = task.measures.operations?.makeLog()
        thresholds = AbortWatch(task.options.scenario, client: task.options.client.name).thresholds
    }

    func begin(_ outcome: RunOutcome) { self.outcome = outcome }

    /// What came between two calls of `begin` and this one.
    func end() -> RunOutcome {
        operations?.flush()
        return outcome
    }

    func take(_ message: WorkerMessage) throws {
        var body = Unpacker(message.body)
        switch message.kind {
        case .value:
            outcome.add(try RunOutcome(&body, thresholds))
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
        try collector.load(&body, catalog)
        guard let operations else { return }
        try OperationRelay.pour(&body, into: operations, catalog)
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
