// Comparisons: exact figures as they are, measured ones only when it is sure.

import Foundation
import Judgement
import Metrics
import Simulation
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct ComparisonTests {
    /// A report of a virtual run with one measured and one exact figure.
    private func report(
        lag: Int64 = 1_000_000, purchase: Int64 = 2_000_000_000, lost: Int = 0, allocations: Double = 180
    ) -> Report {
        var report = SampleReports.passed
        report.run.clock = "virtual"
        report.host.workers = 1
        report.metrics = [trend("purchase_duration", purchase)]
        var gauge = ReportMetric(name: "allocations_per_purchase", kind: .gauge, unit: .count)
        gauge.value = allocations
        var measured = ReportMetric(name: "memory_per_user", kind: .gauge, unit: .bytes)
        measured.value = Double(lag)
        report.host.metrics = [measured, gauge]
        report.host.purchasesPerSecond = nil
        report.violations = Report.Violations(
            total: lost,
            byRule: lost > 0 ? [.init(rule: "lost-purchase", severity: .critical, count: lost, users: lost)] : [],
            evidence: [])
        return report
    }

    private func trend(_ name: String, _ value: Int64) -> ReportMetric {
        var metric = ReportMetric(name: name, kind: .trend, unit: .nanoseconds)
        metric.response = ReportMetric.Trend(
            count: 10, avg: Double(value), sum: ExactSum(10 * value), min: value, med: value, max: value, p90: value,
            p95: value, p99: value,
            p999: value, histogram: "")
        return metric
    }

    private func compare(
        _ base: [Report], _ candidate: [Report], noise: Double = 0.01, isPaired: Bool = true
    ) -> [String: Comparison.Line] {
        let comparison = Comparison(base: base, candidate: candidate, noise: noise, isPaired: isPaired)
        return Dictionary(uniqueKeysWithValues: comparison.lines.map { ($0.name, $0) })
    }

    @Test func comparisonJudgesViolationsWithoutStatistics() throws {
        let worse = compare([report()], [report(lost: 1)])
        let line = try #require(worse["violations{rule:lost-purchase}"])
        #expect(line.verdict == .worse && line.base == 0 && line.candidate == 1 && line.isExact && line.ratio == nil)
        #expect(compare([report(lost: 3)], [report()])["violations"]?.verdict == .better)
        #expect(compare([report(lost: 3)], [report(lost: 3)])["violations"]?.verdict == .same)
    }

    @Test func comparisonCanBeLimitedToExactFigures() throws {
        let all = Comparison(
            base: [report()], candidate: [report(lag: 9_000_000, lost: 1)], noise: 0.01, isPaired: false)
        #expect(all.lines.contains { !$0.isExact } && all.notes.contains { $0.contains("repeat the runs") })
        let exact = Comparison(
            base: [report()], candidate: [report(lag: 9_000_000, lost: 1)], noise: 0.01, isPaired: false,
            isExactOnly: true)
        #expect(exact.lines.map(\.name) == all.lines.filter(\.isExact).map(\.name) && exact.isWorse)
        #expect(exact.lines.contains { $0.name == "allocations_per_purchase" })
        #expect(!exact.notes.contains { $0.contains("repeat the runs") })
    }

    @Test(
        arguments: [
            (2_000_000_000, Comparison.Verdict.same), (2_010_000_000, .changed), (2_100_000_000, .worse),
            (1_900_000_000, .better),
        ] as [(Int64, Comparison.Verdict)])
    func exactFigureShowsEveryChange(purchase: Int64, verdict: Comparison.Verdict) {
        #expect(compare([report()], [report(purchase: purchase)])["purchase_duration p(95)"]?.verdict == verdict)
    }

    @Test func comparisonComparesOutcomesAndStagesSeparately() throws {
        func report(slowFailures: Int64 = 1, cancels: Int = 3) -> Report {
            var report = self.report()
            report.metrics[0].outcomes = [
                "success": trend("", 5).response, "failure": trend("", slowFailures).response,
            ].compactMapValues { $0 }
            var failed = ReportMetric(name: "purchases_failed", kind: .counter, unit: .count)
            (failed.count, failed.tags) = (cancels + 1, ["paymentCancelled": cancels, "unknown": 1])
            failed.stages = ["deciding": cancels, "processing": 1]
            report.metrics.append(failed)
            // A threshold is about it too.
            failed.base = failed.name
            failed.name += "{code:unknown}"
            (failed.count, failed.tags, failed.stages) = (1, nil, nil)
            report.subMetrics = [failed]
            return report
        }
        let lines = compare([report()], [report(slowFailures: 2, cancels: 4)])
        #expect(lines["purchase_duration{outcome:failure} p(95)"]?.verdict == .worse)
        #expect(lines["purchase_duration{outcome:success} p(95)"]?.verdict == .same)
        #expect(lines["purchases_failed{code:paymentCancelled}"]?.verdict == .changed)
        #expect(lines["purchases_failed{code:unknown}"]?.verdict == .same)
        #expect(lines["purchases_failed{stage:deciding}"]?.candidate == 4)
        let names = report().measuredValues.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func comparisonTreatsAllocationsAsExact() {
        #expect(compare([report()], [report(allocations: 180.1)])["allocations_per_purchase"]?.verdict == .same)
        #expect(compare([report()], [report(allocations: 181)])["allocations_per_purchase"]?.verdict == .changed)
        #expect(compare([report()], [report(allocations: 190)])["allocations_per_purchase"]?.verdict == .worse)
    }

    // Which worker gets which cell is chance, and each makes tables of its own.
    @Test func allocationsOfSeveralWorkersAreNotExact() {
        var two = report(allocations: 190)
        two.host.workers = 2
        let line = compare([report()], [two])["allocations_per_purchase"]
        #expect(line?.isExact == false && line?.verdict == .unclear)
    }

    @Test func longFigureNamesStayWholeInEightyColumns() {
        var worse = report(lost: 2)
        worse.violations.byRule[0].rule = "duplicate-delivery"
        let text = ComparisonText.render(
            Comparison(base: [report(lost: 1)], candidate: [worse], noise: 0.01, isPaired: false),
            style: .style(isTerminal: false, environment: [:]), showsAll: true)
        #expect(text.contains("violations{rule:duplicate-delivery}\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }

    // MARK: Measured

    /// Runs around a value, a few percent up and down, as machines give them.
    private func runs(_ count: Int, around value: Double, seed: UInt64, drift: Double = 0) -> [Report] {
        var chance = RandomStream(seed: seed, user: 0, purpose: .client)
        return (0..<count).map { place in
            let factor = 0.97 + 0.06 * chance.unit() + drift * Double(place)
            return report(lag: Int64(value * factor))
        }
    }

    @Test func oneRunASideGivesNoVerdict() throws {
        let comparison = Comparison(base: [report()], candidate: [report(lag: 9_000_000)], noise: 0.01, isPaired: false)
        let line = try #require(comparison.lines.first { $0.name == "memory_per_user" })
        #expect(line.verdict == .unclear && !comparison.isWorse)
        #expect(comparison.notes.contains { $0.contains("A single run per side") })
    }

    @Test(arguments: [(1, 1), (5, 0.0625), (10, 0.001953125), (25, 0.0000000596046448)])
    func pairsThatAllDifferTheSameWayAreUnlikely(count: Int, probability: Double) {
        let base = (0..<count).map { Double($0 * 7 % 5) }
        #expect(abs(RankTest.pairs(base, base.map { $0 + 0.5 }) - probability) < 1e-12)
        #expect(abs(RankTest.pairs(base.map { $0 + 0.5 }, base) - probability) < 1e-12)
        #expect(RankTest.pairs(base, base) == 1)
    }

    // Every way to deal the pairs, each with its sum of ranks.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func pairTestProbabilityIsTheShareOfUnevenDeals(seed: UInt64) {
        var chance = RandomStream(seed: seed, user: 0, purpose: .client)
        // Few different values, so that some are equal.
        let base = (0..<8).map { _ in Double(chance.below(12)) }
        let candidate = base.map { _ in Double(chance.below(14)) }
        let all = base + candidate
        func rank(_ value: Double) -> Int { all.count { $0 < value } * 2 + all.count { $0 == value } }
        func sum(_ deal: Int) -> Int {
            base.indices.reduce(0) { sum, pair in
                let values = (deal >> pair) & 1 == 0 ? [base[pair], candidate[pair]] : [candidate[pair], base[pair]]
                return sum + rank(values[1]) - rank(values[0])
            }
        }
        let share = Double((0..<256).count { abs(sum($0)) >= abs(sum(0)) }) / 256
        #expect(abs(RankTest.pairs(base, candidate) - share) < 1e-12)
    }

    // Every choice of five runs out of nine, each with its sum of ranks.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func rankTestProbabilityIsTheShareOfUnevenChoices(seed: UInt64) {
        var chance = RandomStream(seed: seed, user: 0, purpose: .client)
        let all = (0..<9).map { _ in Double(chance.below(9)) }
        func sum(_ choice: Int) -> Int {
            all.indices.filter { (choice >> $0) & 1 == 1 }.reduce(0) { sum, run in
                sum + all.count { $0 < all[run] } * 2 + all.count { $0 == all[run] }
            }
        }
        let sums = (0..<512).filter { $0.nonzeroBitCount == 5 }.map(sum)
        let observed = sum(0b1_1111_0000)
        let tail = min(sums.count { $0 <= observed }, sums.count { $0 >= observed })
        let share = min(1, 2 * Double(tail) / Double(sums.count))
        #expect(abs(RankTest.rankSum(Array(all.prefix(4)), Array(all.suffix(5))) - share) < 1e-12)
    }

    // A quarter of the runs was disturbed, by far more than the builds differ.
    @Test func comparisonFindsADifferenceDespiteDisturbedRuns() throws {
        var base: [Double] = []
        var chance = RandomStream(seed: 3, user: 0, purpose: .client)
        var candidate: [Double] = []
        for _ in 0..<30 {
            base.append((100 + chance.unit()) * (chance.below(4) == 0 ? 1.2 : 1))
            candidate.append((110 + chance.unit()) * (chance.below(4) == 0 ? 1.2 : 1))
        }
        let found = try #require(Resampling.ratio(base: base, candidate: candidate, isPaired: true))
        #expect(found.probability < 1e-4 && found.interval.lowerBound > 1.05, "\(found)")
    }

    @Test func comparisonFindsTenPercentInTenRunsASide() throws {
        var found = 0
        for seed in 0..<20 {
            let lines = compare(
                runs(10, around: 1e6, seed: UInt64(seed)), runs(10, around: 1.1e6, seed: UInt64(seed + 100)))
            let line = try #require(lines["memory_per_user"])
            if line.verdict == .worse { found += 1 }
            #expect(try #require(line.low) < 1.12 && #require(line.high) > 1.06)
        }
        #expect(found >= 19, "\(found) of 20")
    }

    @Test func comparisonOfTheSameBuildShowsNoDifference() {
        var alarms = 0
        for seed in 0..<15 {
            let comparison = Comparison(
                base: runs(12, around: 1e6, seed: UInt64(seed)),
                candidate: runs(12, around: 1e6, seed: UInt64(seed + 999)),
                noise: 0.01, isPaired: true)
            if comparison.lines.contains(where: { $0.verdict == .worse || $0.verdict == .better }) { alarms += 1 }
        }
        #expect(alarms == 0, "\(alarms) of 15")
    }

    // A machine that gets slower and slower: pairs take it out.
    @Test func comparisonIgnoresDriftOfTheMachine() throws {
        let base = runs(12, around: 1e6, seed: 1, drift: 0.05)
        let candidate = runs(12, around: 1e6, seed: 2, drift: 0.05)
        let line = try #require(compare(base, candidate)["memory_per_user"])
        #expect(line.verdict != .worse && line.verdict != .better)
        #expect(try #require(line.high) - #require(line.low) < 0.1)
    }

    @Test func comparisonIsTheSameForTheSameRuns() {
        let (base, candidate) = (runs(8, around: 1e6, seed: 3), runs(8, around: 1.05e6, seed: 4))
        func once() -> Comparison { Comparison(base: base, candidate: candidate, noise: 0.01, isPaired: false) }
        #expect(once() == once())
    }

    // A threshold on a rule makes it a part of the metric as well.
    @Test func ruleWithItsOwnThresholdIsComparedOnce() throws {
        func report(lost: Int, part: String = "violations{rule:lost-purchase}") -> Report {
            var report = self.report(lost: lost)
            var metric = ReportMetric(name: part, kind: .counter, unit: .count)
            metric.base = "violations"
            metric.count = lost
            report.subMetrics = [metric]
            return report
        }
        let names = report(lost: 3).measuredValues.map(\.name)
        #expect(names.count { $0 == "violations{rule:lost-purchase}" } == 1)
        #expect(compare([report(lost: 0)], [report(lost: 3)])["violations{rule:lost-purchase}"]?.verdict == .worse)
        let part = "violations{phase:rush}"
        #expect(compare([report(lost: 0, part: part)], [report(lost: 3, part: part)])[part]?.verdict == .worse)
    }

    @Test(arguments: [(9, true, "10 pairs"), (10, true, nil), (6, false, "7 runs per side"), (7, false, nil)])
    func comparisonNotesTooFewRuns(count: Int, isPaired: Bool, enough: String?) {
        let comparison = Comparison(
            base: runs(count, around: 1e6, seed: 1), candidate: runs(count, around: 9e6, seed: 2), noise: 0.01,
            isPaired: isPaired)
        let note = comparison.notes.first { $0.hasPrefix("These few runs") }
        #expect(note?.contains(enough ?? "") == (enough == nil ? nil : true), "\(note ?? "none")")
        #expect(comparison.isWorse == (enough == nil))
    }

    @Test func comparisonNotesDifferentScenariosAndSeeds() {
        var other = report()
        other.run.seed += 1
        other.run.users *= 2
        other.scenario.source += " "
        let notes = Comparison(base: [report()], candidate: [other], noise: 0, isPaired: false).notes
        #expect(notes.contains { $0.contains("seed") } && notes.contains { $0.contains("users") })
        #expect(notes.contains("The scenario files differ."))
    }

    @Test func comparisonTextsNameTheChangedFigures() {
        let comparison = Comparison(base: [report()], candidate: [report(lost: 2)], noise: 0.01, isPaired: false)
        let text = ComparisonText.render(comparison, style: .plain)
        #expect(text.hasPrefix("✗ WORSE") && text.contains("violations{rule:lost-purchase}"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 })
        #expect(!text.contains("purchase_duration"))
        #expect(ComparisonText.render(comparison, style: .plain, showsAll: true).contains("purchase_duration"))
        let table = ComparisonText.markdown(comparison).split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(table.count == 4 && Set(table.map { $0.split(separator: "|").count }).count == 1)
    }
}
