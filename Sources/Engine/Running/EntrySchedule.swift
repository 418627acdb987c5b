// One load entry's part in a cell: its users, and the planned starts of schedules that have such.
// Guard: the cell's store lane.

import Scenario
import Simulation

struct EntrySchedule {
    let journey: Int
    private let schedule: LoadSchedule
    /// The entry whose end it waits for.
    let after: Int?
    /// From the start of the run, or from the end of the other entry.
    private let startAfter: Span
    /// When the entry begins; if it waits for another entry, known once that entry has ended.
    private(set) var start: Instant
    let gracefulStop: Span?
    let users: Range<Int>
    /// Users whose journeys are not over.
    private(set) var usersLeft: Int
    /// Users who wait for the next arrival, any one; nil where none are kept waiting so.
    private var idle: IdleUsers?
    /// Users who wait for arrivals of their own; nil where none are kept waiting so.
    private var inTurn: UsersInTurn?

    /// The entry deals arrivals to its users in turn, and so to the cells in proportion to their users.
    /// This cell gets the arrivals of one round whose place lies in `places`.
    private let places: Range<Int>
    private let round: Int
    private var nextIndex: Int
    /// Planned starts of the whole entry; 0 for a schedule that has none.
    private let arrivals: Int
    /// The iterations shared by users that this cell has and no user has taken.
    private(set) var iterationsLeft = 0
    private let cell: Int
    private let cellCount: Int

    /// - Parameters:
    ///   - users: the entry's users in this cell.
    ///   - usersBefore: how many of the entry's users the cells before this one have.
    ///   - cell: this one, of `cellCount`.
    init(_ entry: LoadEntry, users: Range<Int>, usersBefore: Int, cell: Int, cellCount: Int) {
        journey = entry.journey
        let schedule = entry.executor.schedule
        self.schedule = schedule
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
            switch schedule {
            case .repeating, .ramp, .shared: 0
            case .arrivals(let plan): plan.count
            case .timetables(let rate, let within): rate.arrivals(within: within) * entry.users
            }
        if case .shared(let iterations, _) = schedule {
            // Cut where the users are cut.
            let (all, places) = (Int128(iterations), places)
            let cuts = [places.lowerBound, places.upperBound].map { all * Int128($0) / Int128(entry.users) }
            iterationsLeft = Int(cuts[1] - cuts[0])
        }
    }

    // MARK: Beginning and end

    /// How an entry's users come to their first journeys.
    enum Opening {
        /// All of them begin.
        case together
        /// Those begin for whom there is one of the iterations that users share.
        case dealt
        /// They wait for arrivals, which come for so long.
        case arriving(for: Span)
    }

    var opening: Opening {
        switch schedule {
        case .repeating, .ramp: .together
        case .shared: .dealt
        case .arrivals(let plan): .arriving(for: plan.duration)
        case .timetables(_, let within): .arriving(for: within)
        }
    }

    /// How often a user who begins does the journey.
    ///
    /// - Parameter place: of this entry, among all.
    func repetition(of user: Int, entry place: Int) -> Repetition {
        switch schedule {
        case .repeating(let times, let within): .times(times, until: within.map { start + $0 } ?? .never)
        case .ramp(let ramp): .during(windows(of: user, in: ramp))
        case .shared, .arrivals, .timetables: .untilReturned(entry: place)
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
        guard let gracefulStop, let length = schedule.length else { return nil }
        return start + length + gracefulStop
    }

    // MARK: What there is to do

    /// Takes one of the iterations that users share. False if none is left or it is too late for one.
    mutating func takeIteration(at now: Instant) -> Bool {
        guard case .shared(_, let within) = schedule, iterationsLeft > 0, now < start + within else { return false }
        iterationsLeft -= 1
        return true
    }

    /// When a user of a ramp is at it. Users come in turn from all cells, so that each has its part of the ramp.
    private func windows(of user: Int, in ramp: UserRamp) -> [Range<Instant>] {
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
        switch schedule {
        case .repeating, .ramp, .shared: return nil
        case .arrivals(let plan): return start + plan.start(of: nextIndex)
        // A round has one arrival for each user.
        case .timetables(let rate, _): return start + rate.start(of: nextIndex / round)
        }
    }

    // MARK: Users who wait

    /// From now on users wait for arrivals.
    mutating func openPool() {
        if case .timetables = schedule { inTurn = UsersInTurn(users) } else { idle = IdleUsers(users) }
    }

    /// A user for the arrival that has come; nil if no user is free, or not the one whose arrival it is.
    mutating func takeUser() -> Int? { inTurn != nil ? inTurn?.take() : idle?.take() }

    /// The user has ended its journey and waits again. False if users are not kept waiting any more.
    mutating func putBack(_ user: Int) -> Bool {
        idle?.put(user)
        inTurn?.put(user)
        return idle != nil || inTurn != nil
    }

    /// Stops keeping users waiting.
    ///
    /// - Returns: the users who waited.
    mutating func closePool() -> [Int] { idle.take().map { Array($0.waiting) } ?? inTurn.take()?.waiting ?? [] }
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

/// Users who wait for arrivals of their own: the first arrival is for the first of them, and so on, round after round.
struct UsersInTurn {
    private let users: Range<Int>
    private var isFree: [Bool]
    private var turn = 0

    init(_ users: Range<Int>) {
        self.users = users
        isFree = Array(repeating: true, count: users.count)
    }

    var waiting: [Int] { users.filter { isFree[$0 - users.lowerBound] } }

    /// The one whose turn it is; nil if it has not come back from its turn before.
    mutating func take() -> Int? {
        let place = turn
        turn = (turn + 1) % users.count
        guard isFree[place] else { return nil }
        isFree[place] = false
        return users.lowerBound + place
    }

    mutating func put(_ user: Int) { isFree[user - users.lowerBound] = true }
}
