// Steps that a person takes outside the app.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    func accountAction(_ name: String, _ node: SourceNode, _ path: String) -> AccountAction? {
        switch name {
        case "refund": return product(node, path).map { .refund($0) }
        case "buy_outside": return product(node, path).map { .buyOutside($0) }
        case "cancel_subscription": return subscription(node, path).map { .cancelSubscription($0) }
        case "change_subscription": return subscription(node, path).map { .changeSubscription(to: $0) }
        case "redeem_offer": return redemption(node, path)
        case "family_shares": return shareable(node, path).map { .shareInFamily($0) }
        case "family_stops_sharing": return shareable(node, path).map { .stopSharing($0) }
        default: return storefront(node, path).map { .changeStorefront($0) }
        }
    }

    private func subscription(_ node: SourceNode, _ path: String) -> ProductIndex? {
        guard let product = product(node, path) else { return nil }
        if let kind = catalog?[product].kind, kind != .autoRenewableSubscription {
            report(node.position, "the product in \(path) is a \(kind.noun)", hint: "an auto-renewable subscription")
            return nil
        }
        return product
    }

    private func shareable(_ node: SourceNode, _ path: String) -> ProductIndex? {
        guard let product = product(node, path) else { return nil }
        if let sold = catalog?[product], !sold.isFamilyShareable || !sold.kind.isRestorable {
            report(
                node.position, "families cannot share the product in \(path)",
                hint: "one that the catalog calls \"familyShareable\", and that a restore brings back")
            return nil
        }
        return product
    }

    private func redemption(_ node: SourceNode, _ path: String) -> AccountAction? {
        guard case .mapping = node.content else {
            return subscription(node, path).flatMap { redemption(of: $0, code: nil, node, path) }
        }
        let names = ["product", "offer"]
        guard let fields = fields(node, path, known: names, required: ["product"]) else { return nil }
        let product = fields["product"].flatMap { subscription($0, "\(path).product") }
        let offer = fields["offer"].map { text($0, "\(path).offer", as: "the name of a code offer") }
        guard let product else { return nil }
        if case .some(nil) = offer { return nil }
        return redemption(of: product, code: offer ?? nil, fields["offer"] ?? node, path)
    }

    private func redemption(
        of product: ProductIndex, code: String?, _ node: SourceNode, _ path: String
    ) -> AccountAction? {
        let offers = catalog?[product].subscription?.codeOffers.compactMap(\.referenceName) ?? []
        guard !offers.isEmpty, code.map(offers.contains) ?? true else {
            let hint =
                offers.isEmpty
                ? "the catalog lists them as \"codeOffers\"" : "offers: \(offers.joined(separator: ", "))"
            report(node.position, "the product in \(path) has no such offer", hint: hint)
            return nil
        }
        return .redeemOffer(product, name: code)
    }

    private func storefront(_ node: SourceNode, _ path: String) -> Storefront? {
        guard let code = text(node, path, as: "a country") else { return nil }
        if let storefront = Storefront(countryCode: code) { return storefront }
        report(
            node.position, "unknown country \(quoted(code)) in \(path)",
            hint: Self.suggestion(code, among: Storefront.knownCountryCodes, called: "countries"))
        return nil
    }
}
