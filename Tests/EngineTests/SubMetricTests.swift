// Parts of metrics: by load entry, journey, device, product, own tags, and by time.

import ClientKit
import Engine
import Judgement
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@Suite struct SubMetricTests {
    private func perform(_ thresholds: [String], workers: Int = 1, sections: [String] = []) throws -> RunResult {
        let lines = [
            """
            name: Parts
            store: {catalog: shop.storekit}
            network: {latency: 50ms..200ms, lose_request: 2%, lose_answer: 2%, request_timeout: 2s}
            buyers: {decide_after: 1s..3s, cancel: 20%}
            population: {users: 120, devices_per_user: 2}
            load:
              - {journey: lives, executor: constant-users, for: 30s, users: 50, tags: {tier: gold}}
              - {name: rush, journey: powers, executor: at-once, users: 30, tags: {tier: silver}}
              - {name: late, journey: powers, executor: constant-arrival-rate, rate: 4/s, for: 20s, start_after: 10s, max_users: 40, tags: {tier: gold}}
            journeys:
              lives: [launch, {buy: extra_lives}, {think: 1s}]
              powers: [launch, fetch_products, {on_other_device: [launch, {buy: superpowers}]}]
            thresholds:
            """
        ]
        let text = (lines + thresholds.map { "  \($0)" } + sections).joined(separator: "\n") + "\n"
        return run(try .text(text), workers: workers)
    }

    private func part(_ result: RunResult, _ name: String) -> MetricReading? {
        result.collector.tally.measurements.named(name)?.reading(seconds: 30)
    }

    private func count(_ result: RunResult, _ name: String) -> Int { Self.count(part(result, name)) }

    private func count(_ result: RunResult, _ metric: MetricName) -> Int {
        Self.count(result.collector.tally.measurements[metric].reading(seconds: 30))
    }

    /// Samples, events or tries; -1 where nothing was measured.
    private static func count(_ reading: MetricReading?) -> Int {
        switch reading {
        case .counter(let count, _): count
        case .trend(let trend): trend.count
        case .rate(_, let total): total
        default: -1
        }
    }

    /// Metrics of all kinds, each with tags that cut it into parts without overlap.
    private static let cuts: [(metric: MetricName, parts: [[String]])] = [
        (.purchaseDuration, [["phase:lives"], ["phase:rush"], ["phase:late"]]),
        (.purchaseDuration, [["journey:lives"], ["journey:powers"]]),
        (.purchaseDuration, [["tier:gold"], ["tier:silver"]]),
        (.purchaseDuration, [["product:extra_lives"], ["product:superpowers"]]),
        (.purchaseDuration, [["device:1"], ["device:2"]]),
        (.purchaseDuration, [["outcome:success"], ["outcome:failure"]]),
        (.purchasesFailed, [["code:paymentCancelled"], ["code:URLError.timedOut"]]),
        (.purchasesFailed, [["stage:deciding"], ["stage:sending"], ["stage:receiving"]]),
        (.purchaseDeciding, [["tier:gold", "product:superpowers"], ["tier:silver"], ["phase:lives"]]),
        (.goodsDuration, [["device:1"], ["device:2"]]), (.answerDelay, [["device:1"], ["device:2"]]),
        (.finishDuration, [["product:extra_lives"], ["device:2"]]),
        (.productsFetchDuration, [["phase:rush"], ["phase:late"]]),
        (.purchases, [["product:extra_lives"], ["product:superpowers"]]),
        (.purchasesFailed, [["phase:lives"], ["journey:powers"]]), (.launches, [["device:1"], ["device:2"]]),
        (.deliveries, [["tier:gold"], ["tier:silver"]]), (.requests, [["tier:gold"], ["tier:silver"]]),
        (.purchaseSuccess, [["product:extra_lives"], ["product:superpowers"]]),
        (.iterations, [["phase:lives"], ["phase:rush"], ["phase:late"]]),
        (.observerCallbackTime, [["device:1"], ["device:2"]]),
    ]

    @Test(arguments: [1, 2])
    func subMetricsAddUpToTheirMetric(workers: Int) throws {
        for (metric, parts) in Self.cuts {
            let names = parts.map { "\(metric.name){\($0.joined(separator: ","))}" }
            let result = try perform(names.map { "\"\($0)\": []" }, workers: workers)
            let whole = count(result, metric)
            let counts = names.map { count(result, $0) }
            #expect(counts.allSatisfy { $0 > 0 }, "\(names) \(counts)")
            #expect(counts.reduce(0, +) == whole, "\(names) \(counts)")
        }
    }

    @Test func windowedThresholdsCutTheRun() throws {
        let windows = ["0s..10s", "10s..20s", "20s..1h"]
        let result = try perform([
            "purchase_duration: [\(windows.map { "{threshold: count > 0, window: \($0)}" }.joined(separator: ", "))]",
            "purchases: [\(windows.map { "{threshold: rate > 0, window: \($0)}" }.joined(separator: ", "))]",
            "violations: [{threshold: count == 0, window: 0s..1s}]",
        ])
        let names = windows
        for metric in [MetricName.purchaseDuration, .purchases] {
            let counts = names.map { count(result, "\(metric.name) in \($0)") }
            let whole = count(result, metric)
            #expect(counts.allSatisfy { $0 > 0 } && counts.reduce(0, +) == whole, "\(counts) of \(whole)")
        }
        // Per second of the window, and of the window only as far as the run went.
        guard case .counter(let early, let rate)? = part(result, "purchases in 0s..10s"),
            case .counter(let late, let lateRate)? = part(result, "purchases in 20s..1h")
        else {
            Issue.record("no purchases")
            return
        }
        #expect(rate == Double(early) / 10 && lateRate == Double(late) / 10)
    }

    @Test func warmUpIsExcludedFromDurations() throws {
        let whole = try perform(["purchases: count > 0"])
        let warm = try perform(
            ["purchase_duration: [{threshold: count > 0, window: 8s..1h}]"], sections: ["warm_up: 8s"])
        let cold = try perform(["purchase_duration: [{threshold: count > 0, window: 8s..1h}]"])
        #expect(count(warm, .purchaseDuration) == count(cold, "purchase_duration in 8s..1h"))
        for metric in PurchaseStages.metrics {
            #expect(count(warm, metric) == count(warm, .purchaseDuration))
        }
        for metric in [MetricName.purchaseSuccess, .goodsDuration, .productsFetchDuration] {
            #expect(count(warm, metric) < count(whole, metric), "\(metric.name)")
        }
        let services = warm.collector.tally.measurements[.productsFetchDuration].service
        #expect(services?.count == count(warm, .productsFetchDuration), "nor of service times")
        #expect(warm.count(.purchases) == whole.count(.purchases), "counters count all of the run")
    }

    // A limit for another client is not in force, and one for a part does not stand for the whole.
    @Test func thresholdsOfOtherClientsAreIgnored() throws {
        let scenario = try Scenario.journey(
            ["launch"],
            sections: [
                "thresholds: {'restore_duration{client:iap-manager}': p(95) < 1s, 'violations{phase:j}': count == 0}"
            ])
        #expect(scenario.thresholdsInForce(for: "reference").map(\.key) == ["violations", "violations{phase:j}"])
        #expect(scenario.thresholdsInForce(for: "iap-manager").count == 3)
        let result = run(scenario)
        #expect(result.verdict(result.judge(scenario.thresholdsInForce(for: "reference"))).status == .passed)
        #expect(result.verdict(result.judge(scenario.thresholdsInForce(for: "iap-manager"))).status == .unknown)
    }

    // Lost purchases, by rule and phase.
    @Test func violationSubMetricsCountByRuleAndDevice() throws {
        let scenario = try Scenario.shipped("launch-redelivery", users: 300)
        var changed = scenario
        changed.subMetrics = ["device:1", "device:2", "rule:lost-purchase", "rule:duplicate-delivery"].map { tag in
            let words = tag.split(separator: ":").map(String.init)
            return MetricSelection(metric: .violations, tags: [MetricTag(name: words[0], value: words[1])])
        }
        let result = run(changed, IAPManagerClient.self)
        let lost = result.violations[.lostPurchase] ?? 0
        #expect(lost > 0)
        #expect(count(result, "violations{rule:lost-purchase}") == lost)
        #expect(count(result, "violations{rule:duplicate-delivery}") == result.violations[.duplicateDelivery] ?? 0)
        #expect(count(result, "violations{device:1}") == result.count(.violations))
        #expect(count(result, "violations{device:2}") == 0)
    }
}
