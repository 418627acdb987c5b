// The store, what it sells, and who owns what at the start.
// Part of `ScenarioReader`; confined as it is.

import Metrics
package import Simulation
import Text

extension ScenarioReader {
    func store(_ node: SourceNode) -> StoreSetup? {
        let known = [
            "catalog", "bundle_id", "capacity", "outages", "errors", "behaviour", "time_rate", "subscriptions",
            "withdraw",
        ]
        guard let fields = fields(node, "store", known: known, required: ["catalog"]) else { return nil }
        let path = fields["catalog"].flatMap { loadCatalog($0) }
        var conditions = StoreConditions()
        if let node = fields["bundle_id"], let identifier = bundleIdentifier(node) {
            conditions.bundleIdentifier = identifier
        }
        conditions.capacity = fields["capacity"].flatMap { capacity($0) }
        conditions.outages = fields["outages"].map { outages($0, "store.outages") } ?? []
        if let settings = catalog?.settings { take(settings, into: &conditions) }
        if let node = fields["time_rate"], let rate = timeRate(node) { conditions.timeRate = rate }
        if let node = fields["subscriptions"] { subscriptions(node, &conditions) }
        conditions.withdrawals = fields["withdraw"].map { withdrawals($0) } ?? []
        if let errors = fields["errors"] { conditions.errors = errorRates(errors, standard: conditions.errors) }
        let behaviour = fields["behaviour"].map { self.behaviour($0) } ?? StoreBehaviour()
        guard let path, let catalog else { return nil }
        return StoreSetup(catalog: catalog, catalogPath: path, conditions: conditions, behaviour: behaviour)
    }

    private func loadCatalog(_ node: SourceNode) -> String? {
        let path = text(node, "store.catalog", as: "the path of a StoreKit configuration file")
        guard let path else { return nil }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            report(node.position, "the path in store.catalog is empty")
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
    private func bundleIdentifier(_ node: SourceNode) -> String? {
        guard let identifier = text(node, "store.bundle_id", as: "a bundle identifier") else { return nil }
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
            node.position, "\(quoted(identifier)) is no bundle identifier",
            hint: "letters, digits, dots and hyphens, such as \(StoreConditions.standardBundleIdentifier)")
        return nil
    }

    // MARK: Conditions

    private func capacity(_ node: SourceNode) -> StoreCapacity? {
        let path = "store.capacity"
        let names = ["workers", "service_time", "queue"]
        guard let fields = fields(node, path, known: names, required: names) else { return nil }
        let workers = fields["workers"].flatMap { count($0, "\(path).workers", in: 1...ScenarioLimits.workersMax) }
        let serviceTime = fields["service_time"].flatMap { spans($0, "\(path).service_time") }
        let queue = fields["queue"].flatMap { count($0, "\(path).queue", in: 0...ScenarioLimits.queueMax) }
        guard let workers, let serviceTime, let queue else { return nil }
        return StoreCapacity(workers: workers, serviceTime: serviceTime, queueLimit: queue)
    }

    private func withdrawals(_ node: SourceNode) -> [Withdrawal] {
        let items = items(node, "store.withdraw", of: "withdrawals", max: ScenarioLimits.withdrawalsMax) ?? []
        return items.enumerated().compactMap { place, item in
            let path = "store.withdraw[\(place)]"
            let names = ["product", "at"]
            guard let fields = fields(item, path, known: names, required: names) else { return nil }
            let product = fields["product"].flatMap { self.product($0, "\(path).product") }
            let time = fields["at"].flatMap { span($0, "\(path).at") }
            guard let product, let time else { return nil }
            return Withdrawal(product: product, at: .start + time)
        }
    }

    /// Those of the store, or of the receipt validator.
    func outages(_ node: SourceNode, _ path: String) -> [StoreOutage] {
        let items = items(node, path, of: "outages", max: ScenarioLimits.outagesMax) ?? []
        return items.enumerated().compactMap { outage($1, "\(path)[\($0)]") }
    }

