// How a worker process ended that should not have.
// Values; any thread.

package struct WorkerDeath: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case signal(Int32)
        /// It ended by itself, without a word.
        case status(Int32)
        /// By a function of the C library.
        case call(String)
        /// What it sent cannot be read.
        case torn
        /// It could not be forked: an error number.
        case unborn(Int32)
    }

    package let cause: Cause
    /// Where it was or had been last, in a run the cell; nil before the first.
    package let place: Int?
    /// What the place is called, where it is no cell.
    package private(set) var name: String?
    /// The last lines that client code had printed, of all places.
    package let lastLines: [String]

    package init(_ cause: Cause, place: Int?, lastLines: [String] = []) {
        (self.cause, self.place, self.lastLines) = (cause, place, lastLines)
    }

    func placed(_ place: (Int) -> Int) -> WorkerDeath {
        WorkerDeath(cause, place: self.place.map(place), lastLines: lastLines)
    }

    func named(_ name: (Int) -> String) -> WorkerDeath {
        var copy = self
        copy.name = place.map(name)
        return copy
    }
}
