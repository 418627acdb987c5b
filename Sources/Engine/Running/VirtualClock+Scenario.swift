// The virtual clock that a cell of a scenario runs on.

import Scenario
import Simulation

extension Scenario {
    /// Runs events as they are due, or, where the scenario explores, in orders that its seed decides.
    func virtualClock(cell: Int) -> VirtualClock {
        guard let exploration else { return VirtualTimeline() }
        let chance = RandomStream(seed: seed, user: cell, purpose: .order)
        return ExploredTimeline(EventOrders(chance: chance), window: exploration.window)
    }
}
