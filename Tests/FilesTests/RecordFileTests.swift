// Files of records: what was cut off or altered is known, and what is whole is read.

import Foundation
import Testing

@testable import Files

@Suite struct RecordFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("records-" + UUID().uuidString)

    private func withFile(_ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("file").path)
    }

    private static let records = [
        FileRecord(kind: 0, bytes: []), FileRecord(kind: 7, bytes: Array("abc".utf8)),
        FileRecord(kind: 255, bytes: (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }),
    ]

    private func write(_ path: String) throws -> Data {
        let writer = try RecordWriter(creating: path)
        for record in Self.records { try writer.append(record) }
        try writer.synchronize()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func read(_ path: String) throws -> (records: [FileRecord], end: RecordReader.Next) {
        let reader = try RecordReader(path)
        var found: [FileRecord] = []
        while true {
            let next = try reader.next()
            guard case .record(let record) = next else { return (found, next) }
            found.append(record)
        }
    }

    @Test func recordsReadBackTheSame() throws {
        try withFile { path in
            let data = try write(path)
            #expect(data == Self.records.map(\.data).reduce(Data(), +))
            let found = try read(path)
            #expect(found.records == Self.records && found.end == .end)
        }
    }

    @Test func readerReturnsTheWholeRecordsOfACutFile() throws {
        try withFile { path in
            let data = try write(path)
            let ends = Self.records.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.data.count) }
            for length in 0..<data.count {
                try data.prefix(length).write(to: URL(fileURLWithPath: path))
                let found = try read(path)
                #expect(found.records.count == ends.count { $0 <= length } - 1, "\(length) bytes")
                #expect((found.end == .end) == ends.contains(length), "\(length) bytes")
            }
        }
    }

    @Test func readerDetectsEveryAlteredByte() throws {
        try withFile { path in
            let data = try write(path)
            for place in data.indices {
                var altered = data
                altered[place] ^= 0x10
                try altered.write(to: URL(fileURLWithPath: path))
                let found = try read(path)
                #expect(found.end == .torn && found.records.count < Self.records.count, "byte \(place)")
            }
        }
    }

    @Test func continuedWriterOverwritesTheTornEnd() throws {
        try withFile { path in
            let data = try write(path)
            try (data + Data([1, 2, 3])).write(to: URL(fileURLWithPath: path))
            let writer = try RecordWriter(continuing: path, at: data.count)
            try writer.append(FileRecord(kind: 1, bytes: [9]))
            let found = try read(path)
            #expect(found.records == Self.records + [FileRecord(kind: 1, bytes: [9])] && found.end == .end)
            #expect(writer.length == data.count + FileRecord(kind: 1, bytes: [9]).data.count)
        }
    }

    @Test func checksumDoesNotDependOnChunking() throws {
        let bytes = (0..<1_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = Checksum.of(bytes)
        for step in [1, 3, 7, 8, 9, 64, 1_000] {
            var sum = Checksum()
            for start in stride(from: 0, to: bytes.count, by: step) {
                sum.add(bytes[start..<min(start + step, bytes.count)])
            }
            #expect(sum.value == whole, "in pieces of \(step)")
        }
        try withFile { path in
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(try Checksum.ofFile(path) == whole)
        }
        // Zeros at the end count too.
        #expect(Checksum.of([UInt8](repeating: 0, count: 3)) != Checksum.of([UInt8](repeating: 0, count: 4)))
        #expect(Checksum().digits.count == 16)
    }
}
