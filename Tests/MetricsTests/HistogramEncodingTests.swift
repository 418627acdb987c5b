// The V2 encoding, read back by a decoder written from the format's description.

import Foundation
import Testing

@testable import Metrics

/// Just enough of a reader of HdrHistogram's V2 compressed format.
struct HistogramDecoder {
    struct Malformed: Error {}

    private var bytes: ArraySlice<UInt8>

    /// Bucket index → samples.
    static func counts(_ base64: String) throws -> [Int: Int64] {
        guard let data = Data(base64Encoded: base64) else { throw Malformed() }
        var envelope = HistogramDecoder(bytes: Array(data)[...])
        guard try envelope.number(4) == 0x1c84_9314 else { throw Malformed() }
        guard try envelope.number(4) == UInt64(envelope.bytes.count) else { throw Malformed() }
        var payload = HistogramDecoder(bytes: try envelope.inflated()[...])
        guard try payload.number(4) == 0x1c84_9313 else { throw Malformed() }
        let length = try payload.number(4)
        guard try payload.number(4) == 0, try payload.number(4) == 3, try payload.number(8) == 1,
            try payload.number(8) == UInt64(DurationHistogram.highest), try payload.number(8) == 1.0.bitPattern,
            length == UInt64(payload.bytes.count)
        else { throw Malformed() }
        var counts: [Int: Int64] = [:]
        var index = 0
        while !payload.bytes.isEmpty {
            let count = try payload.zigzag()
            if count < 0 {
                index += Int(-count)
                continue
            }
            if count > 0 { counts[index] = count }
            index += 1
        }
        return counts
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func byte() throws -> UInt8 {
        guard let byte = bytes.popFirst() else { throw Malformed() }
        return byte
    }

    private mutating func number(_ size: Int) throws -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<size { value = value << 8 | UInt64(try byte()) }
        return value
    }

    private mutating func zigzag() throws -> Int64 {
        var value: UInt64 = 0
        for place in 0..<9 {
            let byte = try byte()
            if place == 8 {
                value |= UInt64(byte) << 56
                break
            }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(place))
            if byte & 0x80 == 0 { break }
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Stored blocks only, which is all that our writer makes; the checksum is checked.
    private mutating func inflated() throws -> [UInt8] {
        guard try number(2) % 31 == 0 else { throw Malformed() }
        var output: [UInt8] = []
        while true {
            let header = try byte()
            guard header & 6 == 0 else { throw Malformed() }
            let length = UInt16(try byte()) | UInt16(try byte()) << 8
            let complement = UInt16(try byte()) | UInt16(try byte()) << 8
            guard length == ~complement else { throw Malformed() }
            for _ in 0..<length { output.append(try byte()) }
            if header & 1 == 1 { break }
        }
        var low: UInt64 = 1
        var high: UInt64 = 0
        for byte in output {
            low = (low + UInt64(byte)) % 65_521
            high = (high + low) % 65_521
        }
        guard try number(4) == high << 16 | low, bytes.isEmpty else { throw Malformed() }
        return output
    }
}

@Suite struct HistogramEncodingTests {
    /// The bucket of a value, from the format's description: slow, and by another way than the writer's.
    private func bucket(_ value: Int64) -> Int {
        var rest = value
        var index = 0
        while rest >= 2_048 {
            rest >>= 1
            index += 1_024
        }
        return index + Int(rest)
    }

    @Test(arguments: 0..<10)
    func encodingCountsEverySampleInItsBucket(user: Int) throws {
        let samples = drawnSamples(1_500, user: user)
        var histogram = DurationHistogram()
        for sample in samples { histogram.record(sample) }
        #expect(
            try HistogramDecoder.counts(histogram.buckets.base64)
                == Dictionary(samples.map { (bucket($0), 1) }) { $0 + $1 })
    }

    @Test func encodingDistinguishesNeighboursAndGaps() throws {
        var histogram = DurationHistogram()
        for sample in [0, 1, 3, 100, 100, 2_047, 2_048, DurationHistogram.highest] { histogram.record(sample) }
        let expected: [Int: Int64] = [
            0: 1, 1: 1, 3: 1, 100: 2, 2_047: 1, 2_048: 1, bucket(DurationHistogram.highest): 1,
        ]
        #expect(try HistogramDecoder.counts(histogram.buckets.base64) == expected)
    }

    // Deflate's stored blocks end at 65 535 bytes.
    @Test func longHistogramsAreEncodedInSeveralBlocks() throws {
        var histogram = DurationHistogram()
        for value in 0..<30_000 as Range<Int64> { histogram.record(value * value * 90_000) }
        #expect(try HistogramDecoder.counts(histogram.buckets.base64).values.reduce(0, +) == 30_000)
    }

    @Test func emptyHistogramCanBeEncoded() throws {
        let text = DurationHistogram().buckets.base64
        #expect(text.hasPrefix("HISTFAAA"))
        #expect(try HistogramDecoder.counts(text).isEmpty)
    }
}
