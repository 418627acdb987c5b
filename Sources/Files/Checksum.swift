// A sum over bytes by which a torn or altered file is known.
// A value; owned by whoever adds.

internal import Foundation

/// FNV-1a over words of eight bytes. Every step can be undone, so that one altered word always gives another sum.
///
/// It tells accidents, and nobody who means harm.
package struct Checksum: Sendable, Equatable {
    private var state: UInt64 = 14_695_981_039_346_656_037
    private var length: UInt64 = 0
    /// Bytes that do not fill a word yet.
    private var rest: UInt64 = 0

    package init() {}

    package static func of(_ bytes: some Collection<UInt8>) -> UInt64 {
        var sum = Checksum()
        sum.add(bytes)
        return sum.value
    }

    package mutating func add(_ bytes: some Collection<UInt8>) {
        let isWhole = bytes.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) } != nil
        if !isWhole { Array(bytes).withUnsafeBytes { add($0) } }
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while length & 7 != 0, place < bytes.count {
            take(bytes[place])
            place += 1
        }
        while place + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
            length += 8
        }
        while place < bytes.count {
            take(bytes[place])
            place += 1
        }
    }

    /// Of everything that was added.
    package var value: UInt64 {
        var copy = self
        copy.mix(rest)
        copy.mix(length)
        return copy.state
    }

    /// `9f0c…`, sixteen hexadecimal digits.
    package var digits: String { Self.digits(value) }

    package static func digits(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func take(_ byte: UInt8) {
        rest |= UInt64(byte) << (8 * (length & 7))
        length += 1
        guard length & 7 == 0 else { return }
        mix(rest)
        rest = 0
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 1_099_511_628_211
        // A product carries upward only: what is high comes down here.
        state ^= state >> 29
    }
}

extension Checksum {
    /// Of a file, block by block.
    package static func ofFile(_ path: String) throws(SystemError) -> UInt64 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        defer { close(descriptor) }
        var sum = Checksum()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { block.deallocate() }
        while true {
            let count = read(descriptor, block.baseAddress, block.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw SystemError(path: path, number: errno) }
            if count == 0 { return sum.value }
            sum.add(UnsafeRawBufferPointer(rebasing: block[..<count]))
        }
    }
}
