// How often a user does its journey, and how much it does in one instant.
// Values; the lanes of the user's devices guard them.

import Simulation

/// How often a user does its journey.
enum Repetition {
    /// So many times, beginning none later than this.
    case times(Int, until: Instant)
    /// Again and again in these times, which are in order; none is begun between them.
    case during([Range<Instant>])
    /// Once, then back to the pool of an open load or of shared iterations.
    case untilReturned(entry: Int)
}

/// The iterations of one user.
struct Iterations {
    private let repetition: Repetition
    /// Of a number of times, how many are left.
    private(set) var left = 0

    init(_ repetition: Repetition) {
        self.repetition = repetition
        if case .times(let count, _) = repetition { left = count }
    }

    enum Next {
        case begins
        case waits(until: Instant)
        case none
    }

    /// Whether another iteration begins, which is then counted.
    /// - Parameter done: how many the user has begun.
    mutating func next(at now: Instant, done: Int) -> Next {
        switch repetition {
        case .times(_, let until):
            guard left > 0, now < until || done == 0 else { return .none }
            left -= 1
        case .during(let windows):
            // Who comes too late, on the wall clock, does it once, as with a number of times.
            let next = windows.first { now < $0.upperBound } ?? (done == 0 ? windows.last : nil)
            guard let next else { return .none }
            if now < next.lowerBound { return .waits(until: next.lowerBound) }
        case .untilReturned: break
        }
        return .begins
    }

    /// The entry of the load that the user goes back to after one iteration; nil if the next one follows.
    var returnsTo: Int? {
        if case .untilReturned(let entry) = repetition { return entry }
        return nil
    }

    /// Whether the number of iterations is known in advance.
    var isCounted: Bool {
        if case .times = repetition { return true }
        return false
    }
}

/// How much a user has done in one instant: a journey that takes no time must come to its end.
struct InstantCount {
    private var latestStepAt = Instant.start
    private var steps = 0
    /// Iterations that have ended in the instant.
    private var iterations = 0

    /// Steps that may be run in one instant: a journey that needs more, and more and more, never lets time pass.
    private static let stepsMax = 1_000_000

    mutating func note(_ steps: Int, at now: Instant) {
        if now == latestStepAt {
            self.steps += steps
        } else {
            (self.steps, iterations) = (steps, 0)
        }
        latestStepAt = now
    }

    mutating func noteIteration() { iterations += 1 }

    /// Whether steps were last run in this instant.
    func isOf(_ now: Instant) -> Bool { latestStepAt == now }

    var isFull: Bool { steps > Self.stepsMax }
    var hasEndedIteration: Bool { iterations > 0 }
}
