// Runs that are stopped, and runs on the wall clock.

import Engine
import Hosting
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct StoppingTests {
    @Test(arguments: [1, 2])
    func interruptedVirtualRunReportsWhatItJudged(workers: Int) throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["launch", "repeat: {times: 50, steps: [restore, {think: 1s}]}"], users: 3_000)
        var options = RunOptions(
            scenario: scenario, client: RecordingClient.self, clientOptions: notebook.options, workers: workers)
        options.clientOptions["answers"] = "at_once"
        let run = Run(options)
        notebook.onLaunch = { if $0 == 400 { run.board.stop.make(.interrupt) } }
        let result = run.perform()
        #expect(result.wasStopped)
        #expect((1..<3_000).contains(result.collector.usersJudged), "\(result.collector.usersJudged)")
        #expect(result.unjudgedUsers == 3_000 - result.collector.usersJudged)
        #expect(result.stuckCells.isEmpty)
    }

    // The first ten come to their end; the others would go on for half an hour, and are judged where they are.
    @Test(.timeLimit(.minutes(20)))
    func interruptedWallClockRunJudgesEveryUser() throws {
        let notebook = Notebook()
        var scenario = try Scenario.text(
            """
            name: Long
            clock: wall
            store: {catalog: shop.storekit}
            population: {users: 20}
            load:
              - {journey: short, executor: at-once, users: 10}
              - {journey: long, executor: at-once, start_after: 300ms}
            journeys:
              short: [launch]
              long: [{repeat: {times: 100000, steps: [launch, {think: 20ms}]}}]

            """)
        scenario.clock = .wall
        let options = RunOptions(
            scenario: scenario, client: RecordingClient.self, clientOptions: notebook.options, workers: 2)
        let run = Run(options)
        notebook.onLaunch = { _ in
            let now = run.board.snapshot()
            guard now.usersDone == 10, !run.board.stop.isMade else { return }
            #expect((1...10).contains(now.usersActive ?? 0) && now.entriesDone == [10, 0], "\(now)")
            run.board.stop.make(.interrupt)
        }
        let result = run.perform()
        let end = run.board.snapshot()
        #expect(end.usersActive == 0 && end.entriesDone == [10, 10], "\(end)")
        #expect(result.wasStopped)
        #expect(result.collector.usersJudged == 20 && result.unjudgedUsers == 0)
        #expect(result.count(.interruptedIterations) == 10)
    }

    @Test func runInterruptedBeforeItsStartJudgesNoUser() throws {
        let run = Run(
            RunOptions(scenario: try .journey(["launch"], users: 100), client: RecordingClient.self, workers: 2))
        run.board.stop.make(.interrupt)
        let result = run.perform()
        #expect(result.wasStopped && result.collector.usersJudged == 0 && result.unjudgedUsers == 100)
    }

    @Test func boardCountsFollowTheRun() throws {
        let scenario = try Scenario.journey(["launch", "buy: extra_lives", "crash", "launch"], users: 30)
        let run = Run(RunOptions(scenario: scenario, client: IAPManagerForTests.type, workers: 1))
        let result = run.perform()
        let seen = run.board.snapshot()
        #expect(run.board.usersTotal == 30 && seen.usersDone == 30 && seen.purchases == 30)
        #expect(seen.crashes == 30 && seen.purchaseP95 != nil)
        #expect(seen.violations == result.violations.values.reduce(0, +))
    }

    // The same code against real time, with the cost of lateness measured.
    @Test(.timeLimit(.minutes(20)), arguments: [1, 2])
    func referencePassesUnderTheWallClock(workers: Int) throws {
        var scenario = try Scenario.journey(
            [
                "launch", "fetch_products", "buy: {product: extra_lives, quantity: 1..3}", "use: all", "restore",
                "background: 20ms", "buy: unlock_maps", "terminate",
            ], users: 200,
            sections: [
                "network: {latency: 1ms..10ms}", "buyers: {decide_after: 5ms..60ms, cancel: 10%}",
                "app: {relaunch_after: 10ms..30ms, patience: 5s}",
                "faults: {crash: [{share: 10%, at: after_charge}, {share: 1%, at: any_effect}]}",
            ])
        scenario.clock = .wall
        let result = run(scenario, workers: workers)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        #expect(result.collector.usersJudged == 200)
        #expect(result.count(.purchases) > 200)
        guard case .trend(let lag) = result.collector.tally.measurements[.scheduleLag].reading(seconds: 1) else {
            Issue.record("lateness was not measured")
            return
        }
        #expect(lag.count > 200 && lag.minimum ?? -1 >= 0)
        guard case .trend(let launches) = result.collector.tally.measurements[.launchDuration].reading(seconds: 1)
        else {
            Issue.record("launches were not measured")
            return
        }
        #expect(launches.count >= 200)
    }

    @Test func virtualClockMeasuresNoLateness() throws {
        let result = run(try .journey(["launch", "fetch_products"], users: 5))
        #expect(result.collector.tally.measurements[.scheduleLag].reading(seconds: 1) == nil)
    }
}
