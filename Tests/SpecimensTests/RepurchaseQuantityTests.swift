// What a transaction says may change between a callback and the main queue.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct RepurchaseQuantityTests {
    // R22: while its finish is on its way a consumable bought again is answered at once with the earlier purchase, and
    // takes on that one's quantity. Beside the main queue (R7) that overtakes the hop that reads what was asked for.
    @Test(arguments: [ClientRules.CallbackQueue.background, .random])
    func referenceAnswersARepurchaseOfAnotherQuantity(queue: ClientRules.CallbackQueue) throws {
        var scenario = try Scenario.journey(
            [
                "launch", "fetch_products", "buy: {product: extra_lives, quantity: 2}",
                "buy: {product: extra_lives, quantity: 1}", "terminate",
            ], users: 40, sections: ["network: {latency: 50ms}"])
        scenario.store.behaviour.callbackQueue = queue
        let result = run(scenario)
        #expect(result.violations.isEmpty && result.collector.faults.isEmpty, "\(result.story)")
    }
}
