// Why runs cannot be kept or looked up.
// Facts; the words are all here.

import CSQLite

package struct RunStoreError: Error, Sendable, Equatable {
    package enum Problem: Sendable, Equatable {
        case missing
        case isFolder
        /// Neither SQLite's nor empty.
        case notADatabase
        /// A database, of some other program.
        case foreign
        case newer(version: Int)
        /// An older version, and it may not be changed.
        case olderReadOnly(version: Int)
        case notWritable
        case notOpenable
        case busy
        case full
        case damaged(String)
        case failed(code: Int, String)
    }

    package let path: String
    package let problem: Problem

    /// What is wrong.
    package var description: String {
        switch problem {
        case .missing: "there is no database at \(path)"
        case .isFolder: "\(path) is a folder"
        case .notADatabase: "\(path) is not a database"
        case .foreign: "\(path) is a database of another program"
        case .newer(let version):
            "\(path) has schema version \(version), but this build knows only \(RunStoreSchema.migrations.count)"
        case .olderReadOnly(let version):
            "\(path) has schema version \(version) and cannot be upgraded"
        case .notWritable: "\(path) cannot be written to"
        case .notOpenable: "\(path) cannot be opened"
        case .busy: "\(path) is in use by another program"
        case .full: "\(path) cannot grow: no space is left"
        case .damaged(let message): "\(path) is damaged: \(message)"
        case .failed(let code, let message): "\(path): \(message) (SQLite's code \(code))"
        }
    }

    /// What to do about it.
    package var hint: String {
        switch problem {
        case .missing:
            "every 'stampede run' adds itself to \(RunDatabase.fileName) in its --out folder; "
                + "give another file with --database"
        case .isFolder, .notADatabase, .foreign: "move it away, or name another file"
        case .newer: "use the build that wrote it, or move it away"
        case .olderReadOnly, .notWritable: "make the file and its folder writable"
        case .notOpenable: "make the file readable and its folder writable"
        case .busy: "try again when that program has ended"
        case .full: "free some space"
        case .damaged: "move it away; 'sqlite3 FILE .recover' saves all readable data"
        case .failed: "move it away, or name another file"
        }
    }
}

extension RunStoreError {
    init(path: String, _ failure: SQLiteFailure) {
        self.path = path
        problem =
            switch failure.primary {
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_READONLY, SQLITE_PERM: .notWritable
            case SQLITE_CANTOPEN: .notOpenable
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
            case SQLITE_FULL: .full
            case SQLITE_CORRUPT: .damaged(failure.message)
            default: .failed(code: Int(failure.code), failure.message)
            }
    }
}
