// For how long a call into client code held the main queue, and whether that was its own doing.
// Pure; any thread. `Pulse` is atomic.

internal import Synchronization

/// Where the real time of one call went, in nanoseconds.
package struct CallTimes: Sendable, Equatable {
    package let real: Int64
    /// The thread was ready to run and no core was free: the machine's doing. Nil where the kernel does not tell.
    package let waited: Int64?
    /// The thread ran.
    package let computed: Int64
    /// Whether the harness's own pulse came on time throughout.
    package let isPulseSteady: Bool

    /// What the call has to answer for: real time without the waits for a core, and where those are not known what it
    /// computed alone.
    package var own: Int64 { max(0, waited.map { real - $0 } ?? min(real, computed)) }

    /// Whether the call held its queue longer than `limit`, however busy the machine was.
    ///
    /// A call that computed for half of the limit needs no further proof. A call that slept or waited does: it may have
    /// waited for a thread without a core, and then the harness's pulse was late too.
    package func holdsQueue(limit: Int64) -> Bool {
        own > limit && (computed >= limit / 2 || isPulseSteady)
    }
}

/// A thread that does nothing but wake up at intervals, and says how late it was.
package final class Pulse: Sendable {
    private let beatAt = Atomic<Int64>(.min)
    private let lateAt = Atomic<Int64>(.max)
    private let allowance = Atomic<Int64>(0)

    package init() {}

    /// It beats for the first time.
    /// - Parameter allowance: from beat to beat, in nanoseconds, without being late.
    package func begin(at now: Int64, allowance: Int64) {
        self.allowance.store(allowance, ordering: .relaxed)
        lateAt.store(.min, ordering: .relaxed)
        beatAt.store(now, ordering: .releasing)
    }

    package func beat(at now: Int64) {
        if now - beatAt.load(ordering: .relaxed) > allowance.load(ordering: .relaxed) {
            lateAt.store(now, ordering: .releasing)
        }
        beatAt.store(now, ordering: .releasing)
    }

    /// False as long as it has not begun.
    package func isSteady(since began: Int64, now: Int64) -> Bool {
        let latest = beatAt.load(ordering: .acquiring)
        return latest != .min && lateAt.load(ordering: .acquiring) < began
            && now - latest <= allowance.load(ordering: .relaxed)
    }
}
