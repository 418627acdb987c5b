// What the users of one worker share: catalog, journeys, conditions, in memory of the worker's own.
// Guard: constants only, but made for each worker anew.
//
// Two workers that count references of the same arrays and strings fight for a cache line at every step of every
// user; so each works on copies that share no reference-counted storage with the scenario or with each other's.

import ClientKit
import Judgement
import Scenario
import Simulation

final class Material: Sendable {
    let catalog: Catalog
    let products: [AppEnvironment.Product]
    /// What every launch of the app knows of itself.
    let facts: AppFacts
    let goodsPerPurchase: [Int]
    let journeys: [[JourneyStep]]
    let conditions: StoreConditions
    let validator: ValidatorConditions
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

    init(_ options: RunOptions) {
        let scenario = options.scenario
        let catalog = scenario.store.catalog.detached()
        self.catalog = catalog
        products = catalog.products.map(AppEnvironment.Product.init)
        facts = AppFacts(
            products: products,
            options: Dictionary(uniqueKeysWithValues: options.clientOptions.map { (fresh($0.key), fresh($0.value)) }))
        goodsPerPurchase = catalog.products.map { options.client.goods(perPurchaseOf: $0.identifier) }
        journeys = scenario.journeys.map { $0.steps.map(JourneyStep.init) }
        func isTaken(_ isOne: (Step.Kind) -> Bool) -> Bool {
            scenario.journeys.contains { $0.steps.contains { $0.holds(isOne) } }
        }
        hasOutsideActions = isTaken { if case .account = $0 { true } else { false } }
        hasSecondAccounts = isTaken { $0 == .switchAccount }
        var conditions = scenario.store.conditions
        conditions.outages = conditions.outages.map { $0 }
        conditions.withdrawals = conditions.withdrawals.map { $0 }
        conditions.errors.purchase = conditions.errors.purchase.map { $0 }
        conditions.bundleIdentifier = fresh(conditions.bundleIdentifier)
        self.conditions = conditions
        var validator = scenario.validator
        validator.latency = validator.latency.detached()
        validator.outages = validator.outages.map { $0 }
        self.validator = validator
        stubs = scenario.http.map { stub in
            var own = stub
            own.url = fresh(stub.url)
            own.body = fresh(stub.body)
            own.latency = stub.latency.detached()
            own.outages = stub.outages.map { $0 }
            return own
        }
        crashFaults = scenario.crashes.map { $0 }
        toleratedRules = Set(scenario.audit.tolerated.compactMap(AuditRule.init(rawValue:)))
        staleAfter = scenario.audit.staleAfter
        withdrawn = Dictionary(conditions.withdrawals.map { ($0.product, $0.at) }, uniquingKeysWith: min)
        receiptsLag = scenario.delivery.receiptsLag
    }
}

/// A step of a journey as the runner takes it: an object, because it is looked at often and copied never.
final class JourneyStep: Sendable {
    enum Action: Sendable {
        case launch, terminate, crash, reinstall
        case background(Distribution)
        case fetchProducts(FetchStep)
        case buy(BuyStep)
        case restore(waits: Bool)
        case use(UseTarget)
        case think(Distribution)
        case waitFor(Pending, atMost: Span)
        case repeated(times: Distribution, steps: [JourneyStep])
        case choose([JourneyBranch])
        case together([JourneyStep])
        case expect(Expectation)
        case account(AccountAction)
        case promotedPurchase(ProductIndex)
        case switchAccount
        case onOtherDevice([JourneyStep])
    }

    let action: Action
    /// Whether the app has to run for it.
    let needsApp: Bool

    init(_ step: Step) {
        needsApp = step.needsApp
        switch step.kind {
        case .launch: action = .launch
        case .terminate: action = .terminate
        case .crash: action = .crash
        case .reinstall: action = .reinstall
        case .background(let time): action = .background(time.detached())
        case .fetchProducts(var fetch):
            fetch.identifiers = fetch.identifiers?.map(fresh)
            action = .fetchProducts(fetch)
        case .buy(let buy): action = .buy(buy.detached())
        case .restore(let waits): action = .restore(waits: waits)
        case .use(let target): action = .use(target)
        case .think(let time): action = .think(time.detached())
        case .waitFor(let pending, let limit): action = .waitFor(pending, atMost: limit)
        case .repeated(let times, let steps):
            action = .repeated(times: times.detached(), steps: steps.map(JourneyStep.init))
        case .choose(let branches): action = .choose(branches.map(JourneyBranch.init))
        case .together(let steps): action = .together(steps.map(JourneyStep.init))
        case .account(let account): action = .account(account)
        case .onOtherDevice(let steps): action = .onOtherDevice(steps.map(JourneyStep.init))
        case .switchAccount: action = .switchAccount
        case .promotedPurchase(let product): action = .promotedPurchase(product)
        case .expect(let expectation):
            action = .expect(
                Expectation(
                    owns: expectation.owns.map { $0 }, notOwns: expectation.notOwns.map { $0 },
                    holds: expectation.holds.map { $0 }, answered: expectation.answered))
        }
    }
}

struct JourneyBranch: Sendable {
    let weight: Int64
    let steps: [JourneyStep]

    init(_ branch: Branch) {
        weight = branch.weight
        steps = branch.steps.map(JourneyStep.init)
    }
}

extension Step {
    /// Whether it, or a step within it, is such a one.
    fileprivate func holds(_ isOne: (Kind) -> Bool) -> Bool {
        if isOne(kind) { return true }
        switch kind {
        case .repeated(_, let steps), .onOtherDevice(let steps): return steps.contains { $0.holds(isOne) }
        case .choose(let branches): return branches.contains { $0.steps.contains { $0.holds(isOne) } }
        default: return false
        }
    }

    fileprivate var needsApp: Bool {
        switch kind {
        case .launch, .terminate, .crash, .reinstall, .think, .waitFor, .repeated, .choose, .expect, .account,
            .onOtherDevice, .switchAccount:
            return false
        case .promotedPurchase, .background, .fetchProducts, .buy, .restore, .use, .together: return true
        }
    }
}

extension BuyStep {
    fileprivate func detached() -> BuyStep {
        var copy = self
        switch target {
        case .product: break
        case .oneOf(let weights): copy.target = .oneOf(weights.map { $0 })
        case .unknown(let identifier): copy.target = .unknown(fresh(identifier))
        }
        copy.quantity = quantity.detached()
        return copy
    }
}

extension Distribution {
    fileprivate func detached() -> Distribution {
        if case .weighted(let choices) = self { return .weighted(choices.map { $0 }) }
        return self
    }
}

/// The same text in memory of its own.
private func fresh(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }
