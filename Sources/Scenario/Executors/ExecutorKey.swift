// One key of an executor, declared once: what reads it, what explains it to editors, and what a swarm writes there.
// Plain values; any thread.

import Text

/// A key by its name, and how its value is read.
package struct ExecutorKey<Value: Sendable>: Sendable {
    let declared: DeclaredExecutorKey
    /// What counts where the key is left out, if anything does.
    let standard: Value?
    /// Given the path of the node too. Nil with a problem reported.
    let read: @Sendable (ScenarioReader, SourceNode, String) -> Value?

    var name: String { declared.name }
}

/// What lists of keys hold of one, whatever its values are.
package struct DeclaredExecutorKey: Sendable {
    let field: SchemaValue.Field
    /// A value that it may have, for whoever left it out; nil where that takes more than a word.
    var example: String?
    let draw: @Sendable (inout DrawingPen) -> ScenarioOutline?

    package var name: String { field.name }
    /// For people: what it is, with its unit and what counts where it is left out.
    package var meaning: String { field.meaning }
    package var isRequired: Bool { field.isRequired }
}

// MARK: Kinds of keys

extension ExecutorKey<Int> {
    /// A whole number that may be left out.
    static func count(
        _ name: String, _ range: ClosedRange<Int64>, _ meaning: String, default standard: Int,
        draw: @escaping @Sendable (inout DrawingPen) -> ScenarioOutline?
    ) -> ExecutorKey {
        let field = SchemaValue.optional(name, ScenarioSchema.whole(range), "\(meaning) Default: \(standard).")
        return ExecutorKey(declared: DeclaredExecutorKey(field: field, draw: draw), standard: standard) {
            $0.count($1, $2, in: range)
        }
    }

    /// A whole number that must be there.
    static func requiredCount(
        _ name: String, _ range: ClosedRange<Int64>, _ meaning: String, example: String,
        draw: @escaping @Sendable (inout DrawingPen) -> ScenarioOutline?
    ) -> ExecutorKey {
        let field = SchemaValue.field(name, ScenarioSchema.whole(range), meaning)
        return ExecutorKey(
            declared: DeclaredExecutorKey(field: field, example: example, draw: draw), standard: nil
        ) { $0.count($1, $2, in: range) }
    }
}

extension ExecutorKey<ArrivalRate> {
    /// More than none. Its name is `rate`, which must be there.
    static func rate(_ meaning: String, draw texts: [String]) -> ExecutorKey {
        let field = SchemaValue.field("rate", .reference("rate_above_zero"), meaning)
        let declared = DeclaredExecutorKey(field: field, example: "30/s") { $0.scalar(texts) }
        return ExecutorKey(declared: declared, standard: nil) { $0.rate($1, $2) }
    }
}

extension ExecutorKey<Int64> {
    /// A point of a ramp, which may be none at all and is if it is left out, in millionths of an arrival an hour.
    static func rateOfRamp(_ name: String, _ meaning: String, draw texts: [String]) -> ExecutorKey {
        let field = SchemaValue.optional(name, .reference("rate"), "\(meaning) Default: 0/s.")
        return ExecutorKey(declared: DeclaredExecutorKey(field: field) { $0.scalar(texts) }, standard: 0) {
            $0.rateOfRamp($1, $2)
        }
    }
}
