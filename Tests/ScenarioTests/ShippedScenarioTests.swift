// The scenarios that ship with the project can be read, say what they show, and are judged by something.

import Foundation
import Metrics
import Scenario
import Testing

@Suite struct ShippedScenarioTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios")

    @Test(arguments: [
        "quickstart", "product-fetch-burst", "purchase-flow", "launch-redelivery", "flaky-network", "crash-anywhere",
        "restore-storm", "store-outage", "soak", "million-users", "second-purchases",
        "background-purchases", "performance/virtual-speed",
        "performance/throughput", "performance/fan-out", "performance/idle-users",
    ])
    func shippedScenarioIsReadWithoutProblems(name: String) throws {
        let path = Self.folder.appendingPathComponent(name + ".yml").path
        do {
            let scenario = try ScenarioFile.load(path: path, context: Shop.context)
            #expect(!scenario.description.isEmpty)
            #expect(scenario.thresholds.contains { $0.metric == .violations })
            #expect(scenario.thresholds.count >= 3)
            #expect(scenario.load.map(\.users).reduce(0, +) == scenario.population.users)
        } catch {
            Issue.record("\(error)")
        }
    }
}
