// Steps that a person takes outside the app.
// Constants; any thread.

import Metrics
import Simulation
import Text

extension ScenarioStep {
    static let outside: [ScenarioStep] = [
        .valued(
            KeyFacts(
                "promoted_purchase", .reference("product"), "product",
                "Taps a product in the App Store, which opens the app."), Step.Kind.promotedPurchase
        ) { $0.product($1, $2) },
        .account(
            KeyFacts("buy_outside", .reference("product"), "product", "Buys a product on the web."),
            AccountAction.buyOutside
        ) { $0.product($1, $2) },
        .account(
            KeyFacts(
                "redeem_offer", .choice([.reference("product"), KeySection<RedemptionDraft>.redemption.schema]),
                "product, or {product, offer}", "Redeems an offer code for a subscription.",
                drawing: .drawn { $0.redemption() }), { .redeemOffer($0.product, name: $0.offer) }
        ) { $0.redemption($1, $2) },
        .account(
            KeyFacts(
                "change_subscription", .reference("product"), "product",
                "Moves to another level of the subscription's group.",
                drawing: .products(\.subscriptions)), AccountAction.changeSubscription(to:)
        ) { $0.subscription($1, $2) },
        .account(
            KeyFacts(
                "cancel_subscription", .reference("product"), "product",
                "Turns renewal off: the subscription ends with its period.",
                drawing: .products(\.subscriptions)), AccountAction.cancelSubscription
        ) { $0.subscription($1, $2) },
        .account(
            KeyFacts(
                "refund", .reference("product"), "product", "Refunds the latest purchase of the product."),
            AccountAction.refund
        ) { $0.product($1, $2) },
        .account(
            KeyFacts(
                "family_shares", .reference("product"), "product",
                "A family member starts to share the product with the user.",
                drawing: .products(\.shareables)), AccountAction.shareInFamily
        ) { $0.shareable($1, $2) },
        .account(
            KeyFacts(
                "family_stops_sharing", .reference("product"), "product",
                "The family member stops sharing the product.",
                drawing: .products(\.shareables)), AccountAction.stopSharing
        ) { $0.shareable($1, $2) },
        .account(
            KeyFacts(
                "change_storefront", .string(among: StorefrontValue.knownCountryCodes), "country",
                "Moves the account to another country, such as DEU."), AccountAction.changeStorefront
        ) { $0.storefront($1, $2) },
    ]

    private static func account<Value>(
        _ key: KeyFacts, _ action: @escaping @Sendable (Value) -> AccountAction,
        read: @escaping @Sendable (ScenarioReader, SourceNode, String) -> Value?
    ) -> ScenarioStep { valued(key, { .account(action($0)) }, read: read) }
}

/// A code, while its section is read.
struct RedemptionDraft: Sendable {
    var product: ProductIndex = 0
    /// Nil: any offer of the product.
    var offer: String?
}

extension KeySection<RedemptionDraft> {
    static let redemption = KeySection(
        "step.redeem_offer", RedemptionDraft(),
        [
            .value(
                KeyFacts("product", .reference("product"), "product", "A subscription.", required: true), \.product
            ) { $0.subscription($1, $2) },
            .value(
                KeyFacts("offer", .reference("text"), "text", "The name of the code offer.", default: "any"), \.offer
            ) { $0.text($1, $2, as: "the name of a code offer") },
        ])
}

extension ScenarioReader {
    fileprivate func subscription(_ node: SourceNode, _ path: String) -> ProductIndex? {
        guard let product = product(node, path) else { return nil }
        if let kind = catalog?[product].kind, kind != .autoRenewableSubscription {
            report(node.position, "the product in \(path) is a \(kind.noun)", hint: "an auto-renewable subscription")
            return nil
        }
        return product
    }

    fileprivate func shareable(_ node: SourceNode, _ path: String) -> ProductIndex? {
        guard let product = product(node, path) else { return nil }
        if let sold = catalog?[product], !sold.isFamilyShareable || !sold.kind.isRestorable {
            report(
                node.position, "families cannot share the product in \(path)",
                hint: "use a product that is \"familyShareable\" in the catalog and that a restore returns")
            return nil
        }
        return product
    }

    fileprivate func redemption(_ node: SourceNode, _ path: String) -> RedemptionDraft? {
        let draft: RedemptionDraft?
        if case .mapping = node.content {
            draft = read(.redemption, node, path)
        } else {
            draft = subscription(node, path).map { RedemptionDraft(product: $0) }
        }
        guard let draft else { return nil }
        let offers = catalog?[draft.product].subscription?.codeOffers.compactMap(\.referenceName) ?? []
        guard !offers.isEmpty, draft.offer.map(offers.contains) ?? true else {
            let hint =
                offers.isEmpty
                ? "the catalog lists them as \"codeOffers\"" : "offers: \(offers.joined(separator: ", "))"
            let position = (Self.value("offer", in: node) ?? node).position
            report(position, "the product in \(path) has no such offer", hint: hint)
            return nil
        }
        return draft
    }

    fileprivate func storefront(_ node: SourceNode, _ path: String) -> StorefrontValue? {
        guard let code = text(node, path, as: "a country") else { return nil }
        if let storefront = StorefrontValue(countryCode: code) { return storefront }
        report(
            node.position, "unknown country \(quoted(code)) in \(path)",
            hint: Self.suggestion(code, among: StorefrontValue.knownCountryCodes, called: "countries"))
        return nil
    }
}
