// Thresholds: what they read, what they refuse and in which words, and how they judge.

import Metrics
import Testing

@Suite struct ThresholdTests {
    @Test(arguments: [
        ("purchase_duration", "p(95) < 900ms", ThresholdAggregate.percentile(95), ThresholdComparison.less, 900e6),
        ("purchase_duration", "p(99.9)<=1.5s", .percentile(99.9), .lessOrEqual, 1.5e9),
        ("purchase_duration", " med  <  250 ", .median, .less, 250e6),
        ("purchase_duration", "avg > 148.21ms", .average, .greater, 148_210_000),
        ("purchase_duration", "max != 2m", .maximum, .notEqual, 120e9),
        ("purchase_duration", "min >= 5us", .minimum, .greaterOrEqual, 5e3),
        ("purchase_duration", "count > 1_000", .count, .greater, 1_000),
        ("violations{rule:lost-purchase}", "count == 0", .count, .equal, 0),
        ("faults{kind:crash}", "rate < 0.5", .rate, .less, 0.5),
        ("purchase_success", "rate >= 95%", .rate, .greaterOrEqual, 0.95),
        ("purchase_success", "rate > 0.025", .rate, .greater, 0.025),
        ("memory_per_user", "max < 8KiB", .maximum, .less, 8_192),
        ("memory_resident", "value < 2GB", .value, .less, 2e9),
        ("memory_resident", "value < 2_000", .value, .less, 2_000),
        ("bytes_per_purchase", "value < 12.5", .value, .less, 12.5),
    ])
    func thresholdReadsItsGrammar(
        key: String, expression: String, aggregate: ThresholdAggregate, comparison: ThresholdComparison, limit: Double
    ) throws {
        let threshold = try Threshold(key: key, expression: expression)
        #expect(threshold.aggregate == aggregate)
        #expect(threshold.comparison == comparison)
        #expect(threshold.limit == limit)
        #expect(threshold.source == expression)
        #expect(threshold.key == key)
    }

    // The store's books say at which stage a purchase failed, and nobody has them before its user is judged.
    @Test(arguments: [
        ("purchases_failed", true), ("purchases_failed{code:unknown}", true),
        ("purchases_failed{stage:deciding}", false), ("purchase_duration{outcome:failure}", true),
        ("purchase_deciding", false),
    ])
    func thresholdOnStoreStatementsIsNotLive(key: String, isLive: Bool) throws {
        #expect(try Threshold(key: key, expression: "count > 0").isLive == isLive)
    }

    // MARK: Other numbers of users

