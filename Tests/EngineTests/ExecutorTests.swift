// When users begin their journeys, how often, and what is dropped.

import Engine
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct ExecutorTests {
    private func perform(
        _ steps: [String], users: Int, load: String, answers: String = "at_once", sections: [String] = []
    ) throws -> (notebook: Notebook, result: RunResult) {
        let notebook = Notebook()
        let scenario = try Scenario.journey(steps, users: users, load: load, sections: sections)
        let options = notebook.options.merging(["answers": answers]) { first, _ in first }
        return (notebook, run(scenario, RecordingClient.self, options: options))
    }

    @Test(arguments: ["0s", "90s"])
    func atOnceStartsEveryUserInOneInstant(startAfter: String) throws {
        let (notebook, result) = try perform(
            ["restore"], users: 300, load: "executor: at-once, start_after: \(startAfter)")
        let starts = notebook.starts(of: "restore")
        #expect(starts.count == 300)
        #expect(Set(starts) == [Instant.start + (startAfter == "0s" ? .zero : .seconds(90))])
        #expect(result.count(.iterations) == 300)
    }

    @Test(arguments: [(1, 1), (7, 3), (100, 2)])
    func perUserIterationsRunsEachUserThatOften(users: Int, iterations: Int) throws {
        let (notebook, result) = try perform(
            ["restore", "think: 1s"], users: users,
            load: "executor: per-user-iterations, iterations: \(iterations), max_duration: 1h")
        #expect(result.count(.iterations) == users * iterations)
        for user in 0..<users {
            #expect(notebook.lines.count { $0.user == user && $0.text == "restore" } == iterations)
        }
    }

    // Begun at 0, 2, 4 s; the one at 6 s would be too late.
    @Test func noIterationStartsAfterMaxDuration() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 2s"], users: 1,
            load: "executor: per-user-iterations, iterations: 100, max_duration: 5s")
        #expect(notebook.starts(of: "restore").map(\.nanoseconds) == [0, 2_000_000_000, 4_000_000_000])
        #expect(result.count(.iterations) == 3)
    }

    @Test func constantUsersIterateUntilTheirTimeIsUp() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 1s"], users: 5, load: "executor: constant-users, for: 10s, start_after: 3s")
        #expect(result.count(.iterations) == 50)
        let starts = notebook.starts(of: "restore")
        #expect(starts.min() == .start + .seconds(3) && starts.max() == .start + .seconds(12))
        #expect(result.simulatedDuration == .seconds(13))
    }

    // A journey that takes no time must neither hang the run nor grow the stack; it ends where time does not pass.
    @Test func journeyThatTakesNoTimeStillIterates() throws {
        let (_, result) = try perform(
            ["restore"], users: 1, load: "executor: per-user-iterations, iterations: 3000, max_duration: 1h")
        #expect(result.count(.iterations) == 3_000)
    }

    // Purchases that take no time, for so long as time does not pass: told, instead of gone through for ever.
    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            ("executor: constant-users, for: 10s", "buy: extra_lives"),
            ("executor: shared-iterations, iterations: 1000000, max_duration: 1s", "buy: extra_lives"),
            ("executor: at-once", "repeat: {times: 1000000, steps: [{buy: extra_lives}]}"),
        ])
    func journeyWithoutTimeAndEndIsStopped(load: String, step: String) throws {
        let result = run(try Scenario.journey([step], users: 1, load: load))
        #expect(result.collector.spinningUsers == 1 && result.unjudgedUsers == 0)
        #expect(result.count(.purchases) > 1_000)
    }

    // However many answers without time, a program that has an end comes to it.
    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            ("executor: at-once", "repeat: {times: 8000, steps: [fetch_products]}"),
            ("executor: per-user-iterations, iterations: 8000", "fetch_products"),
        ])
    func longJourneyThatTakesNoTimeCompletes(load: String, step: String) throws {
        let result = run(try Scenario.journey([step], users: 1, load: load, sections: ["network: {latency: 0s}"]))
        #expect(result.collector.spinningUsers == 0 && result.violations.isEmpty)
        #expect(result.count(.productsFetches) == 8_000)
    }

    // Two users who take 1 s each have done 7 after 4 s; more than are needed stay out of it.
    @Test(arguments: [(2, 7, 4), (7, 7, 1), (9, 7, 1), (1, 3, 3)])
    func usersShareIterations(users: Int, iterations: Int, seconds: Int64) throws {
        let (notebook, result) = try perform(
            ["restore", "think: 1s"], users: users,
            load: "executor: shared-iterations, iterations: \(iterations), start_after: 5s")
        let starts = notebook.starts(of: "restore").sorted()
        #expect(starts == (0..<iterations).map { .start + .seconds(5 + Int64($0 / users)) })
        #expect(result.count(.iterations) == iterations && result.count(.droppedIterations) == 0)
        #expect(result.simulatedDuration == .seconds(5 + seconds))
        #expect(result.unjudgedUsers == 0, "users whom no iteration needed are not missed")
    }

    // Begun at 0, 2, 4 s by each of two; the other 94 come too late, and are told.
    @Test func sharedIterationsAfterMaxDurationAreDropped() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 2s"], users: 2,
            load: "executor: shared-iterations, iterations: 100, max_duration: 5s")
        #expect(notebook.starts(of: "restore").map(\.nanoseconds).max() == 4_000_000_000)
        #expect(result.count(.iterations) == 6 && result.count(.droppedIterations) == 94)
    }

    @Test(arguments: [("virtual", 5_001), ("virtual", 70), ("wall", 60)])
    func cellsDivideAllSharedIterations(clock: String, iterations: Int) throws {
        let users = clock == "wall" ? 25 : 3 * CellPlan.usersPerCell - 1
        let scenario = try Scenario.journey(
            ["restore"], users: users, load: "executor: shared-iterations, iterations: \(iterations)",
            sections: ["clock: \(clock)"])
        #expect(clock == "wall" || CellPlan(scenario).cellCount == 3)
        let results = [1, 2].map { run(scenario, RecordingClient.self, options: ["answers": "at_once"], workers: $0) }
        for result in results {
            #expect(result.count(.iterations) == iterations && result.count(.droppedIterations) == 0)
            #expect(result.unjudgedUsers == 0)
        }
    }

    // 0 to 4 users in 8 s, 4 for 2 s, to 0 in 8 s: user k comes when the ramp is at k + 1/2, at 1, 3, 5, 7 s, and begins
    // nothing once it is below that again, after 17, 15, 13, 11 s. A journey takes 750 ms, and is ended.
    @Test(arguments: [4, 40])
    func rampingUsersStartAndEndWithTheRamp(users: Int) throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["restore", "think: 750ms"], users: 4,
            load: "executor: ramping-users, start_after: 1m, "
                + "stages: [{over: 8s, to: 4}, {over: 2s, to: 4}, {over: 8s, to: 0}]"
        ).scaled(toUsers: users)
        #expect(CellPlan(scenario).cellCount == (users > CellPlan.usersPerCellAlone ? 2 : 1))
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        let lives = Dictionary(grouping: notebook.lines.filter { $0.text == "restore" }, by: \.user).values
        let begins = lives.compactMap { $0.map(\.at).min() }.sorted()
        // User k of n comes at (k + 1/2) 8 s / n.
        let step = Span.seconds(8).nanoseconds / Int64(users)
        let expected = (0..<users).map { Span(nanoseconds: Int64($0) * step + step / 2) }
        #expect(begins == expected.map { .start + .minutes(1) + $0 })
        for life in lives {
            let times = life.map(\.at.nanoseconds).sorted()
            let begin = times[0] - 60_000_000_000
            let end = 18_000_000_000 - begin
            // Once every 750 ms as long as the user is at it, the instant at which the ramp reaches it included.
            #expect(times.count == Int((end - begin) / 750_000_000) + 1)
        }
        #expect(result.count(.iterations) == lives.reduce(0) { $0 + $1.count } && result.unjudgedUsers == 0)
    }

    // A jump to three, at once to none, and after 10 s to two again; the first journeys outlast the gap's beginning.
    @Test func rampingUsersReturnWhenTheRampRises() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 3s"], users: 3,
            load: "executor: ramping-users, start_users: 3, stages: [{over: 4s, to: 3}, {over: 0s, to: 0}, "
                + "{over: 10s, to: 0}, {over: 0s, to: 2}, {over: 3s, to: 2}]")
        #expect(
            notebook.starts(of: "restore").sorted().map(\.nanoseconds)
                == [0, 0, 0, 3, 3, 3, 14, 14].map { $0 * 1_000_000_000 })
        #expect(result.count(.iterations) == 8)
        let again = notebook.lines.filter { $0.text == "restore" && $0.at == .start + .seconds(14) }.map(\.user)
        #expect(again.sorted() == [0, 1])
    }

    @Test func rampingUsersFollowTheRampUnderTheWallClock() throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["restore", "think: 20ms"], users: 5,
            load: "executor: ramping-users, stages: [{over: 200ms, to: 5}, {over: 100ms, to: 0}]",
            sections: ["clock: wall"])
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        let restores = notebook.lines.filter { $0.text == "restore" }
        // However late the machine is, everyone has come, and nobody before it was time.
        #expect(Set(restores.map(\.user)) == Set(0..<5))
        for user in 0..<5 {
            let begin = restores.filter { $0.user == user }.map(\.at).min()
            #expect(begin.map { $0 >= .start + .milliseconds(20 + 40 * Int64(user)) } == true, "user \(user)")
        }
        #expect(restores.count == result.count(.iterations))
        #expect(result.unjudgedUsers == 0)
    }

    // The plan is a closed form: rate and duration say when each arrival is, whatever becomes of earlier ones.
    @Test(arguments: [("7/s", 3), ("1/s", 10), ("90/m", 4), ("333/s", 1)])
    func arrivalsStartAtTheTimesOfTheRate(rate: String, seconds: Int) throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["restore", "think: 1h"], users: 600,
            load: "executor: constant-arrival-rate, rate: \(rate), for: \(seconds)s, start_after: 2s")
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        guard case .arrivals(.constant(let planned, let duration)) = scenario.load[0].executor.schedule else {
            Issue.record("the executor was read as something else")
            return
        }
        let count = planned.arrivals(within: duration)
        let expected = (0..<count).map { Instant.start + .seconds(2) + planned.start(of: $0) }
        #expect(notebook.starts(of: "restore").sorted() == expected)
        #expect(result.count(.iterations) == count && result.count(.droppedIterations) == 0)
        #expect(result.unjudgedUsers == 0, "users whom no arrival needed are not missed")
    }

    // 0 to 20/s in 10 s and back: arrival k of the first hundred comes after √k seconds. Under either clock and on any
    // number of cells the starts are the whole plan.
    @Test(arguments: [1, 3])
    func rampedArrivalsStartAtTheTimesOfTheRamp(cells: Int) throws {
        let notebook = Notebook()
        var scenario = try Scenario.journey(
            ["restore", "think: 1h"], users: 600,
            load: "executor: ramping-arrival-rate, start_after: 2s, "
                + "stages: [{over: 10s, to: 20/s}, {over: 5s, to: 20/s}, {over: 10s, to: 0/s}]")
        if cells > 1 {
            scenario.store.conditions.capacity = StoreCapacity(
                workers: cells * CellPlan.workersPerCellMin, serviceTime: .constant(1), queueLimit: 10_000)
            scenario = try scenario.scaled(toUsers: cells * CellPlan.usersPerCell)
        }
        #expect(CellPlan(scenario).cellCount == cells)
        guard case .arrivals(.ramping(let ramp)) = scenario.load[0].executor.schedule else {
            Issue.record("the executor was read as something else")
            return
        }
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        let starts = notebook.starts(of: "restore").sorted()
        #expect(starts == (0..<ramp.arrivals).map { Instant.start + .seconds(2) + ramp.start(of: $0) })
        #expect(result.count(.iterations) == 300 * scenario.population.users / 600)
        #expect(result.count(.droppedIterations) == 0 && result.unjudgedUsers == 0)
        if cells == 1 {
            for second in 0..<10 { #expect(starts[second * second] == .start + .seconds(2 + Int64(second))) }
        }
    }

    @Test func rampedArrivalsAreAllCountedUnderTheWallClock() throws {
        let (notebook, result) = try perform(
            ["restore"], users: 50,
            load: "executor: ramping-arrival-rate, start_rate: 100/s, stages: [{over: 200ms, to: 0/s}]",
            sections: ["clock: wall"])
        #expect(result.count(.iterations) + result.count(.droppedIterations) == 10)
        #expect(notebook.starts(of: "restore").count == result.count(.iterations) && result.unjudgedUsers == 0)
    }

    // Ten arrivals in a microsecond: the load's time is over before the machine has come round to the first.
    @Test func lateArrivalsAreStartedOrDropped() throws {
        let (_, result) = try perform(
            ["restore"], users: 100,
            load: "executor: constant-arrival-rate, start_after: 20ms, rate: 10000000/s, for: 1us",
            sections: ["clock: wall"])
        #expect(result.count(.iterations) + result.count(.droppedIterations) == 10)
        #expect(result.unjudgedUsers == 0)
    }

    // Three users, two seconds each: of ten arrivals a second apart a third user is never needed at all.
    @Test(arguments: [(1, 5, 5), (2, 10, 0), (3, 10, 0)])
    func arrivalsWithoutAFreeUserAreDropped(users: Int, started: Int, dropped: Int) throws {
        let (_, result) = try perform(
            ["restore", "think: 1900ms"], users: users,
            load: "executor: constant-arrival-rate, rate: 1/s, for: 10s, max_users: \(users)")
        #expect(result.count(.iterations) == started)
        #expect(result.count(.droppedIterations) == dropped)
    }

    @Test func loadEntriesTakeSeparateUsers() throws {
        let notebook = Notebook()
        let scenario = try Scenario.text(
            """
            name: Two
            store: {catalog: shop.storekit}
            population: {users: 10}
            load:
              - {journey: a, executor: at-once, users: 4}
              - {journey: b, executor: at-once, start_after: 5s}
            journeys: {a: [restore], b: [fetch_products]}

            """)
        _ = run(scenario, RecordingClient.self, options: notebook.options)
        let restorers = Set(notebook.lines.filter { $0.text == "restore" }.map(\.user))
        let fetchers = Set(notebook.lines.filter { $0.text == "fetch all" }.map(\.user))
        #expect(restorers.count == 4 && fetchers.count == 6 && restorers.isDisjoint(with: fetchers))
        #expect(Set(notebook.starts(of: "fetch all")) == [.start + .seconds(5)])
    }
}
