// The histogram against exact arithmetic on the same samples.

import Foundation
import Simulation
import Testing

@testable import Metrics

/// Log-uniform samples in nanoseconds, so that every magnitude is met.
func drawnSamples(_ count: Int, user: Int, magnitudes: UInt64 = 44) -> [Int64] {
    var stream = RandomStream(seed: 11, user: user, purpose: .store)
    return (0..<count).map { _ in
        let bits = stream.below(magnitudes)
        return Int64(stream.below(2 << bits))
    }
}

@Suite struct DurationHistogramTests {
    private func histogram(_ samples: [Int64]) -> DurationHistogram {
        var histogram = DurationHistogram()
        for sample in samples { histogram.record(sample) }
        return histogram
    }

    @Test(arguments: 0..<20)
    func percentilesAgreeWithSortingToThreeDigits(user: Int) throws {
        let samples = drawnSamples(1 + user * 97, user: user)
        let histogram = histogram(samples)
        let sorted = samples.sorted()
        for percentile in [0, 0.1, 1, 25, 50, 66.6, 90, 95, 99, 99.9, 100] {
            let rank = max(1, Int((percentile.nextDown / 100 * Double(sorted.count)).rounded(.up)))
            let exact = sorted[min(rank, sorted.count) - 1]
            let value = try #require(histogram.value(atPercentile: percentile))
            #expect(abs(value - exact) * 1_000 <= exact, "p\(percentile): \(value) for \(exact)")
        }
    }

    @Test(arguments: 0..<5)
    func histogramCountMinimumMaximumAndSumAreExact(user: Int) {
        let samples = drawnSamples(500, user: user)
        let histogram = histogram(samples)
        #expect(histogram.count == samples.count)
        #expect(histogram.minimum == samples.min())
        #expect(histogram.maximum == samples.max())
        #expect(histogram.sum == samples.reduce(Int128(0)) { $0 + Int128($1) })
        #expect(histogram.value(atPercentile: 100) == samples.max())
    }

    @Test func histogramKeepsDurationsBelowAMicrosecond() {
        let histogram = histogram([0, 1, 250, 999])
        #expect(histogram.value(atPercentile: 25) == 0)
        #expect(histogram.value(atPercentile: 50) == 1)
        #expect(histogram.value(atPercentile: 75) == 250)
        #expect(histogram.value(atPercentile: 100) == 999)
    }

    @Test func histogramMergesInAnyOrder() {
        let parts = (0..<6).map { histogram(drawnSamples(300, user: $0)) }
        func merged(_ order: [Int]) -> DurationHistogram {
            var all = DurationHistogram()
            for index in order { all.merge(parts[index]) }
            return all
        }
        let forward = merged([0, 1, 2, 3, 4, 5])
        let shuffled = merged([3, 5, 0, 4, 2, 1])
        #expect(forward.buckets.base64 == shuffled.buckets.base64)
        #expect(forward.average == shuffled.average)
        let whole = histogram((0..<6).flatMap { drawnSamples(300, user: $0) })
        #expect(forward.buckets.base64 == whole.buckets.base64)
        #expect(forward.sum == whole.sum)
        #expect(forward.minimum == whole.minimum)
    }

    @Test func histogramClampsDurationsOverADay() {
        let day = DurationHistogram.highest
        let histogram = histogram([5, day, day + 1, .max])
        #expect(histogram.overflow == 2)
        #expect(histogram.count == 4)
        #expect(histogram.maximum == .max)
        #expect(histogram.sum == Int128(Int64.max) + Int128(day) * 2 + 6)
        #expect(histogram.value(atPercentile: 100) == day)
    }

    @Test func histogramCountsNegativeDurationsAsZero() {
        let histogram = histogram([-3, .min])
        #expect(histogram.underflow == 2)
        #expect(histogram.minimum == 0)
        #expect(histogram.value(atPercentile: 50) == 0)
    }

    @Test func emptyHistogramHasNoReading() {
        let histogram = DurationHistogram()
        #expect(histogram.count == 0)
        #expect(histogram.minimum == nil)
        #expect(histogram.average == nil)
        #expect(histogram.value(atPercentile: 50) == nil)
    }

    @Test func emptyHistogramMergesWithAnyOther() {
        var samples = histogram([7])
        samples.merge(DurationHistogram())
        var empty = DurationHistogram()
        empty.merge(samples)
        #expect(empty.buckets.base64 == samples.buckets.base64)
        #expect(empty.minimum == 7)
        #expect(samples.maximum == 7)
    }

    @Test func histogramReadingDoesNotChangeLater() {
        var histogram = histogram([10, 20])
        let reading = histogram
        histogram.record(1_000)
        #expect(reading.count == 2)
        #expect(reading.average == 15)
        #expect(reading.value(atPercentile: 100) == 20)
    }

    // A merged report's thresholds and the percentiles that it prints are of histograms that were read.
    @Test(arguments: 0..<5)
    func decodedHistogramReadsTheSame(user: Int) throws {
        let written = histogram(drawnSamples(20 + user * 50, user: user))
        let read = try JSONDecoder().decode(DurationHistogram.self, from: JSONEncoder().encode(written))
        for percentile in [0, 0.1, 1, 25, 50, 66.6, 90, 95, 99, 99.9, 100] {
            #expect(read.value(atPercentile: percentile) == written.value(atPercentile: percentile), "p\(percentile)")
        }
        #expect(read.buckets == written.buckets)
        #expect((read.count, read.minimum, read.maximum) == (written.count, written.minimum, written.maximum))
        #expect(read.sum == written.sum)
    }

    @Test func percentileOutsideZeroToHundredTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = DurationHistogram().value(atPercentile: .nan)
        }
    }
}
