// What the allocator says of the process and of the calling thread.
// Reads global statistics; any thread. Everything is nil where jemalloc is not in use.

#if Jemalloc
    import CJemalloc
    import Glibc
#endif

/// Figures of jemalloc, when it is this process's allocator.
package enum MemoryStatistics {
    /// Bytes of the whole process.
    package struct Snapshot: Sendable, Equatable {
        /// Handed out to the program.
        package let allocated: Int
        /// In pages that hold anything handed out.
        package let active: Int
        /// In physical memory, metadata and pages kept for reuse included.
        package let resident: Int
        /// The allocator's own.
        package let metadata: Int
    }

    /// True when `malloc` of this process really is jemalloc: linking it is not enough, as under a sanitizer.
    package static let isActive: Bool = proveActive()

    #if Jemalloc
        /// As jemalloc names itself: `5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c`. Nil without jemalloc.
        package static var allocatorVersion: String? {
            guard isActive, let text: UnsafePointer<CChar> = read("version") else { return nil }
            return String(cString: text)
        }

        /// The process now; nil without jemalloc. Costs about 20 µs.
        package static func snapshot() -> Snapshot? {
            guard isActive, refresh(), let allocated: Int = read("stats.allocated"),
                let active: Int = read("stats.active"), let resident: Int = read("stats.resident"),
                let metadata: Int = read("stats.metadata")
            else { return nil }
            return Snapshot(allocated: allocated, active: active, resident: resident, metadata: metadata)
        }

        /// Bytes that the calling thread has ever allocated, freed ones included; nil without jemalloc.
        /// Differences of it are exact.
        package static func threadAllocatedBytes() -> UInt64? {
            isActive ? read("thread.allocated") : nil
        }

        /// Bytes that the calling thread has allocated and not freed; negative where it frees what others allocated.
        /// Nil without jemalloc.
        package static func threadHeldBytes() -> Int64? {
            guard isActive, let allocated: UInt64 = read("thread.allocated"),
                let deallocated: UInt64 = read("thread.deallocated")
            else { return nil }
            return Int64(bitPattern: allocated &- deallocated)
        }

        /// Where jemalloc counts what the calling thread has ever allocated, and what it has freed: to be read by others as long
        /// as the thread lives. Nil without jemalloc.
        package static func threadCounters() -> (allocated: UnsafePointer<UInt64>, freed: UnsafePointer<UInt64>)? {
            guard isActive, let allocated: UnsafePointer<UInt64> = read("thread.allocatedp"),
                let freed: UnsafePointer<UInt64> = read("thread.deallocatedp")
            else { return nil }
            return (allocated, freed)
        }

        /// Allocations that an arena's threads have ever asked for, as far as they have been flushed.
        static func allocationCount(of arena: UInt32) -> UInt64? {
            guard refresh(), let small = read("stats.arenas.0.small.nrequests", arena: arena),
                let large = read("stats.arenas.0.large.nrequests", arena: arena)
            else { return nil }
            return small &+ large
        }

        /// A new arena; nil when there are too many.
        static func makeArena() -> UInt32? { read("arenas.create") }

        /// Has the calling thread allocate from that arena, which no other may do at the time.
        ///
        /// - Returns: the arena that it allocated from so far.
        static func moveThread(to arena: UInt32) -> UInt32? {
            var before: UInt32 = 0
            var after = arena
            var size = MemoryLayout<UInt32>.size
            return mallctl("thread.arena", &before, &size, &after, size) == 0 ? before : nil
        }

        /// Hands what the calling thread has counted so far over to its arena.
        static func flushThread() {
            _ = mallctl("thread.tcache.flush", nil, nil, nil, 0)
        }

        private static func proveActive() -> Bool {
            guard let before: UInt64 = read("thread.allocated") else { return false }
            var pointer: UnsafeMutableRawPointer?
            // The compiler deletes a pair of malloc and free, and leaves this one.
            guard posix_memalign(&pointer, 64, 4_096) == 0 else { return false }
            defer { free(pointer) }
            guard let after: UInt64 = read("thread.allocated") else { return false }
            return after &- before >= 4_096
        }

        /// The statistics are a copy that only this renews.
        private static func refresh() -> Bool {
            var epoch: UInt64 = 1
            return mallctl("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0
        }

        /// Nil when there is no such figure, or it has another size.
        ///
        /// Takes a static string because making a C string of another one allocates, which would be measured
        /// with the rest.
        private static func read<Value: BitwiseCopyable>(_ name: StaticString) -> Value? {
            withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
                var size = MemoryLayout<Value>.size
                let cName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
                guard mallctl(cName, buffer.baseAddress, &size, nil, 0) == 0, size == MemoryLayout<Value>.size else {
                    return nil
                }
                return buffer[0]
            }
        }

        /// A figure of one arena, by a name that speaks of arena 0.
        private static func read(_ name: StaticString, arena: UInt32) -> UInt64? {
            withUnsafeTemporaryAllocation(of: Int.self, capacity: 5) { path in
                var depth = path.count
                let cName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
                guard mallctlnametomib(cName, path.baseAddress, &depth) == 0, depth == path.count else { return nil }
                path[2] = Int(arena)
                var value: UInt64 = 0
                var size = MemoryLayout<UInt64>.size
                return mallctlbymib(path.baseAddress, depth, &value, &size, nil, 0) == 0 ? value : nil
            }
        }
    #else
        package static var allocatorVersion: String? { nil }
        package static func snapshot() -> Snapshot? { nil }
        package static func threadAllocatedBytes() -> UInt64? { nil }
        package static func threadHeldBytes() -> Int64? { nil }
        package static func threadCounters() -> (allocated: UnsafePointer<UInt64>, freed: UnsafePointer<UInt64>)? {
            nil
        }
        private static func proveActive() -> Bool { false }
    #endif
}
