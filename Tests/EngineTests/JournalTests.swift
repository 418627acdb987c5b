// What a run keeps while it goes on: read again as far as it is whole, however it was left.

import Files
import Foundation
import RunSupport
import Statics
import Testing
import Text

@testable import Engine

@Suite struct JournalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-" + UUID().uuidString)
        .path

    private struct Kept: Equatable {
        var cells: [Int] = []
        var parts: [[UInt8]] = []
        var operations: [[UInt8]] = []
    }

    private func read() throws -> Kept {
        let journal = try #require(try RunJournal.resume(folder))
        var kept = Kept()
        journal.readFormer {
            kept.operations.append($0)
        } batch: {
            kept.cells += $0.cells
            kept.parts.append(Array($0.part))
            #expect($0.map == CodeMap.here)
        }
        #expect(journal.failure == nil)
        return kept
    }

    private func fresh(lengthMax: Int = 1 << 20) -> RunJournal {
        RunJournal(names: [folder], lengthMax: lengthMax) { Data("what is run".utf8) }
    }

    private func size(_ name: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int)
    }

    private func cut(_ name: String, to length: Int) { truncate("\(folder)/\(name)", off_t(length)) }

    @Test func journalCreatesItsFolderAtTheFirstRecord() throws {
        let journal = fresh()
        #expect(!journal.hasBegun && !RunJournal.exists(folder))
        journal.keep([3, 1, 2, 9], [7, 8], operations: nil)
        #expect(journal.hasBegun && journal.failure == nil)
        #expect(try RunJournal.header(of: folder) == Data("what is run".utf8))
        #expect(try read() == Kept(cells: [1, 2, 3, 9], parts: [[7, 8]], operations: []))
        journal.remove()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    // A batch counts with what its users asked for, or not at all.
    @Test func journalCutsBothFilesToTheSameBatch() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = fresh()
        var ends: [(journal: Int, operations: Int)] = []
        for cell in 0..<3 {
            journal.keep([cell], [UInt8(cell)], operations: [UInt8(cell), 0xFF])
            ends.append((try size("journal"), try size("operations")))
        }
        let journalData = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/journal"))
        let operationsData = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/operations"))
        for journalLength in ends[0].journal - 1...ends[2].journal {
            for operationsLength in [
                0, ends[0].operations, ends[1].operations - 1, ends[1].operations, ends[2].operations,
            ] {
                try journalData.prefix(journalLength).write(to: URL(fileURLWithPath: "\(folder)/journal"))
                try operationsData.prefix(operationsLength).write(to: URL(fileURLWithPath: "\(folder)/operations"))
                let whole = ends.count { $0.journal <= journalLength && $0.operations <= operationsLength }
                let kept = try read()
                #expect(kept.cells == Array(0..<whole), "\(journalLength), \(operationsLength)")
                #expect(kept.operations == (0..<whole).map { [UInt8($0), 0xFF] })
            }
        }
    }

    @Test func continuedJournalAppendsAfterTheLastWholeBatch() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = fresh()
        journal.keep([0], [1], operations: [1])
        journal.keep([1], [2], operations: [2])
        cut("journal", to: try size("journal") - 1)
        let next = try #require(try RunJournal.resume(folder))
        next.readFormer { _ in
        } batch: {
            #expect(Array($0.cells) == [0])
        }
        next.keep([5], [6], operations: [7])
        #expect(try read() == Kept(cells: [0, 5], parts: [[1], [6]], operations: [[1], [7]]))
    }

    // As one batch, with the operations as they are; and a second process still goes on behind it.
    @Test func largeJournalIsCompacted() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = fresh(lengthMax: 2_000)
        for cell in 0..<3 {
            journal.keep([cell], [UInt8](repeating: UInt8(cell), count: 1_000), operations: [UInt8(cell)])
        }
        #expect(journal.isLarge)
        journal.replace(by: [0, 1, 2], [42])
        #expect(journal.failure == nil && !FileManager.default.fileExists(atPath: "\(folder)/journal.new"))
        #expect(try !journal.isLarge && size("journal") < 6_000)
        journal.keep([3], [43], operations: [3])
        let all = Kept(cells: [0, 1, 2, 3], parts: [[42], [43]], operations: [[0], [1], [2], [3]])
        #expect(try read() == all)
        // Killed while it was made small: the old one counts.
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/journal.new"))
        #expect(try read() == all)
    }

    @Test func journalReportsAWriteFailureOnce() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("file-" + UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let journal = RunJournal(names: [file.path + "/journal"]) { Data() }
        journal.keep([0], [1], operations: nil)
        #expect(journal.failure?.number == ENOTDIR && !journal.hasBegun)
        journal.keep([1], [1], operations: nil)
        #expect(journal.failure?.number == ENOTDIR)
    }
}
