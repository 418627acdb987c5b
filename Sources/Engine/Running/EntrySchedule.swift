// One load entry's part in a cell: its users, and for open loads its planned arrivals.
// Guard: the cell's store lane.

import Scenario
import Simulation

struct EntrySchedule {
    let journey: Int
    let executor: Executor
    /// The entry whose end it waits for.
    let after: Int?
    /// From the start of the run, or from the end of the other entry.
    private let startAfter: Span
    /// When it begins; for one that waits for another, known once that one has ended.
    private(set) var start: Instant
    let gracefulStop: Span?
    let users: Range<Int>
    /// Users whose journeys are not over.
    private(set) var usersLeft: Int
    var idle: IdleUsers?
    /// Nobody is kept waiting for an arrival any more.
    var isClosed = false

    /// Arrivals are dealt to the entry's users in turn, and with that to the cells by how many of them each has:
    /// those of one round whose place lies in `places` are this cell's.
    private let places: Range<Int>
    private let round: Int
    private var nextIndex: Int
    /// Of the whole entry; none for a closed load.
    private let arrivals: Int
    /// Of the iterations that users share, those of this cell that nobody has taken.
    private(set) var iterationsLeft = 0
    private let cell: Int
    private let cellCount: Int

    /// - Parameters:
    ///   - users: the entry's users in this cell.
    ///   - usersBefore: how many of the entry's users the cells before this one have.
    ///   - cell: this one, of `cellCount`.
    init(_ entry: LoadEntry, users: Range<Int>, usersBefore: Int, cell: Int, cellCount: Int) {
        journey = entry.journey
        executor = entry.executor
        after = entry.after
        startAfter = entry.startAfter
        start = .start + entry.startAfter
        gracefulStop = entry.gracefulStop
        self.users = users
        usersLeft = users.count
        places = usersBefore..<(usersBefore + users.count)
        round = entry.users
        nextIndex = usersBefore
        self.cell = cell
        self.cellCount = cellCount
        arrivals =
            switch entry.executor {
            case .atOnce, .perUserIterations, .sharedIterations, .constantUsers, .rampingUsers: 0
            case .constantArrivalRate(let rate, let duration): rate.arrivals(within: duration)
            case .rampingArrivalRate(let ramp): ramp.arrivals
            }
        if case .sharedIterations(let iterations, _) = entry.executor {
            // Cut where the users are cut.
            let (all, places) = (Int128(iterations), places)
            let cuts = [places.lowerBound, places.upperBound].map { all * Int128($0) / Int128(entry.users) }
            iterationsLeft = Int(cuts[1] - cuts[0])
        }
    }

    /// The entry that it waits for has ended.
    mutating func predecessorEnded(at instant: Instant) { start = instant + startAfter }

    /// True for the last one.
    mutating func userEnded() -> Bool {
        usersLeft -= 1
        return usersLeft == 0
    }

    /// When journeys that are still under way are broken off, if ever.
    var breakOff: Instant? {
        guard let gracefulStop, let length = executor.length else { return nil }
        return start + length + gracefulStop
    }

    /// Takes one of the iterations that users share. False if none is left or it is too late for one.
    mutating func takeIteration(at now: Instant) -> Bool {
        guard case .sharedIterations(_, let maxDuration) = executor, iterationsLeft > 0,
            now < start + maxDuration
        else { return false }
        iterationsLeft -= 1
        return true
    }

    /// When a user of a ramp is at it. Users come in turn from all cells, so that each has its part of the ramp.
    func windows(of user: Int, in ramp: UserRamp) -> [Range<Instant>] {
        precondition(users.contains(user), "user \(user) is not of this cell")
        let offset = user - users.lowerBound
        // Cells have so many users of the entry, and some of them one more: those come last.
        let least = round / cellCount
        let place =
            offset < least ? offset * cellCount + cell : least * cellCount + places.lowerBound - least * cell
        return ramp.windows(of: place, among: round).map { (start + $0.lowerBound)..<(start + $0.upperBound) }
    }

    /// When the next journey is planned to begin; nil after the last.
    mutating func nextArrival() -> Instant? {
        guard !places.isEmpty, nextIndex < arrivals else { return nil }
        defer {
            nextIndex += 1
            if nextIndex % round == places.upperBound % round { nextIndex += round - places.count }
        }
        switch executor {
        case .atOnce, .perUserIterations, .sharedIterations, .constantUsers, .rampingUsers: return nil
        case .constantArrivalRate(let rate, _): return start + rate.start(of: nextIndex)
        case .rampingArrivalRate(let ramp): return start + ramp.start(of: nextIndex)
        }
    }
}

/// Users of an open load who wait for an arrival: who has waited longest goes first.
struct IdleUsers {
    private var queue: [Int]
    private var first = 0

    init(_ users: Range<Int>) { queue = Array(users) }

    var waiting: ArraySlice<Int> { queue[first...] }

    mutating func take() -> Int? {
        guard first < queue.count else { return nil }
        defer { first += 1 }
        return queue[first]
    }

    mutating func put(_ user: Int) {
        // Amortised constant: the front is dropped once it is half of the array.
        if first > 1_024, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        queue.append(user)
    }
}
