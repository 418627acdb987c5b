// When users begin their journeys, how often, and what is dropped.

import Engine
import Foundation
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct ExecutorTests {
    private func perform(
        _ steps: [String], users: Int, load: String, answers: String = "at_once"
    ) throws -> (notebook: Notebook, result: RunResult) {
        let notebook = Notebook()
        let scenario = try Scenario.journey(steps, users: users, load: load)
        let options = notebook.options.merging(["answers": answers]) { first, _ in first }
        return (notebook, run(scenario, RecordingClient.self, options: options))
    }

    @Test(arguments: ["0s", "90s"])
    func atOnceMeansTheSameInstant(startAfter: String) throws {
        let (notebook, result) = try perform(
            ["restore"], users: 300, load: "executor: at-once, start_after: \(startAfter)")
        let starts = notebook.starts(of: "restore")
        #expect(starts.count == 300)
        #expect(Set(starts) == [Instant.start + (startAfter == "0s" ? .zero : .seconds(90))])
        #expect(result.count(.iterations) == 300)
    }

    @Test(arguments: [(1, 1), (7, 3), (100, 2)])
    func everyUserIteratesAsOftenAsAsked(users: Int, iterations: Int) throws {
        let (notebook, result) = try perform(
            ["restore", "think: 1s"], users: users,
            load: "executor: per-user-iterations, iterations: \(iterations), max_duration: 1h")
        #expect(result.count(.iterations) == users * iterations)
        for user in 0..<users {
            #expect(notebook.lines.count { $0.user == user && $0.text == "restore" } == iterations)
        }
    }

    // Begun at 0, 2, 4 s; the one at 6 s would be too late.
    @Test func noIterationBeginsAfterTheLongestDuration() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 2s"], users: 1,
            load: "executor: per-user-iterations, iterations: 100, max_duration: 5s")
        #expect(notebook.starts(of: "restore").map(\.nanoseconds) == [0, 2_000_000_000, 4_000_000_000])
        #expect(result.count(.iterations) == 3)
    }

    @Test func constantUsersGoOnUntilTheirTimeIsUp() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 1s"], users: 5, load: "executor: constant-users, for: 10s, start_after: 3s")
        #expect(result.count(.iterations) == 50)
        let starts = notebook.starts(of: "restore")
        #expect(starts.min() == .start + .seconds(3) && starts.max() == .start + .seconds(12))
        #expect(result.simulatedDuration == .seconds(13))
    }

    // A journey that takes no time must neither hang the run nor grow the stack; it ends where time does not pass.
    @Test func journeyWithoutDurationStillIterates() throws {
        let (_, result) = try perform(
            ["restore"], users: 1, load: "executor: per-user-iterations, iterations: 20000, max_duration: 1h")
        #expect(result.count(.iterations) == 20_000)
    }

    // The plan is a closed form: rate and duration say when each arrival is, whatever becomes of earlier ones.
    @Test(arguments: [("7/s", 3), ("1/s", 10), ("90/m", 4), ("333/s", 1)])
    func arrivalsStartWhenTheRateSays(rate: String, seconds: Int) throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["restore", "think: 1h"], users: 600,
            load: "executor: constant-arrival-rate, rate: \(rate), for: \(seconds)s, start_after: 2s")
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        guard case .constantArrivalRate(let planned, let duration) = scenario.load[0].executor else {
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
    @Test(arguments: [1, 9])
    func rampedArrivalsStartWhenTheirIntegralSays(cells: Int) throws {
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
        guard case .rampingArrivalRate(let ramp) = scenario.load[0].executor else {
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

    @Test func rampedArrivalsComeUnderTheWallClockToo() throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["restore"], users: 50,
            load: "executor: ramping-arrival-rate, start_rate: 100/s, stages: [{over: 200ms, to: 0/s}]",
            sections: ["clock: wall"])
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        #expect(result.count(.iterations) + result.count(.droppedIterations) == 10)
        #expect(notebook.starts(of: "restore").count == result.count(.iterations) && result.unjudgedUsers == 0)
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

    @Test func loadEntriesTakeUsersOfTheirOwn() throws {
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
