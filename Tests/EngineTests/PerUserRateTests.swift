// Users with timetables of their own: when they begin, and what is dropped.

import ClientKit
import Engine
import Foundation
import Metrics
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import Testing

@Suite struct PerUserRateTests {
    private func perform(
        _ steps: [String], users: Int, load: String, workers: Int = 1, sections: [String] = []
    ) throws -> (notebook: Notebook, result: RunResult) {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            steps, users: users, load: "executor: per-user-rate, \(load)", sections: sections)
        let options = notebook.options.merging(["answers": "at_once"]) { $1 }
        return (notebook, run(scenario, RecordingClient.self, options: options, workers: workers))
    }

    private func starts(_ notebook: Notebook, of user: Int) -> [Int64] {
        notebook.lines.filter { $0.user == user && $0.text == "restore" }.map(\.at.nanoseconds)
    }

    // Rates that do not divide a second evenly are the ones that would drift.
    @Test(arguments: [("6/m", "1m", 6), ("7/s", "3s", 21), ("1/h", "2h", 2), ("90/m", "10s", 15)])
    func perUserRateStartsEachUserOnItsTimetable(rate: String, duration: String, count: Int) throws {
        let (notebook, result) = try perform(
            ["restore"], users: 70, load: "rate: \(rate), for: \(duration), start_after: 3s")
        let plan = try Timetable.rate(rate)
        for user in 0..<70 {
            #expect(
                starts(notebook, of: user)
                    == (0..<count).map { 3_000_000_000 + Int64($0) * plan.period / plan.arrivals })
        }
        #expect(result.count(.iterations) == 70 * count && result.count(.droppedIterations) == 0)
        #expect(result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
    }

    /// Arrivals in a period of nanoseconds, without the harness's own arithmetic.
    private enum Timetable {
        static func rate(_ text: String) throws -> (arrivals: Int64, period: Int64) {
            let parts = text.split(separator: "/")
            let periods: [Substring: Int64] = ["s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000]
            return (try #require(Int64(parts[0])), try #require(periods[parts[1]]))
        }
    }

    // Due at 0, 10, 20 … 90 s; each takes 25 s, so that of three only the first begins.
    @Test func perUserRateDropsJourneysThatAreDueTooEarly() throws {
        let (notebook, result) = try perform(["restore", "think: 25s"], users: 3, load: "rate: 6/m, for: 100s")
        for user in 0..<3 {
            #expect(starts(notebook, of: user) == [0, 30, 60, 90].map { $0 * 1_000_000_000 })
        }
        #expect(result.count(.iterations) == 12 && result.count(.droppedIterations) == 18)
        #expect(result.simulatedDuration == .seconds(115) && result.unjudgedUsers == 0)
    }

    // One user who is slow does not hold up the others; and nobody takes over for it, not even one who is back at once.
    @Test func slowUserDoesNotDelayOtherTimetables() throws {
        let (notebook, result) = try perform(
            ["restore", "choose: [{weight: 50%, steps: [{think: 0s}]}, {weight: 50%, steps: [{think: 15s}]}]"],
            users: 40, load: "rate: 6/m, for: 1m")
        var begun = 0
        for user in 0..<40 {
            let times = starts(notebook, of: user)
            begun += times.count
            #expect(times.allSatisfy { $0.isMultiple(of: 10_000_000_000) } && Set(times).count == times.count)
            #expect(times.first == 0 && (3...6).contains(times.count), "user \(user): \(times)")
        }
        #expect(result.count(.iterations) == begun && result.count(.droppedIterations) == 240 - begun)
        #expect((130..<230).contains(begun), "both kinds of journeys were chosen")
    }

    // The last journeys begin at 20 s and would go on until 29 s.
    @Test(arguments: [("1s", 26, 5), ("0s", 25, 5), ("1h", 29, 0)])
    func gracefulStopOfPerUserRateCountsFromTheEnd(stop: String, seconds: Int64, interrupted: Int) throws {
        let (_, result) = try perform(
            ["restore", "think: 9s"], users: 5, load: "rate: 6/m, for: 25s, graceful_stop: \(stop)")
        #expect(result.simulatedDuration == .seconds(seconds))
        #expect(result.count(.iterations) == 15 && result.count(.interruptedIterations) == interrupted)
        #expect(result.unjudgedUsers == 0)
    }

    // However the users are cut into cells, and whoever runs these.
    @Test(arguments: [32, 33, 500])
    func perUserRateIsTheSameForAnyCellsAndWorkers(users: Int) throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 1s..4s"], users: users,
            load: "executor: per-user-rate, rate: 20/m, for: 30s")
        #expect(CellPlan(scenario).cellCount == (users + 31) / 32)
        let metrics = try [1, 2].map { workers in
            let options = RunOptions(
                scenario: scenario, client: ReferenceClient.self, clientOptions: [:], workers: workers, onlyUser: nil)
            let result = Run(options).perform()
            #expect(result.count(.iterations) + result.count(.droppedIterations) == 10 * users)
            #expect(result.count(.droppedIterations) > 0 && result.violations.isEmpty)
            let report = ReportBuilder(
                result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
            ).report()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(report.metrics)
        }
        #expect(metrics[0] == metrics[1])
    }

    @Test func afterEntryWaitsForAPerUserRateEntry() throws {
        let notebook = Notebook()
        let scenario = try Scenario.text(
            """
            name: Chain
            store: {catalog: shop.storekit}
            population: {users: 90}
            load:
              - {name: a, journey: j, executor: per-user-rate, rate: 1/s, for: 3s, users: 40}
              - {name: b, journey: j, executor: per-user-rate, rate: 1/s, for: 2s, after: a, start_after: 500ms, users: 50}
            journeys: {j: [restore, {think: 200ms}]}

            """)
        let result = run(
            scenario, RecordingClient.self, options: notebook.options.merging(["answers": "at_once"]) { $1 })
        let times = Dictionary(grouping: notebook.starts(of: "restore"), by: \.nanoseconds).mapValues(\.count)
        // The first entry's users settle at its end, at 3 s.
        let expected: [Int64: Int] = [0: 40, 1_000: 40, 2_000: 40, 3_500: 50, 4_500: 50]
        #expect(times == Dictionary(uniqueKeysWithValues: expected.map { ($0.key * 1_000_000, $0.value) }))
        #expect(result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
    }

    // On the wall clock a machine that is late may drop, but forgets nothing, and begins nothing before its time.
    @Test func perUserRateHoldsUnderTheWallClock() throws {
        let (notebook, result) = try perform(
            ["restore", "think: 5ms"], users: 20, load: "rate: 20/s, for: 300ms", sections: ["clock: wall"])
        #expect(result.count(.iterations) + result.count(.droppedIterations) == 120)
        for user in 0..<20 {
            for (place, time) in starts(notebook, of: user).enumerated() {
                #expect(time >= Int64(place) * 50_000_000, "user \(user)")
            }
        }
        #expect(notebook.starts(of: "restore").count == result.count(.iterations) && result.unjudgedUsers == 0)
    }
}
