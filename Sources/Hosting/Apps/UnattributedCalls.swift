// Calls into StoreKit that no device could be found for, while a harness runs in this process.
// Any thread.

internal import Foundation
internal import Synchronization

/// The standalone device answers such a call, as it does in a plain unit test; a run has to know that it happened.
package enum UnattributedCalls {
    /// How often, and the first one's name.
    package struct Found: Sendable, Equatable {
        package var count: Int
        package var first: String

        package init(count: Int, first: String) { (self.count, self.first) = (count, first) }
    }

    /// Counts from its making until its end.
    package final class Watch: @unchecked Sendable {  // Guard: the lock of all watches.
        fileprivate var found: Found?

        package init() {
            UnattributedCalls.lock.withLock { UnattributedCalls.watches.append(self) }
            UnattributedCalls.isWatched.store(true, ordering: .relaxed)
        }

        /// What came together; nil if nothing did.
        package func end() -> Found? {
            UnattributedCalls.lock.withLock {
                UnattributedCalls.watches.removeAll { $0 === self }
                UnattributedCalls.isWatched.store(!UnattributedCalls.watches.isEmpty, ordering: .relaxed)
                return found
            }
        }
    }

    private static let isWatched = Atomic<Bool>(false)
    private static let lock = NSLock()
    nonisolated(unsafe) private static var watches: [Watch] = []  // Guard: `lock`.

    package static func note(_ call: StaticString) {
        guard isWatched.load(ordering: .relaxed) else { return }
        lock.withLock {
            for watch in watches {
                watch.found = Found(count: (watch.found?.count ?? 0) + 1, first: watch.found?.first ?? "\(call)")
            }
        }
    }
}
