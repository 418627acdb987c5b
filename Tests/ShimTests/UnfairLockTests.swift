// The system's locks, as purchase code keeps its caches under them.

import Dispatch
import Testing
import os

private final class ProductCache {
    private var lock = os_unfair_lock()
    private var names: [Int: String] = [:]

    func set(_ name: String, for key: Int) {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        names[key] = name
    }

    var count: Int {
        os_unfair_lock_lock(&lock)
        defer { os_unfair_lock_unlock(&lock) }
        return names.count
    }
}

private final class UnfairLock {
    private let lock: os_unfair_lock_t = {
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock_s())
        return lock
    }()

    deinit {
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    func around<T>(_ body: () throws -> T) rethrows -> T {
        os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        return try body()
    }

    var isFree: Bool {
        guard os_unfair_lock_trylock(lock) else { return false }
        os_unfair_lock_unlock(lock)
        return true
    }
}

@Suite struct UnfairLockTests {
    @Test func unfairLockAdmitsOneThreadAtATime() {
        let lock = UnfairLock()
        var (sum, busy, collisions) = (0, false, 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2_000 {
                lock.around {
                    if busy { collisions += 1 }
                    busy = true
                    sum += 1
                    busy = false
                }
            }
        }
        #expect(sum == 16_000 && collisions == 0)
        #expect(lock.isFree)
        lock.around { #expect(!lock.isFree) }
    }

    @Test func unfairLockWorksAsAStoredProperty() {
        let cache = ProductCache()
        for key in 0..<3 { cache.set("\(key)", for: key) }
        #expect(cache.count == 3)
    }

    @Test func allocatedUnfairLockGuardsItsState() {
        let owned = OSAllocatedUnfairLock(initialState: [String: Int]())
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<500 { owned.withLock { $0["coins", default: 0] += 1 } }
        }
        #expect(owned.withLock { $0["coins"] } == 4_000)
        let copy = owned
        owned.withLock { _ in #expect(copy.withLockIfAvailable { $0.count } == nil) }
        #expect(copy.withLockIfAvailable { $0.count } == 1)

        let plain = OSAllocatedUnfairLock()
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
        #expect(plain.withLock { 7 } == 7)
    }
}
