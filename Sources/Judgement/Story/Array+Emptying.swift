// How a story forgets, in the memory that it has.
// Pure; confined to the list's owner.

extension Array {
    /// Keeps its memory. Most lists of a launch are empty already, and emptying one anew costs as much as reading an event.
    mutating func empty() {
        if !isEmpty { removeAll(keepingCapacity: true) }
    }
}
