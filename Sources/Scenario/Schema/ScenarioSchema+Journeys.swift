// Steps, with and without a value.
// Pure; any thread.

import Simulation

extension ScenarioSchema {
    /// Definitions, since steps hold steps.
    static let steps: [String: SchemaValue] = [
        "steps": .list(of: .reference("step"), count: 1...ScenarioLimits.stepsPerJourneyMax),
        "step": .choice([
            .string(among: [
                "launch", "terminate", "crash", "reinstall", "fetch_products", "restore", "switch_account",
            ]),
            .restricted(requests + pastime + nesting + outside, .oneKey),
        ]),
        "request": .choice([.string(among: ["fetch_products", "restore"]), .restricted(requests, .oneKey)]),
        "fetch": .choice([
            .reference("products"),
            .object([SchemaValue.optional("products", .reference("products"), "Which. Default: all."), waits]),
        ]),
        "buy": .choice([.reference("product"), .restricted(buy, .oneOf(["product", "choose", "unknown_product"]))]),
        "restore": .object([waits]),
        "product": .reference("text"),
        "products": .list(of: .reference("text"), count: 1...ScenarioLimits.productsPerFetchMax),
    ]

    private static let waits = setting("wait", true, "Whether the next step waits for the answer.")

    // MARK: In the app

    /// What can also be done together.
    private static let requests = [
        SchemaValue.optional(
            "fetch_products", .reference("fetch"), "Asks the app for its products: [some of them], or {products, wait}."
        ),
        SchemaValue.optional(
            "buy", .reference("buy"),
            "Buys a product, named by its identifier or the part after its last dot; or {product | choose, quantity, wait}."
        ),
        SchemaValue.optional(
            "restore", .reference("restore"), "Restores purchases; without a value: and waits for the answer."),
        SchemaValue.optional("use", .reference("product"), "Uses up a consumable that the user holds, or all of them."),
    ]

    private static let buy = [
        SchemaValue.optional("product", .reference("product"), "By its identifier or the part after its last dot."),
        SchemaValue.optional(
            "choose", .map(to: .reference("weight")), "One of several, by weight: {extra_lives: 70%, superpowers: 30%}."
        ),
        SchemaValue.optional("unknown_product", .reference("text"), "An identifier that the store does not sell."),
        SchemaValue.optional(
            "quantity", wholes(ScenarioLimits.quantity, bounded: true),
            "From 1 to 10: 2, 1..3, or weights such as {1: 80%, 2: 20%}. Default: 1."),
        waits,
    ]

    private static let pastime = [
        SchemaValue.optional(
            "background", .reference("durations"), "The app is in the background for so long: 1m..5m."),
        SchemaValue.optional("think", .reference("durations"), "The user does nothing for so long: 3s or 1s..5s."),
        SchemaValue.optional(
            "wait_for",
            .object([
                SchemaValue.field(
                    "outcome", .string(among: Pending.allCases.map(\.rawValue)), "Of which unanswered request."),
                time("at_most", "How long.", default: .minutes(1), zero: .refused),
            ]), "Waits for the answer to a request that was not waited for."),
        SchemaValue.optional(
            "expect", .restricted(expectation, .anyKey), "What must hold now. The metric `expectations` counts it."),
    ]

    private static let expectation = [
        SchemaValue.optional("owns", owned, "A product, or a list: owned, as the app sees it. No consumables."),
        SchemaValue.optional("not_owns", owned, "A product, or a list: not owned, as the app sees it."),
        SchemaValue.optional(
            "holds", .dictionary(keys: ".", to: whole(0...ScenarioLimits.holdsMax)),
            "Exact counts of consumables: {extra_lives: 2}."),
        SchemaValue.optional(
            "answered", .string(among: Expectation.Answer.allCases.map(\.rawValue)), "The app's last answer."),
    ]

    private static let owned = SchemaValue.choice([.reference("product"), .reference("products")])

    // MARK: Steps of steps

    private static let nesting = [
        SchemaValue.optional(
            "repeat",
            .object([
                SchemaValue.field(
                    "times", wholes(0...ScenarioLimits.repeatMax, bounded: false), "How often: 3, 1..4 or {mean: 2}."),
                SchemaValue.field("steps", .reference("steps"), "What."),
            ]), "Does the steps several times."),
        SchemaValue.optional(
            "choose",
            .list(
                of: .object([
                    SchemaValue.field("weight", .reference("weight"), "Among the others: 80%, 0.8 or 4."),
                    SchemaValue.field("steps", .reference("steps"), "What is done."),
                ]), count: 1...ScenarioLimits.weightsMax), "Does one of several branches, by weight."),
        SchemaValue.optional(
            "together", .list(of: .reference("request"), count: 1...ScenarioLimits.togetherMax),
            "Begins buy, restore, fetch_products and use at the same time in one app; ends when all have."),
        SchemaValue.optional(
            "on_other_device", .reference("steps"), "Does the steps on the next of the user's devices."),
    ]

    // MARK: Outside the app

    private static let outside = [
        SchemaValue.optional(
            "promoted_purchase", .reference("product"), "Taps a product in the store, which opens the app."),
        SchemaValue.optional("buy_outside", .reference("product"), "Buys a product on the web."),
        SchemaValue.optional(
            "redeem_offer",
            .choice([
                .reference("product"),
                .object([
                    SchemaValue.field("product", .reference("product"), "A subscription."),
                    SchemaValue.optional("offer", .reference("text"), "The name of its offer. Default: any."),
                ]),
            ]), "Redeems a code for a subscription: product, or {product, offer}."),
        SchemaValue.optional("change_subscription", .reference("product"), "Moves to another level of the group."),
        SchemaValue.optional("cancel_subscription", .reference("product"), "Turns renewal off."),
        SchemaValue.optional("refund", .reference("product"), "The latest purchase of the product is given back."),
        SchemaValue.optional("family_shares", .reference("product"), "A family begins to share the product."),
        SchemaValue.optional("family_stops_sharing", .reference("product"), "A family ends that."),
        SchemaValue.optional(
            "change_storefront", .string(among: Storefront.knownCountryCodes), "Moves to another country: DEU."),
    ]
}
