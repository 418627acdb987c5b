// One run: cells to workers or to Dispatch, collectors to a result.
// Blocks the calling thread until the run has ended.

import ClientKit
import Dispatch
import Foundation
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
    /// Calls that came, while the run went on, from a queue or thread that belongs to no device. Whoever else uses
    /// StoreKit in this process meanwhile is counted too.
    package let unattributedCalls: UnattributedCalls.Found?
    /// What was noticed of client code beside its verdicts, and the code that it is about.
    package let remarks: [ClientRemarks.Remark]
    package let places: [UInt: CodePlace]
    /// Objects in statics of which all devices had one, because they ran at once.
    package let sharedSingletons: [DeviceData.Singleton]
    /// Jobs of the client's tasks that ran as events of their devices.
    package let taskJobs: Int
    /// Events that were run. Under the wall clock each would be a hop of Dispatch; nil where they are not counted.
    package let eventCount: Int?

    /// Client code ended its process, or did not come back: more than a breach of a rule, wherever it is tolerated.
    package var hasClientEnded: Bool {
        let crashes = collector.evidence[.clientCrash] ?? []
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
        board = RunBoard(
            usersTotal: options.onlyUser == nil ? plan.userCount : 1,
            plannedSeconds: options.scenario.clock == .wall && length > .zero
                ? Double(length.nanoseconds) / 1e9 : nil,
            entries: options.onlyUser == nil && options.scenario.load.count > 1
                ? options.scenario.load.map { RunBoard.Entry(name: $0.name, users: $0.users) } : [],
            isRealTime: options.scenario.clock == .wall && options.onlyUser == nil)
    }

    /// Runs to the end, or until the board's stop is asked for.
    package func perform() -> RunResult {
        let cells = options.onlyUser.map { [plan.cell(of: $0) ?? 0] } ?? Array(0..<plan.cellCount)
        let unattributed = UnattributedCalls.Watch()
        let meter = HostMeter(usersInFlight: usersInFlight(cells), isRealTime: options.scenario.clock == .wall)
        let measures = MeasurePlan(
            options.scenario, client: options.client.name, onlyUser: options.onlyUser, operations: options.operations)
        let task = RunTask(options: options, plan: plan, measures: measures, board: board, cells: cells, meter: meter)
        let outcome =
            switch options.scenario.clock {
            case .virtual:
                DeviceData.exchanging(oneAtATime: options.housing.isOneDeviceAtATime(min(options.workers, cells.count)))
                {
                    task.performVirtually()
                }
            case .wall: task.performOnWall()
            }
        let total = Collector(measures)
        for collector in outcome.collectors {
            total.merge(collector)
            collector.flushOperations()
        }
        for client in outcome.lost { total.absorb(client, plan) }
        total.measureLevels()
        let host = meter.finish(into: total.tally)
        let remarks = ClientRemarks.Found(outcome.remarks + ClientRemarks.take().remarks).remarks
        let expected = options.onlyUser == nil ? plan.userCount - outcome.idleUsers : 1
        return RunResult(
            collector: total, cellCount: plan.cellCount, userCount: plan.userCount, host: host,
            unjudgedUsers: max(0, expected - total.usersJudged), stopCause: board.stop.cause,
            isHalted: outcome.isHalted || !outcome.lost.isEmpty, death: outcome.death,
            crashLimit: outcome.crashLimit, abort: outcome.abort,
            stuckCells: outcome.stuckCells.sorted(), endlessCells: outcome.endlessCells.sorted(),
            unattributedCalls: .sum(outcome.unattributedCalls + [unattributed.end()].compactMap(\.self)),
            remarks: remarks, places: ClientCode.tell(Set(remarks.flatMap { $0.subjects.map(\.place) })),
            sharedSingletons: options.scenario.clock == .wall ? DeviceData.singletons : [],
            taskJobs: outcome.taskJobs + AppRuntime.takeTaskJobs(),
            eventCount: outcome.events)
    }

    /// How many users are in memory at a time.
    private func usersInFlight(_ cells: [Int]) -> Int {
        let sizes = cells.map { plan.users(of: $0).count }
        if options.scenario.clock == .wall { return sizes.reduce(0, +) }
        return sizes.sorted(by: >).prefix(options.workers).reduce(0, +)
    }
}

/// What there is to run, under either clock: `VirtualRun.swift` and `WallRun.swift` do it.
struct RunTask: Sendable {
    let options: RunOptions
    let plan: CellPlan
    let measures: MeasurePlan
    let board: RunBoard
    let cells: [Int]
    let meter: HostMeter
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

    /// Takes in what other cells came to.
    mutating func add(_ other: RunOutcome) {
        stuckCells += other.stuckCells
        endlessCells += other.endlessCells
        idleUsers += other.idleUsers
        lost += other.lost
        isHalted = isHalted || other.isHalted
        abort = abort ?? other.abort
        death = death ?? other.death
        crashLimit = crashLimit ?? other.crashLimit
        unattributedCalls += other.unattributedCalls
        remarks += other.remarks
        taskJobs += other.taskJobs
        if let count = other.events { events = (events ?? 0) + count }
    }
}

extension UnattributedCalls.Found? {
    /// Of several processes; which of them was first is not known.
    fileprivate static func sum(_ all: [UnattributedCalls.Found]) -> Self {
        guard let first = all.map(\.first).min() else { return nil }
        return UnattributedCalls.Found(count: all.reduce(0) { $0 + $1.count }, first: first)
    }
}
