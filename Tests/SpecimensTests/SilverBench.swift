// One device with the silver shop on it under the virtual clock, for what scenarios cannot ask.
// Confined to the test that made it.

import CatalogFile
import Foundation
import RunSupport
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

final class SilverBench {
    static let bundle = "com.example.silver."

    let timeline = VirtualTimeline()
    let store: SimulatedAppStore
    let device: Device
    private let products: [AppEnvironment.Product]
    private(set) var shop: SilverShop?

    init(
        conditions: StoreConditions = StoreConditions(), validator: ServerConditions = ServerConditions(),
        buyers: BuyerBehaviour = BuyerBehaviour(), link: LinkConditions = LinkConditions()
    ) throws {
        let path = PackageFolder.url.appendingPathComponent("Scenarios/catalogs/Silver.storekit").path
        let catalog = try CatalogFile.load(path: path)
        products = catalog.products.map(AppEnvironment.Product.init)
        store = SimulatedAppStore(
            lane: timeline, catalog: catalog, conditions: conditions, behaviour: StoreBehaviour(), buyers: buyers,
            seed: 1, cell: 0, users: 0..<1, validator: validator)
        store.openAccount(user: 0, owned: [], unfinished: [])
        device = Device(
            lane: timeline, store: store, user: 0, link: link, app: AppConditions(), crashFaults: [], seed: 1)
    }

    /// Launches the app, an earlier launch ended, and lets its first refresh end.
    func launch(settling pause: Span = .seconds(1)) {
        device.terminate()
        let process = device.launch()
        let environment = AppEnvironment(process: process, facts: AppFacts(products: products, options: [:]))
        process.enter(.launch) {
            let shop = SilverShop(environment: environment)
            process.keep(shop, as: ObjectIdentifier(SilverBench.self))
            self.shop = shop
            shop.launch()
        }
        if pause > .zero { run(for: pause) }
    }

    /// Runs client code, and what follows from it within a second.
    func perform(_ body: @escaping () -> Void) {
        enter(body)
        run(for: .seconds(1))
    }

    /// Runs client code.
    func enter(_ body: () -> Void) { device.process?.enter(.purchase, body) }

    /// What the library says at this moment.
    func ask<Value>(_ question: () -> Value) -> Value? {
        var answer: Value?
        enter { answer = question() }
        return answer
    }

    func buy(_ product: String) -> PurchaseOutcome? {
        var answer: PurchaseOutcome?
        perform { self.shop?.purchase(Self.bundle + product, quantity: 1) { answer = $0 } }
        return answer
    }

    func refresh() -> IAPRefreshResult.State? {
        var state: IAPRefreshResult.State?
        perform { InAppPurchase.refresh { state = $0.state } }
        return state
    }

    func run(for span: Span) {
        var isOver = false
        timeline.schedule(after: span) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }

    /// How often the app has asked the store for products.
    var productsRequests: Int { device.events.count { if case .productsStarted = $0.event { true } else { false } } }
}
