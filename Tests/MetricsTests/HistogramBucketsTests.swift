// Buckets and their encoding: where values belong, and what is read back.

import Foundation
import Testing

@testable import Metrics

@Suite struct HistogramBucketsTests {
    @Test(arguments: [
        HistogramLayout.fine, .coarse, HistogramLayout(significantDigits: 2, lowest: 1, highest: 1 << 40),
    ])
    func everyValueLiesWithinItsBucket(layout: HistogramLayout) {
        var value: Int64 = 0
        var last = -1
        while value <= layout.highest {
            let index = layout.index(of: value)
            #expect(layout.values(at: index).contains(value))
            #expect(index >= last && index < layout.count)
            last = index
            value += max(1, value / 700)
        }
        // No gaps: each bucket begins where the one before it ends.
        for index in 1..<layout.count {
            #expect(layout.values(at: index).lowerBound == layout.values(at: index - 1).upperBound + 1)
        }
    }

    @Test(arguments: 0..<6)
    func encodedBucketsDecodeTheSame(user: Int) {
        var histogram = DurationHistogram()
        for sample in drawnSamples(20_000, user: user) { histogram.record(sample) }
        #expect(HistogramBuckets(base64: histogram.buckets.base64) == histogram.buckets)
        let coarse = HistogramBuckets(
            layout: .coarse, buckets: [0, 1, 3, 90, 383].map { HistogramBuckets.Bucket(index: $0, count: $0 + 1) })
        #expect(HistogramBuckets(base64: coarse.base64) == coarse)
        #expect(HistogramBuckets(base64: DurationHistogram().buckets.base64)?.total == 0)
    }

    // A report may have been changed by hand, or cut: that is no reason to trap.
    @Test func bucketDecoderRefusesOtherTexts() throws {
        var histogram = DurationHistogram()
        for sample in drawnSamples(50, user: 1) { histogram.record(sample) }
        let bytes = try #require(Data(base64Encoded: histogram.buckets.base64))
        #expect(HistogramBuckets(base64: "") == nil && HistogramBuckets(base64: "no base64") == nil)
        for length in 0..<bytes.count {
            #expect(HistogramBuckets(base64: bytes.prefix(length).base64EncodedString()) == nil)
        }
        for place in 0..<bytes.count {
            var changed = bytes
            changed[place] ^= 0x55
            // The checksum finds every one of them.
            #expect(HistogramBuckets(base64: changed.base64EncodedString()) == nil, "byte \(place)")
        }
    }
}
