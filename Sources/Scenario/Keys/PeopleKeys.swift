// `population` and `audit`: who there is, and what is left to the app.
// Constants; any thread.

import Simulation
import Text

/// Who there is while the section is read.
extension KeySection<Population> {
    static let population = KeySection(
        "population", Population(users: 1, owns: [], unfinishedAtStart: [], devicesPerUser: nil),
        [
            .count(
                "users", \.users, in: 1...Int64(ScenarioLimits.usersMax),
                "How many people there are. A count, such as 10_000.", required: true, drawing: .byHand),
            .custom(
                "devices_per_user", ScenarioSchema.wholes(ScenarioLimits.devicesPerUser, bounded: true), "counts",
                "Devices on one account: 2, 1..3, or weights such as {1: 80%, 2: 20%}.", default: "1",
                drawing: .byHand
            ) { reader, node, path, population in
                population.devicesPerUser = reader.counts(
                    node, path, in: ScenarioLimits.devicesPerUser, bounded: true)
                return population.devicesPerUser != nil
            },
            .custom(
                "owns", .reference("shares_of_products"), "share by product",
                "Bought before the run starts, by product: the share of the users, as in {unlock_maps: 40%}.",
                drawing: .byHand
            ) { reader, node, path, population in
                population.owns = reader.productShares(node, path, mustBeRestorable: true)
                return true
            },
            .custom(
                "unfinished_at_start", .reference("shares_of_products"), "share by product",
                "Charged and delivered before the run and never finished, by product: the share of the users.",
                drawing: .byHand
            ) { reader, node, path, population in
                population.unfinishedAtStart = reader.productShares(node, path, mustBeRestorable: false)
                return true
            },
        ])
}

extension KeySection<AuditSettings> {
    /// - Parameter tolerable: the rules whose breach a scenario may tolerate.
    static func audit(tolerable: [String]) -> KeySection {
        KeySection(
            "audit", AuditSettings(),
            [
                .custom(
                    "tolerate",
                    .list(of: .string(among: tolerable), count: 1...ScenarioLimits.toleratedRulesMax), "list of rules",
                    "Rules about what an app may decide for itself, and this one has."
                ) { reader, node, path, audit in
                    let items = reader.items(node, path, of: "rules", max: ScenarioLimits.toleratedRulesMax) ?? []
                    audit.tolerated = items.enumerated().compactMap { reader.toleratedRule($1, "\(path)[\($0)]") }
                    return audit.tolerated.count == items.count
                },
                .duration(
                    "stale_after", \.staleAfter,
                    "How long after its end an expired subscription may still be granted."),
            ])
    }
}
