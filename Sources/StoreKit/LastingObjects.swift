// Shared objects of processes that have ended, for as long as anything that is left of their apps refers to them.
// Any thread; `lock` guards.

import Foundation

/// Apps keep the default queue `unowned`, which on their systems outlives all they have, and use it in `deinit`. What is
/// left of an app when its process has ended may be freed at any time, so the queue waits for that.
enum LastingObjects {
    private struct Place {
        let object: AnyObject
        /// A caller may be about to take a reference to it.
        var isFresh = true
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var places: [Place] = []  // Guard: `lock`.
    nonisolated(unsafe) private static var untilSweep = sweepMin  // Guard: `lock`.

    /// Looking through them costs little, but not nothing: once for as many new ones as an eighth of them, and more.
    private static let sweepMin = 64
    /// What the object's strong references count for together.
    private static let unownedCountOfOwners: UInt = 1

    /// Retains an object of a process that has ended, if there are unowned references to it.
    static func keepIfNeeded(_ object: AnyObject) {
        if hasUnownedReferences(object) { keep(object) }
    }

    /// Retains an object to which a reference may be about to be taken.
    static func keep(_ object: AnyObject) {
        // Freed outside the lock: with the object may go what ends up here again.
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
