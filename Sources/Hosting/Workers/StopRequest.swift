// Why work ends before it is done, and where it is asked to.
// Any thread.

package import Simulation
import Synchronization

/// What ends work before it is done.
package enum StopCause: Hashable, Sendable {
    /// A signal.
    case interrupt
    /// It was to take no longer.
    case timeLimit(Span)
}

/// Where work is asked to end as soon as it can: what it has by then counts. The first cause stands.
package final class StopRequest: Sendable {
    /// A limit in nanoseconds, or one of `Word`.
    private let word = Atomic<Int64>(Word.none)

    /// On the machine's clock; 0 if no stop was requested.
    private let madeAt = Atomic<Int64>(0)

    /// How long what is under way is waited for all the same, in nanoseconds.
    package static let patience: Int64 = 5_000_000_000

    private enum Word {
        static let none: Int64 = -2
        static let interrupt: Int64 = -1
    }

    package init() {}

    package func make(_ cause: StopCause) {
        let wanted =
            switch cause {
            case .interrupt: Word.interrupt
            case .timeLimit(let limit): max(0, limit.nanoseconds)
            }
        if word.compareExchange(expected: Word.none, desired: wanted, ordering: .relaxed).exchanged {
            madeAt.store(HostClock.nanoseconds, ordering: .relaxed)
        }
    }

    package var isMade: Bool { word.load(ordering: .relaxed) != Word.none }

    /// Made so long ago that what is short ought to be over.
    package var isOverdue: Bool {
        let begin = madeAt.load(ordering: .relaxed)
        return begin > 0 && HostClock.nanoseconds - begin > Self.patience
    }

    /// The cause of the request; nil if no stop was requested.
    package var cause: StopCause? {
        switch word.load(ordering: .relaxed) {
        case Word.none: nil
        case Word.interrupt: .interrupt
        case let limit: .timeLimit(Span(nanoseconds: limit))
        }
    }
}
