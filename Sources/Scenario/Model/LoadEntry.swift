// When users begin which journey.
// Plain values; any thread.

package import Simulation

/// One line of the load: some users, one journey, one way of starting it.
package struct LoadEntry: Sendable {
    /// Unique in the scenario.
    package var name: String
    /// Index into the scenario's journeys.
    package var journey: Int
    /// Users that belong to this entry alone. For arrivals: the most that can be under way at once.
    package var users: Int
    package var executor: any LoadExecutor
    /// From the start of the run, or from the end of the entry that it comes after.
    package var startAfter: Span
    /// An index into the load, of an earlier entry: this one begins, in each cell, when the last journey of that one
    /// has ended there.
    package var after: Int?
    /// How long after the entry's end journeys may go on before they are broken off; nil: to their own end.
    package var gracefulStop: Span?
    /// By name: what thresholds can select its users by, besides its own name and its journey's.
    package var tags: [String: String]

    package init(
        name: String, journey: Int, users: Int, executor: any LoadExecutor, startAfter: Span, after: Int? = nil,
        gracefulStop: Span? = nil, tags: [String: String] = [:]
    ) {
        self.after = after
        self.gracefulStop = gracefulStop
        self.tags = tags
        self.name = name
        self.journey = journey
        self.users = users
        self.executor = executor
        self.startAfter = startAfter
    }
}

/// An exact rate: `arrivals` in every `period`.
package struct ArrivalRate: Sendable, Equatable {
    package let arrivals: Int64
    package let period: Span

    /// Both must be positive.
    package init(arrivals: Int64, period: Span) {
        precondition(arrivals > 0, "a rate of \(arrivals) arrivals")
        precondition(period > .zero, "a rate over \(period.nanoseconds) ns")
        let divisor = greatestCommonDivisor(arrivals, period.nanoseconds)
        self.arrivals = arrivals / divisor
        self.period = Span(nanoseconds: period.nanoseconds / divisor)
    }

    package var perSecond: Double { Double(arrivals) * 1e9 / Double(period.nanoseconds) }

    /// From the start of the entry to one planned arrival, rounded down to the nanosecond.
    package func start(of index: Int) -> Span {
        precondition(index >= 0, "arrival \(index)")
        // Multiply first: a rounded interval would drift a little every arrival.
        let nanoseconds = Int128(index) * Int128(period.nanoseconds) / Int128(arrivals)
        return Span(nanoseconds: Int64(clamping: nanoseconds))
    }

    /// How many arrivals are planned before `duration` has passed; the first is at zero.
    package func arrivals(within duration: Span) -> Int {
        let product = Int128(max(0, duration.nanoseconds)) * Int128(arrivals)
        // Rounded up: an arrival that falls between two nanoseconds is planned at the earlier one.
        let count = (product + Int128(period.nanoseconds) - 1) / Int128(period.nanoseconds)
        return Int(clamping: count)
    }

    /// The rate times a ratio of two positive counts; exact unless the result needs more than 63 bits a side.
    package func scaled(by numerator: Int, over denominator: Int) -> ArrivalRate {
        precondition(numerator > 0, "a rate scaled by \(numerator)")
        precondition(denominator > 0, "a rate scaled over \(denominator)")
        var above = Int128(arrivals) * Int128(numerator)
        var below = Int128(period.nanoseconds) * Int128(denominator)
        let divisor = greatestCommonDivisor(above, below)
        above /= divisor
        below /= divisor
        while above > Int128(Int64.max) || below > Int128(Int64.max) {
            above = max(1, above / 2)
            below = max(1, below / 2)
        }
        return ArrivalRate(arrivals: Int64(above), period: Span(nanoseconds: Int64(below)))
    }
}

/// Of two positive numbers.
func greatestCommonDivisor<Number: BinaryInteger>(_ left: Number, _ right: Number) -> Number {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
}
