// The operations of a run on disk: sorted pieces, merged into one file in the end.
// Any thread; `lock` guards the list of pieces.

package import Files
import Foundation
package import Judgement
import Simulation

/// Memory has a bound, however long the run: every piece, and a block of each piece while they are merged.
package final class OperationStore: OperationRecord, @unchecked Sendable {
    /// What the file is called in the folder of a report.
    package static let fileName = "operations.ndjson"

    private let folder: String
    private let claim: Int32?
    private let lock = NSLock()
    private var pieces: [String] = []
    /// Pieces that stay where they are.
    private var adopted: Set<String> = []
    private var made = 0
    private var failure: FileError?

    /// Held in memory at a time, by each collector.
    let pieceBytes: Int
    /// Files that are open at a time.
    private let piecesMerged: Int
    private static let blockBytes = 65_536

    /// Makes the folder, which is for this run alone.
    package init(
        folder: String, pieceBytes: Int = 8_000_000, piecesMerged: Int = 64
    ) throws(FileError) {
        precondition(piecesMerged > 1, "\(piecesMerged) pieces to merge")
        self.folder = folder
        self.pieceBytes = pieceBytes
        self.piecesMerged = piecesMerged
        if mkdir(folder, 0o755) != 0 { throw ReportFolder.failure(folder, errno) }
        claim = FolderClaim.hold(folder)
    }

    package func makeLog() -> any OperationLog { OperationPieces(self) }

    /// Removes the folder with all that is left in it.
    package func remove() { try? FileManager.default.removeItem(atPath: folder) }

    deinit { if let claim { FolderClaim.release(claim) } }

    /// - Parameter lines: sorted.
    func add(_ lines: [OperationPieces.Line]) {
        let path = newPiece()
        do {
            let writer = try LineWriter(path)
            for line in lines { try writer.write("\(line.at)\t\(line.user)\t\(line.number)\t\(line.text)\n") }
            try writer.close()
            lock.withLock { pieces.append(path) }
        } catch {
            lock.withLock { failure = failure ?? error }
        }
    }

    /// Takes in what another store of the same build has gathered.
    ///
    /// - Parameter path: of what its `gather` has returned.
    package func adopt(_ path: String) {
        lock.withLock {
            pieces.append(path)
            adopted.insert(path)
        }
    }

    private func newPiece() -> String {
        lock.withLock {
            made += 1
            return "\(folder)/\(made)"
        }
    }

    /// Merges all pieces into one file: an object a line, in the order of time. Called once, after the last line was added.
    ///
    /// - Returns: the path of the file, which goes with the folder unless it is moved away.
    package func finish() throws(FileError) -> String {
        let rest = try gathered(to: piecesMerged)
        let path = "\(folder)/\(Self.fileName)"
        var index = 0
        try merge(rest, into: path) { line in
            defer { index += 1 }
            return "{\"index\":\(index),\(line.text)\n"
        }
        return path
    }

    /// Merges all pieces into one, which another store can adopt. Called once, in place of `finish`.
    package func gather() throws(FileError) -> String {
        if let only = try gathered(to: 1).first { return only }
        let path = newPiece()
        try LineWriter(path).close()
        return path
    }

    private func gathered(to count: Int) throws(FileError) -> [String] {
        if let failure = lock.withLock({ failure }) { throw failure }
        var rest = lock.withLock { pieces }
        while rest.count > count {
            let path = newPiece()
            let some = Array(rest.prefix(piecesMerged))
            try merge(some, into: path) { "\($0.at)\t\($0.user)\t\($0.number)\t\($0.text)\n" }
            for piece in some where !adopted.contains(piece) { unlink(piece) }
            rest = rest.dropFirst(some.count) + [path]
        }
        return rest
    }

    private func merge(
        _ pieces: [String], into path: String, _ text: (OperationPieces.Line) -> String
    ) throws(FileError) {
        let writer = try LineWriter(path)
        var readers: [LineReader] = []
        for piece in pieces { readers.append(try LineReader(piece, blockBytes: Self.blockBytes)) }
        var heads: [OperationPieces.Line?] = []
        for reader in readers { heads.append(try reader.next()) }
        while true {
            var first: (place: Int, line: OperationPieces.Line)?
            for (place, head) in heads.enumerated() {
                guard let head else { continue }
                if let found = first, found.line < head { continue }
                first = (place, head)
            }
            guard let first else { break }
            try writer.write(text(first.line))
            heads[first.place] = try readers[first.place].next()
        }
        try writer.close()
    }
}

/// Writes a new file through a buffer.
private final class LineWriter {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferMax = 262_144

    init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw ReportFolder.failure(path, errno) }
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    func write(_ text: String) throws(FileError) {
        buffer += text.utf8
        if buffer.count >= Self.bufferMax { try empty() }
    }

    func close() throws(FileError) {
        try empty()
        if fsync(descriptor) != 0 { throw ReportFolder.failure(path, errno) }
    }

    private func empty() throws(FileError) {
        do {
            try OutputFile.put(Data(buffer), into: descriptor, path: path)
        } catch {
            throw ReportFolder.failure(path, error.number)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads a piece line by line.
private final class LineReader {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var line: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    init(_ path: String, blockBytes: Int) throws(FileError) {
        self.path = path
        guard let file = fopen(path, "re") else { throw ReportFolder.failure(path, errno) }
        self.file = file
        setvbuf(file, nil, _IOFBF, blockBytes)
    }

    deinit {
        fclose(file)
        free(line)
    }

    /// Nil at the end.
    func next() throws(FileError) -> OperationPieces.Line? {
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else {
            if ferror(file) != 0 { throw ReportFolder.failure(path, errno) }
            return nil
        }
        let text = String(decoding: UnsafeRawBufferPointer(start: line, count: count - 1), as: UTF8.self)
        let parts = text.split(separator: "\t", maxSplits: 3)
        guard parts.count == 4, let at = Int64(parts[0]), let user = Int(parts[1]), let number = Int(parts[2]) else {
            preconditionFailure("\(path) holds what no collector wrote")
        }
        return OperationPieces.Line(at: at, user: user, number: number, text: String(parts[3]))
    }
}
