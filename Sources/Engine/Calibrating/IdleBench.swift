// What an idle user costs.
// Blocks the calling thread.

import Host
import Hosting
import Scenario
import Simulation
import Synchronization

/// Memory as the allocator tells it; nil where it cannot.
package enum IdleBench {
    /// Bytes of one user, at the quietest moment of a run on the wall clock in which everybody waits for a while.
    ///
    /// - Parameter quiet: when everybody waits, in seconds since the start of the run.
    package static func bytesPerUser(_ options: RunOptions, quiet: ClosedRange<Double>) -> Double? {
        precondition(options.scenario.clock == .wall, "users are all there at once under the wall clock only")
        guard let before = MemoryStatistics.snapshot()?.allocated else { return nil }
        let run = Run(options)
        let least = Atomic<Int>(.max)
        let began = HostClock.nanoseconds
        let ticker = Ticker(every: 0.02) {
            guard quiet.contains(Double(HostClock.nanoseconds - began) / 1e9),
                let now = MemoryStatistics.snapshot()?.allocated
            else { return }
            least.min(now, ordering: .relaxed)
        }
        _ = run.perform()
        ticker.stop()
        let found = least.load(ordering: .relaxed)
        return found == .max ? nil : Double(found - before) / Double(run.plan.userCount)
    }
}
