// What the users of one worker share: catalog, journeys, conditions.
// Guard: constants only. Where workers are processes, as in every run but one for a debugger, each counts the references
// of its own copies.

import ClientKit
import Judgement
import Scenario
import Simulation

final class CellSetup: Sendable {
    let catalog: Catalog
    let products: [AppEnvironment.Product]
    /// What every launch of the app knows of itself.
    let facts: AppFacts
    let goodsPerPurchase: [Int]
    let journeys: [[Step]]
    let conditions: StoreConditions
    let validator: ServerConditions
    let stubs: [ServerStub]
    let crashFaults: [CrashFault]
    let toleratedRules: Set<AuditRule>
    let staleAfter: Span
    /// When the store stops selling products.
    let withdrawn: [ProductIndex: Instant]
    let receiptsLag: Bool
    /// Whether anybody does anything outside the app.
    let hasOutsideActions: Bool
    /// Whether anybody signs in with another account.
    let hasSecondAccounts: Bool
    /// Clients that the app may be updated to, by their names.
    let updates: [String: any StoreClient.Type]

    init(_ options: RunOptions) {
        let scenario = options.scenario
        catalog = scenario.store.catalog
        products = catalog.products.map(AppEnvironment.Product.init)
        facts = AppFacts(products: products, options: options.clientOptions)
        goodsPerPurchase = catalog.products.map { options.client.goods(perPurchaseOf: $0.identifier) }
        journeys = scenario.journeys.map(\.steps)
        func isTaken(_ isOne: (Step.Kind) -> Bool) -> Bool {
            scenario.journeys.contains { $0.steps.contains { $0.holds(isOne) } }
        }
        hasOutsideActions = isTaken { if case .account = $0 { true } else { false } }
        hasSecondAccounts = isTaken { $0 == .switchAccount }
        updates = Dictionary(options.updates.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        conditions = scenario.store.conditions
        validator = scenario.validator
        stubs = scenario.http
        crashFaults = scenario.crashes
        toleratedRules = Set(scenario.audit.tolerated.compactMap(AuditRule.init(rawValue:)))
        staleAfter = scenario.audit.staleAfter
        withdrawn = Dictionary(conditions.withdrawals.map { ($0.product, $0.at) }, uniquingKeysWith: min)
        receiptsLag = scenario.delivery.receiptsLag
    }
}

extension Step {
    /// Whether it, or a step within it, is such a one.
    fileprivate func holds(_ isOne: (Kind) -> Bool) -> Bool {
        isOne(kind) || parts.contains { $0.holds(isOne) }
    }
}
