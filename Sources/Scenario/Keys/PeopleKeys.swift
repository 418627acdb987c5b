// `population` and `audit`: who there is, and what is left to the app.
// Constants; any thread.

import Simulation
import Text

extension KeySection<Population> {
    static let population = KeySection(
        "population", Population(users: 1, owns: [], unfinishedAtStart: [], devicesPerUser: nil),
        [
            .count(
                "users", \.users, in: 1...Int64(ScenarioLimits.usersMax),
                "How many users there are, such as 10_000.", required: true, example: "1_000"),
            .value(
                KeyFacts(
                    "devices_per_user", ScenarioSchema.wholes(ScenarioLimits.devicesPerUser, bounded: true), "counts",
                    "Devices on one account: 2, 1..3, or weights such as {1: 80%, 2: 20%}.", default: "1",
                    drawing: .drawn { $0.wholes(1...3) }), \.devicesPerUser
            ) { $0.counts($1, $2, in: ScenarioLimits.devicesPerUser, bounded: true) },
            .value(
                KeyFacts(
                    "owns", .reference("shares_of_products"), "share by product",
                    "Share of users who bought the product before the run, by product, such as {unlock_maps: 40%}.",
                    drawing: .drawn { $0.sharesOfProducts($0.shop.restorables) }), \.owns
            ) { $0.productShares($1, $2, mustBeRestorable: true) },
            .value(
                KeyFacts(
                    "unfinished_at_start", .reference("shares_of_products"), "share by product",
                    "Share of users with a purchase that was charged and delivered before the run but never finished, "
                        + "by product.",
                    drawing: .drawn { $0.sharesOfProducts($0.shop.all) }), \.unfinishedAtStart
            ) { $0.productShares($1, $2, mustBeRestorable: false) },
        ])
}

extension KeySection<AuditSettings> {
    /// - Parameter tolerable: the rules whose breach a scenario may tolerate.
    static func audit(tolerable: [String]) -> KeySection {
        KeySection(
            "audit", AuditSettings(),
            [
                .value(
                    KeyFacts(
                        "tolerate",
                        .list(of: .string(among: tolerable), count: 1...ScenarioLimits.toleratedRulesMax),
                        "list of rules", "Rules that an app may decide about, and that this app breaks on purpose."),
                    \.tolerated
                ) { reader, node, path in
                    let items = reader.items(node, path, of: "rules", max: ScenarioLimits.toleratedRulesMax)
                    return reader.all(items, path) { reader.toleratedRule($0, $1) }
                },
                .duration(
                    "stale_after", \.staleAfter,
                    "How long after its expiry the app may still grant a subscription."),
            ])
    }
}
