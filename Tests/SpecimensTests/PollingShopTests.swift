// Apps of StoreKit 2 that look at their launch instead of listening.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import StoreKit2Shops
import Testing

@Suite struct PollingShopTests {
    // S17: what is unfinished is read, and a reader is there before anything is bought.
    @Test(arguments: [true, false])
    func launchThatReadsWhatIsUnfinishedIsObserved(listens: Bool) throws {
        let scenario = try Scenario.journey(
            ["launch", "think: 2s", "buy: extra_lives", "think: 2s", "terminate", "launch", "think: 2s", "terminate"],
            users: 20, sections: ["population: {users: 20, unfinished_at_start: {extra_lives: 50%}}"])
        let result = run(scenario, PollingShop.self, options: ["listens": "\(listens)"])
        #expect(Set(result.violations.keys) == (listens ? [] : [.deafListener]), "\(result.story)")
        #expect(result.collector.warningCounts.isEmpty, "\(result.story)")
    }

    // What the store charges for while the run is being settled, an app that listens to nothing finds at its next launch.
    @Test func purchaseThatComesInTheLastLaunchIsFoundByOneMore() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "terminate"], users: 40,
            sections: ["buyers: {decide_after: 1s..20s}", "app: {patience: 1s}", "network: {latency: 300ms}"])
        let result = run(scenario, PollingShop.self)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }
}
