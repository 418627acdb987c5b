// Keys that several executors have.
// Values; any thread.

import Simulation
import Text

extension ScenarioKey where Target: LoadExecutor {
    // MARK: Users

    static var users: ScenarioKey {
        ofUsers("users", "How many users this entry has. Default: an equal share of the users that no entry claims.")
    }

    static var maxUsers: ScenarioKey {
        ofUsers(
            "max_users",
            "How many users can run a journey at once; an arrival is dropped if no user is free. Default: an equal share "
                + "of the users that no entry claims.")
    }

    private static func ofUsers(_ name: String, _ meaning: String) -> ScenarioKey {
        let range = 1...Int64(ScenarioLimits.usersMax)
        let facts = KeyFacts(
            name, ScenarioSchema.whole(range), "count", meaning, drawing: .drawn { $0.usersOfEntry() })
        return value(facts, \.users) { $0.count($1, $2, in: range) }
    }

    // MARK: Time

    static func duration(_ path: Path<Span>) -> ScenarioKey {
        .duration("for", path, "No journey starts after this time.", zero: .refused, required: true)
    }

    static func maxDuration(_ path: Path<Span>) -> ScenarioKey {
        .duration(
            "max_duration", path, "No journey starts after this time.", zero: .refused, drawing: .lasting(.errand))
    }

    // MARK: Rates

    /// More than none, and always there.
    static func rate(_ path: Path<ArrivalRate>, _ meaning: String, drawing texts: [String]) -> ScenarioKey {
        let facts = KeyFacts(
            "rate", .reference("rate_above_zero"), "rate", meaning, required: true,
            drawing: .drawn { $0.scalar(texts) }, example: "30/s")
        return value(facts, path) { $0.rate($1, $2) }
    }

    // MARK: Stages

    /// - Parameters:
    ///   - level: the key of what the load comes to at the end of a stage.
    ///   - levels: what a swarm writes there, beginning with one above zero.
    static func stages<Level>(
        _ path: Path<[LoadStage<Level>]>, to level: ScenarioKey<LoadStage<Level>>,
        drawing levels: @escaping @Sendable (DrawingPen) -> [String]
    ) -> ScenarioKey {
        let stage = KeySection(
            "load[].stages[]", LoadStage<Level>(over: .zero, to: 0),
            [
                .duration("over", \.over, "How long the stage takes; 0s jumps at once.", required: true, example: "1m"),
                level,
            ])
        let facts = KeyFacts(
            "stages", .list(of: stage.schema, count: 1...ScenarioLimits.stagesMax), "list of stages",
            "Stages of linear change, one after the other, such as [{over: 2m, to: 2_000}, {over: 6m, to: 0}].",
            required: true, drawing: .drawn { $0.stages(to: levels($0)) })
        return value(facts, path) { reader, node, path in
            let stages = reader.list(of: stage, node, path, called: "stages", max: ScenarioLimits.stagesMax)
            guard let stages else { return nil }
            if stages.reduce(Span.zero, { $0 + $1.over }) <= ScenarioLimits.spanMax { return stages }
            reader.report(
                node.position, "the stages in \(path) are together longer than 400 days", hint: "make some shorter")
            return nil
        }
    }
}
