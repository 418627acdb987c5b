// What a run costs the machine: real time and memory.
// Any thread; `lock` guards the sums.

import Foundation
import Host
import Hosting
import Metrics
import Simulation

/// Costs of a run that differ from machine to machine.
package struct HostMeasurements: Sendable {
    package var seconds: Double
    /// Nil where the allocator cannot tell.
    package var residentPeak: Int? = nil
    /// Why figures of real time say nothing; empty where none are taken.
    package var saturation: [Saturation] = []
}

/// A sign that the machine could not keep up, so that it was measured and not the client.
package enum Saturation: Sendable, Equatable {
    /// Share of the time in which something waited for a processor.
    case pressure(Double)
    /// Share of the processors' time that others had.
    case steal(Double)
    /// How late the harness ran one of a hundred events, in nanoseconds.
    case lag(Int64)

    // What a run of a few thousand users leaves far below on an idle machine.
    static let pressureMax = 0.6
    static let stealMax = 0.1
    static let lagMax: Int64 = 100_000_000
}

// Unchecked: `ticker` is set before anybody else has the meter.
final class HostMeter: @unchecked Sendable {
    private let lock = NSLock()
    private let began = HostClock.nanoseconds
    private var secondsBefore = 0.0
    private let cpuBefore = CPUStatistics.now(at: HostClock.nanoseconds)
    private let isRealTime: Bool
    private let usersInFlight: Int
    private let allocatedBefore: Int?
    private var peakAllocated = 0
    private var peakResident = 0
    /// Of workers that are processes: what this one holds to add up what they found is no user's.
    private var peakOfWorkers = 0
    private var allocations: ThreadAllocations.Sum?
    private var growth: [GrowthMeter.Growth] = []
    /// Of workers that are processes.
    private var board: WorkerBoard?
    private var ticker: Ticker?

    /// How often memory is looked at.
    private static let period = 0.05

    /// - Parameter isRealTime: the run is under the wall clock, where a busy machine spoils what is measured.
    init(usersInFlight: Int, isRealTime: Bool) {
        self.usersInFlight = usersInFlight
        self.isRealTime = isRealTime
        let before = MemoryStatistics.snapshot()
        allocatedBefore = before?.allocated
        guard let before else { return }
        (peakAllocated, peakResident) = (before.allocated, before.resident)
        ticker = Ticker(every: Self.period) { [weak self] in self?.sample() }
    }

    private func sample() {
        guard let now = MemoryStatistics.snapshot() else { return }
        lock.withLock {
            let others = board?.memory ?? (allocated: 0, resident: 0)
            peakAllocated = max(peakAllocated, now.allocated + others.allocated)
            peakOfWorkers = max(peakOfWorkers, others.allocated)
            peakResident = max(peakResident, now.resident + others.resident)
        }
    }

    /// The run had gone on for so long in a process that was killed.
    func begun(secondsBefore: Double) { lock.withLock { self.secondsBefore = secondsBefore } }

    /// What these workers hold counts too, from now on.
    func attend(to board: WorkerBoard) { lock.withLock { self.board = board } }

    /// A worker has done its part: what it allocated belongs to the purchases.
    func workerEnded(_ allocated: ThreadAllocations.Sum?, growth seen: GrowthMeter.Growth?) {
        guard let allocated else { return }
        lock.withLock {
            allocations = allocations.map { $0 + allocated } ?? allocated
            if let seen { growth.append(seen) }
        }
    }

    func finish(into tally: Tally) -> HostMeasurements {
        ticker?.stop()
        let seconds = lock.withLock { secondsBefore } + Double(HostClock.nanoseconds - began) / 1e9
        let saturation = measureProcessors(into: tally)
        guard let allocatedBefore else {
            return HostMeasurements(seconds: seconds, residentPeak: nil, saturation: saturation)
        }
        sample()
        lock.lock()
        defer { lock.unlock() }
        tally.gauge(.memoryAllocated, value: Double(peakAllocated))
        tally.gauge(.memoryResident, value: Double(peakResident))
        if usersInFlight > 0 {
            tally.gauge(.memoryPerUser, value: Double(peakOfUsers(allocatedBefore)) / Double(usersInFlight))
        }
        let grown = growth.reduce(0) { $0 + $1.users }
        let held = growth.reduce(0) { $0 + $1.bytesPerUser * Double($1.users) }
        // In thousandths: whole bytes would round what a user leaves behind.
        tally.gauge(
            .memoryGrowthPerUser,
            Quotient(ExactSum(Int128((held * 1_000).rounded())), over: ExactSum(grown * 1_000)))
        let left = growth.reduce(0) { $0 + $1.bytesPerLaunch * Double($1.launches) }
        tally.gauge(
            .memoryLeftPerLaunch,
            Quotient(
                ExactSum(Int128((left * 1_000).rounded())),
                over: ExactSum(growth.reduce(0) { $0 + $1.launches } * 1_000)))
        if let allocations {
            let purchases = ExactSum(tally.measurements[.purchases].count)
            tally.gauge(.bytesPerPurchase, Quotient(ExactSum(allocations.bytes), over: purchases))
            tally.gauge(.allocationsPerPurchase, Quotient(ExactSum(allocations.count), over: purchases))
        }
        return HostMeasurements(seconds: seconds, residentPeak: peakResident, saturation: saturation)
    }

    /// Under the lock.
    private func peakOfUsers(_ allocatedBefore: Int) -> Int {
        max(0, board == nil ? peakAllocated - allocatedBefore : peakOfWorkers)
    }

    private func measureProcessors(into tally: Tally) -> [Saturation] {
        let now = CPUStatistics.now(at: HostClock.nanoseconds)
        let pressure = now.pressure(since: cpuBefore)
        let steal = now.steal(since: cpuBefore)
        if let pressure { tally.gauge(.cpuPressure, pressure) }
        if let steal { tally.gauge(.cpuSteal, steal) }
        guard isRealTime else { return [] }
        var signs: [Saturation] = []
        if let share = pressure?.value, share > Saturation.pressureMax { signs.append(.pressure(share)) }
        if let share = steal?.value, share > Saturation.stealMax { signs.append(.steal(share)) }
        if let lag = tally.measurements[.scheduleLag].response?.value(atPercentile: 99), lag > Saturation.lagMax {
            signs.append(.lag(lag))
        }
        return signs
    }
}
