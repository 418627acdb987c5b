// One run: cells to workers or to Dispatch, collectors to a result.
// Blocks the calling thread until the run has ended.

import ClientKit
import Dispatch
import Foundation
package import Hosting
package import Judgement
import Metrics
import Scenario
package import Simulation
package import Statics

/// Everything that was found and measured.
package struct RunResult: Sendable {
    package let collector: Collector
    package let cellCount: Int
    package let userCount: Int
    package var host: HostMeasurements
    /// Users that were not judged: the run was stopped before, or a cell came to a standstill.
    package let unjudgedUsers: Int
    /// Why it was stopped; nil: it was not.
    package let stopCause: StopCause?
    /// The client did not come back from a call, and the run was broken off.
    package let isHalted: Bool
    /// How the client ended a worker process, if it did: the run was broken off then. Its place is the cell.
    package let death: WorkerDeath?
    /// The client had crashed so often that the run was ended; nil: it had not.
    package let crashLimit: Int?
    /// The threshold that ended the run before its time, if one did.
    package let abort: RunAbort?
    /// Cells in which users waited and no event was left.
    package let stuckCells: [Int]
    /// Cells that came to the end of virtual time.
    package let endlessCells: [Int]
    /// Calls during the run from a queue or thread that belongs to no device.
    /// Calls of any other code in this process that uses StoreKit meanwhile are counted too.
    package let unattributedCalls: UnattributedCalls.Found?
    /// What was noticed of client code beside its verdicts, and the code that it is about.
    package let remarks: [ClientRemarks.Remark]
    package let places: [UInt: CodePlace]
    /// Requests that cannot succeed, because the catalog's file has every one of them fail.
    package let failingSettings: [RequestKind: FailingSetting]
    /// Objects in statics of which all devices had one, because they ran at once.
    package let sharedSingletons: [DeviceData.Singleton]
    /// Jobs of the client's tasks that ran as events of their devices.
    package let taskJobs: Int
    /// Events that were run under the virtual clock; nil where they are not counted.
    package let eventCount: Int?

    /// Client code ended its process, or did not come back: more than a breach of a rule, wherever it is tolerated.
    package var hasClientEnded: Bool {
        let crashes = collector.evidence(of: .clientCrash)
        let hasDied = crashes.contains { if case .died = $0.evidence.violation.finding { true } else { false } }
        let ends: [AuditRule] = [.clientExit, .clientHang, .clientMemory]
        return hasDied || isHalted || ends.contains { collector.violationCounts[$0] != nil }
    }

    package var wasStopped: Bool { stopCause != nil }

    /// From the start of the run to the end of the last journey.
    package var simulatedDuration: Span { collector.journeyEnd - .start }
}

