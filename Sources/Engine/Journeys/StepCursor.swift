// Which step of a journey comes next.
// A value; the lanes of the user's devices guard it.

import Scenario
import Simulation

/// A place in a journey: the steps that surround it, outermost first.
struct StepCursor {
    private struct Frame {
        let steps: [Step]
        /// The device they are taken on.
        let userDevice: Int
        var next = 0
        var remaining: Int
    }

    private var frames: [Frame] = []

    /// At no step.
    init() {}

    /// At the first step of a journey, on the user's first device.
    init(_ journey: [Step]) { frames = [Frame(steps: journey, userDevice: 0, remaining: 1)] }

    /// The device that the step is taken on.
    var userDevice: Int { frames.last?.userDevice ?? 0 }

    /// The step that comes next; nil at the end of the journey.
    mutating func step() -> Step? {
        while !frames.isEmpty {
            let top = frames.count - 1
            let next = frames[top].next
            if next < frames[top].steps.count { return frames[top].steps[next] }
            if frames[top].remaining > 1 {
                frames[top].next = 0
                frames[top].remaining -= 1
            } else {
                frames.removeLast()
            }
        }
        return nil
    }

    /// Leaves the step that `step` returned behind.
    mutating func goOn() { frames[frames.count - 1].next += 1 }

    mutating func enter(_ steps: [Step], times: Int) {
        enter(steps, times: times, on: userDevice)
    }

    /// - Parameter userDevice: the place of the device among the user's.
    mutating func enter(_ steps: [Step], times: Int, on userDevice: Int) {
        guard times > 0, !steps.isEmpty else { return }
        frames.append(Frame(steps: steps, userDevice: userDevice, remaining: times))
    }

    // MARK: What is left

    /// A journey that takes no time and has no more steps left than this is done soon.
    private static let stepsLeftMax = 20_000

    /// Whether what is left of the journey, and so many journeys after it, are known to end soon.
    func endsSoon(journeysLeft: Int, of journey: [Step]) -> Bool {
        var left = Self.times(journeysLeft, Self.count(journey))
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
