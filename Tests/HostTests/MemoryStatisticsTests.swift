// The allocator's figures, where it has any.

import Dispatch
import Foundation
import Metrics
import Synchronization
import Testing

@testable import Host

@Suite(.serialized) struct MemoryStatisticsTests {
    @Test func memoryFiguresExistOnlyWithTheAllocator() {
        #expect((MemoryStatistics.snapshot() != nil) == MemoryStatistics.isActive)
        #expect((MemoryStatistics.threadAllocatedBytes() != nil) == MemoryStatistics.isActive)
        let allocations = ThreadAllocations()
        let sum = allocations?.end()
        #expect((sum != nil) == MemoryStatistics.isActive)
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func allocationRaisesTheThreadsCounterByItsSize() throws {
        let size = 1 << 20
        let before = try #require(MemoryStatistics.threadAllocatedBytes())
        var pointer: UnsafeMutableRawPointer?
        try #require(posix_memalign(&pointer, 64, size) == 0)
        defer { free(pointer) }
        let after = try #require(MemoryStatistics.threadAllocatedBytes())
        #expect(after - before >= UInt64(size))
        #expect(after - before < UInt64(size) * 2)
    }

    // Small ones stay in the thread's cache, large ones do not. Beside it a thread that allocates without end.
    @Test(.enabled(if: MemoryStatistics.isActive))
    func threadAllocationsAreCountedExactly() throws {
        let noise = Noise()
        noise.start()
        defer { noise.stop() }
        // Without optimisation reading allocates a little itself, the first time more.
        var own = ThreadAllocations.Sum()
        for _ in 0..<2 { own = try #require(ThreadAllocations()).end() }
        #expect(own.count < 8 && own.bytes == 0)
        for _ in 0..<5 {
            let allocations = try #require(ThreadAllocations())
            allocate(1_000, of: 48)
            allocate(100, of: 1 << 20)
            let sum = allocations.end()
            #expect(sum == .init(count: own.count + 1_100, bytes: 1_000 * 48 + 100 << 20))
        }
    }

    private func allocate(_ count: Int, of size: Int) {
        for _ in 0..<count {
            var pointer: UnsafeMutableRawPointer?
            // The compiler deletes a pair of malloc and free, and leaves this one.
            _ = posix_memalign(&pointer, 16, size)
            free(pointer)
        }
    }

    /// A thread that allocates until it is stopped.
    private final class Noise: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let ended = DispatchSemaphore(value: 0)

        func start() {
            Thread { [self] in
                while !isOver.load(ordering: .relaxed) { free(malloc(64 + Int.random(in: 0..<64))) }
                ended.signal()
            }.start()
        }

        func stop() {
            isOver.store(true, ordering: .relaxed)
            ended.wait()
        }
    }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func threadHeldBytesGrowByTheKeptObjects() throws {
        var kept: [Small] = []
        kept.reserveCapacity(10_000)
        let before = try #require(MemoryStatistics.threadHeldBytes())
        for _ in 0..<10_000 { kept.append(Small()) }
        let held = try #require(MemoryStatistics.threadHeldBytes()) - before
        #expect(held >= 160_000 && held < 1_600_000, "\(held)")
        #expect(kept.count == 10_000)
    }

    private final class Small { var number = 0 }

    @Test(.enabled(if: MemoryStatistics.isActive))
    func memorySnapshotIsPlausible() throws {
        let snapshot = try #require(MemoryStatistics.snapshot())
        #expect(snapshot.allocated > 0)
        #expect(snapshot.active >= snapshot.allocated)
        #expect(snapshot.resident >= snapshot.active)
    }

    // Without optimisation the compiler puts the frames of accessors on the heap.
    @Test(.enabled(if: MemoryStatistics.isActive && Self.isOptimised))
    func tallyAllocatesNothingAfterTheFirstSample() {
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
