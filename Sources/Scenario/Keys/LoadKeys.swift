// `load`: what every entry has, whatever its executor.
// Constants; any thread.

import Simulation
import Text

/// A load entry while it is read, before its users are known.
struct EntryDraft: Sendable {
    /// Nil: its journey's.
    var name: String?
    /// The name of its journey, which need not exist.
    var journey = ""
    var startAfter = Span.zero
    /// Nil: to their own end.
    var gracefulStop: Span?
    var tags: [String: String] = [:]
}

extension KeySection<EntryDraft> {
    static let entry = KeySection(
        "load[]", EntryDraft(),
        [
            .value(
                KeyFacts(
                    "name", .reference("name"), "name", "The entry's name in reports.", default: "its journey's name"),
                \.name
            ) { $0.identifier($1, $2) },
            .value(
                KeyFacts(
                    "journey", .reference("name"), "name", "The journey of its users: one of `journeys`.",
                    required: true),
                \.journey
            ) { $0.text($1, $2, as: "a journey") },
            .custom(executor) { _, _, _, _ in true },
            .duration(
                "start_after", \.startAfter, "Delay from the start of the run, or from the end of the entry in `after`."
            ),
            // Read with those of all entries.
            .custom(
                KeyFacts(
                    "after", .reference("name"), "name", "Start when this entry has ended. It has to stand above.",
                    drawing: .drawn { $0.scalar($0.entry.earlier) })
            ) { _, _, _, _ in true },
            .value(
                KeyFacts(
                    "tags",
                    .dictionary(
                        keys: "^(?!(\(ScenarioReader.reservedTags.joined(separator: "|")))$)\(ScenarioSchema.name)$",
                        to: .reference("name")), "name by name",
                    "Your own tags, which thresholds can select by, such as {region: north}.",
                    drawing: .leftOut("for figures")), \.tags
            ) { $0.tags($1, $2) },
        ])

    /// The key that says which further keys there are.
    static let executor = KeyFacts(
        "executor", .string(among: LoadExecutors.names), "one of the executors",
        LoadExecutors.all.map { "\($0.name): \($0.summary)" }.joined(separator: " "), required: true,
        example: LoadExecutors.plainest.name)
}

/// What an entry has whose executor has an end.
extension KeySection<Span?> {
    static let end = KeySection(
        "load[]", nil,
        [
            .duration(
                "graceful_stop", \.self,
                "How long journeys may continue after the entry's end. Default: to their own end.",
                drawing: .lasting(.pause))
        ])
}

extension ScenarioSchema {
    static let loadEntry: SchemaValue = {
        let common = KeySection.entry.facts.keys.filter { $0.name != KeySection.executor.name }
        return .variants(
            by: KeySection.executor.field, common: common.map(\.field),
            cases: LoadExecutors.all.map { SchemaValue.Variant(name: $0.name, fields: $0.everyKey.map(\.field)) })
    }()
}
