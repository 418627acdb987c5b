// Moves StoreKit's callbacks from any queue to the main queue, in the order of the calls.
// Any thread.

internal import Synchronization

/// Runs the work of callbacks on the main queue.
///
/// A call on the main queue runs at once, unless an earlier call is still on its way there:
/// it must not overtake that call.
package final class MainQueueHops: @unchecked Sendable {  // Guard: the count is atomic.
    private let main: AppMainQueue
    private let underWay = Atomic<Int>(0)

    package init(_ main: AppMainQueue) { self.main = main }

    /// Whether the caller is on the main queue and no earlier call is on its way there.
    package var isFree: Bool { underWay.load(ordering: .acquiring) == 0 && main.isCurrent }

    package func inOrder(_ body: @escaping () -> Void) {
        if isFree { return body() }
        underWay.add(1, ordering: .acquiringAndReleasing)
        main.async { [self] in
            underWay.subtract(1, ordering: .acquiringAndReleasing)
            body()
        }
    }
}
