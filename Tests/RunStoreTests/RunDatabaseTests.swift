// What is kept of runs comes back as it was; what is not ours is left as it is.

import FolderSupport
import Foundation
import Testing

@testable import RunStore

@Suite struct RunDatabaseTests {
    @Test func recordedRunsReadBackTheSame() throws {
        let folder = try ScratchFolder()
        var plain = Sample.run(seed: .max)
        (plain.commit, plain.isDirty) = (nil, nil)
        plain.isWhole = true
        #expect(try RunDatabase.recording(at: folder.database).add(plain, figures: []) == 1)
        #expect(try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: Sample.figures) == 2)
        let history = try RunDatabase.reading(folder.database)
        #expect(try history.runs() == [StoredRun(number: 1, run: plain), StoredRun(number: 2, run: Sample.run())])
        #expect(try history.figureNames() == ["purchase_duration p(95)", "violations"])
        #expect(try history.figures(named: "violations") == [2: Sample.figures[1]])
        #expect(try history.figures(named: "nothing").isEmpty)
    }

    @Test func runIsRecordedWholeOrNotAtAll() throws {
        let folder = try ScratchFolder()
        let history = try RunDatabase.recording(at: folder.database)
        // The second of two figures of one name is refused, when the run and the first have been written.
        #expect(throws: RunStoreError.self) {
            try history.add(Sample.run(), figures: [Sample.figures[0], Sample.figures[0]])
        }
        #expect(try history.runs().isEmpty)
        #expect(try history.figureNames().isEmpty)
        try history.add(Sample.run(), figures: Sample.figures)
        #expect(try history.runs().count == 1)
    }

    // MARK: What is not ours

    private func expectRefused(_ path: String, _ problem: RunStoreError.Problem) {
        let expected = RunStoreError(path: path, problem: problem)
        #expect(throws: expected) { try RunDatabase.recording(at: path) }
        #expect(throws: expected) { try RunDatabase.reading(path) }
    }

    @Test(arguments: ["x", String(repeating: "no database at all\n", count: 1_000)])
    func fileThatIsNoDatabaseIsNotChanged(text: String) throws {
        let folder = try ScratchFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.database))
        expectRefused(folder.database, .notADatabase)
        #expect(try folder.bytes() == Data(text.utf8))
    }

    @Test func databaseOfAnotherProgramIsNotChanged() throws {
        let folder = try ScratchFolder()
        try SQLiteConnection(path: folder.database, access: .creating).run("CREATE TABLE cookie (text TEXT)")
        let before = try folder.bytes()
        expectRefused(folder.database, .foreign)
        #expect(try folder.bytes() == before)
    }

    @Test func newerSchemaIsRefusedAndKept() throws {
        let folder = try ScratchFolder()
        try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: Sample.figures)
        try SQLiteConnection(path: folder.database, access: .writing).run("PRAGMA user_version = 99")
        let before = try folder.bytes()
        expectRefused(folder.database, .newer(version: 99))
        #expect(try folder.bytes() == before)
        let words = RunStoreError(path: "x", problem: .newer(version: 99)).description
        #expect(words == "x has schema version 99, but this build knows only 1")
    }

    @Test func missingDatabaseAndFolderAreReported() throws {
        let folder = try ScratchFolder()
        #expect(throws: RunStoreError(path: folder.database, problem: .missing)) {
            try RunDatabase.reading(folder.database)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.database))
        expectRefused(folder.url.path, .isFolder)
        let nowhere = folder.url.path + "/no/such/folder.sqlite"
        #expect(throws: RunStoreError(path: nowhere, problem: .notOpenable)) { try RunDatabase.recording(at: nowhere) }
    }

    // The superuser may write everywhere.
    @Test(.enabled(if: getuid() != 0))
    func readOnlyDatabaseCanStillBeRead() throws {
        let folder = try ScratchFolder()
        try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: Sample.figures)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.database)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
        #expect(try RunDatabase.reading(folder.database).runs().count == 1)
        #expect(throws: RunStoreError.self) {
            try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: [])
        }
    }

    // MARK: Versions

    @Test func olderTablesAreMigrated() throws {
        let folder = try ScratchFolder()
        try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: Sample.figures)
        let connection = try SQLiteConnection(path: folder.database, access: .writing)
        let next = RunStoreSchema.migrations + [["ALTER TABLE run ADD COLUMN note TEXT NOT NULL DEFAULT ''"]]
        #expect(try RunStoreSchema.state(of: connection, migrations: next) == .older(version: 1))
        try RunStoreSchema.migrate(connection, migrations: next)
        #expect(try RunStoreSchema.state(of: connection, migrations: next) == .current)
        #expect(try connection.number("SELECT count(*) FROM run WHERE note = ''") == 1)
        // A second time changes nothing.
        try RunStoreSchema.migrate(connection, migrations: next)
        #expect(try RunStoreSchema.state(of: connection) == .newer(version: 2))
    }

    @Test func failedMigrationKeepsTheOldTables() throws {
        let folder = try ScratchFolder()
        try RunDatabase.recording(at: folder.database).add(Sample.run(), figures: Sample.figures)
        let connection = try SQLiteConnection(path: folder.database, access: .writing)
        let broken = RunStoreSchema.migrations + [["DROP TABLE measurement", "DROP TABLE nothing"]]
        #expect(throws: SQLiteFailure.self) { try RunStoreSchema.migrate(connection, migrations: broken) }
        #expect(try RunDatabase.reading(folder.database).figures(named: "violations").count == 1)
    }
}
