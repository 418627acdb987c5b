// Arrivals of a rate that rises and falls, against the closed form of its integral.

import Scenario
import Simulation
import Testing
import Text

@Suite struct ArrivalRampTests {
    private func ramp(_ keys: String) throws -> ArrivalRamp {
        let load = "- {journey: j, executor: ramping-arrival-rate, \(keys)}"
        guard case .arrivals(.ramping(let ramp)) = try scenario(small(load: load)).load[0].executor.schedule else {
            throw NotARamp()
        }
        return ramp
    }

    private struct NotARamp: Error {}

    // From 0 to r in l seconds arrival k comes after l √(2k / rl); squares compare without a root.
    @Test(arguments: [("10/s", 10, 10), ("7/s", 7, 3), ("100_000/s", 100_000, 2), ("1/s", 1, 3_600)])
    func risingArrivalsFollowTheRoot(rate: String, perSecond: Int128, seconds: Int128) throws {
        let ramp = try ramp("stages: [{over: \(seconds)s, to: \(rate)}]")
        #expect(ramp.arrivals == Int((perSecond * seconds + 1) / 2))
        let square = { (time: Int128) in time * time * perSecond }
        for index in stride(from: 0, to: ramp.arrivals, by: max(1, ramp.arrivals / 500)) {
            let start = Int128(ramp.start(of: index).nanoseconds)
            let exact = 2 * Int128(index) * seconds * 1_000_000_000_000_000_000
            #expect(square(start) <= exact && square(start + 1) > exact, "arrival \(index)")
        }
    }

    // What falls is what rises, seen from the end: near it arrivals are far apart, and just as exact.
    @Test func fallingArrivalsMirrorRisingOnes() throws {
        let falling = try ramp("start_rate: 20/s, stages: [{over: 10s, to: 0/s}]")
        let rising = try ramp("stages: [{over: 10s, to: 20/s}]")
        #expect(falling.arrivals == 100)
        for index in 1..<100 {
            let mirrored = Span.seconds(10) - rising.start(of: 100 - index)
            let rounding = mirrored - falling.start(of: index)
            #expect((0...1).contains(rounding.nanoseconds), "arrival \(index)")
        }
    }

    // 0 to 10/s in 2 s: 10 arrivals; 10/s for 3 s: 30; none for 5 s; back to 10/s at once for 1 s: 10.
    @Test func rampStagesFollowOneAnother() throws {
        let ramp = try ramp(
            "stages: [{over: 2s, to: 10/s}, {over: 3s, to: 600/m}, {over: 0s, to: 0/s}, {over: 5s, to: 0/s}, "
                + "{over: 0s, to: 10/s}, {over: 1s, to: 10/s}]")
        #expect(ramp.arrivals == 50 && ramp.duration == .seconds(11))
        #expect(ramp.start(of: 0) == .zero)
        #expect(ramp.start(of: 10) == .seconds(2))
        #expect(ramp.start(of: 25) == .milliseconds(3_500))
        #expect(ramp.start(of: 39) == .milliseconds(4_900))
        // The fortieth would fall on the quiet stretch, and comes after it.
        #expect(ramp.start(of: 40) == .seconds(10))
        #expect(ramp.start(of: 49) == .milliseconds(10_900))
    }

    @Test(arguments: ["7/s", "90/m", "0.3/s", "999_983/s"])
    func levelRampIsAConstantRate(rate: String) throws {
        let ramp = try ramp("start_rate: \(rate), stages: [{over: 40s, to: \(rate)}, {over: 20s, to: \(rate)}]")
        let load = "- {journey: j, executor: constant-arrival-rate, rate: \(rate), for: 1m}"
        guard
            case .arrivals(.constant(let constant, let duration)) = try scenario(small(load: load)).load[0].executor
                .schedule
        else { throw NotARamp() }
        #expect(ramp.arrivals == constant.arrivals(within: duration) && ramp.duration == duration)
        for index in stride(from: 0, to: ramp.arrivals, by: max(1, ramp.arrivals / 1_000)) {
            #expect(ramp.start(of: index) == constant.start(of: index), "arrival \(index)")
        }
    }

