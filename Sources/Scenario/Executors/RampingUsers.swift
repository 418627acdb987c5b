// The executor ramping-users.
// Plain values; any thread.

import Text

/// Users who come and go in stages; each ends the journey that it is at before it goes.
package struct RampingUsers: LoadExecutor {
    package static let name = "ramping-users"
    package static let summary = "The number of users rises and falls in stages; each active user repeats the journey."
    package static let repeatsForItsTime = true
    package static let keys: [ScenarioKey<RampingUsers>] = [
        .count(
            "start_users", \.startUsers, in: level, "How many users are active at the start of the first stage.",
            drawing: .drawn { $0.usersOfEntry() }),
        .stages(
            \.stages,
            to: .count(
                "to", \.to, in: level, "How many users are active at the end of the stage, such as 2_000.",
                required: true),
            drawing: { ["\($0.entry.users)", "1", "0"] }),
    ]

    private static let level = 0...Int64(ScenarioLimits.usersMax)

    /// The ramp's peak; scaled, the peak is however many users the entry has.
    package var users: Int?
    private var startUsers = 0
    private var stages: [UserRamp.Stage] = []
    private var ramp: UserRamp { UserRamp(startUsers: startUsers, stages: stages) }

    package init() {}

    package mutating func settle(_ entry: EntryNodes) -> Bool {
        users = ramp.peak
        if ramp.peak > 0, !ramp.windows(of: 0, among: ramp.peak).isEmpty { return true }
        entry.report(
            "stages", "with these stages \(entry.path) never has a user",
            hint: "set start_users, or a stage longer than 0s, to a number above 0")
        return false
    }

    package var schedule: LoadSchedule { .ramp(ramp) }

    /// No level is above that number of users.
    package static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline {
        func lowered(_ written: ScenarioOutline?) -> ScenarioOutline? {
            guard case .scalar(let text)? = written, let count = try? ValueParser.count(text, in: level), count > users
            else { return written }
            return .scalar("\(users)")
        }
        var entry = entry
        entry["start_users"] = lowered(entry["start_users"])
        if case .list(let stages)? = entry["stages"] {
            let lower = stages.map { stage in
                var stage = stage
                stage["to"] = lowered(stage["to"])
                return stage
            }
            entry["stages"] = .list(lower)
        }
        return entry
    }
}
