// Keys that several executors have.
// Part of `ExecutorKey`; any thread.

import Simulation

extension ExecutorKey<Int> {
    static var users: ExecutorKey {
        ofUsers("users", "Users of this entry alone. Default: an equal part of what the others leave.")
    }

    static var maxUsers: ExecutorKey {
        ofUsers(
            "max_users",
            "Users that can be under way at once; what finds none free is dropped. Default: what the others leave.")
    }

    /// The keys that say how many users an entry takes.
    static var userCounts: [ExecutorKey] { [users, maxUsers] }

    private static func ofUsers(_ name: String, _ meaning: String) -> ExecutorKey {
        let range = 1...Int64(ScenarioLimits.usersMax)
        let field = SchemaValue.optional(name, ScenarioSchema.whole(range), meaning)
        return ExecutorKey(declared: DeclaredExecutorKey(field: field) { $0.usersOfEntry() }, standard: nil) {
            $0.count($1, $2, in: range)
        }
    }
}

extension ExecutorKey<Span> {
    static var duration: ExecutorKey {
        let field = ScenarioSchema.requiredTime("for", "No journey begins after this.", zero: .refused)
        return ofTime(field, .pause, zero: .refused)
    }

    static var maxDuration: ExecutorKey {
        let standard = Span.minutes(10)
        let field = ScenarioSchema.time(
            "max_duration", "No journey begins after this.", default: standard, zero: .refused)
        return ofTime(field, .errand, zero: .refused, default: standard)
    }

    static var gracefulStop: ExecutorKey {
        let field = ScenarioSchema.time(
            "graceful_stop", "After the entry's end, how long journeys may go on. Without it: to their own end.")
        return ofTime(field, .pause, zero: .allowed)
    }

    private static func ofTime(
        _ field: SchemaValue.Field, _ scale: TimeScale, zero: ValueParser.Zero, default standard: Span? = nil
    ) -> ExecutorKey {
        let declared = DeclaredExecutorKey(field: field) { $0.time(scale, canBeZero: zero == .allowed) }
        return ExecutorKey(declared: declared, standard: standard) { $0.span($1, $2, zero: zero) }
    }
}
