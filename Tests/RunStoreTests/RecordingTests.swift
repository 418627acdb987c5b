// Writers that are killed, and many at once.

import FolderSupport
import Foundation
import Testing

@testable import RunStore

@Suite(.serialized) struct RecordingTests {
    private static let figuresPerRun = 200

    /// How many runs there are, all of them whole; the file is sound.
    private func wholeRuns(_ path: String) throws -> Int {
        let connection = try SQLiteConnection(path: path, access: .writing)
        #expect(try connection.run("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try connection.run("PRAGMA foreign_key_check").isEmpty)
        // Who dies early enough leaves a file without tables.
        if try connection.number("SELECT count(*) FROM sqlite_master WHERE name = 'run'") == 0 { return 0 }
        let partial = try connection.number(
            """
            SELECT count(*) FROM run WHERE (SELECT count(*) FROM measurement WHERE run = run.number)
                <> \(Self.figuresPerRun)
            """)
        #expect(partial == 0)
        return Int(try connection.number("SELECT count(*) FROM run") ?? 0)
    }

    @Test func killedRecordingProcessLeavesOnlyWholeRuns() throws {
        let folder = try ScratchFolder()
        var chance = SystemRandomNumberGenerator()
        // On a machine with its hands full most die before they have recorded anything: then more are started, and they
        // live longer.
        for round in 0..<300 {
            if round >= 30, try wholeRuns(folder.database) > 10 { break }
            let process = try RecordingProcess.start(folder.database, "killed")
            // Some die at once, while the tables are made; most within one transaction or another.
            usleep(.random(in: 1_000...60_000 * UInt32(1 + round / 30), using: &chance))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        // The next one goes on where they were.
        let last = try RecordingProcess.start(folder.database, "last", "1")
        last.waitUntilExit()
        #expect(last.terminationStatus == 0)
        #expect(try wholeRuns(folder.database) > 10)
        #expect(try RunDatabase.reading(folder.database).runs().last?.run.client == "last")
    }

    @Test func concurrentProcessesRecordEveryRun() throws {
        let folder = try ScratchFolder()
        // On a file that is not there yet: all of them want to make it.
        let processes = try (0..<8).map { try RecordingProcess.start(folder.database, "writer \($0)", "12") }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try wholeRuns(folder.database) == 96)
        let runs = try RunDatabase.reading(folder.database).runs()
        for writer in 0..<8 {
            let seeds = runs.filter { $0.run.client == "writer \(writer)" }.map(\.run.seed)
            #expect(seeds == Array(0..<12), "writer \(writer)")
        }
    }

    @Test func concurrentThreadsRecordEveryRun() throws {
        let folder = try ScratchFolder()
        let path = folder.database
        let figures = (0..<Self.figuresPerRun).map {
            RecordedFigure(name: "figure_\($0)", value: 1, unit: "count", direction: "neutral", isExact: true)
        }
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            do {
                try RunDatabase.recording(at: path).add(Sample.run(seed: UInt64(number)), figures: figures)
            } catch {
                Issue.record(error)
            }
        }
        #expect(try wholeRuns(path) == 40)
        #expect(Set(try RunDatabase.reading(path).runs().map(\.run.seed)) == Set(0..<40))
    }
}
