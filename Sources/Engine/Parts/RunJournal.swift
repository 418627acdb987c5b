// The progress of a run, kept while it lasts, so that a kill loses little of it: a folder of records.
// Main thread, as the run's intake.

package import Files
package import Foundation
import Simulation
import Statics

/// Two files: what was found, batch by batch, and what users asked for, if that is kept. Each batch says how long the
/// second file is with it, so that both always belong together.
package final class RunJournal: @unchecked Sendable {  // Unchecked: confined to the thread of the run's intake.
    /// The kinds of records in `journal`.
    enum Kind: UInt8 {
        /// What is run, in whatever form the journal's owner has chosen. The first record.
        case header
        /// A process goes on from here: where its code lies.
        case process
        case batch
        case operations
    }

    /// A batch that was kept: what cells came to.
    struct Batch {
        let cells: IndexSet
        let part: ArraySlice<UInt8>
        let map: CodeMap
    }

    /// The first name to try, until something is kept.
    private(set) package var folder: String
    /// What the folder may be called.
    private let names: [String]
    private let header: () -> Data
    private var file: RecordWriter?
    private var operations: RecordWriter?
    private var claim: FileClaim?
    /// Whether this journal resumes the work of another process.
    let isResumed: Bool
    /// Whether its files have their names on the disk.
    private var hasNames = false
    private var synchronizedAt = HostClock.nanoseconds
    /// Of `file`, above which it is written anew.
    private var lengthMax: Int
    /// Why nothing more is kept, once something could not be.
    private(set) package var failure: SystemError?

    /// What is found is kept so often, in nanoseconds: a kill costs no more, beside the cells under way.
    static let period: Int64 = 250_000_000
    /// What was kept is on the disk after so long, in nanoseconds: a machine that fails costs no more.
    private static let synchronizingPeriod: Int64 = 1_000_000_000
    /// Of the file of batches: it is made small when it is larger, and may then become twice as large as it is.
    package static let lengthMaxFirst = 64 << 20

    private static let name = "journal"
    /// What is to stand in place of it, until it is whole.
    private static let freshName = "journal.new"
    private static let operationsName = "operations"
    private static let claimName = "claim"

    /// A journal that is not begun: there is nothing on the disk before `keep`.
    ///
    /// - Parameters:
    ///   - names: of its folder; it has the first of them that no other process has by then.
    ///   - lengthMax: of the file of batches, above which it is first made small.
    ///   - header: says what is run. Called if something is kept.
    package init(names: [String], lengthMax: Int = lengthMaxFirst, header: @escaping () -> Data) {
        precondition(!names.isEmpty, "a journal without a name")
        (folder, self.names, self.lengthMax, self.header) = (names[0], names, lengthMax, header)
        (claim, isResumed) = (nil, false)
    }

    // MARK: Going on with one

    /// Whether some process is at it.
    package static func isInUse(_ folder: String) -> Bool { FileClaim.isHeld("\(folder)/\(claimName)") }

    /// Whether there is one.
    package static func exists(_ folder: String) -> Bool {
        hasFile(folder, name)
    }

    private static func hasFile(_ folder: String, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }

    /// The header of a journal; nil: there is none, or it was never whole.
    package static func header(of folder: String) throws(SystemError) -> Data? {
        let reader = try RecordReader("\(folder)/\(name)")
        guard case .record(let first) = try reader.next(), first.kind == Kind.header.rawValue else { return nil }
        return Data(first.bytes)
    }

    /// Resumes a journal that another process has left.
    ///
    /// - Returns: nil if a process still uses it.
    package static func resume(_ folder: String) throws(SystemError) -> RunJournal? {
        guard let claim = try FileClaim.take("\(folder)/\(claimName)") else { return nil }
        return try RunJournal(resuming: folder, claim)
    }

    private init(resuming folder: String, _ claim: FileClaim) throws(SystemError) {
        (self.folder, names, lengthMax) = (folder, [folder], Self.lengthMaxFirst)
        (self.claim, isResumed) = (claim, true)
        let found = try Self.header(of: folder) ?? Data()
        header = { found }
    }

    /// Reads what was kept, and is open for more then. Called once, before `keep`.
    ///
    /// - Parameters:
    ///   - operations: told of each record of them that counts.
    ///   - batch: told of each batch.
    func readFormer(operations: ([UInt8]) throws -> Void, batch: (Batch) throws -> Void) {
        precondition(isResumed && file == nil, "\(folder) was read before")
        do {
            try read(operations, batch)
        } catch {
            failure = error as? SystemError ?? SystemError(path: folder, number: EBADMSG)
        }
    }

    private func read(_ operations: ([UInt8]) throws -> Void, _ batch: (Batch) throws -> Void) throws {
        let known = try wholeOperations()
        let reader = try RecordReader("\(folder)/\(Self.name)")
        var map = CodeMap.here
        var operationsLength = 0
        var end = 0
        reading: while case .record(let record) = try reader.next() {
            switch Kind(rawValue: record.kind) {
            case .header: break
            case .process: map = try JSONDecoder().decode(CodeMap.self, from: Data(record.bytes))
            case .batch:
                let (cells, length, part) = try BatchHead.unpack(record.bytes[...])
                // What users asked for has not reached the disk.
                if !known.contains(length) { break reading }
                operationsLength = length
                try batch(Batch(cells: cells, part: part, map: map))
            case .operations, nil: break reading
            }
            end = reader.offset
        }
        if operationsLength > 0 { try readOperations(to: operationsLength, operations) }
        file = try RecordWriter(continuing: "\(folder)/\(Self.name)", at: end)
        if Self.hasFile(folder, Self.operationsName) {
            self.operations = try RecordWriter(continuing: "\(folder)/\(Self.operationsName)", at: operationsLength)
        }
        try file?.append(Self.process)
    }

    /// Where the whole records of operations end.
    private func wholeOperations() throws(SystemError) -> Set<Int> {
        let path = "\(folder)/\(Self.operationsName)"
        var ends: Set<Int> = [0]
        guard Self.hasFile(folder, Self.operationsName) else { return ends }
        let reader = try RecordReader(path)
        while case .record = try reader.next() { ends.insert(reader.offset) }
        return ends
    }

    private func readOperations(to end: Int, _ take: ([UInt8]) throws -> Void) throws {
        let reader = try RecordReader("\(folder)/\(Self.operationsName)")
        while reader.offset < end, case .record(let record) = try reader.next() { try take(record.bytes) }
    }

    // MARK: Keeping

    /// Whether anything is on the disk.
    package var hasBegun: Bool { file != nil }

    /// Keeps what cells came to. Once something cannot be kept, nothing more is.
    ///
    /// - Parameters:
    ///   - operations: what their users asked for, packed; nil: that is not kept.
    ///   - part: what they came to, packed.
    func keep(_ cells: IndexSet, _ part: [UInt8], operations asked: [UInt8]?) {
        if failure != nil { return }
        do {
            try begin(withOperations: asked != nil)
            if let asked, !asked.isEmpty {
                try operations?.append(FileRecord(kind: Kind.operations.rawValue, bytes: asked))
            }
            let head = BatchHead.pack(cells, operations?.length ?? 0)
            try file?.append(FileRecord(kind: Kind.batch.rawValue, bytes: head + part))
            try synchronizeNowAndThen()
        } catch {
            failure = error
        }
    }

    private func begin(withOperations: Bool) throws(SystemError) {
        if file == nil {
            try takeFolder()
            let writer = try RecordWriter(creating: "\(folder)/\(Self.name)")
            try writer.append(FileRecord(kind: Kind.header.rawValue, bytes: [UInt8](header())))
            try writer.append(Self.process)
            file = writer
        }
        if withOperations, operations == nil {
            operations = try RecordWriter(creating: "\(folder)/\(Self.operationsName)")
        }
    }

    /// Others may have begun to keep the like since this run began.
    private func takeFolder() throws(SystemError) {
        for name in names {
            try OutputFile.makeFolder(name)
            guard let claim = try FileClaim.take("\(name)/\(Self.claimName)") else { continue }
            (folder, self.claim) = (name, claim)
            // What a run before has left there is no part of this one.
            for file in [Self.name, Self.freshName, Self.operationsName] { unlink("\(name)/\(file)") }
            return
        }
        throw SystemError(path: folder, number: EBUSY)
    }

    /// Whether the file of batches has grown so much that one batch of all of them is to stand for it.
    var isLarge: Bool { file.map { $0.length > lengthMax } ?? false }

    /// Writes all that was kept as one batch, which replaces all earlier batches.
    func replace(by cells: IndexSet, _ part: [UInt8]) {
        guard failure == nil, file != nil else { return }
        let (path, freshPath) = ("\(folder)/\(Self.name)", "\(folder)/\(Self.freshName)")
        do {
            let fresh = try RecordWriter(creating: freshPath)
            try fresh.append(FileRecord(kind: Kind.header.rawValue, bytes: [UInt8](header())))
            try fresh.append(Self.process)
            let head = BatchHead.pack(cells, operations?.length ?? 0)
            try fresh.append(FileRecord(kind: Kind.batch.rawValue, bytes: head + part))
            try operations?.synchronize()
            try fresh.synchronize()
            guard rename(freshPath, path) == 0 else { return failure = SystemError(path: path, number: errno) }
            try OutputFile.synchronizeFolder(folder)
            file = fresh
            lengthMax = max(lengthMax, 2 * fresh.length)
        } catch {
            failure = error
        }
    }

    private func synchronizeNowAndThen() throws(SystemError) {
        let now = HostClock.nanoseconds
        guard now - synchronizedAt >= Self.synchronizingPeriod else { return }
        // In this order: a batch that is there has its operations.
        try operations?.synchronize()
        try file?.synchronize()
        // The names of both, once.
        if !hasNames { try OutputFile.synchronizeFolder(folder) }
        hasNames = true
        synchronizedAt = HostClock.nanoseconds
    }

    /// Nothing of it is needed any more.
    package func remove() {
        file = nil
        operations = nil
        guard claim != nil else { return }
        // The claim goes last: the next process with this name begins with the remaining files.
        // Other files are not ours.
        for file in [Self.name, Self.freshName, Self.operationsName, Self.claimName] { unlink("\(folder)/\(file)") }
        rmdir(folder)
    }

    private static var process: FileRecord {
        // A list of texts and numbers always has an encoding.
        let map = (try? JSONEncoder().encode(CodeMap.here)) ?? Data()
        return FileRecord(kind: Kind.process.rawValue, bytes: [UInt8](map))
    }
}
