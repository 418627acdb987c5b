// What a worker sends to the process that forked it.
// Values; each side of the pipe has its own end.

import Files
import Foundation

/// One after the other, through a pipe.
package struct WorkerMessage {
    package enum Kind: Int {
        /// What came of a place.
        case value
        /// Something on the way, of which each kind of work has its own.
        case note
        /// The worker ends: there are no places left, or it was stopped.
        case farewell
        /// The same, because it holds too much memory: there may be places left.
        case replacement
        /// The worker's code ended the process by this call.
        case left
        /// The worker's code does not come back: for how long it has waited, and what for.
        case hung
        /// Where it was known to end the process it did not come: the value that follows is another's.
        case strayed
    }

    package let kind: Kind
    package let place: Int
    package let body: ArraySlice<UInt8>

    /// What most messages have room in. Made before a worker counts what it allocates, so that they cost its client
    /// nothing; memory that is not written to takes no room.
    package static let roomOfMost = 1 << 20

    private static let headSize = 3 * MemoryLayout<Int>.size

    /// Writes one in place of what `bytes` hold, in their memory: what a worker allocates is counted as its client's.
    static func write(_ kind: Kind, _ place: Int, _ body: [UInt8], into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        withUnsafeBytes(of: (body.count, kind.rawValue, place)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: body)
    }

    /// The first message in these bytes; nil as long as it is not all there.
    init?(_ bytes: ArraySlice<UInt8>) throws(TornValue) {
        guard bytes.count >= Self.headSize else { return nil }
        func number(_ index: Int) -> Int {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * MemoryLayout<Int>.size, as: Int.self) }
        }
        let size = number(0)
        guard let kind = Kind(rawValue: number(1)), size >= 0 else { throw TornValue() }
        guard bytes.count - Self.headSize >= size else { return nil }
        self.kind = kind
        place = number(2)
        body = bytes.dropFirst(Self.headSize).prefix(size)
    }

    var byteCount: Int { Self.headSize + body.count }
}

/// The end of the pipe at which messages come out. Main thread.
final class WorkerFeed {
    let descriptor: Int32
    private var bytes: [UInt8] = []
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 1)
    /// No process has the other end open any more.
    private(set) var isAtEnd = false

    private static let blockSize = 262_144

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
        block.deallocate()
    }

    /// Takes what has come; waits for nothing.
    func read(_ take: (WorkerMessage) throws -> Void) throws {
        while !isAtEnd {
            let count = Foundation.read(descriptor, block.baseAddress, block.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            if count <= 0 { return isAtEnd = true }
            bytes.append(contentsOf: block.prefix(count))
            var rest = bytes[...]
            while let message = try WorkerMessage(rest) {
                rest = rest.dropFirst(message.byteCount)
                try take(message)
            }
            bytes.removeFirst(bytes.count - rest.count)
        }
    }
}
