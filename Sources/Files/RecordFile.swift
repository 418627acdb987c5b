// Records one after the other in a file, each with its length and a sum: what was cut off or altered is known.
// Touches the file system only; a file has one writer, which is the only one in its process.

package import Foundation

/// A record: what it is for, and its bytes.
package struct FileRecord: Sendable, Equatable {
    package let kind: UInt8
    package let bytes: [UInt8]

    package init(kind: UInt8, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

    /// Kind, length, and the sum of both and the bytes.
    static let headSize = 17

    /// All of it, as it stands in a file.
    package var data: Data { Data(head + bytes) }

    private var head: [UInt8] {
        var head = [kind]
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { head.append(contentsOf: $0) }
        withUnsafeBytes(of: Self.sum(head, bytes).littleEndian) { head.append(contentsOf: $0) }
        return head
    }

    /// What `head` says of the bytes behind it.
    static func parse(_ head: [UInt8]) -> (kind: UInt8, count: UInt64, sum: UInt64) {
        head.withUnsafeBytes { bytes in
            (
                bytes[0], UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 9, as: UInt64.self))
            )
        }
    }

    static func sum(_ head: [UInt8], _ bytes: [UInt8]) -> UInt64 {
        var sum = Checksum()
        sum.add(head.prefix(9))
        sum.add(bytes)
        return sum.value
    }
}

/// Appends records.
package final class RecordWriter {
    package let path: String
    private let descriptor: Int32
    /// Of all records, in bytes.
    package private(set) var length: Int

    /// Makes the file, in place of what had its name.
    package convenience init(creating path: String) throws(SystemError) {
        try self.init(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, length: 0)
    }

    /// Goes on behind the first `length` bytes of a file; what follows them is cut off.
    package convenience init(continuing path: String, at length: Int) throws(SystemError) {
        try self.init(path, O_RDWR | O_CREAT | O_CLOEXEC, length: length)
    }

    private init(_ path: String, _ flags: Int32, length: Int) throws(SystemError) {
        (self.path, self.length) = (path, length)
        descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        if ftruncate(descriptor, off_t(length)) != 0 || lseek(descriptor, off_t(length), SEEK_SET) < 0 {
            throw SystemError(path: path, number: errno)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whole, or the file is as it was before.
    package func append(_ record: FileRecord) throws(SystemError) {
        do {
            try OutputFile.put(record.data, into: descriptor, path: path)
        } catch {
            // Behind what is whole nothing torn stays, where the system allows that.
            _ = ftruncate(descriptor, off_t(length))
            lseek(descriptor, off_t(length), SEEK_SET)
            throw error
        }
        length += FileRecord.headSize + record.bytes.count
    }

    /// Everything that was appended is on the disk then.
    package func synchronize() throws(SystemError) {
        if fdatasync(descriptor) != 0 { throw SystemError(path: path, number: errno) }
    }
}

/// Reads records, one after the other.
package final class RecordReader {
    package enum Next: Equatable {
        case record(FileRecord)
        case end
        /// What follows is no whole record, or is not what was written.
        case torn
    }

    package let path: String
    private let descriptor: Int32
    private let size: Int
    /// Where what was read so far ends.
    package private(set) var offset = 0

    package init(_ path: String) throws(SystemError) {
        self.path = path
        // A pipe would be waited for.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(path: path, number: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(path: path, number: EINVAL) }
        size = Int(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func next() throws(SystemError) -> Next {
        if offset == size { return .end }
        guard let head = try bytes(FileRecord.headSize) else { return .torn }
        let (kind, count, sum) = FileRecord.parse(head)
        guard count <= UInt64(size - offset - head.count), let bytes = try bytes(Int(count)),
            FileRecord.sum(head, bytes) == sum
        else { return .torn }
        offset += head.count + bytes.count
        return .record(FileRecord(kind: kind, bytes: bytes))
    }

    /// Nil where the file ends before.
    private func bytes(_ count: Int) throws(SystemError) -> [UInt8]? {
        var failure: Int32?
        let found = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = errno }
                if read <= 0 { return }
                filled += read
            }
        }
        if let failure { throw SystemError(path: path, number: failure) }
        return found.count == count ? found : nil
    }
}
