// One journey by one user, with everything left out that happens by chance and is tried in turn instead.
// Pure; any thread.

package import Scenario
import Simulation

extension Scenario {
    /// The journeys that the load begins, in the order of the file.
    package var journeysInUse: [Int] {
        journeys.indices.filter { place in load.contains { $0.journey == place } }
    }

    /// The same store, person and app for one user who does one journey once, under the virtual clock: crashes and
    /// lost messages are left to the exploration, and capacity to populations.
    package func alone(journey: Int) -> Scenario {
        var copy = self
        copy.clock = .virtual
        copy.population.users = 1
        copy.load = [
            LoadEntry(
                name: journeys[journey].name, journey: journey, users: 1,
                executor: PerUserIterations(iterations: 1, maxDuration: .hours(24 * 365)), startAfter: .zero)
        ]
        copy.crashes = []
        for fault in FaultKind.ofWire { copy.network[fault] = .none }
        copy.network.offline = nil
        copy.store.conditions.capacity = nil
        return copy
    }
}
