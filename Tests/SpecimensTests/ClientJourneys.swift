// What the tests of the clients under test share: small scenarios with plain conditions, and one client on a device of
// its own, for what no scenario can see.

import ClientKit
import Engine
import Judgement
import Metrics
import Reporting
import RunSupport
import Scenario
import Simulation
import Testing

/// Runs one journey with a client. Conditions are calm unless `sections` says otherwise.
func journey(
    _ client: any StoreClient.Type, _ steps: [String], users: Int = 20, sections: [String] = [],
    catalog: Catalog = Shop.catalog, options: [String: String] = [:], change: (inout Scenario) -> Void = { _ in }
) throws -> RunResult {
    let conditions = [
        "network: {latency: 20ms..60ms}", "buyers: {decide_after: 200ms..600ms}",
        "app: {patience: 10s, relaunch_after: 500ms}",
    ]
    func section(_ text: String) -> Substring { text.prefix { $0 != ":" } }
    let calm = conditions.filter { given in !sections.contains { section($0) == section(given) } }
    var scenario = try Scenario.journey(steps, users: users, sections: calm + sections, catalog: catalog)
    change(&scenario)
    return run(scenario, client, options: options)
}

extension RunResult {
    /// What the audit says of a rule, one sentence a violation as far as evidence is kept.
    func sentences(_ rule: AuditRule) -> [String] { collector.evidence(of: rule).map(\.evidence.sentence) }

    /// Whether every expectation of the journey was met, and there was one.
    var meetsAllExpectations: Bool {
        guard case .rate(let passes, let total) = collector.tally.measurements[.expectations].reading(seconds: 1) else {
            return false
        }
        return passes == total && total > 0
    }
}

/// A client of one launched app under the virtual clock.
final class ClientBench<Client: StoreClient> {
    let timeline = VirtualTimeline()
    let device: Device
    private(set) var client: Client!  // Made by the initialiser, once there is a process to make it in.

    init(
        _ type: Client.Type, conditions: StoreConditions = StoreConditions(),
        buyers: BuyerBehaviour = BuyerBehaviour(), owned: [ProductIndex] = []
    ) {
        let store = SimulatedAppStore(
            lane: timeline, catalog: Shop.catalog, conditions: conditions, behaviour: StoreBehaviour(),
            buyers: buyers, seed: 1, cell: 0, users: 0..<1)
        store.openAccount(user: 0, owned: owned, unfinished: [])
        device = Device(
            lane: timeline, store: store, user: 0, link: LinkConditions(), app: AppConditions(), crashFaults: [],
            seed: 1)
        let process = device.launch()
        let products = Shop.catalog.products.map(AppEnvironment.Product.init)
        let environment = AppEnvironment(process: process, facts: AppFacts(products: products, options: [:]))
        run { [unowned self] in
            client = Client(environment: environment)
            client.launch()
        }
    }

    /// Runs app code on the device's main queue, then everything that follows from it.
    func run(_ body: @escaping () -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let process = device.process
        device.schedule { process?.enter(.launch, body) }
        var isQuiet = false
        device.whenQuiet { isQuiet = true }
        let cameToRest = timeline.run(until: { isQuiet }, patience: .seconds(20))
        #expect(cameToRest, "the device never comes to rest", sourceLocation: sourceLocation)
    }

    /// How often something stands among the device's events.
    func count(_ isMeant: (DeviceEvent) -> Bool) -> Int { device.events.count { isMeant($0.event) } }
}
