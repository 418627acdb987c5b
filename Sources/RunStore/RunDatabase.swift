// The database of runs: `runs.sqlite`, beside the folders of the reports.
// One thread at a time; any number of processes at once.

import Foundation

/// The runs that were recorded in one file.
///
/// Every run is one transaction: a process killed in the middle of one leaves nothing of it. A file that is not ours,
/// or newer than this program, is left as it is.
package final class RunDatabase {
    package static let fileName = "runs.sqlite"

    private let path: String
    private let connection: SQLiteConnection

    /// How often something is tried while others are at work, and the pause after each, in milliseconds.
    private static let tries = 3
    private static let pause: Int32 = 50

    // MARK: Opening

    /// Opens the file to add runs; makes it where there is none.
    package static func recording(at path: String) throws(RunStoreError) -> RunDatabase {
        try refuseOthers(path)
        return try RunDatabase(path: path, access: .creating)
    }

    /// Opens a file that is there, to look runs up.
    package static func reading(_ path: String) throws(RunStoreError) -> RunDatabase {
        guard FileManager.default.fileExists(atPath: path) else { throw RunStoreError(path: path, problem: .missing) }
        try refuseOthers(path)
        do {
            return try RunDatabase(path: path, access: .writing)
        } catch {
            // A file that may not be written to has no writers; what has not reached the file itself would be missed.
            let waiting = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int ?? 0
            guard [.notWritable, .notOpenable].contains(error.problem), waiting == 0 else { throw error }
            return try RunDatabase(path: path, access: .immutable)
        }
    }

    /// SQLite takes a short file of anything for an empty database, and writes over it.
    static func refuseOthers(_ path: String) throws(RunStoreError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue { throw RunStoreError(path: path, problem: .isFolder) }
        let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: magic.count)
        // What cannot be read is SQLite's to tell of.
        if let start, !start.isEmpty, Array(start) != magic { throw RunStoreError(path: path, problem: .notADatabase) }
    }

    /// What every database begins with.
    private static let magic = Array("SQLite format 3\0".utf8)

    private init(path: String, access: SQLiteConnection.Access) throws(RunStoreError) {
        self.path = path
        connection = try Self.attempt(path) { () throws(SQLiteFailure) in
            try SQLiteConnection(path: path, access: access)
        }
        let found = try attempt { () throws(SQLiteFailure) in try RunStoreSchema.state(of: connection) }
        switch found {
        case .foreign: throw RunStoreError(path: path, problem: .foreign)
        case .newer(let version): throw RunStoreError(path: path, problem: .newer(version: version))
        case .older(let version) where access == .immutable:
            throw RunStoreError(path: path, problem: .olderReadOnly(version: version))
        case .older, .current: break
        }
        if access == .immutable { return }
        // Lets others read while one writes. Refused while another connection is at it: then a later run does it.
        _ = try? connection.run("PRAGMA journal_mode = WAL")
        if found != .current {
            try attempt { () throws(SQLiteFailure) in try RunStoreSchema.migrate(connection) }
        }
    }

    /// Tries again while others are at work.
    private static func attempt<Result>(
        _ path: String, _ body: () throws(SQLiteFailure) -> Result
    ) throws(RunStoreError) -> Result {
        var number = 1
        while true {
            do {
                return try body()
            } catch {
                guard error.isPassing, number < tries else { throw RunStoreError(path: path, error) }
                number += 1
                SQLiteConnection.pause(milliseconds: pause)
            }
        }
    }

    private func attempt<Result>(_ body: () throws(SQLiteFailure) -> Result) throws(RunStoreError) -> Result {
        try Self.attempt(path, body)
    }

    // MARK: Adding

    /// Adds a run with its figures, of which no two may have one name; all of it or nothing.
    ///
    /// - Returns: its number.
    @discardableResult
    package func add(_ run: RecordedRun, figures: [RecordedFigure]) throws(RunStoreError) -> Int {
        try attempt { () throws(SQLiteFailure) in
            try connection.transaction { () throws(SQLiteFailure) in
                try connection.run(Self.insertion, RunRow.values(run))
                let number = try connection.number("SELECT last_insert_rowid()") ?? 0
                try connection.run(
                    """
                    INSERT INTO figure (name, unit, direction) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET unit = excluded.unit, direction = excluded.direction
                    """, each: figures.map { [.text($0.name), .text($0.unit), .text($0.direction)] })
                try connection.run(
                    """
                    INSERT INTO measurement (run, figure, value, is_exact)
                    VALUES (?, (SELECT id FROM figure WHERE name = ?), ?, ?)
                    """,
                    each: figures.map {
                        [.integer(number), .text($0.name), .real($0.value), .integer($0.isExact ? 1 : 0)]
                    })
                return Int(number)
            }
        }
    }

    private static let insertion =
        "INSERT INTO run (\(RunRow.names)) VALUES (\(RunRow.parameters))"

    // MARK: Looking up

    /// Every run, in the order in which they were added.
    package func runs() throws(RunStoreError) -> [StoredRun] {
        let rows = try attempt { () throws(SQLiteFailure) in
            try connection.run("SELECT number, \(RunRow.names) FROM run ORDER BY number")
        }
        return try rows.map { (row) throws(RunStoreError) in try stored(row) }
    }

    /// The names of all figures that any run has, sorted.
    package func figureNames() throws(RunStoreError) -> [String] {
        try attempt { () throws(SQLiteFailure) in
            try connection.run("SELECT name FROM figure WHERE id IN (SELECT figure FROM measurement) ORDER BY name")
        }.compactMap { row in
            if case .text(let name)? = row.first { return name }
            return nil
        }
    }

    /// One figure of every run that has it, by the run's number.
    package func figures(named name: String) throws(RunStoreError) -> [Int: RecordedFigure] {
        let rows = try attempt { () throws(SQLiteFailure) in
            try connection.run(
                """
                SELECT run, value, is_exact, unit, direction FROM measurement JOIN figure ON id = figure WHERE name = ?
                """, [.text(name)])
        }
        var figures: [Int: RecordedFigure] = [:]
        for row in rows {
            guard row.count == 5, case .integer(let run) = row[0], case .real(let value) = row[1],
                case .integer(let isExact) = row[2], case .text(let unit) = row[3], case .text(let direction) = row[4]
            else { throw unreadable }
            figures[Int(run)] = RecordedFigure(
                name: name, value: value, unit: unit, direction: direction, isExact: isExact != 0)
        }
        return figures
    }

    private func stored(_ row: [SQLiteConnection.Value]) throws(RunStoreError) -> StoredRun {
        guard case .integer(let number)? = row.first, let run = RunRow.run(Array(row.dropFirst())) else {
            throw unreadable
        }
        return StoredRun(number: Int(number), run: run)
    }

    private var unreadable: RunStoreError {
        RunStoreError(path: path, problem: .damaged("a row holds what no run has"))
    }
}
