// Which of several possible events comes next: given in advance, then by rule; and what was chosen, to go on from.
// Guard: confined to the timeline that asks.

package final class EventOrders: @unchecked Sendable {
    /// One choice: which of how many.
    package struct Choice: Sendable, Hashable {
        package let taken: Int
        package let count: Int
    }

    /// What to take first; from there on the first of each, or one by chance.
    private let given: [Int]
    private var chance: RandomStream?
    package private(set) var choices: [Choice] = []
    /// Closed, events run in the order in which they are due.
    package private(set) var isOpen = true

    /// Takes `given`, then always the event that is due first.
    package init(given: [Int] = []) { self.given = given }

    /// Takes any, with equal chance.
    package init(chance: RandomStream) {
        given = []
        self.chance = chance
    }

    /// From here on nothing is tried any more.
    package func close() { isOpen = false }

    func choose(among count: Int) -> Int {
        let taken: Int
        if choices.count < given.count {
            // A choice that is not there any more: what led to it has changed, so any other will do.
            taken = min(given[choices.count], count - 1)
        } else {
            taken = Int(chance?.below(UInt64(count)) ?? 0)
        }
        choices.append(Choice(taken: taken, count: count))
        return taken
    }
}
