// How fast Dispatch alone is on this machine: the yardstick for everything on the wall clock.
// Blocks the calling thread; the hops run on Dispatch's own.

import Dispatch
import Foundation

/// Bare `queue.async` over many serial queues, targeted as a run's lanes are.
struct DispatchBench {
    private let queues: [DispatchQueue]

    /// Hops are chained: each block puts the next one on another queue, and so many chains go on at a time.
    private static let chainsPerCore = 64

    init(queues count: Int) {
        let root = DispatchQueue(label: "hops", attributes: .concurrent, target: .global())
        queues = (0..<count).map { _ in DispatchQueue(label: "hop", target: root) }
    }

    /// Hops a second over so many of them.
    func run(hops: Int) -> Double {
        let chains = min(queues.count, Self.chainsPerCore * ProcessInfo.processInfo.activeProcessorCount)
        let each = max(1, hops / chains)
        let done = DispatchGroup()
        let began = DispatchTime.now().uptimeNanoseconds
        for chain in 0..<chains {
            done.enter()
            hop(at: chain * (queues.count / chains), left: each, done)
        }
        done.wait()
        return Double(chains * each) * 1e9 / Double(max(1, DispatchTime.now().uptimeNanoseconds - began))
    }

    private func hop(at place: Int, left: Int, _ done: DispatchGroup) {
        queues[place].async { [self] in
            if left == 1 { return done.leave() }
            hop(at: place + 1 == queues.count ? 0 : place + 1, left: left - 1, done)
        }
    }
}
