// Steps in the app: its life, what people ask it for, and what they do meanwhile.
// Constants; any thread.

import Metrics
import Simulation
import Text

extension ScenarioStep {
    static let app: [ScenarioStep] = [
        .word("launch", .launch, "Launches the app. A step that needs the app also launches it."),
        .word("terminate", .terminate, "Ends the app, as the system or the user would."),
        .word("crash", .crash, "Ends the app's process at once: data not yet stored for good is lost."),
        .word("reinstall", .reinstall, "Deletes the app with all its data, and installs it again."),
        .valued(
            KeyFacts(
                "update_app", .reference("client"), "client",
                "Ends the app and installs another client as its update: it finds what the old one has stored.",
                drawing: .leftOut("a swarm tries one client")), Step.Kind.updateApp
        ) { $0.otherClient($1, $2) },
    ]

    /// What can also be done together.
    static let requests: [ScenarioStep] = [
        .valued(
            KeyFacts(
                "fetch_products", .reference("fetch"), "products, or {products, wait}",
                "Asks the app for all its products, or for some. Names outside the catalog are requested unchanged."
            ),
            bare: .fetchProducts(FetchStep(identifiers: nil, waits: true)), isRequest: true, Step.Kind.fetchProducts
        ) { reader, node, path in
            guard case .sequence = node.content else { return reader.read(.fetch, node, path) }
            return reader.identifiers(node, path).map { FetchStep(identifiers: $0, waits: true) }
        },
        .valued(
            KeyFacts(
                "buy", .reference("buy"), "product, or {product | choose | unknown_product, quantity, wait}",
                "Buys a product, named by its identifier or the part after its last dot."), isRequest: true,
            Step.Kind.buy
        ) { reader, node, path in
            guard case .scalar = node.content else { return reader.read(.buy, node, path) }
            return reader.product(node, path).map {
                BuyStep(target: .product($0), quantity: .constant(1), waits: true)
            }
        },
        .valued(
            KeyFacts(
                "restore", .reference("restore"), "{wait}",
                "Restores purchases; without a value, the step waits for the answer."), bare: .restore(waits: true),
            isRequest: true, Step.Kind.restore
        ) { $0.read(.restoreStep, $1, $2) },
        .valued(
            KeyFacts(
                "use", .reference("product"), "product, or all",
                "Uses up a consumable that the user holds, or all consumables.",
                drawing: .products { $0.consumables + ["all"] }), isRequest: true, Step.Kind.use
        ) { $0.use($1, $2) },
    ]

    static let pastime: [ScenarioStep] = [
        .word(
            "switch_account", .switchAccount, "Closes the app and signs in with the user's other account."
        ),
        .valued(
            KeyFacts(
                "background", .reference("durations"), "durations", "Puts the app into the background for this time."),
            Step.Kind.background
        ) { $0.spans($1, $2) },
        .valued(
            KeyFacts(
                "think", .reference("durations"), "durations", "The user does nothing for this time."),
            Step.Kind.think
        ) { $0.spans($1, $2) },
        .valued(
            KeyFacts(
                "wait_for", KeySection<WaitDraft>.waitFor.schema, "{outcome, at_most}",
                "Waits for the answer to a request that was sent with `wait: false`."),
            { .waitFor($0.outcome, atMost: $0.limit) }
        ) { $0.read(.waitFor, $1, $2) },
        .valued(
            KeyFacts(
                "expect", KeySection<Expectation>.expectation.schema, "{owns, not_owns, holds, answered}",
                "Checks what must hold now. Only a threshold on the metric `expectations`, which counts the checks, fails the run.",
                drawing: .drawn { $0.expectation() }),
            Step.Kind.expect
        ) { $0.expectation($1, $2) },
    ]
}

extension KeySection<FetchStep> {
    static let fetch = KeySection(
        "step.fetch_products", FetchStep(identifiers: nil, waits: true),
        [
            .value(
                KeyFacts("products", .reference("products"), "products", "Which products.", default: "all"),
                \.identifiers
            ) { $0.identifiers($1, $2) },
            .flag("wait", \.waits, ScenarioStep.waiting),
        ])
}

extension KeySection<BuyStep> {
    static let buy = KeySection(
        "step.buy", BuyStep(target: .product(0), quantity: .constant(1), waits: true),
        [
            .value(
                KeyFacts(
                    "product", .reference("product"), "product",
                    "The product's identifier, or the part after its last dot."),
                \.target
            ) { $0.product($1, $2).map { .product($0) } },
            .value(
                KeyFacts(
                    "choose", .map(to: .reference("weight")), "weight by product",
                    "One of several products, by weight: {extra_lives: 70%, superpowers: 30%}.",
                    drawing: .drawn { $0.weightsOfProducts() }), \.target
            ) { $0.productWeights($1, $2).map { .oneOf($0) } },
            .value(
                KeyFacts(
                    "unknown_product", .reference("text"), "text", "An identifier of no product in the store.",
                    drawing: .drawn { _ in .scalar("com.example.not_sold") }), \.target
            ) { $0.unknownProduct($1, $2).map { .unknown($0) } },
            .value(
                KeyFacts(
                    "quantity", ScenarioSchema.wholes(ScenarioLimits.quantity, bounded: true), "counts",
                    "The quantity from 1 to 10: 2, 1..3, or weights such as {1: 80%, 2: 20%}.", default: "1",
                    drawing: .drawn { $0.wholes(1...($0.hits(20) ? 10 : 3)) }), \.quantity
            ) { $0.counts($1, $2, in: ScenarioLimits.quantity, bounded: true) },
            .flag("wait", \.waits, ScenarioStep.waiting),
        ], rule: .oneOf(["product", "choose", "unknown_product"]))
}

extension KeySection<Bool> {
    static let restoreStep = KeySection("step.restore", true, [.flag("wait", \.self, ScenarioStep.waiting)])
}

extension ScenarioStep {
    fileprivate static let waiting = "Whether the next step waits for the answer."
}

/// Waiting for an answer, while its section is read.
struct WaitDraft: Sendable {
    var outcome = Pending.any
    var limit = Span.minutes(1)
}

extension KeySection<WaitDraft> {
    static let waitFor = KeySection(
        "step.wait_for", WaitDraft(),
        [
            .choice("outcome", \.outcome, "Which unanswered request to wait for.", called: "outcomes", required: true),
            .duration("at_most", \.limit, "How long to wait.", zero: .refused),
        ])
}

extension KeySection<Expectation> {
    static let expectation = KeySection(
        "step.expect", Expectation(),
        [
            .value(
                KeyFacts(
                    "owns", owned, "product, or products",
                    "Products that the app has to report as owned. No consumables."), \.owns
            ) { $0.owned($1, $2) },
            .value(
                KeyFacts(
                    "not_owns", owned, "product, or products", "Products that the app has to report as not owned."),
                \.notOwns
            ) { $0.owned($1, $2) },
            .value(
                KeyFacts(
                    "holds", .dictionary(keys: ".", to: ScenarioSchema.whole(0...ScenarioLimits.holdsMax)),
                    "count by product", "Exact counts of consumables that the app has to report: {extra_lives: 2}."),
                \.holds
            ) { $0.holdings($1, $2) },
            .value(
                KeyFacts(choice: Expectation.Answer.self, "answered", "The app's last answer."), \.answered
            ) { $0.choice($1, $2, called: "answers") },
        ], rule: .anyKey)

    private static let owned = SchemaValue.choice([.reference("product"), .reference("products")])
}
