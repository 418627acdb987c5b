// HdrHistogram's V2 compressed encoding, which its libraries for Java, Python, C and others read.
// Pure.

import Foundation

extension DurationHistogram {
    /// The samples as base64 of the V2 compressed encoding: "HISTFAAA…".
    ///
    /// Deterministic: one set of samples gives one text. `overflow`, and the exact minimum,
    /// maximum and sum, are not part of the format.
    package var base64: String {
        let counts = encodedCounts
        var payload = HistogramBytes()
        payload.append32(0x1c84_9303 | 0x10)
        payload.append32(UInt32(counts.count))
        payload.append32(0)  // normalizing index offset
        payload.append32(UInt32(Self.significantDigits))
        payload.append64(1)  // lowest discernible value
        payload.append64(UInt64(Self.highest))
        payload.append64(1.0.bitPattern)  // integer to double conversion ratio
        payload.bytes += counts
        let compressed = Self.storedZlib(payload.bytes)
        var envelope = HistogramBytes()
        envelope.append32(0x1c84_9304 | 0x10)
        envelope.append32(UInt32(compressed.count))
        envelope.bytes += compressed
        return Data(envelope.bytes).base64EncodedString()
    }

    /// Counts in the order of the buckets as ZigZag LEB128; a negative number stands for so many empty buckets.
    private var encodedCounts: [UInt8] {
        var output: [UInt8] = []
        var last = -1
        for (value, count) in recorded {
            let index = Self.bucketIndex(of: value)
            let gap = index - last - 1
            // A single empty bucket is written as the count 0: the format knows no run of one.
            if gap == 1 { Self.append(0, to: &output) } else if gap > 1 { Self.append(Int64(-gap), to: &output) }
            Self.append(Int64(clamping: count), to: &output)
            last = index
        }
        return output
    }

    /// Three digits need 2048 sub-buckets; every bucket but the first uses the upper 1024.
    private static func bucketIndex(of value: UInt64) -> Int {
        let bucket = 53 - (value | 2_047).leadingZeroBitCount
        return (bucket + 1) << 10 + Int(value >> bucket) - 1_024
    }

    /// LEB128-64b9B: at most nine bytes, the ninth whole.
    private static func append(_ number: Int64, to output: inout [UInt8]) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        var written = 0
        while rest >= 0x80 && written < 8 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
            written += 1
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A zlib stream of stored blocks: valid for every reader, and no library needed to write it.
    private static func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream = HistogramBytes()
        stream.bytes += [0x78, 0x01]
        var offset = 0
        repeat {
            let count = min(65_535, bytes.count - offset)
            stream.bytes.append(offset + count == bytes.count ? 1 : 0)
            for half in [UInt16(count), ~UInt16(count)] {
                stream.bytes += [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)]
            }
            stream.bytes += bytes[offset..<(offset + count)]
            offset += count
        } while offset < bytes.count
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        stream.append32(high << 16 | low)
        return stream.bytes
    }
}

/// Bytes in network order.
private struct HistogramBytes {
    var bytes: [UInt8] = []

    mutating func append32(_ value: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func append64(_ value: UInt64) {
        append32(UInt32(truncatingIfNeeded: value >> 32))
        append32(UInt32(truncatingIfNeeded: value))
    }
}
