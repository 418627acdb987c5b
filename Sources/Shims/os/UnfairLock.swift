// The system's small locks. Each is a mutex of the C library, which the runtime of simulated devices knows.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import Glibc

// A type and functions of the C library, compiled into their callers. A package that asks whether there is a module
// `os`, as swift-argument-parser does, may see this one in a build that never links it, and there destroys the lock as
// a mutex. Glibc is exported for the same code, as the C library is on Apple's systems.

/// A lock of the C library, made unlocked.
public typealias os_unfair_lock = pthread_mutex_t
public typealias os_unfair_lock_s = pthread_mutex_t
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

@_alwaysEmitIntoClient
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(lock) }

@_alwaysEmitIntoClient
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(lock) == 0 }

@_alwaysEmitIntoClient
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(lock) }

/// A lock together with the state that it guards; copies share both.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {  // Guard: the lock itself.
    private final class Place {
        let lock: os_unfair_lock_t
        var state: State

        init(_ state: State) {
            self.state = state
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }

    private let place: Place

    public init(uncheckedState initialState: State) { place = Place(initialState) }

    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        os_unfair_lock_lock(place.lock)
        defer { os_unfair_lock_unlock(place.lock) }
        return try body(&place.state)
    }

    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs `body` with the lock; returns nil if another thread holds it.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        guard os_unfair_lock_trylock(place.lock) else { return nil }
        defer { os_unfair_lock_unlock(place.lock) }
        return try body(&place.state)
    }

    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    public init() { self.init(uncheckedState: ()) }

    public func lock() { os_unfair_lock_lock(place.lock) }
    public func unlock() { os_unfair_lock_unlock(place.lock) }
    public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(place.lock) }

    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R { try withLockUnchecked { _ in try body() } }
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try withLockUnchecked(body) }
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
}
