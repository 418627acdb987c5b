// The executor ramping-users.
// Plain values; any thread.

/// Users who come and go in stages; each ends the journey that it is at before it goes.
package struct RampingUsers: LoadExecutor {
    package static let name = "ramping-users"
    package static let summary = "Users come and go in stages; each repeats the journey while it is there."
    package static let repeatsForItsTime = true

    private static let level = 0...Int64(ScenarioLimits.usersMax)
    private static let startUsers = ExecutorKey.count(
        "start_users", level, "Users at the start of the first stage.", default: 0
    ) { $0.usersOfEntry() }
    private static let stages = ExecutorKey.stages(
        to: ScenarioSchema.whole(level), "Users at its end. A count, such as 2_000.",
        read: { $0.count($1, $2, in: level) }, levels: { ["\($0.entry.users)", "1", "0"] })
    package static let keys = [startUsers.declared, stages.declared]

    private let ramp: UserRamp

    package init?(_ fields: ExecutorFields) {
        let startUsers = fields.read(Self.startUsers)
        guard let stages = fields.read(Self.stages), let startUsers else { return nil }
        ramp = UserRamp(startUsers: startUsers, stages: stages.map { UserRamp.Stage(over: $0.over, to: $0.to) })
        guard ramp.peak > 0, !ramp.windows(of: 0, among: ramp.peak).isEmpty else {
            fields.report(
                Self.stages, "with these stages \(fields.path) never has a user",
                hint: "give \(Self.startUsers.name) or a stage that takes time a number above 0")
            return nil
        }
    }

    /// The entry takes as many users as its peak; scaled, the ramp's peak is however many users the entry has.
    package var users: Int? { ramp.peak }
    package var schedule: LoadSchedule { .ramp(ramp) }

    /// No level is above that number of users.
    package static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline {
        func lowered(_ written: ScenarioOutline?) -> ScenarioOutline? {
            guard case .scalar(let text)? = written, let count = try? ValueParser.count(text, in: level), count > users
            else { return written }
            return .scalar("\(users)")
        }
        var entry = entry
        entry[startUsers.name] = lowered(entry[startUsers.name])
        if case .list(let stages)? = entry[Self.stages.name] {
            let lower = stages.map { stage in
                var stage = stage
                stage["to"] = lowered(stage["to"])
                return stage
            }
            entry[Self.stages.name] = .list(lower)
        }
        return entry
    }
}
