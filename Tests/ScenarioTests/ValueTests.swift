// Every form a value can have, and what each refuses.
// Values are read through whole scenarios: the parser of values is nobody else's business.

import Scenario
import Simulation
import Testing
import Text

@Suite struct ValueTests {
    private func think(_ value: String) throws -> Distribution? {
        guard case .think(let distribution) = try scenario(small(step: "think: \(value)")).journeys[0].steps[0].kind
        else { return nil }
        return distribution
    }

    private func times(_ value: String) throws -> Distribution? {
        let step = "repeat: {times: \(value), steps: [launch]}"
        guard case .repeated(let times, _) = try scenario(small(step: step)).journeys[0].steps[0].kind else {
            return nil
        }
        return times
    }

    @Test(arguments: [
        ("150ms", Distribution.constant(150_000_000)), ("3s", .constant(3_000_000_000)),
        ("1.5s", .constant(1_500_000_000)), ("0.1s", .constant(100_000_000)), ("1m30s", .constant(90_000_000_000)),
        ("1h1m1s1ms1us", .constant(3_661_001_001_000)), ("400d", .constant(Distribution.ceiling)), ("0", .constant(0)),
        ("0s", .constant(0)), ("\"3s\"", .constant(3_000_000_000)), ("1_000ms", .constant(1_000_000_000)),
        ("1s..2s", .uniform(1_000_000_000, 2_000_000_000)), ("500ms .. 1.5s", .uniform(500_000_000, 1_500_000_000)),
        ("2s..2s", .constant(2_000_000_000)), ("{mean: 1s}", .exponential(mean: 1_000_000_000)),
        ("{median: 1s, p99: 2s}", .logNormal(median: 1_000_000_000, p99: 2_000_000_000)),
        (
            "{1s: 80%, 3s: 20%}",
            .weighted([.init(value: 1_000_000_000, weight: 4), .init(value: 3_000_000_000, weight: 1)])
        ),
    ])
    func readerReadsDurations(text: String, value: Distribution) throws {
        #expect(try think(text) == value)
    }

    @Test(arguments: [
        ("3", Distribution.constant(3)), ("1..4", .uniform(1, 4)), ("1_000", .constant(1_000)),
        ("{1: 80%, 2: 20%}", .weighted([.init(value: 1, weight: 4), .init(value: 2, weight: 1)])),
        (
            "{1: 0.5, 2: 0.25, 3: 1}",
            .weighted([.init(value: 1, weight: 2), .init(value: 2, weight: 1), .init(value: 3, weight: 4)])
        ),
        ("010", .constant(10)), ("{mean: 3}", .exponential(mean: 3)),
    ])
    func readerReadsCounts(text: String, value: Distribution) throws {
        #expect(try times(text) == value)
    }

    @Test(arguments: [
        ("500/s", 500, 1_000_000_000), ("30/m", 1, 2_000_000_000), ("10/h", 1, 360_000_000_000),
        ("0.5/s", 1, 2_000_000_000),
    ])
    func readerReadsRates(text: String, arrivals: Int64, period: Int64) throws {
        let load = "- {journey: j, executor: constant-arrival-rate, rate: \(text), for: 1m}"
        let rate = ArrivalRate(arrivals: arrivals, period: Span(nanoseconds: period))
        let schedule = try scenario(small(load: load)).load[0].executor.schedule
        #expect(schedule == .arrivals(.constant(rate, within: .minutes(1))))
    }

    @Test(arguments: [
        ("2.5%", 25_000_000), ("0.025", 25_000_000), ("0", 0), ("0%", 0), ("1", 1_000_000_000), ("100%", 1_000_000_000),
        ("33.3333333%", 333_333_333),
    ])
    func readerReadsShares(text: String, parts: Int) throws {
        let read = try scenario(small(extra: "network: {lose_request: \(text)}"))
        #expect(read.network[.lostRequest].partsPerBillion == parts)
    }

