// What a tally keeps, and that merging keeps no order.

import Simulation
import Testing

@testable import Metrics

@Suite struct TallyTests {
    private func describe(_ tally: Tally) -> [String] {
        MetricName.allCases.flatMap { metric -> [String] in
            var lines: [String] = []
            switch tally.measurements[metric].reading(seconds: 10) {
            case nil: return []
            case .counter(let count, let perSecond)?: lines.append("\(metric.name) \(count) \(perSecond ?? -1)")
            case .rate(let passes, let total)?: lines.append("\(metric.name) \(passes)/\(total)")
            case .gauge(let value, let low, let high)?: lines.append("\(metric.name) \(value) \(low) \(high)")
            case .trend(let trend)?:
                lines.append(
                    "\(metric.name) \(trend.count) \(trend.sum) \(trend.minimum ?? -1) \(trend.buckets.base64)")
            }
            let measured = tally.measurements[metric]
            if let service = measured.service { lines.append("\(metric.name) service \(service.buckets.base64)") }
            for outcome in PaymentOutcome.allCases {
                guard let response = measured.response(of: outcome) else { continue }
                lines.append("\(metric.name) \(outcome) \(response.buckets.base64)")
            }
            lines.append("\(measured.instant) \(measured.stages.sorted { $0.key < $1.key })")
            lines += measured.tags.map { "\(metric.name){\($0.key)} \($0.value)" }.sorted()
            return lines
        }
    }

    private func worker(_ user: Int) -> Tally {
        let tally = Tally()
        var stream = RandomStream(seed: 3, user: user, purpose: .store)
        for sample in drawnSamples(200, user: user) {
            tally.record(purchase: sample, user == 1 ? .failure : .success)
            if user != 3 { tally.instant(.purchaseDuration) }
            tally.count(failed: ["unknown", "none"][user % 2], at: user == 4 ? .sending : .deciding)
            tally.recordService(.purchaseDuration, nanoseconds: sample / 2)
            tally.count(.purchases, by: Int(stream.below(3)))
            tally.count(.faults, tag: ["crash", "outage", "lost_answer"][Int(stream.below(3))])
            tally.rate(.purchaseSuccess, passed: stream.below(4) > 0)
            tally.gauge(.memoryResident, value: Double(stream.below(1_000)))
        }
        if user == 2 { tally.declare(.violations) }
        return tally
    }

    @Test func talliesMergeInAnyOrder() {
        func merged(_ order: [Int]) -> Tally {
            let all = Tally()
            for user in order { all.merge(worker(user)) }
            return all
        }
        let forward = describe(merged([0, 1, 2, 3, 4]))
        #expect(forward == describe(merged([4, 2, 0, 3, 1])))
        let left = merged([0, 1])
        let right = merged([2, 3, 4])
        right.merge(left)
        #expect(forward == describe(right))
        #expect(forward.contains { $0.hasPrefix("violations 0") })
    }

    @Test func emptyTallyHasNoReadings() {
        let tally = Tally()
        for metric in MetricName.allCases {
            #expect(tally.measurements[metric].reading(seconds: 1) == nil, "\(metric.name)")
        }
    }

    @Test func declaredCounterReadsZero() {
        let tally = Tally()
        tally.declare(.violations)
        guard case .counter(0, 0)? = tally.measurements[.violations].reading(seconds: 1) else {
            Issue.record("violations were declared")
            return
        }
    }

    @Test func taggedCountsAddUpToTheMetric() {
        let tally = Tally()
        tally.count(.faults, tag: "outage", by: 2)
        tally.count(.faults, tag: "crash")
        tally.count(.faults, tag: "outage")
        #expect(tally.measurements[.faults].tags == ["crash": 1, "outage": 3])
        guard case .counter(4, 2)? = tally.measurements[.faults].reading(seconds: 2) else {
            Issue.record("\(describe(tally))")
            return
        }
    }

