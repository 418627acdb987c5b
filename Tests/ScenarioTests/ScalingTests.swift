// The same scenario for more or fewer users: proportions hold, and nobody is invented or lost.

import Metrics
import Scenario
import Simulation
import Testing

@Suite struct ScalingTests {
    @Test(arguments: [4, 5, 7, 99, 1_000, 50_000, 100_000, 123_457, 1_000_000])
    func scalingDividesUsersInProportion(users: Int) throws {
        let original = try scenario(validText)
        let scaled = try original.scaled(toUsers: users)
        #expect(scaled.population.users == users)
        // All users of the original are taken, so all of the copy's are.
        #expect(scaled.load.map(\.users).reduce(0, +) == users)
        for (entry, before) in zip(scaled.load, original.load) {
            #expect(entry.users >= 1)
            if users >= 1_000 { #expect(abs(entry.users * 100_000 - before.users * users) <= 100_000) }
        }
    }

    @Test func scalingKeepsUnassignedUsersFree() throws {
        let original = try scenario(small(load: "- {journey: j, executor: at-once, users: 5}"))
        #expect(try original.scaled(toUsers: 1_000).load.map(\.users) == [500])
        #expect(try original.scaled(toUsers: 1).load.map(\.users) == [1])
    }

    @Test func scalingChangesArrivalRatesExactly() throws {
        let scaled = try scenario(validText).scaled(toUsers: 30_000)
        let rate = ArrivalRate(arrivals: 15, period: .seconds(1))
        #expect(scaled.load[0].executor.schedule == .arrivals(.constant(rate, within: .minutes(2))))
        #expect(scaled.load[1].executor.schedule == .repeating(times: .max, within: .minutes(10)))
    }

    @Test func scalingChangesSharedIterationsAndUserRamps() throws {
        let shared = try scenario(small(load: "- {journey: j, executor: shared-iterations, iterations: 25}"))
        let more = try shared.scaled(toUsers: 40).load[0].executor.schedule
        #expect(more == .shared(iterations: 100, within: .minutes(10)))
        let back = try shared.scaled(toUsers: 40).scaled(toUsers: 10)
        #expect(back.load[0].executor.schedule == shared.load[0].executor.schedule)
        let ramp = try scenario(
            small(load: "- {journey: j, executor: ramping-users, start_users: 1, stages: [{over: 1m, to: 5}]}"))
        let half = UserRamp(startUsers: 1, stages: [.init(over: .minutes(1), to: 5)])
        #expect(ramp.load[0].users == 5 && ramp.load[0].executor.schedule == .ramp(half))
        #expect(try ramp.scaled(toUsers: 40).load[0].users == 20)
    }

    // What each user does stays the same.
    @Test func scalingKeepsPerUserRates() throws {
        let own = try scenario(small(load: "- {journey: j, executor: per-user-rate, rate: 6/m, for: 1m}"))
        let rate = ArrivalRate(arrivals: 1, period: .seconds(10))
        for users in [1, 10, 1_000] {
            let scaled = try own.scaled(toUsers: users)
            #expect(scaled.load[0].users == users)
            #expect(scaled.load[0].executor.schedule == .timetables(rate, within: .minutes(1)))
        }
    }

    @Test func scalingThereAndBackChangesNothing() throws {
        let original = try scenario(validText)
        let back = try original.scaled(toUsers: 700_000).scaled(toUsers: 100_000)
        #expect(back.load.map(\.users) == original.load.map(\.users))
        #expect(back.load.map(\.executor.schedule) == original.load.map(\.executor.schedule))
        #expect(back.population == original.population)
    }

    // However often it is scaled: by what the file says, and not by what was made of it.
    @Test func scaledThresholdsFitTheUserCount() throws {
        let original = try scenario(small(extra: "thresholds: {purchases: count > 15, crashes: count < 15}"))
        func inForce(_ scenario: Scenario) -> [String] {
            scenario.thresholdsInForce(for: "reference").dropFirst().map(\.source)
        }
        let users = original.population.users
        #expect(inForce(original) == ["count > 15", "count < 15"])
        let twice = try original.scaled(toUsers: users / 2).scaled(toUsers: users * 2)
        #expect(inForce(twice) == ["count > 30", "count < 30"])
        #expect(inForce(try twice.scaled(toUsers: users)) == ["count > 15", "count < 15"])
    }

    @Test func scalingRefusesTooFewAndTooManyUsers() throws {
        let original = try scenario(validText)
        #expect(throws: ScalingProblem.fewerUsersThanEntries(users: 3, entries: 4)) { try original.scaled(toUsers: 3) }
        #expect(throws: ScalingProblem.fewerUsersThanEntries(users: -1, entries: 4)) {
            try original.scaled(toUsers: -1)
        }
        #expect(throws: ScalingProblem.tooManyUsers(1_000_000_001)) { try original.scaled(toUsers: 1_000_000_001) }
    }

    // Rates that do not divide a second evenly are the ones that would drift.
    @Test(arguments: [1, 3, 7, 999_983] as [Int64])
    func arrivalsDoNotDrift(perSecond: Int64) {
        let rate = ArrivalRate(arrivals: perSecond, period: .seconds(1))
        #expect(rate.start(of: Int(perSecond) * 1_000) == .seconds(1_000))
        #expect(rate.arrivals(within: .seconds(1_000)) == Int(perSecond) * 1_000)
        #expect(rate.arrivals(within: .zero) == 0)
        #expect(rate.arrivals(within: Span(nanoseconds: 1)) == 1)
    }

    @Test func extremeRatesScaleWithoutOverflow() {
        var rate = ArrivalRate(arrivals: 9_999_991, period: Span(nanoseconds: 3_599_999_999_999))
        for _ in 0..<50 { rate = rate.scaled(by: 99_999_989, over: 99_999_971) }
        #expect(abs(rate.perSecond / 2_777.775 - 1) < 0.001)
    }
}
