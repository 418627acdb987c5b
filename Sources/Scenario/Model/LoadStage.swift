// A part of a load that rises and falls.
// Plain values; any thread.

package import Simulation

/// A stretch of linear change, or a jump where it takes no time.
package struct LoadStage<Level: BinaryInteger & Sendable>: Sendable, Equatable {
    package var over: Span
    /// What it comes to at its end; never below zero.
    package var to: Level

    package init(over: Span, to: Level) {
        precondition(over >= .zero, "a stage of \(over.nanoseconds) ns")
        precondition(to >= 0, "a stage to \(to)")
        self.over = over
        self.to = to
    }
}
