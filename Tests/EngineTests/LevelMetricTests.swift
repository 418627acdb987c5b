// Levels over time, and the waits that are neither the store's nor the client's doing.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct LevelMetricTests {
    private func gauge(_ result: RunResult, _ metric: MetricName) -> [Double]? {
        guard
            case .gauge(let value, let low, let high)? = result.collector.tally.measurements[metric].reading(seconds: 1)
        else {
            return nil
        }
        return [value, low, high]
    }

    // The app asks for the products as it starts, and the user asks: eight requests, one worker, a second for each. The
    // second waits 1 s, the third 2 s, and so on.
    @Test(arguments: [1, 2])
    func queueDepthIsMeasuredOverTime(workers: Int) throws {
        let scenario = try Scenario.text(
            """
            name: Queue
            store: {catalog: shop.storekit, capacity: {workers: 1, service_time: 1s, queue: 100}}
            network: {latency: 0s}
            population: {users: 4}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, fetch_products]}

            """)
        let result = run(scenario, workers: workers)
        #expect(result.simulatedDuration == .seconds(8))
        let series = result.collector.tally.measurements.series
        let second = Int(1_000_000_000 / series.interval)
        let depths = try #require(series.queueDepths)
        for place in 0..<8 * second { #expect(depths[place] == Double(7 - place / second), "interval \(place)") }
        #expect(gauge(result, .storeQueueDepth) == [3.5, 0, 7])
    }

    @Test func storeWithoutCapacityMeasuresNoQueueDepth() throws {
        let result = run(try Scenario.journey(["launch", "fetch_products"]))
        #expect(gauge(result, .storeQueueDepth) == nil && result.collector.tally.measurements.series.queueDepths == nil)
    }

    @Test func rateIsUnknownIfNoTimePasses() throws {
        let result = run(try Scenario.journey(["launch", "buy: extra_lives"], users: 3))
        let threshold = try Threshold(
            key: ThresholdKey(metric: .purchases, tags: [], source: "purchases"), expression: "rate > 0")
        let tally = result.collector.tally
        #expect(result.simulatedDuration == .zero && result.count(.purchases) == 3)
        #expect(threshold.evaluate(tally.measurements[.purchases].reading(seconds: 0)) == .unknown)
        #expect(threshold.evaluate(tally.measurements[.purchases].reading(seconds: 2)) == .passed(actual: 1.5))
    }

    // Ten users for two seconds, then two of them for two more.
    @Test func activeUsersAreMeasuredOverTime() throws {
        let scenario = try Scenario.text(
            """
            name: Active
            store: {catalog: shop.storekit}
            population: {users: 10}
            load: [{journey: short, executor: at-once, users: 8}, {journey: long, executor: at-once}]
            journeys: {short: [{think: 2s}], long: [{think: 4s}]}

            """)
        #expect(gauge(run(scenario), .usersActive) == [6, 2, 10])
    }

    @Test func approvalWaitIsMeasured() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 1m"], users: 40,
            sections: [
                "network: {latency: 0s}",
                "buyers: {decide_after: 1s, ask_to_buy: {share: 100%, approve: 100%, answer_after: 20s}}",
            ])
        let result = run(scenario)
        guard case .trend(let wait)? = result.collector.tally.measurements[.approvalWait].reading(seconds: 1) else {
            Issue.record("nothing was approved")
            return
        }
        #expect(wait.count == 40 && wait.minimum == 20_000_000_000 && wait.maximum == 20_000_000_000)
        #expect(result.collector.tally.measurements[.interruptionWait].reading(seconds: 1) == nil)
    }

    @Test func interruptionWaitIsMeasured() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 1m"], users: 40,
            sections: [
                "network: {latency: 0s}",
                "buyers: {decide_after: 1s, interrupted: {share: 100%, resolve: 50%, resolve_after: 10s}}",
            ])
        let result = run(scenario)
        guard case .trend(let wait)? = result.collector.tally.measurements[.interruptionWait].reading(seconds: 1) else {
            Issue.record("nothing was completed")
            return
        }
        #expect((10..<35).contains(wait.count) && wait.minimum == 10_000_000_000 && wait.maximum == 10_000_000_000)
    }
}
