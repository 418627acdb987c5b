// The store, what it sells, and who owns what at the start.
// Part of `ScenarioReader`; confined as it is.

import Metrics
package import Simulation
import Text

extension ScenarioReader {
    func store(_ node: SourceNode) -> StoreSetup? {
        guard let draft = read(.store, node), let path = draft.catalogPath, let catalog else { return nil }
        return StoreSetup(
            catalog: catalog, catalogPath: path, conditions: draft.conditions, behaviour: draft.behaviour)
    }

    func loadCatalog(_ node: SourceNode, _ place: String) -> String? {
        let path = text(node, place, as: "the path of a StoreKit configuration file")
        guard let path else { return nil }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            report(node.position, "the path in \(place) is empty")
            return nil
        }
        let separator = directory.isEmpty || directory.hasSuffix("/") ? "" : "/"
        switch context.loadCatalog(path.hasPrefix("/") ? path : directory + separator + path) {
        case .success(let loaded):
            catalog = loaded
            return path
        case .failure(let problems):
            // Of a file that is no catalog at all, it matters where it is named.
            if let only = problems.problems.first, only.position == nil, problems.problems.count == 1 {
                report(node.position, "catalog \(quoted(path)): \(only.message)", hint: only.hint)
            } else {
                report(problems)
            }
            return nil
        }
    }

    /// What the app is called in the signatures of its offers.
    func bundleIdentifier(_ node: SourceNode, _ path: String) -> String? {
        guard let identifier = text(node, path, as: "a bundle identifier") else { return nil }
        let isOne = identifier.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                return true
            default: return false
            }
        }
        if isOne, !identifier.isEmpty { return identifier }
        report(
            node.position, "\(quoted(identifier)) is not a bundle identifier",
            hint: "letters, digits, dots and hyphens, such as \(AppIdentity.standardBundleIdentifier)")
        return nil
    }

    // MARK: Conditions

    /// What the catalog's own settings say holds unless the scenario says otherwise.
    func take(_ settings: CatalogSettings, into conditions: inout StoreConditions) {
        conditions.timeRate = settings.timeRate
        conditions.hasGracePeriod = settings.hasBillingGracePeriod
        for error in settings.errors {
            if let setting = FailingSetting.allCases.first(where: { $0.call == error.call }) {
                conditions.errors.fail(by: setting)
            }
        }
        if settings.failsTransactions { conditions.errors.fail(by: .failTransactions) }
    }

    /// What the catalog's own settings say: everything asks and is approved, everything is interrupted and mended, after
    /// the moment that it takes a tester to do so.
    var standardBuyers: BuyerBehaviour {
        var buyers = BuyerBehaviour()
        guard let settings = catalog?.settings else { return buyers }
        let moment = Distribution.spans(.seconds(1), .seconds(10))
        if settings.asksToBuy {
            buyers.askToBuy = AskToBuy(share: .all, approve: .all, decline: .none, answerAfter: moment)
        }
        if settings.interruptsPurchases {
            buyers.interrupted = Interruption(share: .all, resolve: .all, resolveAfter: moment)
        }
        if settings.failsRenewals { buyers.subscriptions.billingFailure = .all }
        return buyers
    }

    func purchaseErrors(_ node: SourceNode, _ path: String) -> [StoreErrorRates.PurchaseError]? {
        guard let entries = entries(node, path) else { return nil }
        var total = 0
        var errors: [StoreErrorRates.PurchaseError] = []
        for entry in entries {
            guard let failure = StoreFailure.named[entry.key] else {
                report(
                    entry.keyPosition, "unknown error \(quoted(entry.key)) in \(path)",
                    hint: Self.suggestion(entry.key, among: StoreFailure.named.keys.sorted(), called: "errors"))
                continue
            }
            guard let share = share(entry.value, "\(path).\(entry.key)") else { continue }
            total += share.partsPerBillion
            errors.append(StoreErrorRates.PurchaseError(error: failure, share: share))
        }
        if total > Int(Share.whole) { report(node.position, "the shares in \(path) sum to more than 100%") }
        return errors
    }

    // MARK: Population

    func productShares(
        _ node: SourceNode, _ path: String, mustBeRestorable: Bool
    ) -> [Population.ProductShare]? {
        var shares: [Population.ProductShare] = []
        for entry in entries(node, path) ?? [] {
            let product = product(entry.key, at: entry.keyPosition, path)
            guard let share = share(entry.value, Self.join(path, entry.key)), let product else { continue }
            if shares.contains(where: { $0.product == product }) {
                report(entry.keyPosition, "product \(quoted(entry.key)) is listed twice in \(path)")
                continue
            }
            if mustBeRestorable, let kind = catalog?[product].kind, !kind.isRestorable {
                report(
                    entry.keyPosition,
                    "\(quoted(entry.key)) in \(path) is a \(kind.noun), which no restore returns",
                    hint: "users can own non-consumables and auto-renewable subscriptions")
                continue
            }
            shares.append(Population.ProductShare(product: product, share: share))
        }
        return shares
    }

    // MARK: Products

    func product(_ node: SourceNode, _ path: String) -> ProductIndex? {
        text(node, path, as: "a product").flatMap { product($0, at: node.position, path) }
    }

    /// Nil, and nothing reported, while there is no catalog to look in.
    func product(_ name: String, at position: SourcePosition, _ path: String) -> ProductIndex? {
        guard let catalog else { return nil }
        if let index = catalog.resolve(name) { return index }
        let namesakes = catalog.products.filter { $0.shortName == name }.map(\.identifier)
        guard namesakes.isEmpty else {
            let hint = "write one of " + namesakes.prefix(5).joined(separator: ", ")
            report(position, "several products are called \(quoted(name))\(Self.place(path))", hint: hint)
            return nil
        }
        let hint =
            closestMatch(to: name, in: catalog.products.map(\.identifier)).map { "did you mean '\($0)'?" }
            ?? Self.suggestion(name, among: catalog.products.map(\.shortName), called: "products")
        report(position, "unknown product \(quoted(name))\(Self.place(path))", hint: hint)
        return nil
    }
}

extension StoreFailure {
    /// Errors by the names that scenarios use: those of StoreKit's domain, and what arrives from others (R14, R16).
    package static let named: [String: StoreFailure] = {
        var named: [String: StoreFailure] = [
            "url_timed_out": .network(code: -1001), "url_cannot_find_host": .network(code: -1003),
            "url_cannot_connect_to_host": .network(code: -1004), "url_network_connection_lost": .network(code: -1005),
            "url_not_connected_to_internet": .network(code: -1009),
            "url_user_cancelled_authentication": .network(code: -1012),
            "url_secure_connection_failed": .network(code: -1200), "already_subscribed": .alreadySubscribed,
            "undocumented_cancel": .undocumentedCancel, "no_error": .noError,
        ]
        for code in StoreErrorCode.allCases { named[code.scenarioName] = .store(code) }
        return named
    }()
}

extension StoreErrorCode {
    /// `cloudServiceRevoked` is called `cloud_service_revoked` in scenarios.
    package var scenarioName: String {
        String(describing: self).reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }
}

extension ProductKind {
    /// For messages.
    var noun: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing subscription"
        case .autoRenewableSubscription: "auto-renewable subscription"
        }
    }
}
