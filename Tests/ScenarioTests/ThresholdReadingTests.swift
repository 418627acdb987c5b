// Thresholds and load entries as scenario files write them: windows, aborts, tags, and what is said of mistakes.

import Metrics
import Scenario
import Simulation
import Testing
import Text

@Suite struct ThresholdReadingTests {
    private func text(load: [String], thresholds: [String], population: String = "users: 100") -> String {
        """
        name: Small
        store: {catalog: FakeGame.storekit}
        population: {\(population)}
        load:
        \(load.map { "  - {\($0)}" }.joined(separator: "\n"))
        journeys: {j: [launch], k: [launch]}
        thresholds:
        \(thresholds.map { "  \($0)" }.joined(separator: "\n"))

        """
    }

    private func read(_ threshold: String) throws -> Threshold {
        let text = text(load: ["journey: j, executor: at-once, tags: {tier: gold}"], thresholds: [threshold])
        return try #require(try scenario(text).thresholds.first)
    }

    @Test func readerReadsThresholdWindowsAndAborts() throws {
        let whole = try read("purchase_duration: p(95) < 1s")
        #expect(
            whole.window == nil && whole.abort == nil && whole.selection == nil && whole.name == "purchase_duration")
        let part = try read("purchase_duration: {threshold: p(95) < 1s, window: 1m30s..2m}")
        #expect(part.window == 90_000_000_000..<120_000_000_000 && part.name == "purchase_duration in 90s..2m")
        let abort = try read("purchases: [{threshold: count > 1, abort_on_fail: true, delay_abort_eval: 1m}]")
        #expect(abort.abort == ThresholdAbort(delay: 60_000_000_000))
        #expect(try read("purchases: {threshold: count > 1, abort_on_fail: true}").abort == ThresholdAbort(delay: 0))
        #expect(try read("purchases: {threshold: count > 1, abort_on_fail: false}").abort == nil)
    }

    // The name is what reports, their comparison and their merging know a part by.
    @Test(arguments: [
        ("0s..10s", "0s..10s"), ("2h..8h", "2h..8h"), ("10s..400d", "10s..400d"), ("120s..1h30m", "2m..90m"),
        ("0..36h", "0s..36h"), ("1500us..1.5s", "1500us..1500ms"), ("0.5us..24h", "0.5us..1d"),
    ])
    func windowNamesUseTheLargestUnit(written: String, name: String) throws {
        let part = try read("purchases: {threshold: count > 1, window: \(written)}")
        #expect(part.name == "purchases in \(name)")
    }

    @Test func readerReadsThresholdTags() throws {
        let threshold = try read("'purchases{tier:gold, product:extra_lives}': count > 1")
        #expect(
            threshold.tags == [
                MetricTag(name: "tier", value: "gold"), MetricTag(name: "product", value: "extra_lives"),
            ])
        #expect(threshold.selection?.name == "purchases{tier:gold,product:extra_lives}")
        for tag in [
            "purchases_failed{code:paymentCancelled}", "purchases_failed{code:URLError.timedOut,stage:receiving}",
            "purchases_failed{code:none}", "purchases_failed{code:907}",
        ] {
            #expect(try read("'\(tag)': count > 1").selection?.name == tag)
        }
        for tag in ["outcome:success", "outcome:deferred", "answer:instant", "outcome:failure,answer:served"] {
            #expect(try read("'purchase_duration{\(tag)}': count > 1").selection?.name == "purchase_duration{\(tag)}")
        }
        let quiet = try scenario(
            text(
                load: ["journey: j, executor: at-once"],
                thresholds: ["'purchases{device:2}': []", "'violations{rule:lost-purchase}': count == 0"],
                population: "users: 100, devices_per_user: {1: 1, 2: 1}"))
        #expect(quiet.subMetrics.map(\.name) == ["purchases{device:2}"] && quiet.thresholds.count == 1)
    }

    @Test func readerReadsAfterAndGracefulStop() throws {
        let read = try scenario(
            text(
                load: [
                    "journey: j, executor: constant-users, for: 1m, users: 10, graceful_stop: 30s, tags: {tier: gold}",
                    "journey: k, executor: at-once, after: j, start_after: 5s",
                ], thresholds: ["purchases: count > 1"]))
        #expect(read.load[0].gracefulStop == .seconds(30) && read.load[0].tags == ["tier": "gold"])
        #expect(read.load[1].after == 0 && read.load[1].gracefulStop == nil && read.load[0].after == nil)
        #expect(read.plannedLength == .seconds(65))
        #expect(read.entries(tagged: MetricTag(name: "tier", value: "gold")) == [0])
        #expect(read.entries(tagged: MetricTag(name: "journey", value: "k")) == [1])
        #expect(read.entries(tagged: MetricTag(name: "phase", value: "j")) == [0])
    }

    @Test(arguments: [
        (
            "purchase_duration: {threshold: p(95) < 1s, window: 9s}",
            "8:54: write a window in thresholds.purchase_duration.window as from..to, such as 2m..8m"
        ),
        (
            "purchases: {threshold: count > 1, window: 2s..2000ms}",
            "8:45: the window '2s..2000ms' in thresholds.purchases.window is empty | its end is its start; write a "
                + "later end"
        ),
        (
            "purchases: {threshold: count > 1, window: 8s..2s}",
            "8:45: the range '8s..2s' ends before it begins in thresholds.purchases.window | did you mean '2s..8s'?"
        ),
        (
            "memory_per_user: {threshold: max < 1KiB, window: 1s..9s}",
            "8:52: memory_per_user is measured over the whole run and has no windows | metrics of requests, purchases "
                + "and launches have windows"
        ),
        (
            "purchases: {threshold: count > 1, delay_abort_eval: 1s}",
            "8:55: 'delay_abort_eval' in thresholds.purchases has no effect without 'abort_on_fail' | write "
                + "'abort_on_fail: true' beside it"
        ),
        (
            "purchases: {window: 1s..2s}",
            "8:14: missing key 'threshold' in thresholds.purchases | add 'threshold: count > 0'"
        ),
        (
            "purchases: {threshold: count > 1, abort: true}",
            "8:37: unknown key 'abort' in thresholds.purchases | keys here: threshold, abort_on_fail, "
                + "delay_abort_eval, window"
        ),
        (
            "'purchases{product:extra_live}': count > 1",
            "8:3: unknown product 'extra_live' in thresholds | did you mean 'extra_lives'?"
        ),
        (
            "'purchases{phase:k}': count > 1",
            "8:3: unknown phase 'k' in thresholds | load entries: j"
        ),
        (
            "'purchases{device:0}': count > 1",
            "8:3: unknown device '0' in thresholds | every user has one device, number 1; population.devices_per_user "
                + "sets it"
        ),
        (
            "'purchases{journey:k}': []",
            "8:3: no load entry runs the journey 'k' in thresholds | add a load entry for it; journeys of the load: j"
        ),
        (
            "'purchases{client:iapmanager}': count > 1",
            "8:3: unknown client 'iapmanager' in thresholds | did you mean 'iap-manager'?"
        ),
        (
            "'purchases_failed{code:paymentCanceled}': count > 1",
            "8:3: unknown code 'paymentCanceled' in thresholds | did you mean 'paymentCancelled'?"
        ),
        (
            "'purchases_failed{stage:asking}': count > 1",
            "8:3: unknown stage 'asking' in thresholds | stages: instant, sending, processing, deciding, receiving"
        ),
        (
            "'purchase_duration{outcome:charged}': count > 1",
            "8:3: unknown outcome 'charged' in thresholds | outcomes: success, failure, deferred"
        ),
        (
            "'restore_duration{answer:quick}': count > 1",
            "8:3: unknown answer 'quick' in thresholds | answers: served, instant"
        ),
        (
            "'purchases{tier:silver}': count > 1",
            "8:3: unknown tier 'silver' in thresholds | values of this tag: gold"
        ),
        (
            "'memory_per_user{tier:gold}': max < 1KiB",
            "8:20: metric memory_per_user has no tag 'tier' in thresholds | tags of memory_per_user: client"
        ),
        (
            "'purchases{device:1,device:2}': count > 1",
            "8:23: the tag 'device' is given twice in thresholds | a sample has one value per tag; give the tag once"
        ),
        (
            "purchases: []", "8:14: the list of thresholds in thresholds.purchases is empty"
        ),
    ])
    func thresholdMistakesAreReportedWithTheirPlace(threshold: String, problem: String) {
        let text = text(load: ["journey: j, executor: at-once, tags: {tier: gold}"], thresholds: [threshold])
        #expect(brief(problems(text)) == [problem])
    }

    @Test func tagsThatNoUserSharesAreReported() {
        func said(_ tags: String) -> [String] {
            let load = [
                "name: a, journey: j, executor: at-once, tags: {tier: gold}",
                "name: b, journey: k, executor: at-once, tags: {tier: silver}",
            ]
            return brief(problems(text(load: load, thresholds: ["'purchases{\(tags)}': count == 0"])))
        }
        #expect(said("phase:a,journey:j,tier:gold,device:1") == [])
        #expect(
            said("phase:a,journey:k") == [
                "9:3: no load entry has phase:a and journey:k, as thresholds require | one entry has to match all tags; "
                    + "write a threshold for each tag"
            ])
        #expect(said("tier:silver,phase:a").count == 1)
    }

    @Test(arguments: [
        ("devices_per_user: 1", 1), ("devices_per_user: 3", 3), ("devices_per_user: 1..4", 4),
        ("devices_per_user: {1: 90%, 2: 10%, 5: 0%}", 2), ("devices_per_user: 10", 10),
    ])
    func thresholdDevicesMustExist(devices: String, most: Int) throws {
        func read(_ number: Int) -> [String] {
            let text = text(
                load: ["journey: j, executor: at-once"], thresholds: ["'purchases{device:\(number)}': count > 1"],
                population: "users: 100, \(devices)")
            return problems(text).map(\.message)
        }
        #expect(read(most) == [])
        #expect(read(most + 1) == ["unknown device '\(most + 1)' in thresholds"])
    }

    @Test(arguments: [
        (
            ["journey: j, executor: at-once, after: k"],
            "5:44: unknown load entry 'k' in load[0].after | there are no entries above"
        ),
        (
            ["journey: j, executor: at-once, after: k", "journey: k, executor: at-once"],
            "5:44: 'k' does not stand above load[0].after | an entry can only wait for an entry above it"
        ),
        (
            ["journey: j, executor: at-once", "journey: k, executor: at-once, after: jj"],
            "6:44: unknown load entry 'jj' in load[1].after | did you mean 'j'?"
        ),
        (
            ["journey: j, executor: at-once, graceful_stop: 1s"],
            "5:52: at-once has no end, so graceful_stop cannot be used in load[0] | use per-user-iterations with "
                + "max_duration"
        ),
        (
            ["journey: j, executor: at-once, tags: {phase: x}"],
            "5:44: every sample already has the tag 'phase' | choose another name"
        ),
        (
            ["journey: j, executor: at-once, tags: {stage: x}"],
            "5:44: every sample already has the tag 'stage' | choose another name"
        ),
        (
            ["journey: j, executor: at-once, tags: {tier: a b}"],
            "5:50: 'a b' cannot be a name in load[0].tags.tier | letters, digits, - and _, at most 64"
        ),
    ])
    func loadEntryMistakesAreReportedWithTheirPlace(load: [String], problem: String) {
        #expect(brief(problems(text(load: load, thresholds: ["purchases: count > 1"]))) == [problem])
    }

    // What is wrong in one place hides nothing that can be told of another.
    @Test func loadMistakesAreAllReportedTogether() {
        let text = text(
            load: [
                "name: a, journey: j, executor: at-once, users: 1000",
                "name: b, journey: j, executor: at-once, after: zz",
                "name: c, journey: kk, executor: constant-users, after: yy",
            ], thresholds: ["'purchases{phase:nope}': count > 1", "'purchases{tier:gold}': count > 1"])
        #expect(
            problems(text).map { "\($0.line) \($0.message)" } == [
                "5 the load needs 1_000 users, and population.users is 100",
                "6 unknown load entry 'zz' in load[1].after", "7 missing key 'for' in load[2]",
                "7 unknown journey 'kk' in load[2]", "7 unknown load entry 'yy' in load[2].after",
                "10 unknown phase 'nope' in thresholds", "11 metric purchases has no tag 'tier' in thresholds",
            ])
    }
}
