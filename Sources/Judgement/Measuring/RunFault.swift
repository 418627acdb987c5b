// What speaks against the harness, and not against the client.
// Values; any thread.

package import Simulation

package enum RunFault: Sendable, Equatable {
    /// The simulation broke an invariant of its own.
    case broken(HarnessFault)
    /// A journey lets no time pass.
    case endless
    /// A journey did not come to its end.
    case standstill
    /// A journey with this mishap went another way than the one it was planned by: it never came to it.
    case strayed(Mishap)
    /// Users wait in a cell, and nothing is left to happen.
    case stuck(cell: Int)
    /// A scenario that was drawn, or kept, cannot be read.
    case unreadable(problem: String)
}

/// A broken invariant of the simulation, and where.
package struct FoundFault: Sendable, Equatable {
    package let user: Int
    package let cell: Int
    package let fault: HarnessFault
}
