// What was measured is one value: written and read without loss, merged in any order.

import Foundation
import Simulation
import Testing

@testable import Metrics

@Suite struct MeasurementsTests {
    private static let second: Int64 = 1_000_000_000

    /// Everything that a worker can measure, in a run of so many seconds.
    private func worker(_ user: Int, seconds: UInt64 = 500) -> Measurements {
        let parts: [SelectionRule] = [
            SelectionRule(MetricSelection(metric: .purchases, tags: [], window: 0..<Self.second)),
            SelectionRule(MetricSelection(metric: .purchaseDuration, tags: [MetricTag(name: "device", value: "1")])),
        ]
        let tally = Tally(selections: parts)
        var stream = RandomStream(seed: 5, user: user, purpose: .store)
        for sample in drawnSamples(200, user: user) {
            let at = Int64(stream.below(seconds)) * Self.second + Int64(stream.below(1_000_000_000))
            let origin = SampleOrigin(entry: 0, begunAt: at)
            tally.record(purchase: sample, sample % 3 == 0 ? .failure : .success, of: origin)
            if sample % 5 == 0 { tally.instant(.purchaseDuration, of: origin) }
            tally.count(failed: sample % 2 == 0 ? "unknown" : "none", at: user > 2 ? .sending : .deciding, of: origin)
            tally.recordService(.purchaseDuration, nanoseconds: sample - 5)
            tally.count(.purchases, by: Int(stream.below(3)), of: origin)
            tally.count(.faults, tag: ["crash", "outage", "lost_answer"][Int(stream.below(3))])
            tally.rate(.purchaseSuccess, passed: stream.below(4) > 0)
            tally.gauge(.memoryResident, value: Double(stream.below(1_000)))
            tally.place(.purchases, at: at)
            tally.place(purchaseDuration: sample, at: at)
            tally.place(activeFrom: at, to: at + sample)
            var stages = PurchaseStages()
            (stages.sending, stages.receiving) = (sample, sample / 3)
            tally.record(stages)
        }
        tally.gauge(.cpuSteal, Quotient(ExactSum(stream.below(100)), over: ExactSum(100 + stream.below(100))))
        if user == 2 { tally.declare(.violations) }
        return tally.measurements
    }