    // The largest ramp there may be, for the most users, and 400 days: products take nearly all of 127 bits.
    @Test func extremeRampsStayExact() throws {
        let high = try ramp("stages: [{over: 100s, to: 10_000_000/s}, {over: 100s, to: 0/s}]")
        #expect(high.arrivals == 1_000_000_000)
        let scaled = high.scaled(by: 1_000_000_000, over: 10)
        #expect(scaled.arrivals == 100_000_000_000_000_000)
        #expect(scaled.start(of: 50_000_000_000_000_000) == .seconds(100))
        #expect(scaled.start(of: 12_500_000_000_000_000) == .seconds(50))
        let long = try ramp("start_rate: 57/s, stages: [{over: 400d, to: 0.000001/h}]")
        var last = Span(nanoseconds: -1)
        for index in stride(from: 0, to: long.arrivals, by: long.arrivals / 1_000) {
            let start = long.start(of: index)
            #expect(start > last && start < long.duration)
            last = start
        }
    }

    @Test func scalingChangesRampRatesExactly() throws {
        let original = try scenario(
            small(load: "- {journey: j, executor: ramping-arrival-rate, stages: [{over: 9s, to: 20/s}]}"))
        let more = try original.scaled(toUsers: 70)
        let wanted = try ramp("stages: [{over: 9s, to: 140/s}]")
        guard case .arrivals(.ramping(let scaled)) = more.load[0].executor.schedule else { throw NotARamp() }
        #expect(scaled.arrivals == wanted.arrivals)
        #expect((0..<wanted.arrivals).allSatisfy { scaled.start(of: $0) == wanted.start(of: $0) })
        let back = try more.scaled(toUsers: 10)
        #expect(back.load[0].executor.schedule == original.load[0].executor.schedule)
    }

    @Test(arguments: [
        ("max_users: 3", "missing key 'stages' in load[0] | add 'stages: …'"),
        ("stages: []", "the list of stages in load[0].stages is empty"),
        ("stages: 5/s", "expected a list of stages in load[0].stages, found '5/s' | write [5/s]"),
        ("stages: [{to: 5/s}]", "missing key 'over' in load[0].stages[0] | add 'over: 1m'"),
        (
            "stages: [{over: 1s, to: 5/s, form: 2/s}]",
            "unknown key 'form' in load[0].stages[0] | keys here: over, to"
        ),
        (
            "stages: [{over: 1s, to: 5}]",
            "'5' has no unit in load[0].stages[0].to | did you mean '5/s'? rates look like 500/s, 30/m or 10/h"
        ),
        (
            "start_rate: -5/s, stages: [{over: 1s, to: 5/s}]",
            "'-5/s' is negative in load[0].start_rate | rates look like 500/s, 30/m or 10/h"
        ),
        (
            "stages: [{over: 1s, to: 0.0000001/s}]",
            "'0.0000001/s' is less than one in a million in load[0].stages[0].to | rates look like 500/s, 30/m or 10/h"
        ),
        (
            "stages: [{over: 1s, to: 0/s}, {over: 0s, to: 5/s}]",
            "at these rates no journey ever starts in load[0] | set start_rate, or a stage longer than 0s, to a rate above 0/s"
        ),
        (
            "stages: [{over: 399d, to: 1/h}, {over: 2d, to: 0/h}]",
            "the stages in load[0].stages are together longer than 400 days | make some shorter"
        ),
        (
            "stages: [{over: 400d, to: 1_000/s}]",
            "load[0] has too many arrivals: 17280000000 | at most 1_000_000_000"
        ),
        (
            "rate: 5/s, stages: [{over: 1s, to: 5/s}]",
            """
            key 'rate' in load[0] is not a key of this executor | did you mean 'start_rate'?; keys of \
            ramping-arrival-rate: start_rate, stages, max_users
            """
        ),
    ])
    func impossibleRampsAreRefused(keys: String, problem: String) {
        let found = problems(small(load: "- {journey: j, executor: ramping-arrival-rate, \(keys)}"))
        #expect(found.map { $0.message + ($0.hint.map { " | \($0)" } ?? "") } == [problem])
        #expect(found.allSatisfy { $0.line == 5 && $0.column > 5 || $0.message.hasPrefix("missing") })
    }
}
