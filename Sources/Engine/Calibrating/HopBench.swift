// How fast Dispatch alone is on this machine: the yardstick for everything on the wall clock.
// Blocks the calling thread; the hops run on Dispatch's own.

import Dispatch
import Foundation
import Simulation
import Synchronization

/// Bare `queue.async` over many serial queues, targeted as a run's lanes are.
package struct HopBench {
    private let queues: [DispatchQueue]
    private let root: DispatchQueue

    /// Hops are chained: each block puts the next one on another queue, and so many chains go on at a time.
    private static let chainsPerCore = 64

    /// - Parameter queues: how many serial queues.
    package init(queues count: Int) {
        precondition(count > 0, "\(count) queues")
        let root = DispatchQueue(label: "stampede.hops", attributes: .concurrent, target: .global())
        self.root = root
        queues = (0..<count).map { _ in DispatchQueue(label: "stampede.hop", target: root) }
    }

    /// Hops a second over so many of them.
    package func run(hops: Int) -> Double {
        let chains = min(queues.count, Self.chainsPerCore * ProcessInfo.processInfo.activeProcessorCount)
        let each = max(1, hops / chains)
        let done = DispatchGroup()
        let began = HostClock.nanoseconds
        for chain in 0..<chains {
            done.enter()
            hop(at: chain * (queues.count / chains), left: each, done)
        }
        done.wait()
        return Double(chains * each) * 1e9 / Double(max(1, HostClock.nanoseconds - began))
    }

    private func hop(at place: Int, left: Int, _ done: DispatchGroup) {
        queues[place].async { [self] in
            if left == 1 { return done.leave() }
            hop(at: place + 1 == queues.count ? 0 : place + 1, left: left - 1, done)
        }
    }
}