    @Test(arguments: [
        ("-3s", "'-3s' is negative in journeys.j[0].think | a duration is zero or more"),
        ("500d", "'500d' is longer than 400 days in journeys.j[0].think | at most 400d"),
        ("399d48h1s", "'399d48h1s' is longer than 400 days in journeys.j[0].think | at most 400d"),
        ("999999999999999999d", "'999999999999999999d' is longer than 400 days in journeys.j[0].think | at most 400d"),
        (
            "9999999999999999999s",
            """
            '9999999999999999999s' has too many digits in journeys.j[0].think | write at most 18 digits
            """
        ),
        ("soon", "'soon' is not a duration in journeys.j[0].think | \(durationHint)"),
        ("1s1m", "'1s1m' is not a duration in journeys.j[0].think | \(durationHint)"),
        ("1:30", "'1:30' is not a duration in journeys.j[0].think | \(durationHint)"),
        (".inf", "'.inf' is not a duration in journeys.j[0].think | \(durationHint)"),
        ("5", "'5' has no unit in journeys.j[0].think | did you mean '5s'? \(durationHint)"),
        ("5s..1s", "the range '5s..1s' ends before it begins in journeys.j[0].think | did you mean '1s..5s'?"),
        ("5s..", "a range without an end in journeys.j[0].think | ranges look like 1s..5s"),
        ("'5'", "'5' has no unit in journeys.j[0].think | did you mean '5s'? \(durationHint)"),
        ("", "expected a duration or a distribution in journeys.j[0].think, found nothing"),
        ("[1s]", "expected a duration or a distribution in journeys.j[0].think, found a list"),
        ("{}", "0 weights in journeys.j[0].think | at least one, at most 1000"),
        ("{median: 2s}", "missing key 'p99' in journeys.j[0].think | add 'p99: 1s'"),
        ("{median: 0, p99: 2s}", "the median in journeys.j[0].think is zero | write 0 for none at all"),
        (
            "{median: 2s, p99: 1s}",
            """
            p99 is below the median in journeys.j[0].think | 99 of 100 values are below p99, and only 50 below \
            the median
            """
        ),
        ("{meen: 2s}", "unknown key 'meen' in journeys.j[0].think | did you mean 'mean'?"),
        ("{1s: 0%, 2s: 0}", "the weights in journeys.j[0].think sum to zero | give one of them a weight"),
        ("{1s: -1, 2s: 0}", "'-1' is negative in journeys.j[0].think.1s | weights look like 80%, 0.8 or 4"),
        ("{1s: 10%, 1000ms: 5%}", "'1000ms' is listed twice in journeys.j[0].think"),
        (
            "{300d: 33.3333%, 1s: 66.6667%}",
            """
            the weights in journeys.j[0].think are too fine for values this large | use whole percents
            """
        ),
    ])
    func readerRefusesImpossibleDurations(text: String, problem: String) {
        let found = problems(small(step: "think: \(text)")).map { $0.message + ($0.hint.map { " | \($0)" } ?? "") }
        #expect(found == [problem])
    }

    @Test(arguments: [
        (
            "network: {lose_request: 5}",
            """
            '5' is more than the whole in network.lose_request | did you mean '5%'? shares look like 2.5% or \
            0.025
            """
        ),
        (
            "network: {lose_request: 101%}",
            """
            '101%' is more than the whole in network.lose_request | a share lies between 0% and 100%
            """
        ),
        (
            "network: {lose_request: 0.0000000001}",
            """
            '0.0000000001' is less than one in a billion in network.lose_request | write 0 for never
            """
        ),
        (
            "network: {offline: {share: 100%, for: 1s}}",
            """
            a device that is always offline can do nothing | write less than 100%
            """
        ),
        (
            "network: {offline: {share: 1%, for: 0s}}",
            """
            offline periods have no length | write a time longer than zero
            """
        ),
        (
            "network: {request_timeout: 0s}",
            """
            '0s' is zero in network.request_timeout | it must be longer than zero
            """
        ),
        ("seed: -1", "'-1' is not a seed in seed | a whole number from 0 to 18446744073709551615"),
        (
            "seed: 18446744073709551616",
            """
            '18446744073709551616' is not a seed in seed | a whole number from 0 to 18446744073709551615
            """
        ),
        ("clock: reel", "unknown 'reel' in clock | clocks: virtual, wall"),
        ("client: reverence", "unknown 'reverence' in client | did you mean 'reference'?"),
        (
            "client: {name: iap-manager, options: {retrys: 1}}",
            """
            unknown key 'retrys' in client.options | did you mean 'retries'?
            """
        ),
        ("client: {name: reference, options: {a: 1}}", "unknown key 'a' in client.options | there are no keys here"),
        (
            "client: {name: iap-manager, options: {verify: treu}}",
            "unknown 'treu' in client.options.verify | did you mean 'true'?"
        ),
        (
            "client: {name: iap-manager, options: {retries: 27}}",
            "unknown '27' in client.options.retries | values: 0, 3, many"
        ),
        (
            "client: {name: iap-manager, options: {retries: [3]}}",
            "expected one of 0, 3, many in client.options.retries, found a list"
        ),
        (
            "faults: {crash: {share: 1%, at: {effect: 0}}}",
            """
            '0' is out of range in faults.crash.at.effect | a whole number from 1 to 1_000_000
            """
        ),
        (
            "faults: {crash: {share: 1%, at: after_chrge}}",
            """
            unknown 'after_chrge' in faults.crash.at | did you mean 'after_charge'?
            """
        ),
        (
            "thresholds: {\"violations{rule:lost-purchas}\": count == 0}",
            "unknown rule 'lost-purchas' in thresholds | did you mean 'lost-purchase'?"
        ),
        ("thresholds: {purchase: count == 0}", "unknown metric 'purchase' in thresholds | did you mean 'purchases'?"),
        ("thresholds: {purchases: []}", "the list of thresholds in thresholds.purchases is empty"),
    ])
    func readerRefusesImpossibleSections(section: String, problem: String) {
        let found = problems(small(extra: section)).map { $0.message + ($0.hint.map { " | \($0)" } ?? "") }
        #expect(found == [problem])
    }

