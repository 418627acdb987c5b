// What depends on more than its own key: the store's shop, the people, the products of steps.
// Part of `DrawingPen`; confined as it is.

import Simulation

extension DrawingPen {
    mutating func store(_ catalogPath: String) -> ScenarioOutline {
        section(KeySection.store.facts, given: [.init("catalog", .scalar(catalogPath))])
    }

    mutating func population() -> ScenarioOutline {
        section(KeySection.population.facts, given: [.init("users", .scalar("\(users)"))])
    }

    /// A section of which some keys are given.
    private mutating func section(_ section: SectionFacts, given: [ScenarioOutline.Entry]) -> ScenarioOutline {
        let rest = section.keys.filter { key in !given.contains { $0.key == key.name } }
        return .mapping(given + (draw(rest.map(\.field)) ?? []))
    }

    // MARK: Single keys

    mutating func sharesOfProducts(_ products: [String]) -> ScenarioOutline? {
        if products.isEmpty { return nil }
        let owned = some(number(1...min(2, products.count)), of: products)
        return .mapping(owned.map { .init($0, share([10, 50, 100])) })
    }

    mutating func weightsOfProducts() -> ScenarioOutline {
        let products = some(number(1...min(3, shop.all.count)), of: shop.all)
        return .mapping(products.map { .init($0, .scalar("\(number(1...4))")) })
    }

    mutating func redemption() -> ScenarioOutline? {
        guard let (product, offers) = one(of: shop.redeemables), let offer = one(of: offers) else { return nil }
        if hits(50) { return .scalar(product) }
        let code = hits(70) ? [ScenarioOutline.Entry("offer", .scalar(offer))] : []
        return .mapping([.init("product", .scalar(product))] + code)
    }

    mutating func expectation() -> ScenarioOutline? {
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
