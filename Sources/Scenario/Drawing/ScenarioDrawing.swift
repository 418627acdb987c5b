// Random scenarios: drawn from what the schema allows.
// Pure; any thread. The same seed and number give the same scenario.

package import Simulation

/// Draws valid scenarios over one catalog.
///
/// What a scenario can say is read from its schema, so that a key added there is drawn from then on. Of each scenario
/// whole features are left out by chance: what breaks under few of them is often hidden by the others.
package struct ScenarioDrawing: Sendable {
    private let shop: DrawnShop
    private let catalogPath: String
    private let users: Int
    /// What stands under `http:` in every scenario; nil: it is drawn like all else.
    private let servers: ScenarioOutline?

    /// People who do a few steps each are enough to meet each other, and few enough for many scenarios.
    package static let usersStandard = 20

    /// - Parameters:
    ///   - catalog: what is sold; at least one product.
    ///   - catalogPath: the catalog's file as the scenarios name it.
    ///   - users: how many people each scenario has; at least one.
    ///   - servers: what the app's own servers answer, in every scenario; nil: that is drawn like all else.
    package init(
        catalog: Catalog, catalogPath: String, users: Int = usersStandard, servers: ScenarioOutline? = nil
    ) {
        precondition(!catalog.products.isEmpty && users > 0, "\(catalog.products.count) products, \(users) users")
        shop = DrawnShop(catalog)
        self.catalogPath = catalogPath
        self.users = users
        self.servers = servers
    }

    /// - Parameters:
    ///   - seed: where chance begins, for all scenarios of a swarm.
    ///   - number: which of them, from 0.
    package func outline(seed: UInt64, number: Int) -> ScenarioOutline {
        var pen = DrawingPen(RandomStream(seed: seed, user: number, purpose: .drawing), shop: shop, users: users)
        var scenario = ScenarioOutline.mapping([
            .init("name", .scalar("Swarm \(seed), scenario \(number)")),
            .init("seed", .scalar("\(pen.number(1...999_999))")),
            .init("store", pen.store(catalogPath)),
        ])
        for section in Self.sections where pen.switchIsOn() {
            if let drawn = pen.draw(section), !drawn.isEmpty { scenario[section.name] = drawn }
        }
        if let servers { scenario["http"] = servers }
        scenario["population"] = pen.population()
        let load = pen.load()
        scenario["load"] = load.entries
        scenario["journeys"] = pen.journeys(load.journeys)
        return scenario
    }

    /// Those that are filled without regard to each other. What a scenario is judged by is left as it is.
    private static let sections: [SchemaValue.Field] = {
        let given = ["name", "seed", "store", "population", "load", "journeys"]
        return ScenarioSchema(clients: [:], rules: []).top.facts.keys.map(\.field).filter { field in
            if case .leftOut = field.drawing { false } else { !given.contains(field.name) }
        }
    }()
}

extension ScenarioOutline {
    /// Says nothing.
    var isEmpty: Bool {
        switch self {
        case .scalar(let text): text.isEmpty
        case .list(let items): items.isEmpty
        case .mapping(let entries): entries.isEmpty
        }
    }
}

/// What a catalog offers to a drawing, by the names that scenarios use.
struct DrawnShop: Sendable {
    let all: [String]
    let consumables: [String]
    let entitlements: [String]
    let restorables: [String]
    let shareables: [String]
    let subscriptions: [String]
    /// Subscriptions with the names of their code offers.
    let redeemables: [(product: String, offers: [String])]

    init(_ catalog: Catalog) {
        func names(_ isMeant: (CatalogProduct) -> Bool = { _ in true }) -> [String] {
            catalog.products.filter(isMeant).map { catalog.shortestName(of: $0) }
        }
        all = names()
        consumables = names { $0.kind == .consumable }
        entitlements = names { $0.kind.isEntitlement }
        restorables = names { $0.kind.isRestorable }
        shareables = names { $0.kind.isRestorable && $0.isFamilyShareable }
        subscriptions = names { $0.kind == .autoRenewableSubscription }
        redeemables = catalog.products.compactMap { product in
            let offers = product.subscription?.codeOffers.compactMap(\.referenceName) ?? []
            return offers.isEmpty ? nil : (catalog.shortestName(of: product), offers)
        }
    }
}