package struct Run: Sendable {
    package let options: RunOptions
    package let plan: CellPlan
    package let board: RunBoard

    package init(_ options: RunOptions) {
        self.options = options
        plan = CellPlan(options.scenario)
        let length = options.scenario.plannedLength
        let cells = Self.cells(of: plan, options)
        let entryUsers = plan.entryUsers(of: cells)
        board = RunBoard(
            usersTotal: options.onlyUser == nil ? plan.users(of: cells).count : 1,
            plannedSeconds: options.scenario.clock == .wall && length > .zero
                ? Double(length.nanoseconds) / 1e9 : nil,
            entries: options.onlyUser == nil && options.scenario.load.count > 1
                ? zip(options.scenario.load, entryUsers).map { RunBoard.Entry(name: $0.name, users: $1) } : [],
            isRealTime: options.scenario.clock == .wall && options.onlyUser == nil)
    }

    /// Runs to the end, or until the board's stop is asked for.
    package func perform() -> RunResult { performPart().result(options, stopCause: board.stop.cause) }

    /// The same, as it can be added to other parts.
    package func performPart() -> RunPart {
        let cells = Self.cells(of: plan, options)
        let unattributed = UnattributedCalls.Watch()
        let meter = HostMeter(usersInFlight: usersInFlight(cells), isRealTime: options.scenario.clock == .wall)
        let task = RunTask(
            options: options, plan: plan, measures: options.measures, board: board, cells: CellSet(cells), meter: meter,
            journal: options.journal)
        var outcome =
            switch options.scenario.clock {
            case .virtual:
                DeviceData.exchanging(oneAtATime: options.housing.isOneDeviceAtATime(min(options.workers, cells.count)))
                {
                    task.performVirtually()
                }
            case .wall: task.performOnWall()
            }
        let total = Collector(task.measures.withoutOperations)
        for collector in outcome.collectors {
            total.merge(collector)
            collector.flushOperations()
        }
        for client in outcome.lost { total.absorb(client, plan) }
        outcome.isHalted = outcome.isHalted || !outcome.lost.isEmpty
        (outcome.collectors, outcome.lost) = ([], [])
        outcome.unattributedCalls += [unattributed.end()].compactMap(\.self)
        outcome.remarks = ClientRemarks.Found(outcome.remarks + ClientRemarks.take().remarks).remarks
        outcome.taskJobs += AppRuntime.takeTaskJobs()
        var part = RunPart(total, outcome)
        part.userCount = plan.users(of: cells).count
        part.host = meter.finish(into: total.tally)
        part.sharedSingletons = options.scenario.clock == .wall ? DeviceData.singletons : []
        return part
    }

    /// Those that are run here.
    private static func cells(of plan: CellPlan, _ options: RunOptions) -> Range<Int> {
        if let user = options.onlyUser {
            let cell = plan.cell(of: user) ?? 0
            return cell..<(cell + 1)
        }
        return options.shard?.share(of: plan.cellCount) ?? 0..<plan.cellCount
    }

    /// How many users are in memory at a time.
    private func usersInFlight(_ cells: Range<Int>) -> Int {
        if options.scenario.clock == .wall { return plan.users(of: cells).count }
        // Cells differ by a user of each entry at most.
        return cells.prefix(options.workers).reduce(0) { $0 + plan.users(of: $1).count }
    }
}

extension RunOptions {
    package var measures: MeasurePlan {
        MeasurePlan(scenario, client: client.name, onlyUser: onlyUser, operations: operations)
    }
}

/// What there is to run, under either clock: `VirtualRun.swift` and `WallRun.swift` do it.
struct RunTask: Sendable {
    let options: RunOptions
    let plan: CellPlan
    let measures: MeasurePlan
    let board: RunBoard
    let cells: CellSet
    let meter: HostMeter
    var journal: RunJournal?
}

extension Collector {
    /// Takes in a client that did not come back.
    func absorb(_ client: LostClient, _ plan: CellPlan) {
        let cell = plan.cell(of: client.user) ?? 0
        let entry = plan.entries(of: cell).firstIndex { $0.contains(client.user) } ?? 0
        absorb(deathsOf: client.user, device: client.device, client.input, cell: cell, entry: entry)
    }
}

/// What a run hands back to be merged.
struct RunOutcome: Sendable {
    var collectors: [Collector] = []
    var stuckCells: [Int] = []
    var endlessCells: [Int] = []
    /// Of one cell: the run was over before it had come to its end.
    var isBrokenOff = false
    /// Users of open loads whom no arrival ever needed.
    var idleUsers = 0
    /// Under the virtual clock.
    var events: Int?
    /// Clients that did not come back.
    var lost: [LostClient] = []
    /// The same of another process, which has judged them: the run was broken off there.
    var isHalted = false
    var abort: RunAbort?
    var death: WorkerDeath?
    /// Client code had crashed so often that the run was ended.
    var crashLimit: Int?
    /// Of workers that are processes.
    var unattributedCalls: [UnattributedCalls.Found] = []
    var remarks: [ClientRemarks.Remark] = []
    var taskJobs = 0

    /// The part of it that is kept: a run that a threshold has ended is not resumed.
    var withoutAbort: RunOutcome {
        var copy = self
        copy.abort = nil
        return copy
    }

    /// Takes in what other cells came to.
    mutating func add(_ other: RunOutcome) {
        stuckCells += other.stuckCells
        endlessCells += other.endlessCells
        idleUsers += other.idleUsers
        lost += other.lost
        isHalted = isHalted || other.isHalted
        abort = abort ?? other.abort
        death = death ?? other.death
        if let count = other.crashLimit { crashLimit = (crashLimit ?? 0) + count }
        unattributedCalls += other.unattributedCalls
        remarks += other.remarks
        taskJobs += other.taskJobs
        if let count = other.events { events = (events ?? 0) + count }
    }
}
