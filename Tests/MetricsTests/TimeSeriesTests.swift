// What happened when: counted right, in bounded memory, in any order of merging.

import Testing

@testable import Metrics

@Suite struct TimeSeriesTests {
    private static let second: Int64 = 1_000_000_000

    /// One thing that happened, or a stretch of activity.
    private enum Event {
        case counted(MetricName, at: Int64)
        case purchase(Int64, at: Int64)
        case active(Int64, Int64)
    }

    private func drawn(_ count: Int, length: Int64, seed: UInt64) -> [Event] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ limit: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % max(1, limit)
        }
        return (0..<count).map { _ in
            let at = next(length / 1_000) * 1_000
            switch next(3) {
            case 0: return .counted(TimeSeries.counted[Int(next(Int64(TimeSeries.counted.count)))], at: at)
            case 1: return .purchase(next(60_000) * 1_000_000, at: at)
            default: return .active(at, at + next(length / 4_000) * 1_000)
            }
        }
    }

    private func series(_ events: some Sequence<Event>) -> TimeSeries {
        var series = TimeSeries()
        for event in events {
            switch event {
            case .counted(let metric, let at): series.count(metric, at: at)
            case .purchase(let duration, let at): series.record(purchaseDuration: duration, at: at)
            case .active(let start, let end): series.active(from: start, to: end)
            }
        }
        return series
    }

    private func expectSame(_ one: TimeSeries, _ other: TimeSeries) {
        #expect(one.interval == other.interval)
        #expect(one.intervalCount == other.intervalCount)
        for metric in TimeSeries.counted { #expect(one.counts(of: metric) == other.counts(of: metric)) }
        #expect(one.activeUsers == other.activeUsers)
        #expect(one.purchaseDurations == other.purchaseDurations)
    }

    // Runs of a few seconds, of about the limit, and of months.
    @Test(arguments: [20, 600, 5_000, 10_000_000] as [Int64])
    func timeSeriesPartsMergeInAnyOrder(seconds: Int64) {
        let events = drawn(400, length: seconds * Self.second, seed: UInt64(seconds))
        let whole = series(events)
        for parts in [2, 3, 7] {
            let split = (0..<parts).map { part in
                series(events.enumerated().filter { $0.offset % parts == part }.map(\.element))
            }
            var forward = TimeSeries()
            for part in split { forward.merge(part) }
            expectSame(forward, whole)
            var backward = TimeSeries()
            for part in split.reversed() { backward.merge(part) }
            expectSame(backward, whole)
        }
        expectSame(series(events.reversed()), whole)
    }

    @Test(arguments: [1, 9, 10, 600, 601, 1_200, 1_201, 40_000_000] as [Int64])
    func timeSeriesMemoryIsBounded(seconds: Int64) {
        var series = TimeSeries()
        series.count(.purchases, at: 0)
        series.count(.purchases, at: seconds * Self.second - 1)
        #expect(series.intervalCount <= TimeSeries.intervalsMax)
        #expect(series.interval * Int64(TimeSeries.intervalsMax) >= seconds * Self.second)
        #expect(series.counts(of: .purchases).reduce(0, +) == 2)
        if seconds <= 9 { #expect(series.interval == TimeSeries.intervalFirst) }
        #expect(series.interval < 2 * max(TimeSeries.intervalFirst, seconds * Self.second / 300))
        // A second is one of the lengths, so that runs of earlier versions lie over those of this one.
        #expect((Self.second / TimeSeries.intervalFirst).nonzeroBitCount == 1)
    }

    @Test func everyTimeSeriesMetricHasItsOwnColumn() {
        for metric in TimeSeries.counted {
            var series = TimeSeries()
            series.count(metric, at: 0)
            #expect(TimeSeries.counted.filter { series.counts(of: $0) == [1] } == [metric])
        }
    }

    // Summed up by the nanosecond, another way.
    @Test(arguments: [30, 3_000] as [Int64])
    func activeUsersAreTheirTimeOverTheIntervals(seconds: Int64) {
        let events = drawn(300, length: seconds * Self.second, seed: 7)
        let series = series(events)
        for (place, users) in series.activeUsers.enumerated() {
            let start = Int64(place) * series.interval
            var sum: Int64 = 0
            for case .active(let from, let to) in events {
                sum += max(0, min(to, start + series.interval) - max(from, start))
            }
            #expect(abs(users - Double(sum) / Double(series.interval)) < 1e-9, "interval \(place)")
        }
    }

    @Test func userActiveForTheWholeIntervalIsCounted() {
        var series = TimeSeries()
        series.active(from: 0, to: 3 * Self.second)
        #expect(series.activeUsers == [Double](repeating: 1, count: Int(3 * Self.second / series.interval)))
    }

    @Test func intervalPercentilesAreWithinASixteenth() throws {
        var series = TimeSeries()
        for sample in 1...1_000 as ClosedRange<Int64> {
            series.record(purchaseDuration: sample * 10_000_000, at: 0)
        }
        let buckets = try #require(series.purchaseDurations[0])
        for (percentile, exact) in [(50.0, 5e9), (95, 9.5e9), (99, 9.9e9)] {
            let value = Double(try #require(buckets.value(atPercentile: percentile)))
            #expect(value >= exact && value <= exact * 17 / 16, "p\(percentile): \(value)")
        }
    }

    @Test func durationsBeyondTheRangeAreKeptAtItsEnd() throws {
        var series = TimeSeries()
        series.record(purchaseDuration: .max, at: 0)
        series.record(purchaseDuration: -5, at: 0)
        let buckets = try #require(series.purchaseDurations[0])
        #expect(buckets.buckets.map(\.index) == [0, HistogramLayout.coarse.count - 1])
    }
}
