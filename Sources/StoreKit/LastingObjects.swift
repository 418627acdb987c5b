// Shared objects of processes that have ended, kept while anything left of their apps refers to them.
// Any thread; `lock` guards.

import Foundation

/// Keeps the default queue of an ended process while remains of its app refer to it.
/// Apps keep that queue `unowned` and use it in `deinit`, because on Apple's systems it outlives all their objects.
/// Remains of an app may be freed at any time after its process has ended.
enum LastingObjects {
    private struct Place {
        let object: AnyObject
        /// A caller may be about to take a reference to the object.
        var isFresh = true
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var places: [Place] = []  // Guard: `lock`.
    nonisolated(unsafe) private static var untilSweep = sweepMin  // Guard: `lock`.

    /// A sweep is cheap but not free: it runs after this many new objects, or after an eighth of the kept ones if more.
    private static let sweepMin = 64
    /// The unowned count that all strong references to an object add together.
    private static let unownedCountOfOwners: UInt = 1

    /// Retains an object of a process that has ended, if there are unowned references to it.
    static func keepIfNeeded(_ object: AnyObject) {
        if hasUnownedReferences(object) { keep(object) }
    }

    /// Retains an object to which a reference may be about to be taken.
    static func keep(_ object: AnyObject) {
        // Freed outside the lock: freeing the object may release another object that is kept here.
        let unneeded: [Place] = lock.withLock {
            places.append(Place(object: object))
            untilSweep -= 1
            return untilSweep > 0 ? [] : sweep()
        }
        withExtendedLifetime(unneeded) {}
    }

    private static func sweep() -> [Place] {
        let firstUnneeded = places.partition { !$0.isFresh && !hasUnownedReferences($0.object) }
        let unneeded = Array(places[firstUnneeded...])
        places.removeSubrange(firstUnneeded...)
        for place in places.indices { places[place].isFresh = false }
        untilSweep = max(sweepMin, places.count / 8)
        return unneeded
    }

    private static func hasUnownedReferences(_ object: AnyObject) -> Bool {
        _getUnownedRetainCount(object) > unownedCountOfOwners
    }
}
