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
            lines += measured.tags.map { "\(metric.name){\($0.key)} \($0.value)" }.sorted()
            return lines
        }
    }

    private func worker(_ user: Int) -> Tally {
        let tally = Tally()
        var stream = RandomStream(seed: 3, user: user, purpose: .store)
        for sample in drawnSamples(200, user: user) {
            tally.record(.purchaseDuration, nanoseconds: sample)
            tally.recordService(.purchaseDuration, nanoseconds: sample / 2)
            tally.count(.purchases, by: Int(stream.below(3)))
            tally.count(.faults, tag: ["crash", "outage", "lost_answer"][Int(stream.below(3))])
            tally.rate(.purchaseSuccess, passed: stream.below(4) > 0)
            tally.gauge(.memoryResident, value: Double(stream.below(1_000)))
        }
        if user == 2 { tally.declare(.violations) }
        return tally
    }

    @Test func orderOfMergingDoesNotShow() {
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

    @Test func nothingMeasuredReadsAsNothing() {
        let tally = Tally()
        for metric in MetricName.allCases {
            #expect(tally.measurements[metric].reading(seconds: 1) == nil, "\(metric.name)")
        }
    }

    @Test func declaredCountersReadZero() {
        let tally = Tally()
        tally.declare(.violations)
        guard case .counter(0, 0)? = tally.measurements[.violations].reading(seconds: 1) else {
            Issue.record("violations were declared")
            return
        }
    }

    @Test func tagsAddUpToTheWhole() {
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

    @Test func noTimeGivesNoRate() {
        let tally = Tally()
        tally.count(.launches)
        guard case .counter(1, nil)? = tally.measurements[.launches].reading(seconds: 0) else {
            Issue.record("\(describe(tally))")
            return
        }
    }

    @Test func gaugesKeepLastLowestAndHighest() {
        let tally = Tally()
        for value in [5.0, 9, 1, 4] { tally.gauge(.memoryAllocated, value: value) }
        guard case .gauge(4, 1, 9)? = tally.measurements[.memoryAllocated].reading(seconds: 1) else {
            Issue.record("\(describe(tally))")
            return
        }
    }
}
