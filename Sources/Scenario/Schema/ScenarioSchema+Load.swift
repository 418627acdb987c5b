// The load: the keys that all entries have, and those of each executor.
// Pure; any thread.

import Simulation

extension ScenarioSchema {
    static let loadEntry = SchemaValue.variants(
        by: SchemaValue.field(
            "executor", .string(among: LoadExecutors.names),
            LoadExecutors.all.map { "\($0.name): \($0.summary)" }.joined(separator: " ")),
        common: [
            SchemaValue.optional("name", .reference("name"), "What reports call it. Default: its journey's name."),
            SchemaValue.field("journey", .reference("name"), "What its users do: one of `journeys`."),
            time("start_after", "From the start of the run, or from the end of what `after` names.", default: .zero),
            SchemaValue.optional("after", .reference("name"), "Begins when this entry, written above, has ended."),
            SchemaValue.optional(
                "tags", .dictionary(keys: "^(?!(\(reserved))$)\(name)$", to: .reference("name")),
                "Names of your own, which thresholds can select by, as in {region: north}."),
        ],
        cases: LoadExecutors.all.map { executor in
            SchemaValue.Variant(name: executor.name, fields: executor.everyKey.map(\.field))
        })

    private static let reserved = ScenarioReader.reservedTags.joined(separator: "|")
}
