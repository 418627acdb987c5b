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
    /// Where it was; nil between two places.
    package let place: Int?

    package init(_ cause: Cause, place: Int?) { (self.cause, self.place) = (cause, place) }
}
