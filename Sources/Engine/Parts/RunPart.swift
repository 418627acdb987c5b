// The results of a part of a run, in a form in which parts can be added.
// Owned by the code that adds parts; any thread.

package import Files
package import Hosting
package import Judgement
import Metrics
import Scenario
package import Simulation
import Statics

/// Of some of the cells of a run, or of all of them.
package struct RunPart: Sendable {
    package private(set) var collector: Collector
    var outcome: RunOutcome
    /// Users of these cells.
    var userCount = 0
    var host = HostMeasurements(seconds: 0)
    /// Of the wall clock, where devices run at once.
    var sharedSingletons: [DeviceData.Singleton] = []

    /// A part without any results.
    package init(_ measures: MeasurePlan) {
        self.init(Collector(measures.withoutOperations), RunOutcome())
    }

    init(_ collector: Collector, _ outcome: RunOutcome) { (self.collector, self.outcome) = (collector, outcome) }

    /// Packs all of it, and leaves it as it is.
    package func packed(_ measures: MeasurePlan) -> [UInt8] {
        var copy = self
        copy.collector = Collector(measures.withoutOperations)
        copy.collector.merge(collector)
        return copy.unload().bytes
    }

    /// Packs all of it, and has nothing then.
    mutating func unload() -> Packer {
        defer { (outcome, userCount, host, sharedSingletons) = (RunOutcome(), 0, HostMeasurements(seconds: 0), []) }
        var packer = Packer()
        collector.unload(cell: nil, into: &packer)
        packer.put(whole: outcome)
        packer.put(userCount)
        packer.put(host)
        packer.put(sharedSingletons.count)
        for singleton in sharedSingletons {
            packer.put(singleton.type)
            packer.put(singleton.property)
        }
        return packer
    }

    /// As if this part had had the cells of another part of the same run too, which a process of the same build has packed.
    package mutating func add(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        try collector.load(&unpacker, catalog)
        outcome.add(try RunOutcome(whole: &unpacker))
        outcome.remarks = ClientRemarks.Found(outcome.remarks).remarks
        userCount += try unpacker.number()
        host.add(try HostMeasurements(&unpacker))
        for _ in 0..<(try unpacker.count()) {
            let singleton = DeviceData.Singleton(type: try unpacker.text(), property: try unpacker.text())
            if !sharedSingletons.contains(where: { $0.name == singleton.name }) { sharedSingletons.append(singleton) }
        }
    }

    /// What is reported of it, once nothing more is added.
    ///
    /// - Parameter stopCause: why it was stopped before all of its users were judged; nil: it was not.
    package func result(_ options: RunOptions, stopCause: StopCause? = nil) -> RunResult {
        let plan = CellPlan(options.scenario)
        collector.measureLevels()
        let expected = options.onlyUser == nil ? userCount - outcome.idleUsers : 1
        return RunResult(
            collector: collector, cellCount: plan.cellCount, userCount: plan.userCount, host: host,
            unjudgedUsers: max(0, expected - collector.usersJudged), stopCause: stopCause,
            isHalted: outcome.isHalted || !outcome.lost.isEmpty, death: outcome.death,
            crashLimit: outcome.crashLimit, abort: outcome.abort,
            stuckCells: outcome.stuckCells.sorted(), endlessCells: outcome.endlessCells.sorted(),
            unattributedCalls: .sum(outcome.unattributedCalls), remarks: outcome.remarks,
            places: ClientCode.tell(Set(outcome.remarks.flatMap { $0.subjects.map(\.place) })),
            failingSettings: options.scenario.failingSettings, sharedSingletons: sharedSingletons,
            taskJobs: outcome.taskJobs, eventCount: outcome.events)
    }
}

extension Scenario {
    /// What the catalog's file has fail each time, unless a key of the scenario has all of it fail too.
    fileprivate var failingSettings: [RequestKind: FailingSetting] {
        let errors = store.conditions.errors
        var settings: [RequestKind: FailingSetting] = [:]
        settings[.fetch] = errors.productsSetting
        if buyers.cancelRestore != .all { settings[.restore] = errors.restoreSetting }
        if buyers.cancel != .all, buyers.paymentsDisallowed != .all {
            settings[.purchase] = errors.purchaseSetting ?? errors.productsSetting
        }
        return settings
    }
}

extension UnattributedCalls.Found? {
    /// Of several processes; which of them was first is not known.
    fileprivate static func sum(_ all: [UnattributedCalls.Found]) -> Self {
        guard let first = all.map(\.first).min() else { return nil }
        return UnattributedCalls.Found(count: all.reduce(0) { $0 + $1.count }, first: first)
    }
}

extension HostMeasurements {
    /// Of parts that went on beside each other, or one after the other: the time of all of them together.
    mutating func add(_ other: HostMeasurements) {
        seconds += other.seconds
        if let peak = other.residentPeak { residentPeak = max(residentPeak ?? 0, peak) }
        for sign in other.saturation where !saturation.contains(sign) { saturation.append(sign) }
    }
}
