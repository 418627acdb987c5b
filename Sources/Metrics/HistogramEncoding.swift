// HdrHistogram's V2 compressed encoding, which its libraries for Java, Python, C and others read.
// Pure.

import Foundation

/// The numbers that the format begins with.
private enum HistogramCookie {
    static let compressed: UInt32 = 0x1c84_9304 | 0x10
    static let plain: UInt32 = 0x1c84_9303 | 0x10
}

extension HistogramBuckets {
    /// The V2 compressed encoding as base64: "HISTFAAA…". One set of samples gives one text.
    package var base64: String {
        let counts = encodedCounts
        var payload = HistogramBytes()
        payload.append32(HistogramCookie.plain)
        payload.append32(UInt32(counts.count))
        payload.append32(0)  // normalizing index offset
        payload.append32(UInt32(layout.significantDigits))
        payload.append64(UInt64(layout.lowest))
        payload.append64(UInt64(layout.highest))
        payload.append64(1.0.bitPattern)  // integer to double conversion ratio
        payload.bytes += counts
        let compressed = Self.storedZlib(payload.bytes)
        var envelope = HistogramBytes()
        envelope.append32(HistogramCookie.compressed)
        envelope.append32(UInt32(compressed.count))
        envelope.bytes += compressed
        return Data(envelope.bytes).base64EncodedString()
    }

    /// Counts in the order of the buckets as ZigZag LEB128; a negative number stands for so many empty buckets.
    private var encodedCounts: [UInt8] {
        var output: [UInt8] = []
        var last = -1
        for bucket in buckets {
            let gap = bucket.index - last - 1
            // A single empty bucket is written as the count 0: the format knows no run of one.
            if gap == 1 { Self.append(0, to: &output) } else if gap > 1 { Self.append(Int64(-gap), to: &output) }
            Self.append(Int64(bucket.count), to: &output)
            last = bucket.index
        }
        return output
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
        stream.append32(adler32(bytes))
        return stream.bytes
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}

// MARK: - Reading

extension HistogramBuckets {
    /// Nil for what `base64` did not write: the blocks must be stored, as they are in our reports.
    package init?(base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        var envelope = HistogramReader(bytes: Array(data))
        guard envelope.number(4) == UInt64(HistogramCookie.compressed),
            envelope.number(4) == UInt64(envelope.bytesLeft), let plain = Self.unpacked(&envelope)
        else { return nil }
        var payload = HistogramReader(bytes: plain)
        guard payload.number(4) == UInt64(HistogramCookie.plain), let length = payload.number(4),
            payload.number(4) == 0, let digits = payload.number(4), let lowest = payload.number(8),
            let highest = payload.number(8), payload.number(8) == 1.0.bitPattern,
            length == UInt64(payload.bytesLeft), (1...5).contains(digits), lowest > 0, lowest <= UInt64.max / 2,
            highest >= 2 * lowest, highest <= UInt64(Int64.max)
        else { return nil }
        let layout = HistogramLayout(
            significantDigits: Int(digits), lowest: Int64(lowest), highest: Int64(highest))
        let countMax = layout.count
        var buckets: [Bucket] = []
        var index = 0
        while payload.bytesLeft > 0 {
            guard let count = payload.zigzag(), count > -Int64(countMax) else { return nil }
            if count < 0 {
                index += Int(-count)
                continue
            }
            guard index < countMax else { return nil }
            if count > 0 { buckets.append(Bucket(index: index, count: Int(count))) }
            index += 1
        }
        var total = 0
        for bucket in buckets {
            let (sum, isTooMuch) = total.addingReportingOverflow(bucket.count)
            if isTooMuch { return nil }
            total = sum
        }
        self.init(layout: layout, buckets: buckets)
    }

    /// The bytes of stored blocks, if the stream has no others and its checksum is right.
    fileprivate static func unpacked(_ reader: inout HistogramReader) -> [UInt8]? {
        guard let header = reader.number(2), header % 31 == 0 else { return nil }
        var output: [UInt8] = []
        while true {
            guard let kind = reader.number(1), kind & 6 == 0, let low = reader.number(1), let high = reader.number(1),
                let lowComplement = reader.number(1), let highComplement = reader.number(1)
            else { return nil }
            let length = low | high << 8
            guard length ^ (lowComplement | highComplement << 8) == 0xFFFF, let block = reader.take(Int(length)) else {
                return nil
            }
            output += block
            if kind & 1 == 1 { break }
        }
        guard reader.number(4) == UInt64(adler32(output)), reader.bytesLeft == 0 else { return nil }
        return output
    }
}

extension HistogramBuckets: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.sound(HistogramBuckets(base64: String(from: decoder)))
    }

    package func encode(to encoder: any Encoder) throws { try base64.encode(to: encoder) }
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

/// Reads what `HistogramBytes` wrote; nil where there is no more.
private struct HistogramReader {
    private let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var bytesLeft: Int { bytes.count - place }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytesLeft else { return nil }
        defer { place += count }
        return bytes[place..<(place + count)]
    }

    mutating func number(_ size: Int) -> UInt64? {
        take(size).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    mutating func zigzag() -> Int64? {
        var value: UInt64 = 0
        for place in 0..<9 as Range<UInt64> {
            guard let byte = number(1) else { return nil }
            if place == 8 {
                value |= byte << 56
            } else {
                value |= (byte & 0x7F) << (7 * place)
                if byte & 0x80 == 0 { break }
            }
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
