// Apps that use both APIs, and apps that do not verify: what the audit finds of them.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit2Shops
import Testing

@Suite struct BothAPIsTests {
    /// A scenario in which each API may tell of what the other one sold.
    private func scenario(
        _ steps: [String], users: Int = 40, _ updates: ClientRules.OtherAPI, _ queue: ClientRules.OtherAPI,
        sections: [String] = []
    ) throws -> Scenario {
        var scenario = try Scenario.journey(steps, users: users, sections: sections)
        scenario.store.behaviour.client.queuePurchaseUpdates = updates
        scenario.store.behaviour.client.purchaseOnQueue = queue
        return scenario
    }

    // S90, S91: whichever API tells of a purchase, it is delivered once.
    @Test(arguments: ClientRules.OtherAPI.allCases, ClientRules.OtherAPI.allCases)
    func listenersThatShareAListDeliverOnce(_ updates: ClientRules.OtherAPI, _ queue: ClientRules.OtherAPI) throws {
        let steps = [
            "launch", "buy: extra_lives", "buy: unlock_maps", "buy: superpowers", "terminate", "launch",
            "buy: extra_lives", "restore", "terminate",
        ]
        let crashes = ["faults: {crash: {share: 2%, at: any_effect}}"]
        let result = run(try scenario(steps, updates, queue, sections: crashes), TwoAPIShop.self)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }

    // S91: as the first SDKs that moved did it.
    @Test(arguments: ClientRules.OtherAPI.allCases)
    func listenersByThemselvesDeliverTwice(_ queue: ClientRules.OtherAPI) throws {
        let scenario = try scenario(["launch", "buy: extra_lives", "terminate"], users: 4, .silent, queue)
        let found = Set(run(scenario, DualListener.self).violations.keys)
        #expect(found == (queue == .emitted ? [.duplicateDelivery] : []))
    }

    // S73
    @Test func forgedTransactionThatIsDeliveredIsNotPaidFor() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "terminate"], users: 4,
            sections: ["faults: {verification: {forged: 100%}}"])
        #expect(run(scenario, TrustingShop.self).violations.keys.contains(.unverifiedDelivery))
        let careful = run(scenario, TwoAPIShop.self)
        #expect(careful.violations.isEmpty, "\(careful.story)")
    }
}
