// The patterns of the schema take the texts that the reader takes, and no others.

import Metrics
import Scenario
import Testing
import Text

@Suite struct SchemaValueTests {
    private let checker = SchemaChecker(SchemaSample.schema)

    private static let texts = [
        "0", "0s", "0ms", "150ms", "3s", "1m30s", "1s30m", "1.5h", "1_000ms", "1__0s", "_1s", "s", "3 s", "-3s", "30d",
        "1h30", "5", "11", "5us", "1ms1us", "1us1ms", "3S", "2.5%", "100%", "100.0%", "100.5%", "101%", "0.025", "1.5",
        "0.5%", "1%%", "-1%", "0.000_1", "20_000", "1_000_000", "1.0.0", "7_", "500/s", "0/s", "0.0/s", "30/m",
        "10/h", "0.5/s", "5/d", "5/", "1h = 30d", "1h=30d", "1h =", "0s = 1s", "1h = 0s", "1s..5s", "0..3s", "1s .. 5s",
        "1..4", "1_000..2_000", "1s..", "..5s", "1..5s", "a..b", "abc", "yes", "true", "1s...5s",
        "{median: 1s, p99: 3s}",
        "{median: 1, p99: 3}", "{median: 1s}", "{mean: 2s}", "{mean: 2}", "{1s: 80%, 2s: 20%}", "{0: 1, 2s: 0.5}",
        "{1: 80%, 2: 1}", "{1: -1}", "{1s: 5s}", "{}", "[]",
    ]

    @Test(arguments: [
        "app: {flush_delay: X}", "app: {patience: X}", "app: {relaunch_after: X}", "buyers: {cancel: X}",
        "population: {users: X}", "population: {users: 20, devices_per_user: X}", "seed: X",
        "store: {catalog: a, time_rate: X}",
        "load: [{journey: j, executor: constant-arrival-rate, for: 1s, rate: X}]",
        "load: [{journey: j, executor: ramping-arrival-rate, start_rate: X, stages: [{over: 1s, to: 5/s}]}]",
        "journeys: {j: [{choose: [{weight: X, steps: [launch]}, {weight: 1, steps: [launch]}]}]}",
        "journeys: {j: [{repeat: {times: X, steps: [launch]}}]}",
        "journeys: {j: [{restore: {wait: X}}]}",
        "thresholds: {purchases: {threshold: count == 0, window: X}}",
    ])
    func schemaAcceptsTheReadersSpellings(place: String) throws {
        for text in Self.texts { try expectAgreement(place.replacing("X", with: text)) }
    }

    // All 64 bits may be used, more than a signed number has.
    @Test(arguments: ["9223372036854775807", "9223372036854775808", "18446744073709551615", "20000000000000000000"])
    func schemaAcceptsTheReadersLargeSeeds(seed: String) throws { try expectAgreement("seed: \(seed)") }

    @Test(arguments: [
        "app: {flush_delay: 1U}", "buyers: {cancel: 1U}",
        "load: [{journey: j, executor: constant-arrival-rate, for: 1m, rate: 1/U}]",
    ])
    func schemaAcceptsTheReadersUnits(place: String) throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        for unit in letters + letters.map({ $0 + "s" }) + ["min", "sec", "hr"] {
            try expectAgreement(place.replacing("U", with: unit))
        }
    }

    // One metric of each kind, unit and way to be looked at.
    @Test func schemaAcceptsTheReadersThresholdExpressions() throws {
        let kinds = Dictionary(grouping: MetricName.allCases) {
            "\($0.kind.rawValue) \($0.unit.rawValue) \($0.row.hasWindows)"
        }
        for metric in kinds.values.compactMap(\.first) {
            for text in [
                "count == 0", "count==1_000", "count < 5ms", "count > 5%", "rate > 95%", "rate >= 0.95", "rate < 5/s",
                "value < 10", "value < 8KiB", "avg < 900ms", "min > 1", "med <= 1.5s", "max != 3h", "max < 8 MiB",
                "max < 1parsec", "p(95) < 900ms", "p( 99.9 )<30s", "p(x) < 1s", "p95 < 1s", "count = 0", "count",
                "0 == count",
                "count == -1", "count == 0 # no", "",
            ] {
                try expectAgreement("thresholds: {\(metric.name): '\(text)'}")
                try expectAgreement("thresholds: {\(metric.name): {threshold: '\(text)', window: 1s..2s}}")
            }
        }
    }

    @Test(arguments: [
        "violations{rule:lost-purchase}", "violations{rule:nope}", "violations{ rule : lost-purchase , phase:j}",
        "faults{kind:crash}", "faults{kind:x}", "purchases{region:north}", "purchases{rule:lost-purchase}",
        "purchases{}",
        "memory_per_user{phase:j}", "memory_per_user{client:reference}", "purchases{device:2}", "purchases{device:11}",
        "purchases{client:nope}", "purchases{phase}", "purchases{product:shop.lives}", "launches{product:lives}",
        "nothing", "nothing{phase:j}", "purchases{phase:j", "purchases{phase:j} ",
        "purchases{region:north,client:reference}", "purchases{region:north,}", "purchases{region:north, }",
        "purchases{,region:north}", "purchases{region:north,,device:2}", "purchases{region:northdevice:2}",
        "purchases_failed{code:paymentCancelled}", "purchases_failed{code:URLError.timedOut , stage:receiving}",
        "purchases_failed{code:907}", "purchases_failed{stage:asking}",
        "purchase_duration{outcome:deferred,answer:instant}", "purchase_duration{outcome:charged}",
        "restore_duration{answer:served}", "restore_duration{outcome:success}", "purchases{stage:deciding}",
    ])
    func schemaAcceptsTheReadersMetricNames(key: String) throws {
        let load = "load: [{journey: j, executor: at-once, tags: {region: north}}]"
        try expectAgreement("\(load)\nthresholds: {'\(key)': count >= 0}")
        try expectAgreement("\(load)\nthresholds: {'\(key)': []}")
    }

    // What a look at one mapping alone cannot show.
    @Test(arguments: [
        "{buy: {quantity: 1}}", "{buy: {product: lives, choose: {lives: 1}}}", "{buy: {choose: {lives: 1}}}",
        "{expect: {}}",
        "{expect: {holds: {}}}", "{launch: 1}", "buy", "{think: 1s, use: all}", "{}", "{together: [launch]}",
        "{together: []}", "{fetch_products: []}", "{repeat: {times: 1, steps: []}}", "{use: lives}",
        "{expect: {owns: [maps]}}", "{change_storefront: XYZ}", "{redeem_offer: {offer: poster}}",
        "{update_app: reference}", "{update_app: referense}", "update_app", "{update_app: [reference]}",
    ])
    func schemaAcceptsTheReadersSteps(step: String) throws { try expectAgreement("journeys: {j: [\(step)]}") }

    /// Both take the scenario with these sections, or neither does.
    private func expectAgreement(_ sections: String) throws {
        let least = [
            "name": "Small", "store": "{catalog: a.storekit}", "population": "{users: 20, devices_per_user: 10}",
            "load": "[{journey: j, executor: at-once}]", "journeys": "{j: [launch]}",
        ]
        let rest = least.sorted { $0.key < $1.key }.filter { !"\n\(sections)".contains("\n\($0.key): ") }
        let text = sections + "\n" + rest.map { "\($0.key): \($0.value)\n" }.joined()
        let problems = SchemaSample.problems(text).map(\.message)
        let outline = try #require(ScenarioOutline(text: text), "\(sections)")
        #expect(checker.accepts(outline) == problems.isEmpty, "\(sections): \(problems)")
    }
}
