// How the population is cut into cells: a function of the scenario alone.
// Pure; any thread.

package import Scenario
package import Simulation

/// Which users and which part of the load each cell has.
package struct CellPlan: Sendable, Equatable {
    /// Users who share something, a finite store or the pool of an open load: enough of them that the shared thing
    /// behaves in a cell as it would in one piece. On the wall clock also how many devices share a timing wheel.
    package static let usersPerCell = 2_000
    /// Users who share nothing. What they touch then fits a core's own cache: 32 measured more than 1.6 times as fast as 2,000.
    package static let usersPerCellAlone = 32
    /// A finite store is not cut into smaller pieces than this: queueing would stop resembling the whole.
    package static let workersPerCellMin = 8

    package let cellCount: Int
    private let entryUsers: [Int]

    package init(_ scenario: Scenario) {
        // Users without an entry have nothing to do, and are not simulated.
        entryUsers = scenario.load.map(\.users)
        let users = entryUsers.reduce(0, +)
        let size =
            !Self.sharesNothing(scenario)
            ? Self.usersPerCell : scenario.exploration == nil ? Self.usersPerCellAlone : 1
        var cells = (users + size - 1) / size
        if let capacity = scenario.store.conditions.capacity {
            cells = min(cells, max(1, capacity.workers / Self.workersPerCellMin))
        }
        // An entry that another one waits for has a user in every cell, or the other would not wait there.
        for awaited in scenario.load.compactMap(\.after) { cells = min(cells, entryUsers[awaited]) }
        cellCount = max(1, cells)
    }

    private static func sharesNothing(_ scenario: Scenario) -> Bool {
        scenario.clock == .virtual && scenario.store.conditions.capacity == nil
            && !scenario.load.contains { $0.executor.schedule.sharesUsers }
    }

    package var userCount: Int { entryUsers.reduce(0, +) }

    /// The users of a cell: numbered cell after cell, within a cell entry after entry.
    package func users(of cell: Int) -> Range<Int> {
        users(of: cell..<(cell + 1))
    }

    /// The users of cells that follow each other.
    package func users(of cells: Range<Int>) -> Range<Int> {
        entryUsers(before: cells.lowerBound).reduce(0, +)..<entryUsers(before: cells.upperBound).reduce(0, +)
    }

    /// How many users of each load entry cells that follow each other have.
    package func entryUsers(of cells: Range<Int>) -> [Int] {
        zip(entryUsers(before: cells.lowerBound), entryUsers(before: cells.upperBound)).map { $1 - $0 }
    }

    /// The users of each load entry within a cell.
    package func entries(of cell: Int) -> [Range<Int>] {
        var next = users(of: cell).lowerBound
        return entryUsers.map { total in
            let count = share(of: total, in: cell)
            defer { next += count }
            return next..<(next + count)
        }
    }

    /// How many users of each load entry the cells before this one have.
    package func entryUsers(before cell: Int) -> [Int] {
        entryUsers.map { part(of: $0, before: cell) }
    }

    package func cell(of user: Int) -> Int? {
        guard (0..<userCount).contains(user) else { return nil }
        var (low, high) = (0, cellCount - 1)
        while low < high {
            let middle = (low + high) / 2
            if users(of: middle).upperBound <= user { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A cell's share of the store's capacity.
    package func capacity(_ whole: StoreCapacity?, of cell: Int) -> StoreCapacity? {
        guard let whole else { return nil }
        return StoreCapacity(
            workers: share(of: whole.workers, in: cell), serviceTime: whole.serviceTime,
            queueLimit: share(of: whole.queueLimit, in: cell))
    }

    /// How much of `total`, cut evenly, the cells before this one have.
    private func part(of total: Int, before cell: Int) -> Int { total * cell / cellCount }
    private func share(of total: Int, in cell: Int) -> Int {
        part(of: total, before: cell + 1) - part(of: total, before: cell)
    }
}
