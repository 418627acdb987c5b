// What lives and dies with an app process: its client, and one object of each type that calls itself shared.
// Any thread.

internal import Foundation

/// One object for each key, made once, by the first caller.
final class ProcessObjects: @unchecked Sendable {  // Guard: `lock`, and each maker its own.
    private let lock = NSLock()
    private var places: [ObjectIdentifier: Place] = [:]
    private var isClosed = false

    private enum Place {
        case made(AnyObject)
        case making(Maker)
    }

    /// Blocks other callers for the same object until it is made. A lock for each: while one singleton is made, threads
    /// that it waits for may ask for another. Recursive, because making it may be reentrant.
    private final class Maker {
        let lock = NSRecursiveLock()
        var object: AnyObject?
    }

    func keep(_ object: AnyObject, as key: ObjectIdentifier) {
        lock.withLock { if !isClosed { places[key] = .made(object) } }
    }

    /// Once the process has ended, a new one each time, which is not kept.
    func object(for key: ObjectIdentifier, orMake make: () -> AnyObject) -> AnyObject {
        let maker: Maker
        lock.lock()
        switch places[key] {
        case .made(let object):
            lock.unlock()
            return object
        case .making(let other): maker = other
        case nil:
            maker = Maker()
            if !isClosed { places[key] = .making(maker) }
        }
        lock.unlock()
        maker.lock.lock()
        defer { maker.lock.unlock() }
        if let object = maker.object { return object }
        let object = make()
        maker.object = object
        keep(object, as: key)
        return object
    }

    /// Lets go of all.
    func close() {
        // Freed after the lock is: what is freed here may ask for another resident.
        let last = lock.withLock {
            defer { places = [:] }
            isClosed = true
            return places
        }
        withExtendedLifetime(last) {}
    }
}
