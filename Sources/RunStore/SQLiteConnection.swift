// One connection to an SQLite database, as far as we need one.
// Owned by one thread at a time.

import CSQLite
import Foundation

/// What SQLite says of a call that failed.
struct SQLiteFailure: Error, Equatable {
    /// The extended result code.
    let code: Int32
    let message: String

    /// The result code without its details.
    var primary: Int32 { code & 0xff }

    /// Others are at work, and a further try may find them gone.
    var isPassing: Bool { [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(primary) }
}

final class SQLiteConnection {
    enum Value: Equatable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    enum Access {
        /// Makes the file where there is none.
        case creating
        case writing
        /// Of a file without writers: takes no locks and makes no files beside it.
        case immutable

        fileprivate var flags: Int32 {
            switch self {
            case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .writing: SQLITE_OPEN_READWRITE
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }
    }

    private var handle: OpaquePointer?

    /// How long a call waits for others that write, in milliseconds.
    static let patience: Int32 = 5_000

    init(path: String, access: Access) throws(SQLiteFailure) {
        // A path has an escaped form whatever is in it.
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .plainInPaths) ?? path
        let name = access == .immutable ? "file:\(escaped)?immutable=1" : path
        let result = sqlite3_open_v2(name, &handle, access.flags | SQLITE_OPEN_FULLMUTEX, nil)
        guard result == SQLITE_OK else {
            // Even a connection that could not be opened knows why, and has to be closed.
            let failure = failure(result)
            sqlite3_close_v2(handle)
            handle = nil
            throw failure
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.patience)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Blocks the thread.
    static func pause(milliseconds: Int32) { sqlite3_sleep(milliseconds) }

    /// Runs a statement; its rows.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(SQLiteFailure) -> [[Value]] {
        try run(sql, each: [values])
    }

    /// Runs one statement with one set of values after the other; the rows of all of them.
    @discardableResult
    func run(_ sql: String, each sets: [[Value]]) throws(SQLiteFailure) -> [[Value]] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var rows: [[Value]] = []
        for values in sets {
            try bind(values, to: statement)
            rows += try step(statement)
            try check(sqlite3_reset(statement))
        }
        return rows
    }

    /// The first value of the first row, where it is a whole number.
    func number(_ sql: String) throws(SQLiteFailure) -> Int64? {
        guard case .integer(let number)? = try run(sql).first?.first else { return nil }
        return number
    }

    /// What `body` writes is there as a whole or not at all. Nobody else writes meanwhile.
    func transaction<Result>(_ body: () throws(SQLiteFailure) -> Result) throws(SQLiteFailure) -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Fails where SQLite has rolled back already; what went wrong first is what matters.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    // MARK: Statements

    private func bind(_ values: [Value], to statement: OpaquePointer?) throws(SQLiteFailure) {
        // A macro that Swift cannot import: SQLite makes a copy of its own.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (place, value) in values.enumerated() {
            let number = Int32(place + 1)
            let result =
                switch value {
                case .null: sqlite3_bind_null(statement, number)
                case .integer(let value): sqlite3_bind_int64(statement, number, value)
                case .real(let value): sqlite3_bind_double(statement, number, value)
                case .text(let text): sqlite3_bind_text(statement, number, text, Int32(text.utf8.count), transient)
                }
            try check(result)
        }
    }

    private func step(_ statement: OpaquePointer?) throws(SQLiteFailure) -> [[Value]] {
        var rows: [[Value]] = []
        while true {
            let result = sqlite3_step(statement)
            if result == SQLITE_DONE { return rows }
            guard result == SQLITE_ROW else { throw failure(result) }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        default: return .null
        }
    }

    private func check(_ result: Int32) throws(SQLiteFailure) {
        if result != SQLITE_OK { throw failure(result) }
    }

    private func failure(_ result: Int32) -> SQLiteFailure {
        let code = handle == nil ? result : sqlite3_extended_errcode(handle)
        return SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}

extension CharacterSet {
    /// What stands for itself in the path of a URI: of ASCII, whatever else Foundation calls a letter.
    fileprivate static let plainInPaths = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.-_")
}
