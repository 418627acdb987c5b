// The allocator's figures, where it has any.

import Foundation
import Testing

@testable import Metrics

@Suite(.serialized) struct MemoryStatisticsTests {
    @Test func figuresExistExactlyWhenTheAllocatorIsActive() {
        #expect((MemoryStatistics.snapshot() != nil) == MemoryStatistics.isActive)
        #expect((MemoryStatistics.threadAllocatedBytes() != nil) == MemoryStatistics.isActive)
        #expect((MemoryStatistics.allocationCount() != nil) == MemoryStatistics.isActive)
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func anAllocationMovesTheThreadsCounterByItsSize() throws {
        let size = 1 << 20
        let before = try #require(MemoryStatistics.threadAllocatedBytes())
        var pointer: UnsafeMutableRawPointer?
        try #require(posix_memalign(&pointer, 64, size) == 0)
        defer { free(pointer) }
        let after = try #require(MemoryStatistics.threadAllocatedBytes())
        #expect(after - before >= UInt64(size))
        #expect(after - before < UInt64(size) * 2)
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func largeAllocationsAreCounted() throws {
        let before = try #require(MemoryStatistics.allocationCount())
        for _ in 0..<100 {
            var pointer: UnsafeMutableRawPointer?
            try #require(posix_memalign(&pointer, 4_096, 1 << 20) == 0)
            free(pointer)
        }
        #expect(try #require(MemoryStatistics.allocationCount()) >= before + 100)
    }

    private final class Small { var number = 0 }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func smallAllocationsAreCountedOnceTheThreadIsFlushed() throws {
        var kept: [Small] = []
        kept.reserveCapacity(10_000)
        MemoryStatistics.flushThread()
        let before = try #require(MemoryStatistics.allocationCount())
        let heldBefore = try #require(MemoryStatistics.threadHeldBytes())
        for _ in 0..<10_000 { kept.append(Small()) }
        MemoryStatistics.flushThread()
        let made = try #require(MemoryStatistics.allocationCount()) - before
        let held = try #require(MemoryStatistics.threadHeldBytes()) - heldBefore
        // Other tests run beside this one, and count too.
        #expect(made >= 10_000 && held >= 160_000 && held < 1_600_000, "\(made) \(held)")
        #expect(kept.count == 10_000)
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func snapshotIsPlausible() throws {
        let snapshot = try #require(MemoryStatistics.snapshot())
        #expect(snapshot.allocated > 0)
        #expect(snapshot.active >= snapshot.allocated)
        #expect(snapshot.resident >= snapshot.active)
    }

    // Without optimisation the compiler puts the frames of accessors on the heap.
    @Test(.enabled(if: MemoryStatistics.isActive && Self.isOptimised))
    func recordingAllocatesNothingAfterTheFirstSample() {
        let tally = Tally()
        func measure() {
            for sample in 0..<1_000 as Range<Int64> {
                tally.record(.purchaseDuration, nanoseconds: sample * 1_000_003)
                tally.recordService(.purchaseDuration, nanoseconds: sample)
                tally.count(.purchases)
                tally.count(.faults, tag: "crash")
                tally.rate(.purchaseSuccess, passed: true)
                tally.gauge(.memoryResident, value: 3)
            }
        }
        measure()
        // No macros between the two: they allocate.
        let before = MemoryStatistics.threadAllocatedBytes()
        measure()
        let after = MemoryStatistics.threadAllocatedBytes()
        #expect(after == before)
    }

    private static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }
}
