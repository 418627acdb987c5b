// The load: the keys of each executor.
// Pure; any thread.

import Simulation

extension ScenarioSchema {
    static let loadEntry = SchemaValue.variants(
        by: SchemaValue.field(
            "executor", .string(among: Executor.names),
            """
            at-once: everyone in the same instant. per-user-iterations: each user n times. shared-iterations: n in all. \
            constant-users, ramping-users: so many people at any time. constant-arrival-rate, ramping-arrival-rate: \
            arrivals that do not wait for answers.
            """),
        common: [
            SchemaValue.optional("name", .reference("name"), "What reports call it. Default: its journey's name."),
            SchemaValue.field("journey", .reference("name"), "What its users do: one of `journeys`."),
            time("start_after", "From the start of the run, or from the end of what `after` names.", default: .zero),
            SchemaValue.optional("after", .reference("name"), "Begins when this entry, written above, has ended."),
            SchemaValue.optional(
                "tags", .dictionary(keys: "^(?!(\(reserved))$)\(name)$", to: .reference("name")),
                "Names of your own, which thresholds can select by, as in {region: north}."),
        ],
        cases: [
            SchemaValue.Variant(name: "at-once", fields: [users]),
            SchemaValue.Variant(
                name: "per-user-iterations",
                fields: [
                    users,
                    SchemaValue.optional(
                        "iterations", whole(1...Int64(ScenarioLimits.iterationsMax)),
                        "How often each user does the journey. Default: 1."),
                    maxDuration, gracefulStop,
                ]),
            SchemaValue.Variant(
                name: "shared-iterations",
                fields: [
                    users,
                    SchemaValue.field(
                        "iterations", whole(1...ScenarioLimits.sharedIterationsMax),
                        "Journeys in all, the next one for whoever is free."),
                    maxDuration, gracefulStop,
                ]),
            SchemaValue.Variant(name: "constant-users", fields: [users, duration, gracefulStop]),
            SchemaValue.Variant(
                name: "ramping-users",
                fields: [
                    SchemaValue.optional("start_users", level, "Users at the start of the first stage. Default: 0."),
                    stages(to: level, "Users at its end. A count, such as 2_000."), gracefulStop,
                ]),
            SchemaValue.Variant(
                name: "constant-arrival-rate",
                fields: [
                    SchemaValue.field(
                        "rate", .reference("rate_above_zero"), "Arrivals: a rate, such as 500/s, 30/m or 10/h."),
                    duration, maxUsers, gracefulStop,
                ]),
            SchemaValue.Variant(
                name: "ramping-arrival-rate",
                fields: [
                    SchemaValue.optional(
                        "start_rate", .reference("rate"), "At the start of the first stage, such as 50/s. Default: 0/s."
                    ),
                    stages(to: .reference("rate"), "The rate at its end, such as 2_000/s or 0/s."), maxUsers,
                    gracefulStop,
                ]),
        ])

    private static let reserved = ScenarioReader.reservedTags.joined(separator: "|")

    private static let level = whole(0...Int64(ScenarioLimits.usersMax))

    private static let users = SchemaValue.optional(
        "users", whole(1...Int64(ScenarioLimits.usersMax)),
        "Users of this entry alone. Default: an equal part of what the others leave.")
    private static let maxUsers = SchemaValue.optional(
        "max_users", whole(1...Int64(ScenarioLimits.usersMax)),
        "Users that can be under way at once; what finds none free is dropped. Default: what the others leave.")
    private static let maxDuration = time(
        "max_duration", "No journey begins after this.", default: .minutes(10), zero: .refused)
    private static let duration = requiredTime("for", "No journey begins after this.", zero: .refused)
    private static let gracefulStop = time(
        "graceful_stop", "After the entry's end, how long journeys may go on. Without it: to their own end.")

    private static func stages(to level: SchemaValue, _ meaning: String) -> SchemaValue.Field {
        let stage = SchemaValue.object([
            requiredTime("over", "How long the stage takes; 0s is a jump."), SchemaValue.field("to", level, meaning),
        ])
        return SchemaValue.field(
            "stages", .list(of: stage, count: 1...ScenarioLimits.stagesMax),
            "Stretches of linear change, one after the other, as in [{over: 2m, to: 2_000}, {over: 6m, to: 0}].")
    }
}