    private func part(_ metric: MetricName, _ tags: String...) -> SelectionRule {
        let tags = tags.map { tag in
            let words = tag.split(separator: ":").map(String.init)
            return MetricTag(name: words[0], value: words[1])
        }
        var rule = SelectionRule(MetricSelection(metric: metric, tags: tags))
        for tag in tags {
            switch tag.name {
            case "code": rule.label = tag.value
            case "stage": rule.stage = tag.value
            case "outcome": rule.outcome = tag.value
            case "answer": rule.answer = tag.value
            default: rule.device = Int(tag.value)
            }
        }
        return rule
    }

    @Test func failuresAreCountedByErrorAndStage() {
        let tally = Tally(
            selections: [
                part(.purchasesFailed, "code:unknown"), part(.purchasesFailed, "stage:deciding"),
                part(.purchasesFailed, "code:unknown", "stage:deciding"),
            ])
        let failures: [(String, FailureStage)] = [
            ("unknown", .processing), ("paymentCancelled", .deciding), ("unknown", .deciding), ("unknown", .processing),
        ]
        for (code, stage) in failures { tally.count(failed: code, at: stage, of: SampleOrigin(entry: 0)) }
        let whole = tally.measurements[.purchasesFailed]
        #expect(whole.count == 4 && whole.isCounted)
        #expect(whole.tags == ["unknown": 3, "paymentCancelled": 1])
        #expect(whole.stages == ["processing": 2, "deciding": 2])
        #expect(tally.measurements.parts.map(\.count) == [3, 2, 1])
    }

    @Test func durationsAreSplitByOutcome() {
        let tally = Tally(
            selections: [part(.purchaseDuration, "outcome:success"), part(.purchaseDuration, "outcome:deferred")])
        for (nanoseconds, outcome) in [(10, .success), (900, .failure), (30, .success)] as [(Int64, PaymentOutcome)] {
            tally.record(purchase: nanoseconds, outcome, of: SampleOrigin(entry: 0, outcome: outcome))
        }
        let whole = tally.measurements[.purchaseDuration]
        #expect(whole.response?.count == 3 && whole.response?.sum == 940)
        #expect(whole.response(of: .success)?.sum == 40 && whole.response(of: .failure)?.sum == 900)
        #expect(whole.response(of: .deferred) == nil)
        #expect(tally.measurements.parts[0].response?.sum == 40 && tally.measurements.parts[1].response == nil)
    }

    // They make no percentile, of a part as little as of the whole, unless it is about them.
    @Test func instantAnswersAreCountedSeparately() {
        let tally = Tally(
            selections: [
                part(.restoreDuration, "answer:instant"), part(.restoreDuration, "answer:served"),
                part(.restoreDuration, "device:1"), part(.restoreDuration, "device:2"),
                part(.restoreDuration, "device:1", "answer:instant"),
            ])
        for device in [1, 1, 2] { tally.instant(.restoreDuration, of: SampleOrigin(entry: 0, device: device)) }
        #expect(tally.measurements[.restoreDuration].isMeasured)
        #expect(tally.measurements[.restoreDuration].reading(seconds: 1) == nil, "nothing was served")
        tally.record(.restoreDuration, nanoseconds: 7, of: SampleOrigin(entry: 0, device: 1))
        let whole = tally.measurements[.restoreDuration]
        #expect(whole.response?.minimum == 7 && whole.response?.count == 1 && whole.instant == 3)
        let parts = tally.measurements.parts
        #expect(parts.map { $0.response?.count ?? 0 } == [3, 1, 1, 0, 2])
        #expect(parts.map(\.instant) == [0, 0, 2, 1, 0])
        #expect(parts[0].response?.maximum == 0 && parts[4].response?.maximum == 0)
    }

    @Test func counterWithoutTimeHasNoRate() {
        let tally = Tally()
        tally.count(.launches)
        guard case .counter(1, nil)? = tally.measurements[.launches].reading(seconds: 0) else {
            Issue.record("\(describe(tally))")
            return
        }
    }

    @Test func gaugeKeepsLastLowestAndHighestValue() {
        let tally = Tally()
        for value in [5.0, 9, 1, 4] { tally.gauge(.memoryAllocated, value: value) }
        guard case .gauge(4, 1, 9)? = tally.measurements[.memoryAllocated].reading(seconds: 1) else {
            Issue.record("\(describe(tally))")
            return
        }
    }
}
