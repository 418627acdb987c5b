// Entries that wait for others, that break journeys off, and whose users carry tags.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct LoadEntryTests {
    private func scenario(_ load: [String], users: Int, clock: String = "virtual") throws -> Scenario {
        try .text(
            """
            name: Entries
            clock: \(clock)
            store: {catalog: shop.storekit}
            population: {users: \(users)}
            load:
            \(load.map { "  - {\($0)}" }.joined(separator: "\n"))
            journeys:
              first: [{think: 300ms}, restore, {think: 700ms}]
              second: [fetch_products]

            """)
    }

    private func perform(
        _ scenario: Scenario, workers: Int = 1
    ) -> (notebook: Notebook, result: RunResult) {
        let notebook = Notebook()
        let options = notebook.options.merging(["answers": "at_once"]) { $1 }
        return (notebook, run(scenario, RecordingClient.self, options: options, workers: workers))
    }

    // Two rounds of a second each, then the pause, then everybody else.
    @Test(arguments: [("virtual", 2), ("virtual", 70), ("wall", 2)])
    func afterEntryStartsWhenItsPredecessorEnds(clock: String, users: Int) throws {
        let scenario = try scenario(
            [
                "journey: first, executor: per-user-iterations, iterations: 2, users: \(users)",
                "journey: second, executor: at-once, after: first, start_after: 500ms",
            ], users: 3 * users, clock: clock)
        let (notebook, result) = perform(scenario)
        let starts = notebook.starts(of: "fetch all")
        #expect(starts.count == 2 * users && result.unjudgedUsers == 0)
        if clock == "virtual" {
            #expect(Set(starts) == [.start + .milliseconds(2_500)])
        } else {
            #expect(starts.allSatisfy { $0 >= .start + .milliseconds(2_500) })
        }
    }

    // Whoever waits has somebody to wait for in each cell.
    @Test func everyCellOfAnAfterEntryHoldsAPredecessor() throws {
        let scenario = try scenario(
            [
                "journey: first, executor: at-once, users: 2",
                "journey: second, executor: at-once, after: first",
            ], users: 500)
        #expect(CellPlan(scenario).cellCount == 2)
        let (notebook, _) = perform(scenario)
        #expect(Set(notebook.starts(of: "fetch all")) == [.start + .seconds(1)])
    }

    // A chain over arrivals and shared iterations: users whom nothing was left for end too.
    @Test func chainOfEntriesRunsOverAllExecutors() throws {
        let scenario = try scenario(
            [
                "journey: first, executor: shared-iterations, iterations: 3, users: 5",
                "name: b, journey: first, executor: constant-arrival-rate, rate: 1/s, for: 2s, max_users: 9, after: first",
                "name: c, journey: second, executor: at-once, after: b, users: 1",
            ], users: 15)
        let (notebook, result) = perform(scenario)
        // 1 s, then arrivals at 1 and 2 s, of which the last ends at 3 s.
        #expect(notebook.starts(of: "restore").map(\.nanoseconds).max() == 2_300_000_000)
        #expect(notebook.starts(of: "fetch all") == [.start + .seconds(3)])
        #expect(result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
    }

    // Journeys take a second; the entry ends after 2.5 s, in the middle of the third.
    @Test(arguments: [("0s", 2_500, 5), ("200ms", 2_700, 5), ("1h", 3_000, 0)])
    func gracefulStopInterruptsUnfinishedJourneys(stop: String, end: Int64, interrupted: Int) throws {
        let scenario = try scenario(
            ["journey: first, executor: constant-users, for: 2500ms, graceful_stop: \(stop)"], users: 5)
        let (notebook, result) = perform(scenario)
        #expect(result.simulatedDuration == .milliseconds(end))
        #expect(result.count(.interruptedIterations) == interrupted && result.count(.iterations) == 15)
        #expect(notebook.starts(of: "restore").count == 15)
        #expect(result.unjudgedUsers == 0)
    }

    @Test(arguments: [
        "executor: per-user-iterations, iterations: 9, max_duration: 2500ms",
        "executor: shared-iterations, iterations: 99, max_duration: 2500ms",
        "executor: ramping-users, stages: [{over: 0s, to: 5}, {over: 2500ms, to: 5}]",
        "executor: constant-arrival-rate, rate: 5/s, for: 2500ms, max_users: 20",
        "executor: per-user-rate, rate: 50/m, for: 2500ms",
        "executor: ramping-arrival-rate, start_rate: 5/s, stages: [{over: 2500ms, to: 5/s}], max_users: 20",
    ])
    func everyExecutorWithAnEndHonoursGracefulStop(load: String) throws {
        for workers in [1, 2] {
            let scenario = try scenario(["journey: first, \(load), graceful_stop: 100ms"], users: 20)
            let (_, result) = perform(scenario, workers: workers)
            #expect(result.simulatedDuration == .milliseconds(2_600))
            #expect(result.count(.interruptedIterations) > 0 && result.unjudgedUsers == 0)
        }
    }

    // What a buyer was still waiting for when they had to go is no failed purchase.
    @Test(arguments: ["0s", "1h"])
    func interruptedPurchasesAreNotCountedAsFailed(stop: String) throws {
        let scenario = try Scenario.journey(
            ["buy: extra_lives"], users: 50, load: "executor: constant-users, for: 5s, graceful_stop: \(stop)",
            sections: ["buyers: {decide_after: 400ms..2s}"])
        let result = run(scenario)
        guard
            case .rate(let passes, let total)? = result.collector.tally.measurements[.purchaseSuccess].reading(
                seconds: 1)
        else {
            Issue.record("no purchase was asked for")
            return
        }
        #expect(passes == total && total > 100)
        #expect((result.count(.interruptedIterations) > 0) == (stop == "0s"))
        #expect(result.violations.isEmpty, "\(result.story)")
    }
}
