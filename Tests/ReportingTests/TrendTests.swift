// Which runs make a series, and how a trend is shown.

import Foundation
import Metrics
import ReportModel
import Testing

@testable import Reporting
@testable import RunStore

@Suite struct TrendTests {
    private let figure = "purchase_duration p(95)"

    private func run(
        _ number: Int, scenario: String = "Shop", client: String = "reference", users: Int = 100,
        clock: String = "virtual", seed: UInt64 = 1, isWhole: Bool = true, cores: Int = 2
    ) -> StoredRun {
        StoredRun(
            number: number,
            run: RecordedRun(
                startedAt: "2024-01-02T03:04:05Z", scenario: scenario, file: "Scenarios/shop.yml", client: client,
                clientOptions: "", seed: seed, clock: clock, users: users, outcome: "passed", exitCode: 0,
                isWhole: isWhole, version: "1", commit: "0123456789abcdef", isDirty: true, system: "Linux",
                cores: cores, workers: 2, durationSeconds: 1,
                folder: "shop-reference-1"))
    }

    private func trend(
        _ values: [(StoredRun, Double)], name: String? = nil, isExact: Bool = true,
        direction: MeasuredValue.Direction = .lowerIsBetter
    ) throws -> Trend {
        var figures: [Int: RecordedFigure] = [:]
        for (run, value) in values {
            figures[run.number] = RecordedFigure(
                name: name ?? figure, value: value, unit: "ns", direction: direction.rawValue, isExact: isExact)
        }
        return try #require(
            Trend(figure: name ?? figure, runs: values.map(\.0), figures: figures, noise: 0.01))
    }

    @Test func trendSeparatesRunsOfDifferentSetups() throws {
        let runs = [
            run(1), run(2, scenario: "Other"), run(3, client: "mine"), run(4, users: 200), run(5, clock: "wall"),
            run(6, seed: 2), run(7), run(8, cores: 4),
        ]
        let exact = try trend(runs.map { ($0, Double($0.number)) })
        #expect(exact.series.map { $0.points.map(\.run) } == [[1, 7, 8], [2], [3], [4], [5], [6]])
        // Measured in real time: another machine makes a difference, another seed none.
        let measured = try trend(runs.map { ($0, Double($0.number)) }, isExact: false)
        #expect(measured.series.map { $0.points.map(\.run) } == [[1, 6, 7], [2], [3], [4], [5], [8]])
        #expect(exact.series[0].title == "Shop · reference · 100 users · virtual clock · seed 1")
        #expect(measured.series[5].title == "Shop · reference · 100 users · virtual clock · Linux, 4 cores")
    }

    @Test func trendChangesHaveADirection() throws {
        func verdict(_ direction: MeasuredValue.Direction, _ after: Double) throws -> Comparison.Verdict? {
            try trend([(run(1), 100), (run(2), after)], direction: direction).series[0].changes.first?.verdict
        }
        #expect(try verdict(.lowerIsBetter, 110) == .worse && verdict(.lowerIsBetter, 90) == .better)
        #expect(try verdict(.higherIsBetter, 110) == .better && verdict(.higherIsBetter, 90) == .worse)
        #expect(try verdict(.neutral, 110) == .changed && verdict(.neutral, 100) == nil)
    }

    @Test func trendLeavesOutInterruptedRuns() throws {
        let found = try trend([(run(1), 1), (run(2, isWhole: false), 9), (run(3), 1)])
        #expect(found.series[0].points.map(\.run) == [1, 3] && found.series[0].changes.isEmpty)
        #expect(Trend(figure: figure, runs: [run(1)], figures: [:], noise: 0) == nil)
    }

    @Test func trendCountsAnUnbrokenRuleAsZero() throws {
        let name = "violations{rule:lost-purchase}"
        let figures = [
            2: RecordedFigure(name: name, value: 3, unit: "count", direction: "lowerIsBetter", isExact: true)
        ]
        let found = try #require(Trend(figure: name, runs: [run(1), run(2)], figures: figures, noise: 0))
        #expect(found.series.map { $0.points.map(\.value) } == [[0, 3]])
        #expect(found.series[0].changes.map(\.run) == [2] && found.series[0].changes[0].verdict == .worse)
    }

    @Test func trendAllowsSmallAllocationDifferences() throws {
        let values = [180.0, 180.4, 179.9, 190].enumerated().map { (run($0.offset + 1), $0.element) }
        #expect(try trend(values, name: "allocations_per_purchase").series[0].changes.map(\.run) == [4])
    }

    @Test func newestTrendPointsKeepTheirChanges() throws {
        let all = try trend((1...6).map { (run($0), $0 < 5 ? 1 : 2) })
        #expect(all.series[0].changes.map(\.point.index) == [4])
        let newest = all.newest(3)
        #expect(
            newest.series[0].points.map(\.run) == [4, 5, 6] && newest.series[0].changes.map(\.point.index) == [1])
        #expect(all.newest(1).series[0].changes.isEmpty)
    }

    // MARK: Showing

    @Test func trendChartFitsEightyColumns() throws {
        let long = String(repeating: "a long name ", count: 12)
        let values = (1...300).map { (run($0, scenario: long), $0 < 200 ? 1e9 : 1.5e9) }
        let text = TrendText.render(try trend(values), style: .plain)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        let chart = lines.filter { $0.contains("|") || $0.contains(" +") }
        #expect(chart.contains { $0.contains("#") } && chart.contains { $0.contains("ooo") })
        #expect(text.contains("# +50 % worse") && text.contains("run 200: +50 %, from 1s to 1.5s, worse"))
        #expect(text.contains("01234567+"))
    }

    @Test func runListFitsEightyColumns() {
        let runs = [run(1), run(12_345, client: "a-client-with-a-long-name", users: 1_000_000)]
        let text = RunList(runs).render(style: .plain)
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 81 }, "\(text)")
        #expect(text.contains("a-client-wit…"))
    }

    @Test func runListJSONKeepsItsKeys() throws {
        let text = String(decoding: try RunList([run(7)]).json(), as: UTF8.self)
        let keys = text.split(separator: "\n").compactMap { line in
            line.contains(" : ") ? String(line.split(separator: "\"")[1]) : nil
        }
        #expect(
            keys == [
                "runs", "client", "client_options", "clock", "commit", "cores", "duration_seconds", "exit_code", "file",
                "folder", "is_dirty", "outcome", "run", "scenario", "seed", "started_at", "system", "users", "version",
                "workers",
            ])
        #expect(text.contains("\"run\" : 7,") && text.contains("\"seed\" : 1,"))
    }

    @Test func trendJSONKeepsItsKeys() throws {
        let text = String(decoding: try trend([(run(7), 2)]).json(), as: UTF8.self)
        let expected = """
                    {
                      "commit" : "0123456789abcdef",
                      "exit_code" : 0,
                      "folder" : "shop-reference-1",
                      "is_dirty" : true,
                      "run" : 7,
                      "started_at" : "2024-01-02T03:04:05Z",
                      "value" : 2
                    }
            """
        #expect(text.contains(expected), "\(text)")
    }

    @Test func trendPageIsWellFormedAndEscaped() throws {
        let evil = "<script>alert('x')</script> & \"co\""
        let page = TrendPage.render(try trend((1...5).map { (run($0, scenario: evil), $0 < 3 ? 1e9 : 2e9) }))
        let markup = Markup(page, isHTML: true)
        #expect(markup.problems.isEmpty, "\(markup.problems)")
        #expect(!markup.elements.contains("script") && !page.contains("http"))
        #expect(markup.elements.contains("svg") && markup.text.contains("run 3: +100 %"))
        let described = markup.attributes.first { $0.name == "aria-label" && $0.value.contains("run 3: +100 %") }
        #expect(described != nil, "the picture tells what it shows")
        #expect(page.contains("class=\"change bad\""))
    }

    @Test(arguments: [[0, 0], [5e9], [1, 1_000_000], [-3, 4], [0.001, 0.002], [1e15, 1e15 + 1]] as [[Double]])
    func levelScaleHoldsAllValues(values: [Double]) {
        let scale = LevelScale(values, unit: .count)
        for value in values { #expect((scale.low...scale.high).contains(value)) }
        #expect((2...7).contains(scale.ticks.count), "\(scale.ticks)")
        #expect(scale.ticks.first?.place == 0 && scale.ticks.last?.place == 1)
    }

    @Test func figuresHaveOneCanonicalName() {
        #expect(FigureName.canonical("purchase_duration.p95") == "purchase_duration p(95)")
        #expect(FigureName.canonical("purchase_duration.med") == "purchase_duration med")
        #expect(FigureName.canonical("violations{rule:a.b}") == "violations{rule:a.b}")
        let part = "purchase_duration{outcome:success} p(95)"
        #expect(FigureName.canonical("purchase_duration{outcome:success}.p95") == part)
        #expect(FigureName.canonical(FigureName.shellSpelling(part)) == part)
        let code = "purchases_failed{code:URLError.timedOut}"
        #expect(FigureName.canonical(code) == code && FigureName.shellSpelling(code) == code)
        for name in FigureName.all {
            #expect(FigureName.canonical(FigureName.shellSpelling(name)) == name)
        }
        let all = Set(FigureName.all)
        for sample in SampleReport.allCases {
            // Parts are called as the scenario calls them.
            let parts = sample.report.subMetrics?.map(\.name) ?? []
            for value in sample.report.measuredValues where !parts.contains(value.name) {
                #expect(all.contains(value.name), "\(value.name)")
            }
        }
    }

    @Test func recordedRunHoldsEveryFigure() {
        let report = SampleReports.failed
        let recorded = report.recorded(folder: "folder")
        #expect(recorded.clientOptions == "" && recorded.exitCode == 110 && recorded.isWhole)
        let passed = SampleReports.passed.recorded(folder: "folder")
        #expect(passed.clientOptions == "validation=server" && passed.exitCode == 0 && passed.isWhole)
        #expect(report.recordedFigures.map(\.name) == report.measuredValues.map(\.name))
        #expect(Set(report.recordedFigures.map(\.name)).count == report.recordedFigures.count, "names are unique")
        var stopped = report
        stopped.verdict.outcome = .interrupted
        #expect(!stopped.recorded(folder: "").isWhole)
    }
}