    // Lower bounds round down, upper ones up; what no number of users changes stays.
    @Test(arguments: [
        ("purchases", "count > 5_000", "count > 25"), ("purchases", "count >= 5_099", "count >= 25"),
        ("crashes", "count < 5_001", "count < 26"), ("crashes", "count <= 3_000", "count <= 15"),
        ("redelivery_delay", "count >= 2_400", "count >= 12"),
        ("purchases{phase:rush}", "count > 5_000", "count > 25"),
        ("purchases_failed", "count == 10_000", nil), ("purchases_failed", "count != 10_000", nil),
        ("crashes", "count <= 0", nil), ("crashes", "count < 1", nil),
        ("violations", "count < 10_000", nil), ("warnings", "count < 10_000", nil),
        ("dropped_iterations", "count < 10_000", nil),
        ("main_queue_wait", "count < 10_000", nil), ("schedule_lag", "count > 10_000", nil),
        ("purchases", "rate > 10_000", nil), ("purchase_duration", "p(95) < 10_000", nil),
        ("memory_resident", "value < 10_000", nil), ("purchase_success", "rate > 99%", nil),
    ])
    func thresholdBoundsScaleWithTheUsers(key: String, expression: String, expected: String?) throws {
        let threshold = try Threshold(key: key, expression: expression)
        let scaled = threshold.scaled(to: 50, from: 10_000)
        #expect(scaled.source == expected ?? expression)
        #expect(scaled.written == expected.map { _ in ThresholdWritten(expression: expression, users: 10_000) })
        if let expected { #expect(try Threshold(key: key, expression: expected).limit == scaled.limit) }
        #expect(!scaled.hasTooFewUsers)
        #expect(threshold.scaled(to: 10_000, from: 10_000) == threshold)
    }

    // Runs that are merged are judged anew, by what was written.
    @Test func scaledThresholdKeepsItsWrittenUserCount() throws {
        let scaled = try Threshold(key: "crashes", expression: "count < 2").scaled(to: 5_001, from: 10_000)
        #expect(scaled.source == "count < 2")
        #expect(scaled.written == ThresholdWritten(expression: "count < 2", users: 10_000))
    }

    @Test func thresholdBoundsWidenForMoreUsers() throws {
        func scaled(_ expression: String) throws -> String {
            try Threshold(key: "crashes", expression: expression).scaled(to: 25, from: 10).source
        }
        #expect(try scaled("count > 3") == "count > 7" && scaled("count < 3") == "count < 8")
        #expect(try scaled("count > 0") == "count > 0" && scaled("count < 1") == "count < 1")
    }

    @Test(arguments: [
        ("count > 0", 5_000, true), ("count >= 1", 5_000, true), ("count > 100", 1_000, false),
        ("count > 99", 1_000, true), ("count > 5", 9_999, true), ("count < 5", 50, false),
        ("count > 0", 20_000, false), ("count > 5", 10_000, false),
    ])
    func scaledLowerBoundBelowTenIsNotJudged(expression: String, users: Int, isTooFew: Bool) throws {
        let scaled = try Threshold(key: "purchases", expression: expression).scaled(to: users, from: 10_000)
        #expect(scaled.hasTooFewUsers == isTooFew)
        let outcome = scaled.evaluate(.counter(count: 4, perSecond: 1))
        #expect((outcome == .tooFewUsers(actual: 4)) == isTooFew)
    }

    // A slope over users cannot be drawn through a few of them; what was not measured for another reason stays unknown.
    @Test func growthThresholdNeedsItsUsers() throws {
        let growth = try Threshold(key: "memory_growth_per_user", expression: "value < 16B")
        #expect(growth.scaled(to: 50, from: 10_000).evaluate(nil) == .tooFewUsers(actual: nil))
        #expect(growth.scaled(to: 20_000, from: 10_000).evaluate(nil) == .unknown)
        #expect(growth.evaluate(nil) == .unknown)
        let measured = MetricReading.gauge(value: 20, min: 20, max: 20)
        #expect(growth.scaled(to: 50, from: 10_000).evaluate(measured) == .failed(actual: 20))
        let speed = try Threshold(key: "restore_duration", expression: "p(95) < 1s")
        #expect(speed.scaled(to: 50, from: 10_000).evaluate(nil) == .unknown)
    }

    @Test func thresholdReadsATag() throws {
        let threshold = try Threshold(key: "violations{rule:lost-purchase}", expression: "count == 0")
        #expect(threshold.metric == .violations)
        #expect(threshold.tags == [MetricTag(name: "rule", value: "lost-purchase")])
    }

    @Test(arguments: [
        ("purchase_duraton", "p(95) < 1s", 0, "unknown metric 'purchase_duraton'", "did you mean 'purchase_duration'?"),
        ("violations{rul:x}", "count == 0", 11, "metric violations has no tag 'rul'", "did you mean 'rule'?"),
        (
            "purchases{rule:x}", "count > 0", 10, "metric purchases has no tag 'rule'",
            "tags of purchases: phase journey device product client"
        ),
        ("violations{rule:}", "count == 0", 16, "the tag has no value", "use letters, digits and - _ ."),
        (
            "violations{rule", "count == 0", 10, "malformed tag",
            "write it as metric{tag:value}, for example violations{rule:lost-purchase}"
        ),
        ("purchase_duration", "", 0, "empty threshold", "write it like 'p(95) < 900ms' or 'count == 0'"),
        ("purchase_duration", "mex < 1s", 0, "unknown aggregate 'mex'", "did you mean 'max'?"),
        (
            "purchase_duration", "p95 < 1s", 0, "unknown aggregate 'p95'",
            "aggregates of purchase_duration: count avg min med max p(N)"
        ),
        (
            "purchases", "p(95) < 1s", 0, "aggregate 'p(N)' does not fit purchases, which is a counter",
            "aggregates of purchases: count rate"
        ),
        (
            "memory_per_user", "avg < 1KB", 0, "aggregate 'avg' does not fit memory_per_user, which is a gauge",
            "aggregates of memory_per_user: value min max"
        ),
        ("purchase_duration", "p(101) < 1s", 2, "percentile 101 is out of range", "percentiles go from 0 to 100"),
        ("purchase_duration", "p(x) < 1s", 2, "malformed percentile 'x'", "write it like p(95) or p(99.9)"),
        ("purchase_duration", "p(95 < 1s", 2, "malformed percentile '95 < 1s'", "write it like p(95) or p(99.9)"),
        ("violations", "count = 0", 6, "unknown operator '='", "did you mean '=='?"),
        ("violations", "count 0", 6, "expected an operator, found '0'", "operators: < <= > >= == !="),
        ("violations", "count ==", 8, "the value is missing", "write it like 'p(95) < 900ms' or 'count == 0'"),
        ("violations", "count == -1", 9, "the value is negative", "no metric is ever below zero"),
        ("violations", "count == some", 9, "'some' is not a number", "numbers look like 5, 1_000 or 1.5"),
        ("violations", "count < 5ms", 9, "unit 'ms' does not fit a plain number", "this metric has no unit"),
        (
            "purchase_duration", "max < 5KB", 7, "unit 'KB' does not fit a duration",
            "units of durations: us ms s m h; without a unit, milliseconds"
        ),
        ("purchase_duration", "max < 5sec", 7, "unknown unit 'sec'", "did you mean 's'?"),
        (
            "purchase_duration", "max < 5furlongs", 7, "unknown unit 'furlongs'",
            "units of durations: us ms s m h; without a unit, milliseconds"
        ),
        (
            "purchase_success", "rate > 95", 7, "95 is more than the whole",
            "did you mean '95%'? Without a unit, 1 is the whole"
        ),
        (
            "purchase_duration", "max < 5 ms now", 11, "unexpected 'now' after the value",
            "write one threshold per entry, or several as a list"
        ),
        (
            "violations", "count == 1234567890123456789012", 9, "the value has too many digits",
            "write at most 18 digits"
        ),
    ])
    func thresholdErrorNamesPlaceAndHint(key: String, expression: String, offset: Int, message: String, hint: String) {
        do {
            let threshold = try Threshold(key: key, expression: expression)
            Issue.record("read as \(threshold)")
        } catch {
            #expect(error.offset == offset)
            #expect(error.message == message)
            #expect(error.hint == hint)
            #expect(error.description.hasSuffix("character \(offset + 1); \(hint)"))
        }
    }

    private func verdict(_ key: String, _ expression: String, _ reading: MetricReading?) throws -> ThresholdOutcome {
        try Threshold(key: key, expression: expression).evaluate(reading)
    }

    @Test func thresholdWithoutMeasurementIsUnknown() throws {
        #expect(try verdict("violations", "count == 0", nil) == .unknown)
        #expect(try verdict("purchase_success", "rate > 95%", .rate(passes: 0, total: 0)) == .unknown)
        #expect(try verdict("purchase_duration", "max < 1s", .counter(count: 1, perSecond: 1)) == .unknown)
        #expect(try verdict("memory_resident", "max < 1", .gauge(value: .nan, min: .nan, max: .nan)) == .unknown)
    }

    @Test func zeroEventsAreASampleForAThreshold() throws {
        #expect(try verdict("violations", "count == 0", .counter(count: 0, perSecond: 0)) == .passed(actual: 0))
        #expect(try verdict("violations", "count == 0", .counter(count: 3, perSecond: 1)) == .failed(actual: 3))
    }

    // Nineteen of twenty is 95 % to the last bit, however the limit is written.
    @Test(arguments: ["rate == 95%", "rate == 0.95", "rate >= 95.0%", "rate <= 0.950"])
    func thresholdComparesRatesExactly(expression: String) throws {
        #expect(try verdict("purchase_success", expression, .rate(passes: 19, total: 20)) == .passed(actual: 0.95))
    }

    @Test(arguments: [
        ("avg == 2us", true), ("min == 1us", true), ("max == 4us", true), ("med < 2us", false), ("p(40) == 1us", true),
        ("p(90) == 4us", true), ("p(100) == 4us", true), ("count == 7", true),
    ])
    func thresholdReadsEveryTrendAggregate(expression: String, passes: Bool) throws {
        var trend = DurationHistogram()
        for microseconds in [4, 1, 2, 1, 3, 1, 2] as [Int64] { trend.record(microseconds * 1_000) }
        let outcome = try verdict("purchase_duration", expression, .trend(trend))
        if case .passed = outcome { #expect(passes) } else { #expect(!passes) }
    }

    @Test func thresholdReadsValueMinAndMaxOfAGauge() throws {
        let reading = MetricReading.gauge(value: 2, min: 1, max: 3)
        #expect(try verdict("memory_resident", "value == 2", reading) == .passed(actual: 2))
        #expect(try verdict("memory_resident", "min == 1B", reading) == .passed(actual: 1))
        #expect(try verdict("memory_resident", "max < 3", reading) == .failed(actual: 3))
    }
}
