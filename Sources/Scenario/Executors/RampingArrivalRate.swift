// The executor ramping-arrival-rate.
// Plain values; any thread.

/// Journeys begin at a rate that rises and falls in stages.
package struct RampingArrivalRate: LoadExecutor {
    package static let name = "ramping-arrival-rate"
    package static let summary =
        "Journeys begin at a rate that rises and falls in stages, whether or not earlier ones have ended."

    private static let startRate = ExecutorKey.rateOfRamp(
        "start_rate", "At the start of the first stage, such as 50/s.", draw: ["0/s", "20/m", "2/s"])
    private static let stages = ExecutorKey.stages(
        to: .reference("rate"), "The rate at its end, such as 2_000/s or 0/s.", read: { $0.rateOfRamp($1, $2) },
        levels: { _ in ["2/s", "20/m", "0/s"] })
    package static let keys = [startRate.declared, stages.declared, ExecutorKey.maxUsers.declared]

    private var ramp: ArrivalRamp

    package init?(_ fields: ExecutorFields) {
        let startRate = fields.read(Self.startRate)
        guard let stages = fields.read(Self.stages), let startRate else { return nil }
        ramp = ArrivalRamp(startRate: startRate, stages: stages.map { ArrivalRamp.Stage(over: $0.over, to: $0.to) })
        guard ramp.arrivals > 0 else {
            fields.report(
                Self.stages, "at these rates nothing ever arrives in \(fields.path)",
                hint: "give \(Self.startRate.name) or a stage that takes time a rate above 0/s")
            return nil
        }
        guard fields.allows(arrivals: ramp.arrivals, by: Self.stages) else { return nil }
    }

    package var schedule: LoadSchedule { .arrivals(.ramping(ramp)) }

    package func scaled(to users: Int, from before: Int) -> RampingArrivalRate {
        var copy = self
        copy.ramp = ramp.scaled(by: users, over: before)
        return copy
    }
}
