// What can be told of users before they are judged: for thresholds that may end a run on the wall clock.
// Any thread: `lock` guards everything.

import Foundation
package import Metrics
package import Simulation

/// Measures one journey after the other as it ends. What only the audit or the store's books can tell is missing, and so
/// is what goes on from one journey into the next.
package final class LiveMeter: @unchecked Sendable {
    private let lock = NSLock()
    private let tally: Tally
    private var story = UserStory()
    private let warmUp: Instant

    package init(_ plan: MeasurePlan) {
        tally = Tally(selections: plan.selections)
        warmUp = plan.warmUp
    }

    /// - Parameter events: what happened on a device in one journey.
    package func observe(_ events: ArraySlice<EventRecord>, of origin: SampleOrigin, _ catalog: Catalog) {
        let input = AuditInput(ofEvents: Array(events), catalog)
        lock.withLock {
            story.tell(input)
            Measures(story, of: origin, warmUp: warmUp, into: tally).measureEvents()
        }
    }

    /// As if this had been measured there.
    package func pour(into other: Tally) {
        lock.withLock { other.merge(tally) }
    }
}
