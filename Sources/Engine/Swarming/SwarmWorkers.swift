// The workers of a swarm: scenarios beside each other, each by one of them.
// Confined to the caller; workers share nothing.

import Files
import Hosting
import Judgement
import Scenario
import Simulation

struct SwarmWorkers {
    private let plan: SwarmPlan

    /// What came of a number.
    enum Drawn {
        case unreadable(problem: String)
        case run(SwarmOutcome)
    }

    init(_ plan: SwarmPlan) { self.plan = plan }

    /// Draws and runs scenarios by their numbers. Evidence of a conduct comes with the first scenario of each worker that
    /// shows it: its later ones have higher numbers.
    func draw(
        _ numbers: Range<Int>, until isOver: @escaping @Sendable () -> Bool, isEnough: @escaping @Sendable () -> Bool,
        _ receive: @escaping (Int, Drawn) -> Void
    ) throws(WorkerDeath) {
        try workforce(plan.workers, first: numbers.lowerBound) { [plan] number in
            plan.read(plan.drawing.outline(seed: plan.seed, number: number).text)
        }.run(numbers.count, until: isOver, isEnough: isEnough) { receive($1.number, $1.drawn) }
    }

    /// Runs these scenarios.
    func run(
        _ scenarios: [Scenario], until isOver: @escaping @Sendable () -> Bool,
        _ receive: @escaping (Int, SwarmOutcome) -> Void
    ) throws(WorkerDeath) {
        try workforce(1) { .success(scenarios[$0]) }.run(scenarios.count, until: isOver) { place, found in
            if case .run(let outcome) = found.drawn { receive(place, outcome) }
        }
    }

    /// - Parameter first: the number of the first place.
    private func workforce(
        _ count: Int, first: Int = 0, _ scenario: @escaping @Sendable (Int) -> Result<Scenario, SwarmPlan.Unreadable>
    ) -> Workforce<(number: Int, drawn: Drawn)> {
        Workforce(count: count, housing: plan.housing, name: { "scenario \(first + $0)" }) { [plan] isOver in
            var shown: Set<Conduct> = []
            return { place in
                let number = first + place
                switch scenario(number) {
                case .failure(let problem): return (number, .unreadable(problem: problem.message))
                case .success(let scenario):
                    guard var outcome = Self.run(scenario, plan, isOver) else { return nil }
                    for place in outcome.found.indices where !shown.insert(outcome.found[place].conduct).inserted {
                        outcome.found[place].evidence = nil
                    }
                    return (number, .run(outcome))
                }
            }
        } pack: { found, packer in
            packer.put(found.number)
            packer.put(found.drawn)
        } unpack: { unpacker throws(TornValue) in
            let number = try unpacker.number()
            // As the worker has read it.
            return (number, try Drawn(&unpacker) { try? scenario(number).get().store.catalog })
        }
    }

    private static func run(
        _ scenario: Scenario, _ plan: SwarmPlan, _ isOver: @escaping @Sendable () -> Bool
    ) -> SwarmOutcome? {
        let series = CellSeries(
            scenario, client: plan.client, clientOptions: plan.clientOptions, updates: plan.updates,
            storeDefects: plan.storeDefects)
        let judge = SwarmJudge()
        let ended = series.run(judge, until: isOver)
        guard ended.isWhole else { return nil }
        judge.ended(ended)
        return judge.outcome
    }
}
