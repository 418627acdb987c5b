// How much of a journey is left: what has an end is let come to it, though no time passes.
// Guard: the device's lane.

import Scenario
import Simulation

extension UserRunner {
    /// A journey that takes no time and has no more steps left than this is done soon.
    private static let stepsLeftMax = 20_000

    /// Whether the journeys that begin in this instant are known to end, soon.
    func comesToItsEnd(_ repetition: Repetition, iterationsLeft: Int, of journey: [Step]) -> Bool {
        var left = 0
        if case .times = repetition { left = Self.times(iterationsLeft, Self.count(journey)) }
        for frame in frames {
            left += Self.times(frame.remaining - 1, Self.count(frame.steps)) + Self.count(frame.steps[frame.next...])
        }
        return left <= Self.stepsLeftMax
    }

    /// Of what is drawn by chance, the most that may come of it; beyond the limit the count stops.
    private static func count(_ steps: some Sequence<Step>) -> Int {
        steps.reduce(0) { min($0 + count($1), stepsLeftMax + 1) }
    }

    private static func count(_ step: Step) -> Int {
        switch step.kind {
        case .repeated(let times, let steps): return Self.times(most(times), count(steps))
        case .choose(let branches): return branches.map { count($0.steps) }.max() ?? 0
        case .together(let steps), .onOtherDevice(let steps): return count(steps)
        default: return 1
        }
    }

    private static func most(_ times: Distribution) -> Int {
        switch times {
        case .constant(let value): return Int(value)
        case .uniform(_, let high): return Int(high)
        case .weighted(let choices): return Int(choices.map(\.value).max() ?? 0)
        case .logNormal, .exponential: return stepsLeftMax + 1
        }
    }

    private static func times(_ times: Int, _ steps: Int) -> Int {
        let product = max(0, times).multipliedReportingOverflow(by: steps)
        return product.overflow ? stepsLeftMax + 1 : min(product.partialValue, stepsLeftMax + 1)
    }
}
