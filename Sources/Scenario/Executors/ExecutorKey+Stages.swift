// The key of executors whose load rises and falls.
// Part of `ExecutorKey`; any thread.

import Simulation
import Text

/// A stretch of linear change, or a jump where it takes no time.
struct LoadStage<Level: Sendable>: Sendable {
    let over: Span
    /// What it comes to at its end.
    let to: Level
}

extension ExecutorKey {
    /// - Parameters:
    ///   - level: what the end of a stage may be, with its meaning.
    ///   - read: the reader of such a level.
    ///   - levels: what a swarm writes there, beginning with one above zero.
    static func stages<Level: Sendable>(
        to level: SchemaValue, _ meaning: String,
        read: @escaping @Sendable (ScenarioReader, SourceNode, String) -> Level?,
        levels: @escaping @Sendable (DrawingPen) -> [String]
    ) -> ExecutorKey where Value == [LoadStage<Level>] {
        let stage = SchemaValue.object([
            ScenarioSchema.requiredTime("over", "How long the stage takes; 0s is a jump."),
            SchemaValue.field("to", level, meaning),
        ])
        let field = SchemaValue.field(
            "stages", .list(of: stage, count: 1...ScenarioLimits.stagesMax),
            "Stretches of linear change, one after the other, as in [{over: 2m, to: 2_000}, {over: 6m, to: 0}].")
        let declared = DeclaredExecutorKey(field: field) { $0.stages(to: levels($0)) }
        return ExecutorKey(declared: declared, standard: nil) { $0.stages($1, $2, read) }
    }
}

extension ScenarioReader {
    /// All stages, or nil with what is wrong reported.
    fileprivate func stages<Level>(
        _ node: SourceNode, _ path: String, _ level: (ScenarioReader, SourceNode, String) -> Level?
    ) -> [LoadStage<Level>]? {
        guard let items = items(node, path, of: "stages", max: ScenarioLimits.stagesMax) else { return nil }
        let stages = items.enumerated().map { place, item -> LoadStage<Level>? in
            let path = "\(path)[\(place)]"
            guard let fields = fields(item, path, known: ["over", "to"], required: ["over", "to"]) else { return nil }
            let over = fields["over"].flatMap { span($0, "\(path).over") }
            let to = fields["to"].flatMap { level(self, $0, "\(path).to") }
            guard let over, let to else { return nil }
            return LoadStage(over: over, to: to)
        }
        let whole = stages.compactMap { $0 }
        guard whole.count == stages.count else { return nil }
        guard whole.reduce(Span.zero, { $0 + $1.over }) <= ScenarioLimits.spanMax else {
            report(node.position, "the stages in \(path) are together longer than 400 days", hint: "make some shorter")
            return nil
        }
        return whole
    }
}

extension DrawingPen {
    /// The first one takes time and reaches something: a load that never has a user is none.
    fileprivate mutating func stages(to levels: [String]) -> ScenarioOutline {
        var stages = [stage(over: ["5s", "20s"], to: [levels[0]])]
        for _ in 0..<number(0...2) { stages.append(stage(over: ["0s", "2s", "10s"], to: levels)) }
        return .list(stages)
    }

    private mutating func stage(over: [String], to levels: [String]) -> ScenarioOutline {
        .mapping([.init("over", scalar(over) ?? .scalar("5s")), .init("to", scalar(levels) ?? .scalar(levels[0]))])
    }
}
