// A process that forks workers has one thread, which does in turn what others would do.
// Guard: the main thread, but for the atomic flag.

import Foundation
import Simulation
import Synchronization

/// While a process keeps to its main thread, no lock can be held by another one in the moment of a fork: neither the
/// allocator's nor the Swift runtime's nor Foundation's. And Dispatch, which refuses to work in the child of a process
/// that has used its threads, does work in a worker.
package enum SingleThread {
    private static let isOn = Atomic<Bool>(false)
    nonisolated(unsafe) private static var duties: [Duty] = []  // Guard: the main thread.
    nonisolated(unsafe) private static var latest = 0  // Guard: the main thread.

    private struct Duty {
        let number: Int
        let period: Int64
        var due: Int64
        let body: () -> Void
    }

    package static var isKept: Bool { isOn.load(ordering: .relaxed) }

    /// From here on tickers are attended to by who waits for workers.
    package static func keep() { isOn.store(true, ordering: .relaxed) }

    /// From here on tickers have threads of their own; there may be none that has not.
    package static func release() {
        isOn.store(false, ordering: .relaxed)
        duties = []
    }

    /// How many threads this process has; nil where the system does not say.
    package static var threadCount: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count
    }

    static func add(every seconds: Double, _ body: @escaping () -> Void) -> Int {
        latest += 1
        let period = Int64(seconds * 1e9)
        duties.append(Duty(number: latest, period: period, due: HostClock.nanoseconds + period, body: body))
        return latest
    }

    static func remove(_ number: Int) { duties.removeAll { $0.number == number } }

    /// Does what is due.
    static func attend() {
        let now = HostClock.nanoseconds
        for number in duties.filter({ $0.due <= now }).map(\.number) {
            guard let place = duties.firstIndex(where: { $0.number == number }) else { continue }
            duties[place].body()
            guard let place = duties.firstIndex(where: { $0.number == number }) else { continue }
            duties[place].due = HostClock.nanoseconds + duties[place].period
        }
    }
}
