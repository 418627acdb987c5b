// The executor ramping-arrival-rate.
// Plain values; any thread.

import Text

/// Journeys begin at a rate that rises and falls in stages.
package struct RampingArrivalRate: LoadExecutor {
    package static let name = "ramping-arrival-rate"
    package static let summary =
        "Journeys start at a rate that rises and falls in stages, whether or not earlier journeys have ended."
    package static let keys: [ScenarioKey<RampingArrivalRate>] = [
        .value(
            KeyFacts(
                "start_rate", .reference("rate"), "rate", "The rate at the start of the first stage, such as 50/s.",
                default: "0/s", drawing: .drawn { $0.scalar(["0/s", "20/m", "2/s"]) }), \.startRate
        ) { $0.rateOfRamp($1, $2) },
        .stages(
            \.stages,
            to: .value(
                KeyFacts(
                    "to", .reference("rate"), "rate", "The rate at the end of the stage, such as 2_000/s or 0/s.",
                    required: true),
                \.to
            ) { $0.rateOfRamp($1, $2) }, drawing: { _ in ["2/s", "20/m", "0/s"] }),
        .maxUsers,
    ]

    package var users: Int?
    private var startRate: Int64 = 0
    private var stages: [ArrivalRamp.Stage] = []
    private var ramp = ArrivalRamp(startRate: 0, stages: [])

    package init() {}

    package mutating func settle(_ entry: EntryNodes) -> Bool {
        ramp = ArrivalRamp(startRate: startRate, stages: stages)
        if ramp.arrivals > 0 { return entry.allows(arrivals: ramp.arrivals, by: "stages") }
        entry.report(
            "stages", "at these rates no journey ever starts in \(entry.path)",
            hint: "set start_rate, or a stage longer than 0s, to a rate above 0/s")
        return false
    }

    package var schedule: LoadSchedule { .arrivals(.ramping(ramp)) }

    package func scaled(to users: Int, from before: Int) -> RampingArrivalRate {
        var copy = self
        copy.ramp = ramp.scaled(by: users, over: before)
        return copy
    }
}