    private func text(_ measurements: Measurements) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(measurements), as: UTF8.self)
    }

    @Test(arguments: [3, 500, 5_000] as [UInt64])
    func decodedMeasurementsAreTheSame(seconds: UInt64) throws {
        let measurements = worker(1, seconds: seconds)
        let text = try text(measurements)
        let read = try JSONDecoder().decode(Measurements.self, from: Data(text.utf8))
        #expect(try self.text(read) == text)
        #expect(read[.purchaseDuration].response?.sum == measurements[.purchaseDuration].response?.sum)
        #expect(read[.purchaseDuration].service?.underflow == measurements[.purchaseDuration].service?.underflow)
        #expect(read[.purchaseDuration].response(of: .failure)?.sum != nil)
        #expect(read[.purchaseDuration].instant > 0 && read[.purchasesFailed].stages.count == 1)
        #expect(read.series.activeUsers == measurements.series.activeUsers)
        #expect(read.stages.bands.map(\.sums) == measurements.stages.bands.map(\.sums))
    }

    // Runs of different lengths, of which some have been written and read in between.
    @Test func measurementsMergeInAnyOrder() throws {
        let parts = try ([(0, 20), (1, 500), (2, 900), (3, 5_000), (4, 20)] as [(Int, UInt64)]).map { user, seconds in
            let part = worker(user, seconds: seconds)
            guard user.isMultiple(of: 2) else { return part }
            return try JSONDecoder().decode(Measurements.self, from: Data(text(part).utf8))
        }
        func merged(_ order: [Int]) -> Measurements {
            var all = Measurements()
            for place in order { all.merge(parts[place]) }
            return all
        }
        let forward = try text(merged([0, 1, 2, 3, 4]))
        for order in [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 4, 0, 2, 1]] {
            #expect(try text(merged(order)) == forward)
        }
        var halves = merged([3, 1])
        halves.merge(merged([4, 0, 2]))
        #expect(try text(halves) == forward)
    }

    @Test func mergedGaugesAreWeightedByTheirParts() throws {
        let (one, other) = (Tally(), Tally())
        one.gauge(.bytesPerPurchase, Quotient(ExactSum(1_000), over: ExactSum(100)))
        other.gauge(.bytesPerPurchase, Quotient(ExactSum(6_000), over: ExactSum(300)))
        other.gauge(.cpuSteal, Quotient(ExactSum(5), over: ExactSum(0)))
        one.merge(other)
        guard case .gauge(17.5, 10, 20)? = one.measurements[.bytesPerPurchase].reading(seconds: 1) else {
            Issue.record("\(String(describing: one.measurements[.bytesPerPurchase].gauge))")
            return
        }
        // Nothing to divide by is nothing measured.
        #expect(one.measurements[.cpuSteal].reading(seconds: 1) == nil)
    }

    @Test func measurementOverflowIsReportedWithoutATrap() throws {
        func excess(_ one: Measured, _ other: Measured) -> Measurements.Excess? {
            var measurements = Measurements()
            for measured in [one, other, other] { measurements.merge(measured) }
            return measurements.excess
        }
        var (many, few) = (Measured(.purchases), Measured(.purchases))
        (many.count, few.count) = (.max - 1, 1)
        #expect(excess(many, many) == .metric("purchases") && excess(few, many) == .metric("purchases"))
        #expect(excess(few, few) == nil)
        (many, few) = (Measured(.faults), Measured(.faults))
        (many.tags["crash"], few.tags["crash"]) = (.max - 1, 2)
        #expect(excess(many, few) == .metric("faults"))
        (many, few) = (Measured(.purchasesFailed), Measured(.purchasesFailed))
        (many.stages["deciding"], few.stages["deciding"]) = (.max - 1, 2)
        #expect(excess(many, few) == .metric("purchases_failed"))
        (many, few) = (Measured(.restoreDuration), Measured(.restoreDuration))
        (many.instant, few.instant) = (.max - 1, 2)
        #expect(excess(many, few) == .metric("restore_duration"))
        let buckets = HistogramBuckets(layout: .fine, buckets: [.init(index: 7, count: .max - 1)])
        many = Measured(.goodsDuration)
        many.response = DurationHistogram(buckets, sum: ExactSum(1), minimum: 7, maximum: 7, overflow: 0)
        #expect(excess(many, many) == .histogram("goods_duration"))
        let most = try #require(many.response)
        many = Measured(.purchaseDuration)
        many.merge(most, of: .failure)
        #expect(excess(many, many) == .histogram("purchase_duration"))

        var full = TimeSeries()
        full.count(.purchases, at: 0)
        var rows = full.rows
        rows.counts["purchases"] = [.max - 1]
        for _ in 0..<2 { full.merge(try #require(TimeSeries(rows))) }
        var measurements = Measurements()
        measurements.series = full
        #expect(measurements.excess == .series)
        rows.counts["purchases"] = [1]
        rows.purchaseDurations = [
            HistogramBuckets(layout: .coarse, buckets: [.init(index: 3, count: 1 << 40)])
        ]
        measurements.series = try #require(TimeSeries(rows))
        #expect(measurements.excess == .series)
        let none = ExactSum(0)
        let band = StageTable.Band(from: 0, count: .max - 1, sums: (none, none, none, none))
        measurements = Measurements()
        for _ in 0..<3 { measurements.stages.merge(try #require(StageTable([band]))) }
        #expect(measurements.excess == .stages)
    }

    @Test func exactSumIsEncodedAtAnyLength() throws {
        let sums = [0, -1, Int128(Int64.max), Int128(Int64.max) + 1, -(1 << 90)].map { ExactSum($0) }
        let data = try JSONEncoder().encode(sums)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"[0,-1,9223372036854775807,"9223372036854775808","-1237940039285380274899124224"]"#)
        #expect(try JSONDecoder().decode([ExactSum].self, from: data) == sums)
        for wrong in ["\"\"", "\"1.5\"", "1.5", "\"x\"", "null", "\"9\(String(repeating: "0", count: 31))\"", "1e40"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ExactSum].self, from: Data("[\(wrong)]".utf8))
            }
        }
    }

    @Test func timeSeriesRefusesRowsThatNoRunWrites() throws {
        var series = TimeSeries()
        series.active(from: 0, to: 2 * Self.second)
        let rows = series.rows
        #expect(TimeSeries(rows) != nil)
        func isSeries(_ change: (inout TimeSeries.Rows) -> Void) -> Bool {
            var changed = rows
            change(&changed)
            return TimeSeries(changed) != nil
        }
        for interval in [0, -Self.second, 3 * Self.second, Self.second + 1, .max, .min, Self.second << 33] {
            #expect(!isSeries { $0.interval = interval }, "\(interval)")
        }
        #expect(!isSeries { $0.active.removeLast() } && !isSeries { $0.active[0].value = -1 })
        #expect(!isSeries { $0.counts["purchases"] = nil } && !isSeries { $0.counts["sundials"] = [0, 0] })
        #expect(!isSeries { $0.counts["purchases"] = [0, -1] } && !isSeries { $0.queue = [] })
        #expect(!isSeries { $0.purchaseDurations[0] = HistogramBuckets(layout: .fine, buckets: []) })
        #expect(
            isSeries {
                $0.interval *= 4
                $0.queue = $0.active
            })
    }
}
