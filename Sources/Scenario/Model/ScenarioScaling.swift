// The same scenario for more or fewer users, as `--users` asks for it.
// Pure; any thread.

import Simulation

/// Why a scenario cannot be scaled to a number of users.
package enum ScalingProblem: Error, Equatable, CustomStringConvertible {
    /// Every load entry needs a user.
    case fewerUsersThanEntries(users: Int, entries: Int)
    case tooManyUsers(Int)

    package var description: String {
        switch self {
        case .fewerUsersThanEntries(let users, let entries):
            "\(users) users are too few: each of the \(entries) load entries needs at least one"
        case .tooManyUsers(let users):
            "\(users) users are too many: the most is \(ScenarioLimits.usersMax)"
        }
    }
}

extension Scenario {
    /// A copy with another population: the users of each load entry, and what they share by their executors' rules,
    /// change in proportion, and with them what thresholds ask of counts. Times, what each user does and the capacity of
    /// the store stay as they are.
    package func scaled(toUsers users: Int) throws(ScalingProblem) -> Scenario {
        guard users >= load.count, users >= 1 else {
            throw .fewerUsersThanEntries(users: users, entries: load.count)
        }
        guard users <= ScenarioLimits.usersMax else { throw .tooManyUsers(users) }
        let before = population.users
        let portions = Self.portions(of: load.map(\.users), population: before, scaledTo: users)
        var copy = self
        copy.population.users = users
        let written = population.usersWritten ?? before
        copy.population.usersWritten = written == users ? nil : written
        for (place, portion) in portions.enumerated() {
            copy.load[place].users = portion
            copy.load[place].executor = load[place].executor.scaled(to: users, from: before)
        }
        return copy
    }

    /// Each count times `users / population`, by largest remainder, none below one and all together within `users`.
    private static func portions(of counts: [Int], population: Int, scaledTo users: Int) -> [Int] {
        let exact = counts.map { ($0 * users).quotientAndRemainder(dividingBy: population) }
        var portions = exact.map { max(1, $0.quotient) }
        let target = max(counts.count, counts.reduce(0, +) * users / population)
        let byRemainder = counts.indices.sorted { (exact[$1].remainder, $0) < (exact[$0].remainder, $1) }
        var missing = target - portions.reduce(0, +)
        for place in byRemainder where missing > 0 && exact[place].quotient > 0 {
            portions[place] += 1
            missing -= 1
        }
        // Raising the small ones to one took too much: the largest give it back, and they can, since the target
        // has one for each.
        while missing < 0, let largest = portions.indices.max(by: { portions[$0] < portions[$1] }) {
            let given = min(-missing, portions[largest] - 1)
            portions[largest] -= given
            missing += given
        }
        return portions
    }
}
