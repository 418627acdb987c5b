// What depends on more than its own key: the store's shop, the people, who does what when.
// Part of `DrawingPen`; confined as it is.

import Simulation

extension DrawingPen {
    mutating func store(_ catalogPath: String) -> ScenarioOutline {
        section(KeySection.store.schema, "store", given: [.init("catalog", .scalar(catalogPath))])
    }

    mutating func population() -> ScenarioOutline {
        section(KeySection.population.schema, "population", given: [.init("users", .scalar("\(users)"))])
    }

    /// A section of which some keys are given.
    private mutating func section(
        _ value: SchemaValue, _ name: String, given: [ScenarioOutline.Entry]
    ) -> ScenarioOutline {
        guard case .object(let fields) = value else { preconditionFailure("\(name) has keys") }
        let rest = fields.filter { field in !given.contains { $0.key == field.name } }
        return .mapping(given + (draw(rest, at: name) ?? []))
    }

    mutating func byHand(_ path: String) -> ScenarioOutline? {
        switch path {
        case "store.errors.purchase":
            let errors = some(number(1...3), of: StoreFailure.named.keys.sorted())
            return .mapping(errors.map { .init($0, share([2, 10, 30])) })
        case "store.capacity.workers": return .scalar("\(number(1...20))")
        case "buyers.ask_to_buy.approve", "buyers.ask_to_buy.decline": return share([10, 30, 50])
        case "network.offline.share": return share([2, 10, 40])
        case "population.owns": return sharesOfProducts(shop.restorables)
        case "population.unfinished_at_start": return sharesOfProducts(shop.all)
        case "population.devices_per_user": return wholes(1...3)
        case "step.buy.choose": return weightsOfProducts()
        case "step.buy.unknown_product": return .scalar("com.example.not_sold")
        case "step.buy.quantity": return wholes(1...(hits(20) ? 10 : 3))
        case "step.repeat.times":
            return hits(90) ? wholes(0...3) : .mapping([.init("mean", .scalar("1"))])
        case "step.redeem_offer": return redemption()
        case "step.expect": return expectation()
        default: return loadByHand(path)
        }
    }

    private mutating func sharesOfProducts(_ products: [String]) -> ScenarioOutline? {
        if products.isEmpty { return nil }
        let owned = some(number(1...min(2, products.count)), of: products)
        return .mapping(owned.map { .init($0, share([10, 50, 100])) })
    }

    private mutating func weightsOfProducts() -> ScenarioOutline {
        let products = some(number(1...min(3, shop.all.count)), of: shop.all)
        return .mapping(products.map { .init($0, .scalar("\(number(1...4))")) })
    }

    private mutating func redemption() -> ScenarioOutline? {
        guard let (product, offers) = one(of: shop.redeemables), let offer = one(of: offers) else { return nil }
        if hits(50) { return .scalar(product) }
        let code = hits(70) ? [ScenarioOutline.Entry("offer", .scalar(offer))] : []
        return .mapping([.init("product", .scalar(product))] + code)
    }

    private mutating func expectation() -> ScenarioOutline? {
        var entries: [ScenarioOutline.Entry] = []
        let entitlements = some(min(2, shop.entitlements.count), of: shop.entitlements)
        if let first = entitlements.first, hits(40) { entries.append(.init("owns", .scalar(first))) }
        if let last = entitlements.last, entitlements.count > 1 || entries.isEmpty, hits(40) {
            entries.append(.init("not_owns", hits(50) ? .scalar(last) : .list([.scalar(last)])))
        }
        if let counted = one(of: shop.consumables), hits(40) {
            entries.append(.init("holds", .mapping([.init(counted, .scalar("\(number(0...2))"))])))
        }
        if entries.isEmpty || hits(40) {
            let answers = Expectation.Answer.allCases.map(\.rawValue)
            entries.append(.init("answered", .scalar(answers[number(0...(answers.count - 1))])))
        }
        return .mapping(entries)
    }
}