    private func outage(_ node: SourceNode, _ path: String) -> StoreOutage? {
        let names = ["at", "for", "answer"]
        guard let fields = fields(node, path, known: names + ["by"], required: names) else { return nil }
        let start = fields["at"].flatMap { span($0, "\(path).at") }
        let duration = fields["for"].flatMap { span($0, "\(path).for", zero: .refused) }
        let word = fields["answer"].flatMap {
            self.word($0, "\(path).answer", of: ["error", "timeout", "slow"], called: "answers")
        }
        let delay = fields["by"].map { span($0, "\(path).by", zero: .refused) } ?? .seconds(5)
        if let by = fields["by"], let word, word != "slow" {
            report(by.position, "'by' in \(path) means nothing when the answer is '\(word)'", hint: "answer: slow")
        }
        guard let start, let duration, let word, let delay else { return nil }
        let answer: StoreOutage.Answer =
            switch word {
            case "error": .error
            case "timeout": .timeout
            default: .slow(by: delay)
            }
        return StoreOutage(start: .start + start, duration: duration, answer: answer)
    }

    /// What the catalog's own settings say holds unless the scenario says otherwise.
    private func take(_ settings: CatalogSettings, into conditions: inout StoreConditions) {
        conditions.timeRate = settings.timeRate
        conditions.hasGracePeriod = settings.hasBillingGracePeriod
        let failingCalls = settings.errors.map(\.call)
        if settings.failsTransactions || failingCalls.contains("Purchase") {
            conditions.errors.purchase = [StoreErrorRates.PurchaseError(error: .store(.unknown), share: .all)]
        }
        if failingCalls.contains("Load Products") { conditions.errors.products = .all }
        if failingCalls.contains("App Store Sync") { conditions.errors.restore = .all }
    }

    private func errorRates(_ node: SourceNode, standard: StoreErrorRates) -> StoreErrorRates {
        var rates = standard
        let path = "store.errors"
        guard let fields = fields(node, path, known: ["products", "restore", "receipt", "purchase"]) else {
            return rates
        }
        read(fields, "products", of: path) { rates.products = $0 }
        read(fields, "restore", of: path) { rates.restore = $0 }
        read(fields, "receipt", of: path) { rates.receipt = $0 }
        guard let purchase = fields["purchase"], let entries = entries(purchase, "\(path).purchase") else {
            return rates
        }
        var total = 0
        rates.purchase = []
        for entry in entries {
            guard let failure = StoreFailure.named[entry.key] else {
                report(
                    entry.keyPosition, "unknown error \(quoted(entry.key)) in \(path).purchase",
                    hint: Self.suggestion(entry.key, among: StoreFailure.named.keys.sorted(), called: "errors"))
                continue
            }
            guard let share = share(entry.value, "\(path).purchase.\(entry.key)") else { continue }
            total += share.partsPerBillion
            rates.purchase.append(StoreErrorRates.PurchaseError(error: failure, share: share))
        }
        if total > Int(Share.whole) {
            report(purchase.position, "the shares in \(path).purchase sum to more than 100%")
        }
        return rates
    }

    // MARK: Population

    func population(_ node: SourceNode) -> Population? {
        let known = ["users", "owns", "unfinished_at_start", "devices_per_user"]
        guard let fields = fields(node, "population", known: known, required: ["users"]) else { return nil }
        let users = fields["users"].flatMap { count($0, "population.users", in: 1...Int64(ScenarioLimits.usersMax)) }
        let owns = fields["owns"].map { productShares($0, "population.owns", mustBeRestorable: true) }
        let unfinished = fields["unfinished_at_start"].map {
            productShares($0, "population.unfinished_at_start", mustBeRestorable: false)
        }
        let devices = fields["devices_per_user"].flatMap {
            counts($0, "population.devices_per_user", in: ScenarioLimits.devicesPerUser, bounded: true)
        }
        guard let users else { return nil }
        return Population(
            users: users, owns: owns ?? [], unfinishedAtStart: unfinished ?? [], devicesPerUser: devices)
    }

    private func productShares(
        _ node: SourceNode, _ path: String, mustBeRestorable: Bool
    ) -> [Population.ProductShare] {
        var shares: [Population.ProductShare] = []
        for entry in entries(node, path) ?? [] {
            let product = product(entry.key, at: entry.keyPosition, path)
            guard let share = share(entry.value, Self.join(path, entry.key)), let product else { continue }
            if shares.contains(where: { $0.product == product }) {
                report(entry.keyPosition, "product \(quoted(entry.key)) is there twice in \(path)")
                continue
            }
            if mustBeRestorable, let kind = catalog?[product].kind, !kind.isRestorable {
                report(
                    entry.keyPosition,
                    "\(quoted(entry.key)) in \(path) is a \(kind.noun), which no restore brings back",
                    hint: "users own non-consumables and auto-renewable subscriptions")
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
