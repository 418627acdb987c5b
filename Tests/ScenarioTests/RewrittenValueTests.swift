// Values as people write them elsewhere: the hint rewrites them, and what it says is a value.

import Testing
import Text

@Suite struct RewrittenValueTests {
    @Test(arguments: [
        ("15 seconds", "15s"), ("15 sec", "15s"), ("2 minutes", "2m"), ("1.5 h", "1.5h"), ("500 ms", "500ms"),
        ("1 min 30 sec", "1m30s"), ("1m 30s", "1m30s"), ("10S", "10s"), ("3 days", "3d"), ("15", "15s"),
        (".5s", "0.5s"),
        ("'15'", "15s"), ("1s - 5s", "1s..5s"), ("1s-5s", "1s..5s"), ("1 second to 5 seconds", "1s..5s"),
        ("1 sec..5s", "1s"),
    ])
    func hintRewritesDuration(written: String, meant: String) { expect(small(step: "think: \(written)"), "'\(meant)'") }

    // What the rewritten text would be refused for is no advice.
    @Test(arguments: ["soon", "1:30", "900 days", "5M", "1s1m", "99999999999999"])
    func hintDoesNotRewriteInvalidDurations(written: String) {
        #expect(problems(small(step: "think: \(written)")).allSatisfy { !($0.hint ?? "").contains("did you mean") })
    }

    @Test(arguments: [
        ("20", "20/s"), ("20 per second", "20/s"), ("20/sec", "20/s"), ("20 / s", "20/s"), ("20rps", "20/s"),
        ("30 rpm", "30/m"), ("30 per minute", "30/m"), ("5/hour", "5/h"), ("20 users/1s", "20/s"), ("0.5", "0.5/s"),
    ])
    func hintRewritesRates(written: String, meant: String) {
        expect(small(load: "- {journey: j, executor: constant-arrival-rate, for: 1s, rate: \(written)}"), "'\(meant)'")
        expect(
            small(load: "- {journey: j, executor: ramping-arrival-rate, stages: [{over: 1s, to: \(written)}]}"),
            "'\(meant)'")
    }

    @Test func hintAcceptsAZeroRateOnlyInRamps() {
        let ramp = "- {journey: j, executor: ramping-arrival-rate, stages: [{over: 1s, to: 5/s}, {over: 1s, to: 0}]}"
        expect(small(load: ramp), "did you mean '0/s'?")
        let constant = problems(small(load: "- {journey: j, executor: constant-arrival-rate, for: 1s, rate: 0}"))
        #expect(constant.map(\.hint) == ["rates look like 500/s, 30/m or 10/h"])
    }

    @Test(arguments: [("1k", "1_000"), ("'10,000'", "10_000"), ("10 000", "10_000"), ("5.0", "5"), ("0.1M", "100_000")])
    func hintRewritesCounts(written: String, meant: String) {
        expect(small().replacing("{users: 10}", with: "{users: \(written)}"), "did you mean '\(meant)'?")
    }

    @Test(arguments: [("5 %", "5%"), ("5 percent", "5%"), ("5", "5%"), ("'0,5%'", "0.5%"), (".5", "0.5")])
    func hintRewritesShares(written: String, meant: String) {
        expect(small(extra: "network: {lose_request: \(written)}"), "did you mean '\(meant)'?")
    }

    @Test func hintDoesNotRewriteSharesOverTheWhole() {
        #expect(
            problems(small(extra: "network: {lose_request: 500}")).map(\.hint) == ["shares look like 2.5% or 0.025"])
    }

    @Test(arguments: [("512 MB", "512MiB"), ("512", "512MiB"), ("1g", "1GiB"), ("512 MiB", "512MiB")])
    func hintRewritesSizes(written: String, meant: String) {
        expect(small(extra: "app: {memory_limit: \(written)}"), "did you mean '\(meant)'?")
    }

    @Test(arguments: [
        ("purchase_duration", "p(95) < 2 seconds", "'s'"), ("purchase_success", "rate > 95 percent", "'%'"),
        ("memory_resident", "max < 5 megabytes", "'MiB'"),
    ])
    func hintRewritesUnitsOfThresholds(metric: String, limit: String, unit: String) {
        expect(small(extra: "thresholds: {\(metric): \(limit)}"), "did you mean \(unit)?")
    }

    private func expect(_ text: String, _ hint: String) {
        let hints = problems(text).map { $0.hint ?? "" }
        #expect(hints.count == 1 && hints[0].contains(hint), "\(hints)")
    }
}