    @Test(arguments: [
        (
            "{journey: j, executor: at-once, users: 0}",
            """
            '0' is out of range in load[0].users | a whole number from 1 to 1_000_000_000
            """
        ),
        (
            "{journey: j, executor: at-once, users: 1.5}",
            """
            '1.5' is not a whole number in load[0].users | a whole number from 1 to 1_000_000_000
            """
        ),
        (
            "{journey: j, executor: at-once, users: 11}",
            """
            the load needs 11 users, and population.users is 10 | every entry needs its own users: raise \
            population.users, or lower users and max_users
            """
        ),
        (
            "{journey: j, executor: at-once, for: 1s}",
            """
            key 'for' in load[0] is not a key of this executor | keys of at-once: users
            """
        ),
        (
            "{journey: j, executor: at-once, users: '5'}",
            """
            expected a whole number in load[0].users, found the text "5" | write numbers without quotes
            """
        ),
        ("{journey: j, executor: at_once}", "unknown 'at_once' in load[0].executor | did you mean 'at-once'?"),
        ("{journey: i-do-not-exist, executor: at-once}", "unknown journey 'i-do-not-exist' in load[0] | journeys: j"),
        ("{journey: j, executor: constant-users}", "missing key 'for' in load[0] | add 'for: 30s'"),
        (
            "{journey: j, executor: constant-arrival-rate, rate: 0/s, for: 1s}",
            """
            at a rate of '0/s' no journey ever starts in load[0].rate | rates look like 500/s, 30/m or 10/h
            """
        ),
        (
            "{journey: j, executor: constant-arrival-rate, rate: 5/d, for: 1s}",
            """
            '5/d' is not a rate in load[0].rate | rates look like 500/s, 30/m or 10/h
            """
        ),
        (
            "{journey: j, executor: constant-arrival-rate, rate: 1_000/s, for: 400d}",
            """
            load[0] has too many arrivals: 34560000000 | at most 1_000_000_000
            """
        ),
        (
            "{journey: j, executor: per-user-rate, rate: 0/m, for: 1s}",
            """
            at a rate of '0/m' no journey ever starts in load[0].rate | rates look like 500/s, 30/m or 10/h
            """
        ),
        (
            "{journey: j, executor: per-user-rate, rate: 1_000/s, for: 400d}",
            """
            load[0] has too many arrivals: 34560000000 | at most 1_000_000_000
            """
        ),
        ("{journey: j, executor: per-user-rate, for: 1s}", "missing key 'rate' in load[0] | add 'rate: 30/s'"),
        (
            "{journey: j, executor: per-user-rate, rate: 6/m, for: 1s, max_users: 3}",
            """
            key 'max_users' in load[0] is not a key of this executor | keys of per-user-rate: users, rate, for
            """
        ),
        (
            "{journey: j, executor: per-user-iterations, iterations: 1_000_001}",
            """
            '1_000_001' is out of range in load[0].iterations | a whole number from 1 to 1_000_000
            """
        ),
        ("{journey: j, executor: shared-iterations}", "missing key 'iterations' in load[0] | add 'iterations: 10'"),
        (
            "{journey: j, executor: shared-iterations, iterations: 2_000_000_000}",
            """
            '2_000_000_000' is out of range in load[0].iterations | a whole number from 1 to 1_000_000_000
            """
        ),
        ("{journey: j, executor: ramping-users}", "missing key 'stages' in load[0] | add 'stages: …'"),
        (
            "{journey: j, executor: ramping-users, users: 3, stages: [{over: 1s, to: 3}]}",
            """
            key 'users' in load[0] is not a key of this executor | 'stages' sets that here: each stage reaches a \
            number of users, or a rate, over a time; keys of ramping-users: start_users, stages
            """
        ),
        (
            "{journey: j, executor: ramping-users, stages: [{over: 1s, to: 5/s}]}",
            """
            '5/s' is not a whole number in load[0].stages[0].to | a whole number from 0 to 1_000_000_000
            """
        ),
        (
            "{journey: j, executor: ramping-users, stages: [{over: 1s, to: 0}, {over: 0s, to: 4}]}",
            """
            with these stages load[0] never has a user | set start_users, or a stage longer than 0s, to a number above 0
            """
        ),
        (
            "{journey: j, executor: ramping-users, stages: [{over: 1s, to: 11}]}",
            """
            the load needs 11 users, and population.users is 10 | every entry needs its own users: raise \
            population.users, or lower users and max_users
            """
        ),
        (
            "{journey: j, name: a b, executor: at-once}",
            """
            'a b' cannot be a name in load[0].name | letters, digits, - and _, at most 64
            """
        ),
    ])
    func readerRefusesImpossibleLoad(entry: String, problem: String) {
        let found = problems(small(load: "- \(entry)")).map { $0.message + ($0.hint.map { " | \($0)" } ?? "") }
        #expect(found == [problem])
    }
}

private let durationHint = "durations look like 150ms, 3s, 1m30s or 30d; units: us ms s m h d"
