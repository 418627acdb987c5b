// Our histogram against HdrHistogram's own for Swift, on the same samples.

import Histogram
import Simulation
import Testing

@testable import Metrics

/// How samples are spread, each in another way that a fault in the buckets might show.
enum SampleSpread: CaseIterable {
    case one, narrow, even, everyMagnitude, twoPeaks, aroundPowersOfTwo, edges, beyondTheRange

    /// Nanoseconds.
    func sample(_ stream: inout RandomStream) -> Int64 {
        let highest = DurationHistogram.highest
        switch self {
        case .one: return 123_456_789
        case .narrow: return 1_000_000 + Int64(stream.below(5_000))
        case .even: return Int64(stream.below(UInt64(highest) + 1))
        case .everyMagnitude:
            let bits = stream.below(46)
            return Int64(stream.below(2 << bits))
        case .twoPeaks: return (stream.below(10) == 0 ? 30_000_000_000 : 2_000) + Int64(stream.below(900))
        case .aroundPowersOfTwo:
            let bits = stream.below(46)
            return (1 << Int64(bits)) + Int64(stream.below(3)) - 1
        case .edges:
            let edges = [0, 1, 2, 2_047, 2_048, 2_049, 4_095, 4_096, highest - 1, highest]
            return edges[Int(stream.below(UInt64(edges.count)))]
        case .beyondTheRange:
            let far = [highest, highest + 1, highest * 2, .max - 1, .max]
            return far[Int(stream.below(UInt64(far.count)))]
        }
    }
}

@Suite struct HistogramOracleTests {
    private static let percentiles: [Double] = [
        0, 1e-9, 0.1, 1, 5, 10, 25, 100.0 / 3, 50, 66.6, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100,
    ]

    /// The same samples in both. The library takes none above its range; ours counts them at its end.
    private struct Pair {
        var ours = DurationHistogram()
        var oracle = Histogram<UInt64>(
            lowestDiscernibleValue: 1, highestTrackableValue: UInt64(DurationHistogram.highest),
            numberOfSignificantValueDigits: .three)
        var samples: [Int64] = []

        init(_ count: Int, _ spread: SampleSpread, seed: UInt64) {
            var stream = RandomStream(seed: seed, user: count, purpose: .store)
            for _ in 0..<count { record(spread.sample(&stream)) }
        }

        mutating func record(_ sample: Int64) {
            samples.append(sample)
            ours.record(sample)
            oracle.record(UInt64(min(sample, DurationHistogram.highest)))
        }

        mutating func merge(_ other: Pair) {
            samples += other.samples
            ours.merge(other.ours)
            oracle.add(other.oracle)
        }
    }

    private func compare(_ pair: Pair, _ comment: Comment) throws {
        let (ours, oracle, samples) = (pair.ours, pair.oracle, pair.samples)
        let shortest = try #require(samples.min(), comment)
        #expect(UInt64(ours.count) == oracle.totalCount, comment)
        #expect(ours.overflow == samples.count { $0 > DurationHistogram.highest }, comment)
        // Beyond the range, ours knows the true length, and says no less than the shortest sample was.
        #expect(ours.minimum == max(shortest, Int64(oracle.min)), comment)
        #expect(min(ours.maximum ?? 0, DurationHistogram.highest) == Int64(oracle.maxRecorded), comment)
        let buckets = ours.buckets
        #expect(ours.value(atPercentile: 95) == ours.value(atPercentile: 95, in: buckets), comment)
        for percentile in Self.percentiles {
            let expected = max(shortest, Int64(oracle.valueAtPercentile(percentile)))
            #expect(ours.value(atPercentile: percentile, in: buckets) == expected, comment)
        }
        if ours.overflow == 0, let average = ours.average {
            // The library's is that of the middles of its buckets.
            #expect(abs(average - oracle.mean) <= max(1, average / 1_000), comment)
        }
        let recorded = oracle.recordedValues().map { ($0.value, Int64($0.count)) }
        #expect(
            buckets.buckets.map { UInt64(HistogramLayout.fine.values(at: $0.index).upperBound) } == recorded.map(\.0))
        #expect(buckets.buckets.map { Int64($0.count) } == recorded.map(\.1), comment)
        #expect(
            try HistogramDecoder.counts(buckets.base64).sorted { $0.key < $1.key }.map(\.value)
                == recorded.map(\.1), comment)
    }

    @Test(arguments: SampleSpread.allCases, [1, 2, 3] as [UInt64])
    func recordedSamplesReadAsInHdrHistogram(spread: SampleSpread, seed: UInt64) throws {
        for count in [1, 2, 100, 3_000] { try compare(Pair(count, spread, seed: seed), "\(count) \(spread)") }
    }

    @Test(arguments: SampleSpread.allCases, SampleSpread.allCases)
    func mergedSamplesReadAsInHdrHistogram(first: SampleSpread, second: SampleSpread) throws {
        var all = Pair(500, first, seed: 4)
        all.merge(Pair(300, second, seed: 5))
        try compare(all, "\(first), \(second)")
    }

    @Test(arguments: [0, 1, 2, DurationHistogram.highest - 1, DurationHistogram.highest] as [Int64])
    func singleSampleReadsAsInHdrHistogram(sample: Int64) throws {
        var pair = Pair(0, .one, seed: 1)
        pair.record(sample)
        try compare(pair, "\(sample)")
    }

    @Test func emptyHistogramHasNoBuckets() {
        let pair = Pair(0, .one, seed: 1)
        #expect(pair.oracle.totalCount == 0 && pair.ours.buckets.buckets.isEmpty)
    }

    @Test(arguments: [SignificantDigits.one, .two, .three, .four, .five], [1, 7, 1_000, 1_024, 1 << 20] as [Int64])
    func bucketLayoutEqualsHdrHistograms(digits: SignificantDigits, lowest: Int64) {
        let highest = lowest << 26
        let layout = HistogramLayout(significantDigits: Int(digits.rawValue), lowest: lowest, highest: highest)
        let oracle = Histogram<UInt64>(
            lowestDiscernibleValue: UInt64(lowest), highestTrackableValue: UInt64(highest),
            numberOfSignificantValueDigits: digits)
        var stream = RandomStream(seed: 6, user: Int(lowest), purpose: .store)
        let drawn = (0..<1_000).map { _ in
            let bits = stream.below(26)
            return Int64(stream.below(UInt64(lowest) << bits))
        }
        for value in [0, 1, lowest - 1, lowest, lowest + 1, highest - 1, highest] + drawn {
            let bucket = layout.values(at: layout.index(of: value))
            #expect(UInt64(bucket.lowerBound) == oracle.lowestEquivalentForValue(UInt64(value)))
            #expect(UInt64(bucket.upperBound) == oracle.highestEquivalentForValue(UInt64(value)))
        }
    }
}
