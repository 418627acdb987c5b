// What one thread allocates, counted to the last one.
// Begun and ended on that thread; the shelf of arenas is for any.

import Synchronization

/// From its beginning to its end, on one thread.
///
/// The allocator counts allocations by arena and not by thread. So the thread gets an arena of its own meanwhile, and
/// what all the others do is not in the count. Nothing is freed any differently.
package struct ThreadAllocations {
    package struct Sum: Sendable, Equatable {
        package var count: UInt64 = 0
        package var bytes: UInt64 = 0

        package static func + (one: Sum, other: Sum) -> Sum {
            Sum(count: one.count + other.count, bytes: one.bytes + other.bytes)
        }
    }

    #if Jemalloc
        private let bytesBefore: UInt64
        private let countBefore: UInt64
        private let arena: UInt32
        /// The thread's own.
        private let arenaBefore: UInt32

        /// Arenas that no thread uses now: they cannot be given back, and there are 4,000 at most.
        private static let shelf = Mutex<[UInt32]>([])

        /// Nil without jemalloc.
        package init?() {
            guard MemoryStatistics.isActive else { return nil }
            guard let arena = Self.shelf.withLock({ $0.popLast() }) ?? MemoryStatistics.makeArena() else { return nil }
            // What the thread has counted so far belongs to the arena that it leaves.
            MemoryStatistics.flushThread()
            guard let arenaBefore = MemoryStatistics.moveThread(to: arena),
                let count = MemoryStatistics.allocationCount(of: arena),
                let bytes = MemoryStatistics.threadAllocatedBytes()
            else { return nil }
            (self.arena, self.arenaBefore, countBefore, bytesBefore) = (arena, arenaBefore, count, bytes)
        }

        /// What the thread has allocated since.
        package func end() -> Sum {
            let bytes = MemoryStatistics.threadAllocatedBytes() ?? bytesBefore
            MemoryStatistics.flushThread()
            let count = MemoryStatistics.allocationCount(of: arena) ?? countBefore
            if MemoryStatistics.moveThread(to: arenaBefore) != nil {
                Self.shelf.withLock { $0.append(arena) }
            }
            return Sum(count: count &- countBefore, bytes: bytes &- bytesBefore)
        }
    #else
        package init?() { nil }
        package func end() -> Sum { Sum() }
    #endif
}
