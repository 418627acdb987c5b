// A merged report is the report of one run that had the users of all.

import Engine
import Foundation
import Hosting
import Judgement
import Metrics
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct ReportMergeTests {
    // MARK: Reports to merge

    /// What one half of a population did, the whole of it, or a third machine's part of much longer.
    private func record(_ samples: some Sequence<Int64>, into tally: Tally) {
        for sample in samples {
            let origin = SampleOrigin(entry: Int(sample % 5), begunAt: sample * 40_000_000)
            let outcome: PaymentOutcome = sample % 4 == 0 ? .failure : sample % 9 == 1 ? .deferred : .success
            tally.record(purchase: sample * sample * 3_777, outcome, of: origin)
            if sample % 6 == 0 { tally.instant(.purchaseDuration, of: origin) }
            if outcome == .failure {
                let code = sample % 8 == 0 ? "paymentCancelled" : "none"
                tally.count(failed: code, at: sample > 100 ? .deciding : .instant, of: origin)
            }
            if sample % 3 == 0 { tally.recordService(.purchaseDuration, nanoseconds: sample * 4_000) }
            tally.record(.observerCallbackTime, nanoseconds: sample * 17)
            tally.rate(.purchaseSuccess, passed: sample % 7 != 0, of: origin)
            tally.count(.faults, tag: sample % 2 == 0 ? "crash" : "offline")
            tally.count(.purchases, of: origin)
            tally.place(.purchases, at: sample * 40_000_000)
            tally.place(purchaseDuration: sample * sample * 3_777, at: sample * 40_000_000)
            tally.place(activeFrom: sample * 10_000_000, to: sample * 40_000_000)
            var stages = PurchaseStages()
            stages.sending = sample * 1_000_000
            stages.deciding = sample * 2_000_000
            tally.record(stages)
        }
        tally.declare(.violations)
        tally.measureLevels(until: 80_000_000_000)
    }

    /// Keeps the purchases of one load entry, and those of twenty seconds.
    private func tally() -> Tally {
        let tag = [MetricTag(name: "phase", value: "rush")]
        return Tally(
            selections: [
                MetricSelection(metric: .purchaseDuration, tags: tag),
                MetricSelection(metric: .purchaseSuccess, tags: tag),
                MetricSelection(metric: .purchases, tags: tag, window: 10_000_000_000..<30_000_000_000),
            ].map {
                var rule = SelectionRule($0)
                rule.keep(entries: [2])
                return rule
            })
    }

    private func report(seed: UInt64, seconds: Int64 = 60, _ tally: Tally) -> Report {
        var report = SampleReports.unknown
        report.run.seed = seed
        report.run.users = 100
        report.simulatedDurationNs = seconds * 1_000_000_000
        report.verdict = Report.Verdict(outcome: .passed, exitCode: 0)
        report.thresholds = [
            Report.Threshold(
                metric: "violations", base: "violations", expression: "count == 0", outcome: .passed, actual: 0,
                limit: 0, unit: .count),
            Report.Threshold(
                metric: "purchase_duration", base: "purchase_duration", expression: "p(95) < 10s", outcome: .passed,
                actual: 1, limit: 0, unit: .nanoseconds),
        ]
        report.tell(tally.measurements)
        return report
    }

    private func report(seed: UInt64, _ samples: some Sequence<Int64>) -> Report {
        let tally = tally()
        record(samples, into: tally)
        return report(seed: seed, seconds: 80, tally)
    }

    private func merge(_ reports: Report...) throws -> Report {
        try ReportMerge.merge(
            reports.enumerated().map { ReportMerge.Source(path: "part-\($0.offset + 1)", report: $0.element) })
    }

    /// All that was measured, byte by byte.
    private func measured(_ report: Report) throws -> String {
        struct Measured: Encodable {
            let metrics, host: [ReportMetric]
            let parts, hostParts: [ReportMetric]?
            let series: Report.Series?
            let stages: [Report.StageBand]
        }
        return String(
            decoding: try ReportJSON.encode(
                Measured(
                    metrics: report.metrics, host: report.host.metrics, parts: report.subMetrics,
                    hostParts: report.host.subMetrics, series: report.series, stages: report.stages)), as: UTF8.self)
    }

    // MARK: Sums

    @Test func mergedHalvesEqualTheWholeRun() throws {
        let whole = report(seed: 9, 1...2_000)
        let merged = try merge(
            report(seed: 1, stride(from: 1, through: 2_000, by: 2)),
            report(seed: 2, stride(from: 2, through: 2_000, by: 2)))
        #expect(merged.metrics.map(\.name) == whole.metrics.map(\.name))
        #expect(merged.subMetrics?.map(\.name) == whole.subMetrics?.map(\.name) && whole.subMetrics?.count == 3)
        #expect(try measured(merged) == measured(whole))
        let told = Dictionary(uniqueKeysWithValues: merged.metrics.map { ($0.name, $0) })
        #expect(told["purchase_duration"]?.outcomes?.count == 3 && told["purchase_duration"]?.instant == 333)
        #expect(told["purchases_failed"]?.tags?["none"] == 250 && told["purchases_failed"]?.stages?["instant"] == 25)
        #expect(merged.run.users == 200 && merged.run.parts?.map(\.seed) == [1, 2])
    }

    @Test func mergeAcceptsRunsOfDifferentLengths() throws {
        let (short, long, all) = (Tally(), Tally(), Tally())
        for tally in [short, all] { record(1...500, into: tally) }
        for tally in [long, all] {
            record(1...300, into: tally)
            // Beyond ten minutes the intervals are longer.
            tally.place(.purchases, at: 3_000_000_000_000)
            tally.place(activeFrom: 2_000_000_000, to: 2_999_500_000_000)
            tally.measureLevels(until: 3_000_000_000_000)
        }
        let merged = try merge(report(seed: 1, short), report(seed: 2, seconds: 3_000, long))
        let both = report(seed: 3, seconds: 3_000, all)
        #expect(try measured(merged) == measured(both))
        #expect(merged.simulatedDurationNs == 3_000_000_000_000)
        let purchases = try #require(merged.metrics.first { $0.name == "purchases" })
        #expect(purchases.count == 800 && purchases.perSecond == 800.0 / 3_000)
    }

    @Test func mergeInStepsEqualsMergeAtOnce() throws {
        let parts = [report(seed: 1, 1...100), report(seed: 2, 50...300), report(seed: 3, 7...9)]
        let atOnce = try merge(parts[0], parts[1], parts[2])
        let inSteps = try merge(try merge(parts[0], parts[1]), parts[2])
        #expect(inSteps.run == atOnce.run && inSteps.host.parts == atOnce.host.parts)
        #expect(try measured(inSteps) == measured(atOnce))
        let durations = try #require(atOnce.metrics.first { $0.name == "purchase_duration" }?.response)
        #expect(durations.min == 3_777 && durations.max == 300 * 300 * 3_777)
    }

    /// Reports that differ in length, in what they measured, and in the size of everything.
    private func various() -> [Report] {
        var reports = [report(seed: 1, 1...100), report(seed: 2, 50...300), report(seed: 3, 7...9)]
        for (seed, length) in [(4, 3_000), (5, 700)] as [(UInt64, Int64)] {
            let tally = tally()
            record(stride(from: Int64(seed), through: 900, by: 7), into: tally)
            tally.place(activeFrom: 1, to: length * 333_333_333)
            tally.gauge(.memoryResident, value: Double(seed) / 3)
            tally.gauge(.cpuPressure, Quotient(ExactSum(seed), over: ExactSum(3 * length)))
            tally.measureLevels(until: length * 1_000_000_000)
            reports.append(report(seed: seed, seconds: length, tally))
        }
        for place in reports.indices { reports[place].host.durationSeconds = 1 / Double(place + 3) }
        // One knows nothing of the first part of a metric that the others have.
        reports[2].subMetrics?.removeFirst()
        return reports
    }

    @Test func mergeDoesNotDependOnTheOrderOfReports() throws {
        let reports = various()
        func merged(_ order: [Int]) throws -> Report {
            try ReportMerge.merge(
                order.map { ReportMerge.Source(path: "\($0)", report: try Report(json: reports[$0].json())) })
        }
        let forward = try merged([0, 1, 2, 3, 4])
        #expect(forward.subMetrics?.map(\.name) == reports[0].subMetrics?.map(\.name))
        #expect(forward.subMetrics?[2].isOfWindow == true && forward.subMetrics?[2].fromNs != nil)
        for order in [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 4, 2, 0, 1], [1, 2, 3, 4, 0]] {
            let other = try merged(order)
            #expect(try measured(other) == measured(forward), "\(order)")
            #expect(other.thresholds == forward.thresholds)
            #expect(other.host.durationSeconds == forward.host.durationSeconds)
            #expect(other.host.purchasesPerSecond == forward.host.purchasesPerSecond)
        }
    }

    @Test func decodedReportMeasuresTheSame() throws {
        for report in various() {
            var again = report
            again.tell(try ReportMeasurements(source: .init(path: "", report: Report(json: report.json()))).read())
            #expect(try measured(again) == measured(report))
        }
    }

    @Test func mergeCombinesLevelsByTheirMeaning() throws {
        func part(
            _ seed: UInt64, _ purchases: Int, resident: Double, _ levels: [MetricName: (Int, Int)], seconds: Double
        ) -> Report {
            let tally = Tally()
            if purchases > 0 { tally.count(.purchases, by: purchases) }
            tally.gauge(.memoryResident, value: resident)
            for (name, (sum, weight)) in levels { tally.gauge(name, Quotient(ExactSum(sum), over: ExactSum(weight))) }
            var report = report(seed: seed, tally)
            report.host.durationSeconds = seconds
            report.host.memoryPeakBytes = nil
            report.host.purchasesPerSecond = Double(purchases) / seconds
            return report
        }
        let merged = try merge(
            part(1, 100, resident: 7, [.allocationsPerPurchase: (1_000, 100), .cpuSteal: (1, 10)], seconds: 10),
            part(2, 300, resident: 5, [.allocationsPerPurchase: (6_000, 300), .cpuPressure: (1, 2)], seconds: 30))
        func level(_ name: MetricName) -> Double? { merged.host.metrics.first { $0.name == name.name }?.value }
        #expect(level(.memoryResident) == 7)
        #expect(level(.allocationsPerPurchase) == 17.5)
        // Measured in one alone: its own, and no mean with a zero.
        #expect(level(.cpuSteal) == 0.1 && level(.cpuPressure) == 0.5)
        #expect(merged.host.memoryPeakBytes == nil && level(.memoryAllocated) == nil)
        #expect(merged.host.durationSeconds == 40 && merged.host.purchasesPerSecond == 10)
        #expect(merged.host.parts?.map(\.durationSeconds) == [10, 30])
    }

    // MARK: Judgements

    @Test func mergeJudgesThresholdsOnAllMeasurements() throws {
        // Each half holds on its own account what both together do not, and the other way round.
        var fast = report(seed: 1, 1...100)
        var slow = report(seed: 2, repeatElement(2_000, count: 10))
        slow.thresholds[1].outcome = .failed
        slow.verdict = Report.Verdict(
            outcome: .failed, exitCode: 99,
            reasons: [
                Report.Reason(
                    .thresholdFailed(
                        .init(metric: "purchase_duration", expression: "p(95) < 10s"), .init(isOfViolations: false)))
            ])
        let failed = try merge(fast, slow)
        #expect(failed.verdict.exitCode == 99 && failed.verdict.reasons.count == 1)
        #expect(failed.verdict.sentences[0].hasPrefix("purchase_duration: p(95) < 10s does not hold: it is "))
        #expect(failed.thresholds[1].outcome == .failed && (failed.thresholds[1].actual ?? 0) > 1.5e10)
        let passed = try merge(report(seed: 1, 1...1_000), slow)
        #expect(
            passed.verdict == Report.Verdict(outcome: .passed, exitCode: 0) && passed.thresholds[1].outcome == .passed)

        let unknown = Report.Threshold(
            metric: "restore_duration", base: "restore_duration", expression: "p(95) < 1s", outcome: .unknown,
            limit: 0, unit: .nanoseconds)
        fast.thresholds.append(unknown)
        slow.thresholds.append(unknown)
        #expect(try merge(fast, slow).verdict.sentences.last == "restore_duration: p(95) < 1s had nothing to judge")
    }

    // As in a run of all users: what each half is too small for may be asked of both.
    @Test func mergeScalesCountBoundsToAllUsers() throws {
        func half(_ seed: UInt64) -> Report {
            var half = report(seed: seed, 1...100)
            (half.run.users, half.run.population) = (50, 50)
            half.thresholds = [
                Report.Threshold(
                    metric: "purchases", base: "purchases", expression: "count > 9",
                    written: .init(expression: "count > 19", users: 100), outcome: .notJudged, actual: 100, limit: 0,
                    unit: .count
                )
            ]
            half.notes = half.scaledThresholdsNote.map { [$0.sentence] } ?? []
            return half
        }
        #expect(half(1).notes.last?.contains("not judged (too few users): purchases count > 9.") == true)
        let whole = try merge(half(1), half(2))
        #expect(whole.thresholds[0].expression == "count > 19" && whole.thresholds[0].outcome == .passed)
        #expect(whole.thresholds[0].written == nil && !whole.notes.contains { $0.contains("too few users") })
        let more = try merge(half(1), half(2), half(3))
        #expect(more.thresholds[0].expression == "count > 28" && more.thresholds[0].written?.users == 100)
        #expect(more.notes.last?.contains("scaled to the 150 users of this run from the 100") == true)
    }

    @Test func mergedViolationsKeepTheirSeeds() throws {
        func lossy(_ seed: UInt64, _ lost: Int) -> Report {
            var report = report(seed: seed, 1...10)
            let tally = Tally()
            tally.count(.violations, tag: "lost-purchase", by: lost)
            report.tell(tally.measurements)
            report.violations = Report.Violations(
                total: lost, byRule: [.init(rule: "lost-purchase", severity: .critical, count: lost, users: lost)],
                evidence: [SampleReports.failed.violations.evidence[0]])
            report.verdict = Report.Verdict([
                Report.Reason(
                    .thresholdFailed(
                        .init(metric: "violations", expression: "count == 0"), .init(isOfViolations: true)))
            ])
            return report
        }
        let merged = try merge(report(seed: 1, 1...10), lossy(2, 5), lossy(3, 7))
        #expect(merged.violations.total == 12 && merged.violations.byRule.map(\.count) == [12])
        #expect(merged.violations.evidence.map(\.number) == [1, 2])
        #expect(merged.violations.evidence.map(\.seed) == [2, 3])
        #expect(merged.verdict.exitCode == 110 && merged.thresholds[0].actual == 12)
    }

    @Test(
        arguments: [
            (.stopped(unjudged: 3, by: .interrupt), .interrupted), (.clientRaised(times: 2), .clientCrashed),
            (.usersStuck(cell: 1), .harnessFault), (.nobodyJudged, .unknown),
        ] as [(VerdictReason, ReportModel.ExitStatus)])
    func mergeKeepsReasonsThatAreNotThresholds(cause: VerdictReason, status: ReportModel.ExitStatus) throws {
        var part = report(seed: 2, 1...100)
        part.verdict = Report.Verdict([Report.Reason(cause)])
        let merged = try merge(report(seed: 1, 1...100), part)
        #expect(merged.verdict == Report.Verdict([Report.Reason(cause).found(underSeed: 2)]))
        #expect(merged.verdict.exitCode == Int(status.rawValue))
        #expect(merged.verdict.sentences[0].hasPrefix("seed 2: "))
    }

    // A part that ended early has no say in what all measured.
    @Test func mergeJudgesAThresholdThatEndedAPartAnew() throws {
        var part = report(seed: 2, 1...100)
        let text = Report.Reason.ThresholdText(metric: "purchase_duration", expression: "p(95) < 10s")
        part.verdict = Report.Verdict([
            Report.Reason(.thresholdFailed(text, .init(isOfViolations: false, endedRun: true)))
        ])
        let merged = try merge(report(seed: 1, 1...100), part)
        #expect(merged.verdict == Report.Verdict(outcome: .passed, exitCode: 0))
    }

    // MARK: What does not belong together

    @Test func mergeRefusesDifferingAndUnreadableReports() throws {
        let first = report(seed: 1, 1...10)
        func problem(_ change: (inout Report) -> Void) -> MergeError.Problem? {
            var other = report(seed: 2, 1...10)
            change(&other)
            do {
                _ = try merge(first, other)
                return nil
            } catch {
                #expect((error as? MergeError)?.path == "part-2")
                return (error as? MergeError)?.problem
            }
        }
        #expect(problem { _ in } == nil)
        #expect(problem { $0.schemaVersion = 1 } == .schemaVersion(1))
        #expect(
            problem { $0.scenario.name = "x" }
                == .differs("scenario", theirs: "'x'", first: "'Purchase flow'"))
        #expect(problem { $0.scenario.source += " " } == .differs("scenario file", theirs: nil, first: nil))
        #expect(problem { $0.run.client = "x" } == .differs("client", theirs: "'x'", first: "'reference'"))
        #expect(problem { $0.run.clock = "wall" } == .differs("clock", theirs: "'wall'", first: "'virtual'"))
        #expect(problem { $0.thresholds.removeLast() } == .differs("set of thresholds", theirs: nil, first: nil))
        #expect(problem { $0.run.onlyUser = 7 } == .onlyUser(7))
        #expect(problem { $0.run.seed = 1 } == .sameRun(as: "part-1", seed: 1))
        let place = try #require(first.metrics.firstIndex { $0.name == "purchase_duration" })
        #expect(
            problem { $0.metrics[place].response?.histogram = "x" }
                == .unreadable("the histogram of purchase_duration"))
        #expect(problem { $0.metrics[place].response?.count = 3 } == .unreadable("the histogram of purchase_duration"))
        #expect(
            problem { $0.metrics[place].outcomes?["failure"]?.count = 3 }
                == .unreadable("the histogram of purchase_duration{outcome:failure}"))
        let unreadable = MergeError.Problem.unreadable("the metric purchase_duration")
        #expect(problem { $0.metrics[place].outcomes?["charged"] = first.metrics[place].response } == unreadable)
        #expect(problem { $0.metrics[place].instant = -1 } == unreadable)
        #expect(problem { $0.metrics[place].instant = .max } == .tooLarge("purchase_duration"))
        let failed = try #require(first.metrics.firstIndex { $0.name == "purchases_failed" })
        #expect(problem { $0.metrics[failed].stages?["asking"] = 1 } == .unreadable("the metric purchases_failed"))
        #expect(problem { $0.run.users = .max } == .tooLarge("users"))
        #expect(problem { $0.series?.intervalNs = 3_000_000_000 } == .unreadable("the series"))
        #expect(problem { $0.series?.usersActive = [] } == .unreadable("the series"))
        #expect(problem { $0.series?.usersActiveNs = [] } == .unreadable("the series"))
        #expect(problem { $0.series?.counts["purchases"] = nil } == .unreadable("the series"))
        #expect(problem { $0.series?.purchaseDuration.histogram[0] = "x" } == .unreadable("the series"))
        #expect(problem { $0.stages.append($0.stages[0]) } == .unreadable("the table of stages"))
        #expect(problem { $0.stages[0].fromNs = 1 } == .unreadable("the table of stages"))
        #expect(problem { $0.metrics.append($0.metrics[place]) } == .unreadable("the metric purchase_duration"))
        #expect(problem { $0.metrics[place].name = "sundials" } == .unreadable("the metric sundials"))
        #expect(problem { $0.metrics[place].unit = .bytes } == .unreadable("the metric purchase_duration"))
        #expect(problem { $0.subMetrics?[0].base = nil } != nil)
        let count = try #require(first.metrics.firstIndex { $0.name == "purchases" })
        #expect(problem { $0.metrics[count].count = nil } == .unreadable("the metric purchases"))
        #expect(problem { $0.metrics[count].count = -1 } == .unreadable("the metric purchases"))
        #expect(problem { $0.metrics[count].count = .max } == .tooLarge("purchases"))
        #expect(problem { $0.series?.counts["purchases"]?[0] = .max } == .tooLarge("the series"))
        #expect(problem { $0.stages[0].count = .max } == .tooLarge("the table of stages"))
        // However long a run, or a part of it, says it was.
        for end in [.min, -1, 0, .max] as [Int64] {
            #expect(problem { $0.subMetrics?[2].toNs = end } == nil)
            #expect(problem { $0.subMetrics?[2].fromNs = end } == nil)
        }
        #expect(problem { $0.simulatedDurationNs = .max } == nil)
        #expect(problem { $0.simulatedDurationNs = .min } == nil)
    }
}
