// A whole scenario on one thread under the virtual clock, for what its judge sees and nothing else.
// Confined to the caller.

import ClientKit
import Judgement
import Scenario
import Simulation

/// Looks at users for one purpose, and at clients that wait for ever.
protocol SeriesJudge: UserJudge {
    /// What a device had seen when its client was found to wait for ever. It is the last of its cell.
    func absorb(hang: AuditInput)
}

/// The cells of a scenario, one after the other.
struct CellSeries {
    private let options: RunOptions

    /// Cells that did not come to their ends.
    struct Outcome {
        /// Their journeys go on for longer than there is time.
        var endless: [Int] = []
        /// Their users wait, and nothing is left to happen.
        var stuck: [Int] = []
        /// A client waits for ever, and what else would have come of them is not known.
        var hung: [Int] = []
        var events = 0
        /// False if it was enough, or too much, before the end of the last one.
        var isWhole = true
    }

    /// - Parameter scenario: taken for one of the virtual clock, whatever it says.
    init(
        _ scenario: Scenario, client: any StoreClient.Type, clientOptions: [String: String],
        updates: [any StoreClient.Type], storeDefects: Set<StoreDefect>
    ) {
        var scenario = scenario
        scenario.clock = .virtual
        var options = RunOptions(scenario: scenario, client: client, clientOptions: clientOptions, workers: 1)
        options.updates = updates
        options.storeDefects = storeDefects
        self.options = options
    }

    /// Runs all cells.
    ///
    /// - Parameters:
    ///   - eventsMax: how many events it may take.
    ///   - isEnough: asked after each event.
    func run(_ judge: any SeriesJudge, eventsMax: Int = .max, until isEnough: @escaping () -> Bool) -> Outcome {
        let plan = CellPlan(options.scenario)
        let setup = CellSetup(options)
        var outcome = Outcome()
        for index in 0..<plan.cellCount {
            let clock = options.scenario.virtualClock(cell: index)
            let cell = Cell(
                index: index, options: options, plan: plan, setup: setup, judge: judge, judgeLane: clock,
                storeLane: clock, makeLanes: { Array(repeating: clock, count: $0) })
            var isDone = false
            cell.onDone = { isDone = true }
            cell.endsOnHang(clock, judge)
            cell.start()
            let eventsLeft = eventsMax - outcome.events
            _ = clock.runApart(until: { isDone || clock.eventCount > eventsLeft || isEnough() })
            clock.dropEvents()
            outcome.events += clock.eventCount
            if outcome.events > eventsMax || isEnough() {
                outcome.isWhole = false
                return outcome
            }
            if cell.isHung {
                outcome.hung.append(index)
            } else if clock.hasReachedLimit {
                outcome.endless.append(index)
            } else if !isDone {
                outcome.stuck.append(index)
            }
        }
        return outcome
    }
}
