// How far a swarm has come, and whether it shall stop.
// Any thread: `lock`.

import Foundation
package import Hosting
import Simulation

package final class SwarmBoard: @unchecked Sendable {  // Guard: `lock`.
    /// What the swarm is at.
    package enum Stage: Sendable, Equatable {
        case trying
        case drawing
        case shrinking
    }

    package struct Snapshot: Sendable {
        package var stage = Stage.trying
        /// Scenarios, or, while it shrinks, findings.
        package var done = 0
        package var planned = 0
        package var findings = 0
        /// Scenarios drawn and run in a second; nil before the first.
        package var perSecond: Double?
        /// From 0 to 1, of the present stage.
        package var fraction = 0.0
        /// Real time since the present stage began.
        package var stageSeconds = 0.0
    }

    private let lock = NSLock()
    private var state = Snapshot()
    /// On the machine's clock.
    private var beganAt = HostClock.nanoseconds
    private var seconds: Double?
    package let stop = StopRequest()

    package init() {}

    package var snapshot: Snapshot {
        lock.withLock {
            var now = state
            let ofCount = Double(now.done) / Double(max(1, now.planned))
            let elapsed = elapsed
            now.stageSeconds = elapsed
            if now.stage == .drawing {
                now.fraction = max(ofCount, seconds.map { min(1, elapsed / $0) } ?? 0)
                if now.done > 0, elapsed > 0 { now.perSecond = Double(now.done) / elapsed }
            } else {
                now.fraction = ofCount
            }
            return now
        }
    }

    /// - Parameter seconds: after which the stage ends, whatever is done by then.
    func begin(_ stage: Stage, planned: Int, seconds: Double? = nil) {
        lock.withLock {
            state.stage = stage
            state.done = 0
            state.planned = planned
            self.seconds = seconds
            beganAt = HostClock.nanoseconds
        }
    }

    /// Real seconds since the present stage began.
    var stageSeconds: Double { lock.withLock { elapsed } }

    /// Whether nothing more is to be begun in the present stage.
    var isStageOver: Bool { stop.isMade || lock.withLock { seconds.map { elapsed >= $0 } ?? false } }

    /// Under the lock.
    private var elapsed: Double { Double(HostClock.nanoseconds - beganAt) / 1e9 }

    func done() { lock.withLock { state.done += 1 } }
    func found(_ count: Int) { lock.withLock { state.findings = count } }
}
