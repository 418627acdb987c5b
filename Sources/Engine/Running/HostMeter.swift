// What a run costs the machine: real time and memory.
// Any thread; `lock` guards the sums.

import Foundation
import Metrics
import Simulation

/// Costs of a run that differ from machine to machine.
package struct HostMeasurements: Sendable {
    package var seconds: Double
    /// Nil where the allocator cannot tell.
    package var residentPeak: Int?
}

final class HostMeter: @unchecked Sendable {
    private let lock = NSLock()
    private let began = HostClock.nanoseconds
    private let usersInFlight: Int
    private let allocatedBefore: Int?
    private let allocationsBefore: UInt64?
    private var peakAllocated = 0
    private var peakResident = 0
    private var workerBytes: UInt64?
    private var growth: [(bytesPerUser: Double, users: Int)] = []
    private let sampler = Sampler()

    /// How often memory is looked at.
    private static let period = 0.05

    init(usersInFlight: Int) {
        self.usersInFlight = usersInFlight
        allocatedBefore = MemoryStatistics.snapshot()?.allocated
        MemoryStatistics.flushThread()
        allocationsBefore = MemoryStatistics.allocationCount()
        guard allocatedBefore != nil else { return }
        sampler.start(every: Self.period) { [weak self] in self?.sample() }
    }

    private func sample() {
        guard let now = MemoryStatistics.snapshot() else { return }
        lock.withLock {
            peakAllocated = max(peakAllocated, now.allocated)
            peakResident = max(peakResident, now.resident)
        }
    }

    /// A worker begins its part: the bytes that its thread has allocated so far.
    func threadBegan() -> UInt64? {
        MemoryStatistics.flushThread()
        return MemoryStatistics.threadAllocatedBytes()
    }

    /// A worker has done its part: what it allocated belongs to the purchases.
    func threadEnded(bytesBefore: UInt64?, growth seen: GrowthMeter) {
        MemoryStatistics.flushThread()
        guard let bytesBefore, let now = MemoryStatistics.threadAllocatedBytes() else { return }
        lock.withLock {
            workerBytes = (workerBytes ?? 0) + (now &- bytesBefore)
            if let found = seen.growth { growth.append(found) }
        }
    }

    func finish(into tally: Tally) -> HostMeasurements {
        sampler.stop()
        let seconds = Double(HostClock.nanoseconds - began) / 1e9
        guard let allocatedBefore else { return HostMeasurements(seconds: seconds, residentPeak: nil) }
        sample()
        lock.lock()
        defer { lock.unlock() }
        tally.gauge(.memoryAllocated, value: Double(peakAllocated))
        tally.gauge(.memoryResident, value: Double(peakResident))
        if usersInFlight > 0 {
            tally.gauge(.memoryPerUser, value: Double(max(0, peakAllocated - allocatedBefore)) / Double(usersInFlight))
        }
        let grown = growth.reduce(0) { $0 + $1.users }
        if grown > 0 {
            let sum = growth.reduce(0) { $0 + $1.bytesPerUser * Double($1.users) }
            tally.gauge(.memoryGrowthPerUser, value: sum / Double(grown))
        }
        if let workerBytes, case .counter(let purchases, _) = tally.reading(.purchases, seconds: seconds), purchases > 0
        {
            tally.gauge(.bytesPerPurchase, value: Double(workerBytes) / Double(purchases))
            if let allocationsBefore, let now = MemoryStatistics.allocationCount() {
                tally.gauge(.allocationsPerPurchase, value: Double(now &- allocationsBefore) / Double(purchases))
            }
        }
        return HostMeasurements(seconds: seconds, residentPeak: peakResident)
    }
}

/// Calls a closure at intervals on a thread of its own: the pool's threads are all busy with the run.
private final class Sampler: @unchecked Sendable {  // Guard: `condition`.
    private let condition = NSCondition()
    private var isStopped = false

    func start(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        Thread { [self] in
            condition.lock()
            while !isStopped {
                condition.unlock()
                body()
                condition.lock()
                if !isStopped { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
            }
            condition.unlock()
        }.start()
    }

    func stop() {
        condition.lock()
        isStopped = true
        condition.signal()
        condition.unlock()
    }
}
