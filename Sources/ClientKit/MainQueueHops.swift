// From whatever queue StoreKit calls on to the main queue, in the order of the calls.
// Any thread.

internal import Synchronization

/// Runs what callbacks bring on the main queue.
///
/// A call on the main queue is carried out at once, unless an earlier one is still on its way there: it must not
/// overtake that.
package final class MainQueueHops: @unchecked Sendable {  // Guard: the count is atomic.
    private let main: AppMainQueue
    private let underWay = Atomic<Int>(0)

    package init(_ main: AppMainQueue) { self.main = main }

    /// Whether the caller is on the main queue and nothing is on its way there.
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
